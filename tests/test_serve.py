"""`roofline-sym serve`: one screen, what fits and what would, and everything that is wrong at once."""

import json
import runpy
import xml.etree.ElementTree as ET
from io import StringIO

import pytest
from rich.console import Console
from typer.testing import CliRunner

from roofline_sym.catalogue import hardware, models
from roofline_sym.cli import app, terminal
from roofline_sym.deployment import Deployment, DeploymentError, shared_experts
from roofline_sym.layout import Layout
from roofline_sym.library import EQUATIONS
from roofline_sym.notation import QUANTITIES
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

    done = serve(*LLAMA, "--input", "2048", "--output", "512", "--plot", str(file))
    assert done.exit_code == 0
    assert f"wrote {file}" in done.stderr

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
    assert len(lines) <= 74
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


REQUEST = ["--model", "llama-3.3-70b", "--hardware", "h100-sxm-80gb", "--devices", "8", "--tp", "8", "--input", "2048"]


def test_latency_and_throughput_agree():
    """Little's law: requests that are there are those per second, times the seconds each stays, under load."""
    at = told(*REQUEST, "--batch", "64", "--output", "512", "batching_efficiency=1")

    stay, each = (at["load"][name]["value"] for name in ("batch_time", "loaded_token_time"))
    assert at["throughput"]["output_throughput"]["value"] / 512 * stay == pytest.approx(64)
    assert each * at["throughput"]["output_throughput"]["value"] == pytest.approx(64)
    alone = at["request"]["request_latency"]["value"]
    assert alone < stay
    screen = serve(*REQUEST, "--batch", "64", "--output", "512").stdout
    assert all(text in screen for text in ("\n  alone ", "\n  under load ", "alone: no step waits for the prompt"))
    assert {"request_latency", "time_per_output_token", "user_throughput"} == {
        name for name, equation in EQUATIONS.items() if "unstalled" in equation.assumes
    }


def test_a_batch_too_small_for_its_stages_is_told():
    """A single sequence cannot fill four stages with prompts, as throughput takes it."""
    args = [*LLAMA, "--tp", "2", "--pp", "4", "--input", "2048", "--output", "9"]

    assert "prompts are taken to come 4 at a time" in " ".join(serve(*args, "--batch", "1").stdout.split())
    assert "at a time" not in serve(*args, "--batch", "4").stdout


def test_a_mean_that_fits_is_called_one():
    """All answers at their end at once may not fit; what is missing follows from the bytes of a token."""
    largest = int(told(*REQUEST, "--batch", "1", "--output", "8192")["capacity"]["batch_that_fits"]["value"])
    args = [*REQUEST, "--batch", str(largest), "--output", "8192"]
    at = told(*args)

    token = 80 * 2 * 128 * 2  # keys and values of the one head of eight that a device holds, in two bytes, 80 layers
    room = at["capacity"]["usable_memory"]["value"] - at["capacity"]["device_memory"]["value"]
    assert at["fits"] is True
    assert at["missing_bytes_at_longest"] == pytest.approx(largest * 4096 * token - room)
    screen = serve(*args).stdout
    assert "it fits, at 6,144 tokens on average" in screen
    assert "with all sequences at 10,240 tokens at once" in screen
    given = serve(*LLAMA, "--context", "8192").stdout
    assert "it fits\n" in given
    assert "at once, the end" not in given


def test_shorter_answers_are_a_remedy_where_requests_are_given():
    """Never a context, which would be told twice; the answer that is told fits, and one longer by two does not."""
    args = [*REQUEST, "--batch", "400"]
    remedies = told(*args, "--output", "16384")["remedies"]
    answer = next(int(text.split()[1]) for text in remedies if text.startswith("--output"))

    assert not any("--context" in text for text in remedies)
    assert told(*args, "--output", str(answer))["fits"]
    assert not told(*args, "--output", str(answer + 2))["fits"]
    assert not any("--output" in text for text in told(*REQUEST, "--batch", "4000", "--output", "9")["remedies"])


def test_what_the_model_does_not_ask_for_is_named():
    """A window changes nothing where no layer has one; where layers have one, it is the model's."""
    assert "no number rests on: window\n" in serve(*LLAMA, "--context", "8192", "window=5").stdout
    assert "no number rests on" not in serve(*LLAMA, "--context", "8192", "decode_efficiency=0.35").stdout
    both = serve(*LLAMA, "--input", "2048", "--output", "9", "chunked_prefill=on", "chunk_length=512").stdout
    assert "no number rests on" not in both
    assert "latency of operators, a pass" in both


