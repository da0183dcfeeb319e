"""The Markdown extension: what directives become, and how it says what is wrong with them."""

from __future__ import annotations

import pytest

pytest.importorskip("markdown", reason="the site needs the extra docs")

from markdown import Markdown

from roofline_sym.site.mdx import SOURCE, PageError, SiteExtension, Source


def convert(press, text, path="index.md"):
    """The HTML of a page."""
    SOURCE.set(Source(path, text))
    return Markdown(extensions=[SiteExtension(press), "tables"]).convert(text)


def test_a_card_has_number_formula_signs_source_and_place(press):
    """The first equation of a page is number one, the second is number two."""
    html = convert(press, "::: arithmetic_intensity\n::: ridge_point").replace("<wbr />", "")

    assert html.count("<section") == 2
    assert html.index(">(1)<") < html.index('id="ridge_point"') < html.index(">(2)<")
    for part in (
        'class="katex-display"',
        "<math",
        "FLOP/byte",
        "Williams",
        "§3",
        "roofline_sym/roofline.py",
        "equations/ridge_point.md",
    ):
        assert part in html


def test_a_number_is_computed_and_says_from_what(press):
    """Its tooltip has the inputs, its link goes to its equation."""
    html = convert(press, "It turns at [[ridge_point: primer:h100-sxm-80gb]].")

    assert "295.2\N{NO-BREAK SPACE}FLOP/byte" in html
    assert "peak_flops = 989" in html
    assert 'href="equations/ridge_point.md"' in html


def test_inputs_units_and_digits_can_be_chosen(press):
    """What is computed stands before how it is shown."""
    html = convert(
        press,
        "[[ridge_point: peak_flops=2 TFLOP/s, hbm_bandwidth=3 TB/s, digits=2, to=FLOP/byte]]"
        "[[young_interval: checkpoint_time=2 s, cluster_mtbf=900 s, to=minute]]",
    )

    assert "0.67\N{NO-BREAK SPACE}FLOP/byte" in html
    assert ">1\N{NO-BREAK SPACE}minute</a>" in html


def test_an_input_alone_is_its_default(press):
    """Defaults have a source, so they may stand in a sentence."""
    assert ">0.45</a>" in convert(press, "It reaches [[training_efficiency]] of it.")


def test_a_ratio_is_shown_as_number_share_or_difference(press):
    """What one side is computed from holds for the other, unless that says its own; extra inputs are left out."""
    of = "ridge_point over ridge_point: peak_flops=4 TFLOP/s, hbm_bandwidth=1 TB/s"
    html = convert(press, f"[[ratio: ridge_point: peak_flops=3 TFLOP/s, hbm_bandwidth=1 TB/s over {of[17:]}]]")
    assert ">0.750</a>" in html
    assert "peak_flops = 3 TFLOP/s, hbm_bandwidth = 1 TB/s; over" in html
    assert ">100\N{NO-BREAK SPACE}%</a>" in convert(press, f"[[share: {of}]]")
    given = "peak_flops=4 TFLOP/s, hbm_bandwidth=1 TB/s, arithmetic_intensity=2 FLOP/byte"
    html = convert(press, f"[[difference: attainable_throughput over peak_flops: {given}]]")
    assert ">−50\N{NO-BREAK SPACE}%</a>" in html


@pytest.mark.parametrize("wrong", ["ridge_point: h100-sxm-80gb", "ridge_point over hbm_bandwidth: h100-sxm-80gb"])
def test_a_ratio_of_unlike_things_is_refused(press, wrong):
    """It takes two sides of one unit."""
    with pytest.raises(PageError, match="ratio"):
        convert(press, f"[[ratio: {wrong}]]")


def test_a_word_of_a_switch_is_no_equation(press):
    """ZeRO's last stage is called as the equation of all parameters is."""
    given = "parameters=7.5e9 parameter, n_moe_layers=0, tensor_parallel=1, pipeline_parallel=1, context_parallel=1"
    html = convert(press, f"[[state_memory_per_device: {given}, data_parallel=64, zero_stage=parameters, digits=2]]")

    assert ">2.1\N{NO-BREAK SPACE}GB</a>" in html


def test_a_name_is_that_of_the_catalogue(press):
    """A table of models names them as their entries do."""
    assert "<span>Llama 3.1 405B</span>" in convert(press, "[[name: llama-3.1-405b]]")


def test_money_stays_money(press):
    """A dollar sign opens no formula."""
    assert "$2 to $3 an hour" in convert(press, "It is $2 to $3 an hour.")


def test_code_is_left_alone(press):
    """A directive in code is shown, not carried out."""
    html = convert(press, "Write `[[ridge_point: h100-sxm-80gb]]`.")

    assert "<code>[[ridge_point: h100-sxm-80gb]]</code>" in html


def test_links_lead_from_any_depth(press):
    """From an equation's page, another equation is next door and the notation one up."""
    html = convert(press, "::: symbols ridge_point", "equations/ridge_point.md")

    assert 'href="../notation.md#peak_flops"' in html


def test_everything_wrong_is_told_at_once(press):
    """With file, line and the nearest name."""
    text = """# Title

::: rigde_point

[[ridge_pint: h100-sxm-80gb]], [[ridge_point: h100-sxm-80bg]],
[[sign: peak_flop]], [[check: ridge_point / H100 SMX]], [[cite: wiliams2009, §3]],
[[training_eficiency]] and [[hidden_size]].
"""
    with pytest.raises(PageError) as caught:
        convert(press, text, "primer.md")
    said = str(caught.value).splitlines()

    for line, name, hint in [
        (3, "rigde_point", "ridge_point"),
        (5, "ridge_pint", "ridge_point"),
        (5, "h100-sxm-80bg", "h100-sxm-80gb"),
        (6, "peak_flop", "peak_flops"),
        (6, "ridge_point / H100 SMX", "ridge_point / H100 SXM"),
        (6, "wiliams2009", "williams2009"),
        (7, "training_eficiency", "training_efficiency"),
    ]:
        assert any(
            s.startswith(f"primer.md:{line}: ") and f"'{name}'" in s and f"did you mean '{hint}'" in s for s in said
        ), name
    assert any("hidden_size has no default" in s for s in said)
    assert len(said) == 8


