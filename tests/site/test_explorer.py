"""The explorer computes what the package computes, and its page carries the numbers of its first scenario."""

from __future__ import annotations

import random
from math import isclose

import pytest

from roofline_sym.catalogue import hardware, models
from roofline_sym.core.units import ureg
from roofline_sym.deployment import BITS, Deployment, mean_context, shared_experts
from roofline_sym.layout import Layout
from roofline_sym.serving_sheet import ServingSheet
from roofline_sym.site import explorer_data
from roofline_sym.training_sheet import TrainingSheet

SEED, CASES = 9, 10


@pytest.fixture(scope="module")
def known(press):
    """What the page's script knows."""
    return explorer_data.data(press)


@pytest.fixture(scope="module")
def shown(press, known):
    """What the page shows of a state: the start with some things chosen otherwise."""
    return lambda **chosen: press.in_node("explorer/view.mjs", "viewed", {**known["start"], **chosen}, known)


def chosen(rng, known):
    """A model, a device and a format of products."""
    model, device = rng.choice(list(models)), rng.choice(list(known["peaks"]))
    return model, device, rng.choice(list(known["peaks"][device]))


def agree(values, wanted):
    """Lines of a sheet that a page's values differ from."""
    wrong = {name: (values.get(name), value) for name, value in wanted.items() if not near(values.get(name), value)}
    extra = {name: values[name] for name in values.keys() - wanted.keys()}
    return wrong, extra


def near(value, wanted):
    """Whether two values are the same but for rounding."""
    return value is not None and isclose(value, wanted, rel_tol=1e-12)


@pytest.mark.parametrize("seed", range(CASES))
def test_training_is_what_the_command_computes(shown, known, seed):
    """Each number of the sheet, the memory by parts, and whether it fits."""
    rng = random.Random(f"{SEED} {seed}")  # noqa: S311 - for cases, not for secrets
    model, device, form = chosen(rng, known)
    length, tokens = rng.choice([2048, 4096, 8192]), rng.randrange(100, 20_000)
    t, p, c, e = (rng.choice(degrees) for degrees in ([1, 2, 8], [1, 2, 4], [1, 1, 2], [1, 1, 8]))
    sizes = {"global_batch_size": rng.choice([64, 512]), "micro_batch_size": rng.choice([1, 2])}
    rough = Layout(rng.choice([1, 8, 64, 512]), t, p, 8, c, e, **sizes)
    layout = next(iter(rough.nearest(models[model], length)), Layout(1))
    words = {"recompute": rng.choice(["none", "selective", "full"]), "flash_attention": rng.choice(["off", "on"]),
             "zero_stage": rng.choice(["none", "optimizer", "gradients", "parameters"])}  # fmt: skip
    shares = {"training_efficiency": rng.uniform(0.2, 0.8)} if seed % 2 else {}
    price = rng.uniform(0.5, 8)
    sheet = TrainingSheet(
        models[model], hardware[device].at(form), layout, length, tokens * 1e9, **words, **shares,
        device_price=ureg.Quantity(price, "USD/(device*hour)"),
    )  # fmt: skip
    memory = sheet.memory()

    keys = {field["quantity"]: field["key"] for field in known["fields"]["train"]}
    told = {keys[name]: value for name, value in {**layout.inputs, **words, **shares}.items() if name in keys}
    view = shown(model=model, device=device, format=form, price=price, tokens=tokens, length=length, sp="off", **told)
    values = {key.removeprefix("train."): v for key, v in view["values"].items() if key.startswith("train.")}
    wanted = {name: float(step.value) for lines in sheet.parts.values() for name, step in lines.items()}
    wanted |= {"state_memory_per_device": float(memory.states.value), "activations": float(memory.activations.value)}
    wanted |= {"logit_memory": float(memory.logits.value)} if memory.logits else {}

    assert agree(values, wanted) == ({}, {})
    assert view["works"]["train"]["says"] == ("It fits" if memory.fits else "It does not fit")