@pytest.mark.parametrize("name", [n for n, q in QUANTITIES.items() if q.meaning.startswith("share of")])
def test_no_share_is_more_than_all(name):
    """Every input that is called a share is held to it."""
    assert f"{name} is a share, 1 at most" in serve(*LLAMA, "--context", "1", f"{name}=1.01").stderr


@pytest.mark.parametrize(
    ("model", "options", "texts"),
    [
        ("llama-3.3-70b", ["--tp", "8"], ["first order leaves out latencies, and messages between devices\n"]),
        ("llama-3.3-70b", ["--tp", "2", "--pp", "4"], ["lets all 4 stages work on one pass at once"]),
        ("llama-3.3-70b", ["--tp", "16", "--devices", "16"], ["shares 8 key-value heads out over 16 ranks"]),
        ("deepseek-r1", ["--tp", "16", "--devices", "16"], ["shares latent caches out over 16 ranks"]),
    ],
)
def test_why_first_order_is_far(model, options, texts):
    """Told by the layout; a device alone needs no reason."""
    screen = serve(*LLAMA, "--model", model, *options, "--context", "4096").stdout

    assert all(text in screen.replace("\n", " ") + "\n" or text in screen for text in texts)
    small = ["--model", "llama-3-8b", "--hardware", "h100-sxm-80gb", "--batch", "1", "--context", "9"]
    assert "first order leaves" not in serve(*small).stdout


@pytest.mark.parametrize(
    ("model", "row"),
    [
        ("llama-3-70b", "feed-forward networks"), ("mixtral-8x22b", "routers"),
        ("deepseek-r1", "dense layers, routers, shared experts"), ("llama-4-maverick-17b-128e", "shared experts"),
    ],
)  # fmt: skip
def test_rows_are_called_what_the_model_has(model, row):
    """Routers are no feed-forward networks; what is hidden of messages is a number."""
    screen = serve(*LLAMA, "--model", model, "--input", "99", "--output", "9").stdout

    assert sum(row in line for line in screen.splitlines()) == 2
    assert ("feed-forward networks" in screen) == (model == "llama-3-70b")
    assert "all-reduces, 80 % hidden" in screen
    assert sum("latency of operators" in line for line in screen.splitlines()) == 2
    measured = serve(*LLAMA, "--model", model, "--input", "99", "--output", "9", "--constants", "measured").stdout
    assert "all-reduces, none hidden" in measured


def test_nothing_is_cut_off_an_explanation(monkeypatch):
    """A source that is longer than a line goes on in the next one."""
    for width in (60, 150):
        screen = Console(width=width, highlight=False, file=StringIO())
        monkeypatch.setattr("roofline_sym.cli.train.out", screen)
        serve(*LLAMA, "--context", "8192", "link_latency=1 us", "--explain")

        words = screen.file.getvalue().replace("│", " ").split()
        source = EQUATIONS["decode_tensor_time"].source
        assert source in " ".join(words)
        assert max(map(len, screen.file.getvalue().splitlines())) <= width


@pytest.mark.parametrize(("columns", "wide"), [("70", 70), ("", 150)])
def test_a_pipe_is_as_wide_as_it_is_told(columns, wide, monkeypatch):
    """COLUMNS is heeded where there is no terminal; without it lines have 150."""
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr("sys.stdout", StringIO())
    assert runpy.run_path(terminal.__file__)["out"].width == wide


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
        (["--context", "1", "decode_step_time=1 s", "output_throughput=1 token/s", "parameters=1e9 parameter"],
         ["decode_step_time is computed", "output_throughput is computed", "parameters is computed; give what"]),
        (["--context", "1", "--input", "512", "--output", "9"],
         ["--context is told twice", "give --context alone, or --input and --output without it"]),
        (["--context", "1", "decode_efficiency=2"], ["decode_efficiency is a share, 1 at most; got '2'"]),
        (["--context", "1", "pue=0.5"], ["pue is 1 at least", "got '0.5'"]),
        (["--context", "1", "--plot", "x.png"], ["--plot draws SVG; give a name that ends in .svg, not 'x.png'"]),
        (["--context", "1", "--hardware", "h100"],
         ["did you mean 'h100-sxm-80gb' or 'h100-pcie-80gb' or 'h100-nvl-94gb'?"]),
        (["--context", "1", "--model", "llama"], ["did you mean 'llama-2-70b' or 'llama-3-70b' or 'llama-3-8b'?"]),
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