def test_a_missing_input_is_named(press):
    """As the package says it."""
    with pytest.raises(PageError, match="hbm_bandwidth"):
        convert(press, "[[ridge_point: peak_flops=1 TFLOP/s]]")


def test_a_book_of_ones_own_is_rendered(press):
    """An equation that is added shows up with everything about it."""
    from roofline_sym.core.book import Book
    from roofline_sym.library import BOOK
    from roofline_sym.site.page import Press

    book = Book({}, {}, {}, base=BOOK)

    @book.equation(r"T_\text{read}", "s", status="derived", source="williams2009, §3")
    def time_to_read(hbm_capacity, hbm_bandwidth):
        """Time to read the whole memory once."""
        return hbm_capacity / hbm_bandwidth

    html = convert(
        Press(book, press.node),
        "::: time_to_read\n\n[[time_to_read: hbm_capacity=80 GB, hbm_bandwidth=2 TB/s]]",
    )

    assert "Time to read the whole memory once" in html
    assert "40\N{NO-BREAK SPACE}ms" in html


def test_an_example_is_shown_and_computed_from(press):
    """What it stands for is listed once; what is given beside it holds instead, what plays no part is left out."""
    html = convert(
        press,
        '::: example run "A run" llama-3-70b n_devices="16384 device" training_tokens="54 token"\n\n'
        '::: example later "The same" run llama-3-8b\n\n'
        "[[cluster_mtbf: run, to=hour]], [[parameters: later]], "
        "[[cluster_mtbf: run, n_devices=1, device_mtbf=1 device·hour, to=hour]], [[n_devices: run]]",
    )

    assert html.count('<details class="example"') == 2
    assert html.count("Llama 3 70B") == 1
    for text in ("3.093\N{NO-BREAK SPACE}hours", "8.030×10⁹\N{NO-BREAK SPACE}parameters", "1\N{NO-BREAK SPACE}hour"):
        assert f">{text}</a>" in html
    assert ">16,384\N{NO-BREAK SPACE}devices</a>" in html


def test_an_example_may_be_a_reality_check(press):
    """Its inputs are taken over, so that they stand in one place."""
    title = "young_interval / BLOOM"
    html = convert(press, f'::: example bloom "BLOOM" "{title}"\n\n[[young_interval: bloom, to=hour]]')

    assert html.count(">1.932\N{NO-BREAK SPACE}hours</a>") == 1
    assert ">40 s</dd>" in html


def test_an_input_may_be_supplied_by_an_equation(press):
    """Twice Young's interval loses as much as half of it, since their product is what matters; by hand, 5/4 of it."""
    given = "checkpoint_time=2 s, cluster_mtbf=100 s, restart_time=0 s"
    html = convert(press, f"[[first_order_overhead: {given}, checkpoint_interval=young_interval]]")

    assert ">0.2</a>" in html.replace("0.2000", "0.2")


def test_an_input_without_part_is_told_unless_an_example_gives_it(press):
    """Whoever writes it beside the name has erred; an example serves many numbers."""
    with pytest.raises(PageError, match="batch_size has no part in ridge_point"):
        convert(press, "[[ridge_point: h100-sxm-80gb, batch_size=1]]")

    assert "295.3" in convert(press, '::: example e "E" h100-sxm-80gb batch_size=1\n\n[[ridge_point: e]]')


def test_a_record_of_the_validation_is_told(press):
    """What is computed, what was published, how far they are apart, and the second way; all from the records."""
    html = convert(
        press,
        "[[record: deepseek-cost]], [[record: llama3-mtbf, published]], [[record: ds-cost, deviation]], "
        "[[record: mcore-h100-16B, beside]]",
    )

    for text in ("5.576×10⁶ USD", "3 hours", "0 %", "−22.7 %"):
        assert f">{text.replace(' ', chr(160))}</a>" in html


@pytest.mark.parametrize(
    ("directive", "said"),
    [
        ("[[record: deepsek-cost]]", "did you mean 'deepseek-cost'"),
        ("[[record: ds-cost, beside]]", "nothing that it deviates from"),
        ("[[record: ds-cost, publisht]]", "did you mean 'published'"),
        ("[[record: llama3-t5-gpu-share]]", "is pending"),
        ('::: example e "E" llama-3-70c', "no model or accelerator is called 'llama-3-70c'"),
        ('::: example e "E" "young_interval / BLOM"', "no check is called"),
    ],
)
def test_what_is_wrong_with_records_and_examples_is_told(press, directive, said):
    """With the nearest name."""
    with pytest.raises(PageError, match=said):
        convert(press, directive)


def test_a_calculator_begins_at_an_example(press):
    """Its inputs are the example's; the reader changes what is named, and the model can be chosen."""
    html = convert(
        press,
        '::: example e "E" llama-3-70b kv_bytes="2 byte" batch_size=16 context_length=8192\n\n'
        "::: calculator kv_cache e ~batch_size",
    )

    assert "42.95 GB</output>" in html.replace("\N{NO-BREAK SPACE}", " ")
    assert '<option selected="" value="llama-3-70b">' in html