@pytest.mark.parametrize("seed", range(CASES))
def test_serving_is_what_the_command_computes(shown, known, seed):
    """Each number of the sheet, and whether it fits."""
    rng = random.Random(f"{SEED} serve {seed}")  # noqa: S311 - likewise
    model, device, form = chosen(rng, known)
    config = models[model]
    longest = config.context_limit or 2048
    prompt, answer = rng.randrange(1, longest // 2), rng.randrange(1, longest // 2)
    devices, batch = rng.choice([1, 2, 8, 16]), rng.choice([1, 7, 64, 300])
    rough = Layout(devices, rng.choice([1, 2, 4]), 1, 1)
    found = next(iter(rough.nearest(config, 1)), Layout(devices, data_parallel=devices))
    e, te = shared_experts(config, found.tensor_parallel, 1)
    copies = devices // (found.tensor_parallel * found.pipeline_parallel)
    layout = Layout(devices, found.tensor_parallel, found.pipeline_parallel, copies, 1, e, te, global_batch_size=copies)
    weights, kv = rng.choice(list(BITS)), rng.choice(list(BITS))
    lengths = (mean_context(prompt, answer), prompt, answer) if seed % 3 else (prompt, None, None)
    deployment = Deployment(config, hardware[device], layout, form, weights, kv, batch, *lengths)
    price = rng.uniform(0.5, 8)
    rent = ureg.Quantity(price, "USD/(device*hour)")
    sheet = ServingSheet(deployment, serving_constants="methodology", device_price=rent)

    told = {"prompt": prompt, "answer": answer} if seed % 3 else {"context": prompt}
    view = shown(model=model, device=device, format=form, price=price, sn=devices, stp=layout.tensor_parallel,
                 spp=layout.pipeline_parallel, sep=e, batch=batch, weights=weights, kv=kv, **told)  # fmt: skip
    values = {key.removeprefix("serve."): v for key, v in view["values"].items() if key.startswith("serve.")}
    lines = {f"serve.{part}.{name}": name for part, names in known["parts"]["serve"].items() for name in names}
    seen = {name for row, name in lines.items() if row not in view["hidden"]}
    wanted = {name: float(step.value) for lines in sheet.parts.values() for name, step in lines.items()}

    assert agree({n: v for n, v in values.items() if n in seen}, wanted) == ({}, {})
    assert view["works"]["serve"]["says"] == ("It fits" if sheet.verdict.fits else "It does not fit")


def test_what_is_wrong_is_told_as_the_library_tells_it(shown, known):
    """Of layouts that cannot be, the same lines in the same order; of contexts beyond a model's limit likewise."""
    rng = random.Random(SEED)  # noqa: S311 - likewise
    keys = {field["quantity"]: field["key"] for field in known["fields"]["train"]}
    for _ in range(12):
        model = rng.choice(list(models))
        n, t, p, d, c, e, v, batch, micro = (rng.randrange(1, 12) for _ in range(9))
        layout = Layout(n, t, p, d, c, e, interleave=v, global_batch_size=batch, micro_batch_size=micro)
        length, split = rng.randrange(1, 4096), rng.random() < 0.5
        told = {keys[name]: value for name, value in layout.inputs.items() if name in keys}
        view = shown(model=model, length=length, sp="on" if split else "off", **told)
        faults = layout.faults(models[model], length, sequence_parallel=split)
        assert view["works"]["train"]["warnings"][: len(faults)] == faults
        assert (view["works"]["train"]["says"] == "This cannot be") == bool(faults)

    limit = models["llama-3-70b"].context_limit
    device, layout = hardware["h100-sxm-80gb"], Layout(4, 4)
    deployment = Deployment(models["llama-3-70b"], device, layout, "bf16", "bf16", "bf16", 1, limit, limit, 1)
    warned = shown(prompt=limit, answer=1, batch=1)["works"]["serve"]["warnings"]
    assert warned == list(deployment.faults()) != []
