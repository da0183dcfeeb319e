"""`roofline-sym serve`: one screen, what fits and what would, and everything that is wrong at once."""

import json
import xml.etree.ElementTree as ET
from io import StringIO

import pytest
from rich.console import Console
from typer.testing import CliRunner

from roofline_sym.catalogue import hardware, models
from roofline_sym.cli import app
from roofline_sym.deployment import Deployment, DeploymentError, shared_experts
from roofline_sym.layout import Layout
from roofline_sym.serving_sheet import ServingSheet

LLAMA = ["--model", "llama-3-70b", "--hardware", "h100-sxm-80gb", "--devices", "8", "--tp", "8", "--batch", "64"]


def serve(*args):
    """Run the command in this process."""
    return CliRunner().invoke(app, ["serve", *args])


def told(*args):
    """What it tells as plain data."""
    done = serve(*args, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def deployment(name, device, t=1, batch=1, context=1024, **more):
    """One copy of a model on as many devices as share its layers."""
    e, te = shared_experts(models[name], t, 1)
    layout = Layout(t, t, 1, 1, 1, e, te)
    formats = {"number_format": "bf16", "weight_format": "bf16", "kv_format": "bf16", **more}
    return Deployment(models[name], hardware[device], layout, **formats, batch_size=batch, context_length=context)


def test_the_methodologys_price():
    """In closed form, 1,395.5 token/s and 3.185 USD per million, with every input that gave it."""
    at = told(*LLAMA, "--context", "8192", "--price", "2 USD/(device·hour)")

    assert at["constants"] == "methodology"
    assert at["decode"]["decode_step_time"]["value"] == pytest.approx(64 * 0.85 * 0.85 / 1395.5, rel=1e-3)
    assert at["decode"]["decode_difference"]["value"] == pytest.approx(0.078, abs=1e-3)
    assert at["defaults"]["decode_efficiency"] == {"value": "0.35", "source": "methodology, §1"}
    assert at["fits"] is True
    assert at["missing_bytes"] == 0


def test_the_other_constants_say_so():
    """Each screen names the set that made its numbers."""
    done = serve(*LLAMA, "--context", "8192", "--constants", "measured")

    assert "constants: measured" in done.stdout
    assert "measured_decode_share" in done.stdout


def test_a_request_for_people():
    """One screen: phases with their roofs, latency, throughput, price, and what more could be told."""
    done = serve(*LLAMA, "--input", "2048", "--output", "512", "--price", "2 USD/(device·hour)")

    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) < 75
    for text in ("time to first token", "compute", "ridge", "295.3 FLOP/byte", "USD/Mtoken", "it fits", "--api-price"):
        assert text in done.stdout


def test_every_number_is_explained():
    """Down to the catalogue's source, a default's, or the call."""
    done = serve(*LLAMA, "--context", "8192", "--explain")

    assert "decode_efficiency = 0.35 default, methodology, §1" in done.stdout
    trees = told(*LLAMA, "--context", "8192", "--explain")["explained"]
    assert trees["decode_operator_time"]["from"]["step_latency"]["value"] == pytest.approx(1.92e-3)


def test_copies_beside_one_another():
    """Devices beyond those of one copy hold further ones; a copy is as fast as alone."""
    one = told(*LLAMA, "--input", "2048", "--output", "512")
    two = told(*LLAMA, "--input", "2048", "--output", "512", "--devices", "16")

    assert two["decode"] == one["decode"]
    rates = [at["throughput"]["deployment_throughput"]["value"] for at in (one, two)]
    assert rates[1] == pytest.approx(2 * rates[0])
    per_device = [at["throughput"]["device_throughput"]["value"] for at in (one, two)]
    assert per_device[0] == pytest.approx(per_device[1])


def test_the_frontier():
    """Over batches that fit, a device generates ever more, and a user sees ever less."""
    at = told(*LLAMA, "--context", "8192")["frontier"]

    assert [f["batch"] for f in at] == [1, 2, 4, 8, 16, 32, 64, 128]
    for name, order in (("tokens_per_second_and_user", -1), ("tokens_per_second_and_device", 1)):
        assert [f[name] for f in at] == sorted((f[name] for f in at), reverse=order < 0)


def test_the_plot(tmp_path):
    """Roofline with the phases, and the frontier, as one SVG that needs no other program."""
    file = tmp_path / "out.svg"

    assert serve(*LLAMA, "--input", "2048", "--output", "512", "--plot", str(file)).exit_code == 0

    root = ET.parse(file).getroot()  # noqa: S314 - our own file
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"decode", "prefill", "intensity, FLOP/byte", "token/s and user", "64"} <= set(texts)
    told_of = [node.text for node in root.iter("{http://www.w3.org/2000/svg}title")]
    at = told(*LLAMA, "--input", "2048", "--output", "512")
    share = at["decode"]["decode_step_time"]["value"] * 0.35 / at["decode"]["decode_operator_time"]["value"]
    assert any(text.startswith("decode: 49.55 FLOP/byte") and f"{100 * share:.0f} % of" in text for text in told_of)


