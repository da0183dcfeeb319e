"""Layouts that cannot be: everything that is wrong, and layouts that work; what a device holds, and what would fit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofline_sym.catalogue import hardware, models
from roofline_sym.layout import Layout, LayoutError
from roofline_sym.training_sheet import TrainingSheet

GPT3, MIXTRAL, LLAMA = models["gpt-3-175b"], models["mixtral-8x22b"], models["llama-3-70b"]


@pytest.mark.parametrize(
    ("layout", "model", "context", "wrong"),
    [
        (Layout(1024, 8, 16, 7, global_batch_size=7), GPT3, 2048, "tp·pp·dp·cp = 8·16·7·1 = 896, and there are 1,024"),
        (Layout(10, 10, global_batch_size=1), GPT3, 2048, "96 heads are not divisible by tp = 10"),
        (Layout(12, 12, global_batch_size=1), LLAMA, 8192, "8 key-value heads can neither be shared out to tp = 12"),
        (Layout(5, 1, 5, global_batch_size=5), GPT3, 2048, "96 layers are not divisible by pp·interleave = 5·1"),
        (Layout(8, 1, 8, interleave=5, global_batch_size=8), GPT3, 2048, "pp·interleave = 8·5"),
        (Layout(8, 1, 1, 8, global_batch_size=12), GPT3, 2048, "a batch of 12 sequences is not divisible by"),
        (Layout(4, 1, 4, interleave=2, global_batch_size=6), GPT3, 2048, "microbatches must come in multiples of pp"),
        (Layout(2, interleave=2, data_parallel=2, global_batch_size=2), GPT3, 2048, "interleave = 2 needs a pipeline"),
        (Layout(3, 1, 1, 1, 3, global_batch_size=1), GPT3, 2048, "a context of 2048 tokens is not divisible by cp = 3"),
        (Layout(4, 1, 1, 4, expert_parallel=4, global_batch_size=4), GPT3, 2048, "the model has none"),
        (Layout(6, 1, 1, 6, expert_parallel=6, global_batch_size=6), MIXTRAL, 4096, "8 experts are not divisible by"),
        (Layout(4, 1, 1, 4, expert_parallel=8, global_batch_size=4), MIXTRAL, 4096, "not divisible by ep·etp = 8·1"),
        (Layout(8, 0, 1, -1), GPT3, 2048, "data_parallel is -1; it is 1 or more"),
    ],
)
def test_an_impossible_layout_says_why(layout, model, context, wrong):
    """Each rule by itself."""
    assert any(wrong in line for line in layout.faults(model, context))


def test_everything_wrong_is_told_at_once_with_what_works():
    """Devices, heads, layers, batch; and the nearest layouts, each of which works."""
    asked = Layout(1024, 7, 15, 8, global_batch_size=1500)

    with pytest.raises(LayoutError) as caught:
        asked.check(GPT3, 2048)

    told = str(caught.value)
    for text in ("840", "96 heads", "96 layers", "a batch of 1,500", "works: --tp 8 --pp 16 --dp 8"):
        assert text in told
    near = asked.nearest(GPT3, 2048)
    assert len(near) == len(set(near)) == 3
    assert all(other.faults(GPT3, 2048) == [] for other in near)


SIZES = st.sampled_from([1, 2, 3, 4, 7, 8, 12, 16, 64])


@settings(max_examples=60, deadline=None)
@given(SIZES, SIZES, SIZES, st.integers(1, 64), st.sampled_from([GPT3, LLAMA, MIXTRAL]))
def test_what_is_offered_works(t, p, d, batch, model):
    """For any layout asked for, each one offered has no fault."""
    for other in Layout(64, t, p, d, global_batch_size=batch).nearest(model, 4096):
        assert other.faults(model, 4096) == []


def sheet(model="llama-3-70b", device="h100-sxm-80gb", layout=None, context=8192, **more):
    """A run of 512 devices."""
    chosen = layout or Layout(512, 8, 4, 16, global_batch_size=1024)
    return TrainingSheet(models[model], hardware[device], chosen, context, "15e12 token", **more)


def test_what_does_not_fit_says_what_would():
    """Stored scores of 8192 tokens do not; without them, or computed again, it does; every remedy told fits."""
    made = sheet(gradient_format="bf16")

    assert not made.memory().fits
    assert made.remedies() == ["--recompute full"]
    assert sheet(gradient_format="bf16", recompute="full").memory().fits
    assert sheet(gradient_format="bf16", recompute="full").remedies() == []


def test_some_runs_fit_no_way():
    """Then the sheet says by how much they miss."""
    made = sheet(device="rtx-4090", layout=Layout(8, 8, global_batch_size=8))

    (told,) = made.remedies()
    assert told.startswith("even with all of")
    assert "more --tp or --pp" in told


def test_memory_is_the_sum_of_its_parts():
    """States and activations; logits where the last stage is the first."""
    one_stage = sheet(layout=Layout(512, 8, 1, 64, global_batch_size=1024)).memory()
    staged = sheet().memory()

    assert one_stage.total == float(one_stage.states.value + one_stage.activations.value + one_stage.logits.value)
    assert staged.logits is None


@pytest.mark.parametrize("name", ["llama-3-8b", "mixtral-8x22b", "deepseek-r1", "gpt-oss-120b", "gemma-2-27b", "gpt2"])
def test_every_kind_of_model_can_be_told(name):
    """Grouped heads, experts, latents, windows, plain networks: nothing is missing but a price."""
    made = sheet(name, layout=Layout(16, 1, 1, 16, global_batch_size=64), context=1024)
    told = made.as_json()

    lacking = {name for name in made.missing if not name.startswith(("predicted", "size"))}
    assert lacking == {"cost"}
    assert 0 < told["run"]["mfu"]["value"] < 1
    assert 0 < told["reliability"]["goodput"]["value"] < 1
