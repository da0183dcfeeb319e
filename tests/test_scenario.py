"""A scenario: what is known first, what is asked for, and what is told when something is missing."""

import pytest
import sympy as sp

from roofline_sym import EQUATIONS, Scenario, hardware, models
from roofline_sym.core.book import Book
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.reading import InputError
from roofline_sym.core.walk import MissingInputError
from roofline_sym.library import BOOK


def serving(**more):
    """Llama 3 70B on eight H100, as the methodology's last reality check has it."""
    given = {
        "n_devices": 8, "device_price": "2 USD/(device·hour)", "batch_size": 64, "context_length": 8192,
        "weight_bytes": "2 byte/parameter", "kv_bytes": "2 byte",
    }  # fmt: skip
    return Scenario("llama-3-70b", "h100-sxm-80gb", **(given | more))


def test_evaluate_walks_the_graph():
    """The throughput and price that the methodology's defaults give."""
    assert serving().evaluate("serving_throughput").to("token/s").magnitude == pytest.approx(1395.5, rel=1e-4)
    assert serving().evaluate("cost_per_token").to("USD/Mtoken").magnitude == pytest.approx(3.185, rel=1e-4)


def test_a_given_quantity_stops_the_walk():
    """Nothing below it is asked for."""
    given = Scenario(
        cluster_peak="1 PFLOP/s", training_flops_exact="1 EFLOP", pipeline_idle=0.0625, exposed_time="0 s",
        training_efficiency=0.5,
    )  # fmt: skip

    assert given.evaluate("time_to_train").magnitude == 2125


def test_absent_parts_are_never_asked_for():
    """A model without experts or latents needs neither's inputs."""
    step = Scenario("llama-3-70b").explain("parameters")

    names = {leaf.quantity.name for leaf in step.leaves()}
    assert step.value == 70_553_706_496
    assert not names & {"n_experts", "expert_size", "kv_lora_rank", "window"}
    assert {"n_moe_layers", "n_mla_layers"} <= names


def test_defaults_are_marked():
    """A reader sees which numbers nobody gave."""
    origins = {leaf.quantity.name: leaf.origin for leaf in serving().explain("cost_per_token").leaves()}

    assert origins["decode_efficiency"] == "default"
    assert origins["batch_size"] == "given"
    overruled = serving(decode_efficiency=0.7).evaluate("cost_per_token")
    assert overruled.magnitude == pytest.approx(serving().evaluate("cost_per_token").magnitude / 2)


def test_missing_inputs_are_all_named_with_what_wants_them():
    """And with their meaning and unit."""
    with pytest.raises(MissingInputError) as caught:
        Scenario("llama-3-70b").evaluate("decode_intensity")

    message = str(caught.value)
    assert "decode_intensity needs 4 more inputs" in message
    assert (
        "kv_bytes is missing: bytes of a cached key or value element [byte], for decode_cache_read < decode_bytes"
        in message
    )


def test_everything_wrong_is_told_at_once():
    """Unknown names, wrong units, and what two sources give."""
    with pytest.raises(InputError) as caught:
        Scenario("lama-3-70b", "h100-sxm-80gb", batch_sise=4, hbm_bandwidth="1 TB/s", kv_bytes="2 s")

    message = str(caught.value)
    for part in (
        "llama-3-70b", "did you mean 'batch_size'?", "kv_bytes: '2 s' is in s, wanted byte",
        "hbm_bandwidth is given twice, by the hardware and by the inputs",
    ):  # fmt: skip
        assert part in message


def test_words_of_a_switch():
    """People use words."""
    causal = Scenario(causal_fraction="causal").evaluate("causal_share")

    assert causal.magnitude == 0.5
    with pytest.raises(InputError, match="is one of full, causal"):
        Scenario(causal_fraction="half")


def test_mappings_serve_as_well_as_names():
    """A catalogue entry, or any mapping of quantities."""
    by_name = Scenario("llama-3-8b", "a100-sxm-80gb")
    by_entry = Scenario(models["llama-3-8b"], hardware["a100-sxm-80gb"])

    assert by_name.evaluate("parameters") == by_entry.evaluate("parameters")
    assert by_name.evaluate("ridge_point") == EQUATIONS["ridge_point"](hardware["a100-sxm-80gb"])


def test_a_count_is_whole_and_a_mean_need_not_be():
    """Half a sequence is a mistake; lengths of traffic are means. Formulas keep their ceilings."""
    with pytest.raises(InputError) as caught:
        serving(batch_size=16.5, n_devices="0.5")

    assert str(caught.value).splitlines() == [
        "n_devices: is a count: 1, not '0.5'", "batch_size: is a count: 16 or 17, not '16.5'",
    ]  # fmt: skip
    with pytest.raises(InputError, match="tensor_parallel: is a count: 2 or 3, not '2.5'"):
        EQUATIONS["kv_heads_per_rank"](n_kv_heads=8, tensor_parallel=2.5)
    serving(batch_size="16.0", context_length="1500.5", prompt_length="161.3").evaluate("kv_cache")
    assert EQUATIONS["prefill_chunks"].exact(prompt_length="161.3", chunk_length=100) == 2


def test_an_equation_that_is_added_later_takes_part():
    """Also in a scenario that has computed before, and in one that is given another book."""
    sources = {"notes": "Notes."}
    begin = Book({}, sources, {}, base=BOOK)
    factor = Quantity("spares", "x_s", "", "how many times", default="2", source="notes")
    book = Book({"spares": factor}, sources, {}, base=begin)
    how = {"status": "definition", "source": "notes", "because": "It is told so."}

    @book.equation("x_k", "device", **how)
    def kept_devices(spares, n_devices):
        """Devices, so many times."""
        return spares * n_devices

    used, other = Scenario(n_devices=10, n_layers=3, book=book), Scenario(n_devices=10, n_layers=3)
    assert used.exact("kept_devices") == 20
    with pytest.raises(KeyError, match="kept_devices"):
        other.exact("kept_devices")

    @begin.equation("x_s", "", **how)
    def spares(n_layers):
        """As many as layers, and four."""
        return n_layers + 4

    other.book = book
    assert [used.exact("kept_devices"), other.exact("kept_devices")] == [70, 70]


def test_exact_values_in_place_of_all():
    """They are quantities and fractions; anything else is refused."""
    run = Scenario(peak_flops="1 TFLOP/s", hbm_bandwidth="1 TB/s")
    peak = BOOK.quantities["peak_flops"]

    assert run.having({**run.given, peak: sp.Integer(5) * 10**12}).exact("ridge_point") == 5
    for wrong in ({"peak_flops": sp.Integer(1)}, {peak: 1.0}):
        with pytest.raises(TypeError, match="quantities and exact values, got .*peak_flops"):
            run.having(wrong)