@pytest.mark.parametrize(
    ("model", "device", "t", "batch", "context"),
    [
        ("llama-3-70b", "h100-sxm-80gb", 1, 1, 8192), ("llama-3.1-405b", "h100-sxm-80gb", 8, 64, 8192),
        ("llama-3-8b", "a100-sxm-40gb", 1, 64, 8192), ("mixtral-8x22b", "h100-sxm-80gb", 2, 8, 4096),
        ("deepseek-r1", "h200-sxm-141gb", 8, 128, 131072), ("gemma-3-27b", "rtx-4090", 1, 1, 131072),
    ],
)  # fmt: skip
def test_each_remedy_makes_it_fit(model, device, t, batch, context):
    """By how many bytes it does not fit, and single changes after each of which it does."""
    args = ["--model", model, "--hardware", device, "--devices", str(t), "--tp", str(t)]
    work = {"--batch": str(batch), "--context": str(context)}
    at = told(*args, *(text for pair in work.items() for text in pair))

    assert at["fits"] is False
    needed = at["capacity"]["device_memory"]["value"] - at["capacity"]["usable_memory"]["value"]
    assert at["missing_bytes"] == pytest.approx(needed)
    assert at["remedies"]
    for remedy in at["remedies"]:
        options = {**dict(zip(args[::2], args[1::2], strict=True)), **work}
        words = remedy.split()
        options |= dict(zip(words[::2], words[1::2], strict=True))
        again = told(*(text for pair in options.items() for text in pair))
        assert again["fits"], remedy


def test_two_changes_where_no_single_one_helps():
    """Lighter weights alone do not do, nor does a smaller batch; both together do."""
    args = ["--model", "llama-3.1-405b", "--hardware", "h100-sxm-80gb", "--devices", "8", "--tp", "8"]
    at = told(*args, "--batch", "4096", "--context", "131072")

    assert at["remedies"] == ["--weights fp8 --batch 3"]
    assert told(*args, "--batch", "3", "--context", "131072", "--weights", "fp8")["fits"]
    assert not told(*args, "--batch", "4", "--context", "131072", "--weights", "fp8")["fits"]
    assert not told(*args, "--batch", "1", "--context", "131072")["fits"]


def test_nothing_that_is_given_is_lost():
    """A quantity that no number rests on is named, and so is one that some number lacks."""
    done = serve(*LLAMA, "--context", "8192", "chunked_prefill=on", "reused_length=5")

    assert "left out for want of: chunk_length" in done.stdout
    assert "no number rests on: chunked_prefill, reused_length" in done.stdout


@pytest.mark.parametrize("width", [80, 160])
def test_the_screen(width, monkeypatch):
    """No line is broken, and none runs over; names of equations stand where there is room."""
    screen = Console(width=width, highlight=False, file=StringIO())
    monkeypatch.setattr("roofline_sym.cli.serve.out", screen)

    serve(*LLAMA, "--input", "2048", "--output", "512", "--price", "2 USD/(device·hour)", "--api-price",
          "0.88 USD/Mtoken", "electricity_price=0.1 USD/kWh")  # fmt: skip

    lines = screen.file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)
    assert len(lines) <= 72
    assert any("decode_operator_time" in line for line in lines) == (width > 110)
    for label in ("feed-forward networks", "tokens per second and user", "batch at ridge, no cache", "break-even rent"):
        assert sum(label in line for line in lines) >= 1


def test_the_largest_that_fit_are_told():
    """One more sequence, or one more token, does not fit."""
    sheet = ServingSheet(deployment("llama-3-8b", "a100-sxm-40gb", batch=64, context=8192))
    batch, context = (int(r.split()[1]) for r in sheet.verdict.remedies[:2])

    assert ServingSheet(deployment("llama-3-8b", "a100-sxm-40gb", batch=batch, context=8192)).verdict.fits
    assert not ServingSheet(deployment("llama-3-8b", "a100-sxm-40gb", batch=batch + 1, context=8192)).verdict.fits
    assert ServingSheet(deployment("llama-3-8b", "a100-sxm-40gb", batch=64, context=context)).verdict.fits
    assert not ServingSheet(deployment("llama-3-8b", "a100-sxm-40gb", batch=64, context=context + 1)).verdict.fits


def test_a_deployment_serves_whole_sequences():
    """Also where it is made in Python."""
    with pytest.raises(
        DeploymentError, match=r"a batch of 16.5; it is a whole number\na context of 0.5; it is 1 or more"
    ):
        ServingSheet(deployment("llama-3-8b", "h100-sxm-80gb", batch=16.5, context=0.5))


def test_quantised_weights_and_cache():
    """Four bits with their scales; an eight-bit cache halves what is read."""
    plain = told(*LLAMA, "--context", "8192")
    small = told(*LLAMA, "--context", "8192", "--weights", "int4", "--kv-dtype", "fp8")

    ratio = small["capacity"]["device_weights"]["value"] / plain["capacity"]["device_weights"]["value"]
    assert ratio == pytest.approx(4.125 / 16)
    assert small["capacity"]["device_cache"]["value"] == plain["capacity"]["device_cache"]["value"] / 2


def test_experts_over_many_devices():
    """Each of 128 devices serves its own sequences and holds its share of the experts."""
    at = told("--model", "deepseek-r1", "--hardware", "h800-sxm", "--devices", "128", "--ep", "128", "--batch", "64",
              "--context", "4989", "--dtype", "fp8")  # fmt: skip

    assert at["fits"] is True
    assert at["decode"]["decode_exchange_time"]["value"] > 0
    assert at["layout"]["expert_parallel"] == at["layout"]["data_parallel"] == 128


@pytest.mark.parametrize(
    ("args", "texts"),
    [
        (["--batch", "0", "--context", "8192"], ["a batch of 0; it is 1 or more"]),
        (["--context", "8193"], ["a context of 8,193 tokens is beyond the model's 8,192"]),
        (["--input", "8000", "--output", "1000"], ["of 9,000 tokens together are beyond the model's 8,192"]),
        (["--input", "0", "--output", "-1", "--context", "1"], ["a prompt of 0", "an answer of -1"]),
        ([], ["how long? give --context, or both --input and --output"]),
        (["--context", "1", "--dtype", "fp4"], ["h100-sxm-80gb has no dense fp4 peak; it has fp64"]),
        (["--context", "1", "--weights", "int3"], ["weights are stored in fp32", "got 'int3'"]),
        (["--context", "1", "--tp", "3"], ["64 heads are not divisible by tp = 3", "works: --tp 8"]),
        (["--context", "1", "--ep", "2"], ["ep = 2 shares out experts, and the model has none"]),
        (["--context", "1", "--tp", "0"], ["tensor_parallel is 0; it is 1 or more"]),
        (["--context", "1", "--devices", "0"], ["n_devices is 0; it is 1 or more"]),
        (["--context", "1", "--constants", "best"], ["--constants is one of methodology, measured; got 'best'"]),
        (["--context", "1", "--price", "2 GB"], ["device_price"]),
        (["--context", "1", "--model", "llama-3-80b"], ["did you mean 'llama-3-8b'?"]),
        (["--context", "1", "--hardware", "h1000"], ["no device is called 'h1000'"]),
        (["--context", "1", "nothing=1"], ["no quantity is called 'nothing'"]),
        (["--context", "1", "batch_size=16.5"], ["batch_size is given by --batch"]),
        (["--context", "1", "phase_model=operators"], ["phase_model is not chosen here"]),
        (["--context", "1", "prefill_batch=1.5"], ["prefill_batch: is a count: 1 or 2, not '1.5'"]),
        (["--context", "9", "--input", "9", "reused_length=1.5"], ["reused_length is a whole number; got '1.5'"]),
        (["--context", "1", "n_layers=2.5"], ["n_layers is the model's; write it into a config.json"]),
        (["--context", "1", "memory_share=2"], ["memory_share is a share, 1 at most; got '2'"]),
        (["--context", "1", "overlap_fraction=1.5"], ["overlap_fraction is a share, 1 at most; got '1.5'"]),
        (["--input", "512", "--output", "9", "reused_length=513"], ["a part of the prompt, 512 at most; got '513'"]),
        (["--context", "1", "--price", ""], ["device_price: '' does not begin with a number"]),
        (["--context", "1", "--plot", "/nonexistent/out.svg"], ["'/nonexistent/out.svg' cannot be written"]),
        (["--context", "1", "--model", "deepseek-r1", "--ep", "3"],
         ["256 experts are not divisible by ep = 3", "works: --tp 8 --ep 2"]),
        (["--context", "1", "--pp", "3", "--devices", "24"],
         ["80 layers are not divisible", "works: --tp 8", "works: --tp 4 --pp 2"]),
        (["--batch", "0", "--context", "9999", "--dtype", "fp4", "--tp", "3", "nothing=1"],
         ["a batch of 0", "beyond the model's", "no dense fp4", "not divisible by tp = 3", "'nothing'"]),
    ],
)  # fmt: skip
def test_everything_wrong_is_told_at_once(args, texts):
    """Exit code 2, a line each, no traceback and nothing on the other output, as JSON too."""
    for more in ([], ["--json"]):
        done = CliRunner().invoke(app, ["serve", *LLAMA, *args, *more])

        assert done.exit_code == 2, done.output
        assert "Traceback" not in done.output
        assert not done.stdout.strip()
        for text in texts:
            assert text in done.stderr


@pytest.mark.parametrize("name", sorted(models))
def test_every_model_can_be_served(name):
    """On one device of a kind that changes, with a verdict and no fault of ours."""
    usable = [n for n, h in hardware.items() if "bf16" in h.peaks and "hbm_bandwidth" in h and "hbm_capacity" in h]
    device = usable[sorted(models).index(name) % len(usable)]
    sheet = ServingSheet(deployment(name, device, context=min(1024, models[name].context_limit or 1024)))

    assert sheet.parts["decode"]["decode_operator_time"].value > 0
    assert sheet.verdict.fits or sheet.verdict.remedies
