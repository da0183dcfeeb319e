"""The explorer as a reader meets it: choices, addresses, trees, and texts that were made to break it."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

import pytest

from roofline_sym import Scenario
from roofline_sym.core.show import quantity_text

pytestmark = pytest.mark.browser

START = "It fits"
TEXTS = """Object.fromEntries(
  [...document.querySelectorAll("#explorer [data-key]")].map((button) => [button.dataset.key, button.textContent]))"""
UNOPENED = "(tree) => tree.querySelectorAll('details:not([open])').forEach((part) => (part.open = true))"
GROWN = "!document.querySelector('#explorer-tree details[open] > .inner:empty')"
#: Paste a text, given in pieces so that a large one need not be sent, and read it; how long that takes in milliseconds.
PASTE = """(pieces) => {
  const box = document.querySelector("#x-config");
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", pieces.map(([part, times]) => part.repeat(times)).join(""));
  const start = performance.now();
  const event = new ClipboardEvent("paste", { clipboardData, cancelable: true });
  if (box.dispatchEvent(event)) { // what the page lets pass goes into the box, as it would
    box.value = clipboardData.getData("text/plain");
    document.querySelector("#x-config-read").click();
  }
  return performance.now() - start;
}"""
TOLD = """[document.querySelector("#x-config-fault").textContent, document.querySelector("#x-model").value,
  document.querySelector("article").innerText]"""
ALIVE = "#explorer :is(img, iframe, script:not([type='application/json']))"


#: For tests of what an address or a script from a disk could break; the others open the page from a disk.
EVERYWHERE = pytest.mark.parametrize("home", ["disk", "server"], indirect=True)


@pytest.fixture
def home(request, site):
    """Where the page is opened from."""
    return request.getfixturevalue("served") if getattr(request, "param", "") == "server" else site.as_uri()


@pytest.fixture
def looking(watch, home):
    """What watches the page."""
    return watch(home)


@pytest.fixture
def tab(browser, looking):
    """The explorer on a desktop; at the end nothing has gone wrong, and nothing was asked for elsewhere."""
    page = looking.on(browser.new_page(viewport={"width": 1280, "height": 800}))
    page.goto(f"{looking.home}/explorer.html")
    yield page
    page.context.close()
    assert (looking.outside, looking.wrong) == ([], [])


def value(tab, key):
    """A number that is shown."""
    return tab.locator(f"[data-key='{key}']").first.inner_text()


def judged(tab, work="train"):
    """Whether it fits, in words."""
    return tab.locator(f".{work} .judged b").inner_text()


def choose(tab, key, text):
    """Type into a field, and leave it."""
    tab.fill(f"#x-{key}", text)
    tab.press(f"#x-{key}", "Tab")


@EVERYWHERE
def test_it_says_without_a_script_what_it_says_with_one(browser, tab, looking):
    """Each number of the first scenario; both kinds of work can be looked at."""
    live = tab.evaluate(TEXTS)
    still = browser.new_page(java_script_enabled=False)
    still.goto(tab.url)
    assert still.evaluate(TEXTS) == live
    still.click("label[for=work-serve]")
    assert still.locator(".answers.serve").is_visible()
    assert not still.locator(".answers.train").is_visible()
    still.context.close()
    assert not [text for text in live.values() if "NaN" in text or "nan" in text]


@EVERYWHERE
def test_a_choice_is_in_the_address_until_it_is_reset(tab):
    """Model, device, format, numbers and kind of work: the same again from the address alone; Reset forgets them."""
    before = tab.evaluate(TEXTS)
    choose(tab, "model", "mixtral 8x22b")
    choose(tab, "device", "B200")
    tab.select_option("#x-format", "fp8")
    choose(tab, "tokens", "2500")
    tab.locator("label[for=work-serve]").click()
    choose(tab, "batch", "7")
    after = tab.evaluate(TEXTS)
    assert after != before

    tab.goto(tab.url)
    assert tab.evaluate(TEXTS) == after
    assert tab.input_value("#x-batch") == "7"
    assert tab.locator(".answers.serve").is_visible()
    tab.click("#explorer-reset")
    assert tab.evaluate(TEXTS) == before
    assert urlsplit(tab.url).query == ""


def test_what_is_typed_stays_within_bounds(tab):
    """Numbers beyond bounds, which are told, are taken to the bound; no number leaves what was there; none is NaN."""
    tab.fill("#x-tp", "5000")
    assert tab.evaluate("getComputedStyle(document.querySelector('#x-tp-unit'), '::after').content") == '"1 to 1,024"'
    for text, taken in (("0", "1"), ("-1", "1"), ("1e99", "1024"), ("3.4", "3"), ("", "3"), ("8", "8")):
        choose(tab, "tp", text)
        assert tab.input_value("#x-tp") == taken
    tab.focus("#x-tokens")
    tab.keyboard.press("Control+a")
    tab.keyboard.type("abc")
    tab.keyboard.press("Tab")
    assert tab.input_value("#x-tokens") == "15000"
    choose(tab, "model", "no such model")
    assert tab.input_value("#x-model") == "Llama 3 70B"
    tab.goto(tab.url.partition("?")[0] + "?tp=abc&model=__proto__&format=fp99&work=x&batch=NaN&device=&constructor=1")
    assert judged(tab) == START
    assert "NaN" not in tab.inner_text("article")
    choose(tab, "tp", "4")
    choose(tab, "length", "8000.4")
    assert (tab.input_value("#x-tp"), tab.input_value("#x-length")) == ("4", "8000")
    choose(tab, "model", "llama 3")
    assert tab.input_value("#x-model").startswith("Llama 3")
    tab.evaluate("location.hash = 'x'")
    choose(tab, "tp", "2")
    tab.go_back()  # over a link within the page, to what its address says
    assert tab.input_value("#x-tp") == "4"


def test_a_layout_that_cannot_be_says_why(tab):
    """In the words of the library, with shares of more than all; where it does not fit, what helps is offered."""
    choose(tab, "dp", "63")
    choose(tab, "efficiency", "1.2")
    said = tab.locator(".train .warnings").inner_text()
    assert judged(tab) == "This cannot be"
    assert "tp·pp·dp·cp = 8·4·63·1 = 2016, and there are 2,048 devices" in said
    assert "training_efficiency is a share, 1 at most; got 1.2" in said

    tab.click("#explorer-reset")
    tab.select_option("#x-recompute", "none")
    tab.select_option("#x-flash", "off")
    choose(tab, "batch_micro", "4")
    assert judged(tab) == "It does not fit"
    tab.locator(".train .remedies button").first.click()
    assert judged(tab) == "It fits"


def test_a_number_is_explained_down_to_what_was_given(tab):
    """By keyboard: its tree opens, says who gave what, and closes; names are links to their equations."""
    tab.focus(".sheet [data-key='train.computing_step_time']")
    tab.keyboard.press("Enter")
    tree = tab.locator("#explorer-tree")
    assert tree.locator("summary b").first.inner_text() == value(tab, "train.computing_step_time")
    assert tree.locator("a[href='equations/computing_step_time.html']").is_visible()
    for _ in range(5):
        tree.evaluate(UNOPENED)
        tab.wait_for_function(GROWN)
    text = tree.inner_text()
    for said in ("given by you", "given by Llama 3 70B", "given by NVIDIA H100", "default, methodology, §1"):
        assert said in text, said
    assert "NaN" not in text
    tab.keyboard.press("Escape")
    assert not tree.is_visible()


def test_what_strangers_paste_is_read_or_refused_in_the_librarys_words(tab, strangers):
    """Nothing of it runs or becomes markup, what is shown is never no number, and the page goes on."""
    tab.evaluate("window.marked = []; window.__marker = (id) => window.marked.push(id); 0")
    tab.locator(".own summary").first.click()
    tab.wait_for_function("globalThis.roofline.own")
    for stranger in [*strangers["pasted"], *strangers["config"]]:
        tab.click("#explorer-reset")
        assert tab.evaluate(PASTE, stranger.pieces) < 10_000, stranger.id
        model, error = stranger.read("config.json")
        fault, named, shown = tab.evaluate(TOLD)
        assert fault == error, stranger.id
        assert (named == "your own model") == (model is not None), stranger.id
        if model is not None:
            work = Scenario(model, training_tokens=15e12).evaluate("training_flops")
            assert value(tab, "train.training_flops") == quantity_text(work), stranger.id
        assert not [text for text in (*stranger.forbid, "NaN", "Infinity") if text in shown], stranger.id
    assert tab.evaluate("window.marked") == []
    assert tab.locator(ALIVE).count() == 0
    tab.click("#explorer-reset")
    before = value(tab, "train.cost")
    choose(tab, "price", "3")
    assert value(tab, "train.cost") != before


@EVERYWHERE
def test_ones_own_model_and_device_are_computed_with(tab):
    """As those of the catalogue are; a line that cannot be read says why, and what was there stays."""
    before = value(tab, "train.time_to_train")
    tab.locator(".own summary").nth(1).click()
    tab.wait_for_function("globalThis.roofline.own")
    tab.fill("#x-device-text", "peak_flops = 2 PFLOPS\nspeed = 1")
    tab.click("#x-device-read")
    assert len(tab.inner_text("#x-device-fault").splitlines()) == 2
    assert value(tab, "train.time_to_train") == before
    for text in ("", "peak_flops = 1 TFLOP/s" + " " * 10_000, "\u202ex = 1\n" * 1000):
        tab.locator("#x-device-text").evaluate("(box, text) => { box.value = text; }", text)
        tab.click("#x-device-read")
        told = tab.inner_text("#x-device-fault")
        assert told
        assert len(told) < 5000
        assert "\u202e" not in told
        assert value(tab, "train.time_to_train") == before
    tab.click("#explorer-reset")
    assert tab.inner_text("#x-device-fault") == ""
    tab.fill("#x-device-text", "peak_flops = 494.7 TFLOP/s\nhbm_bandwidth = 3.35 TB/s\nhbm_capacity = 80 GB\n"
                               "link_bandwidth = 450 GB/s\nnetwork_bandwidth = 50 GB/s")  # fmt: skip
    tab.click("#x-device-read")
    assert tab.inner_text("#x-device-fault") == ""
    assert value(tab, "train.training_flops_exact") == "7.222 YFLOP"
    assert value(tab, "train.time_to_train") != before
    assert "device_power" in tab.locator(".train .warnings").inner_text()
    tab.click("#explorer-reset")
    assert value(tab, "train.time_to_train") == before


def test_a_file_can_be_read_twice(tab):
    """After Reset, or once it was changed; a text that names no model leaves one's own."""
    config = {"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 4,
              "num_attention_heads": 8, "vocab_size": 100}  # fmt: skip
    file = {"name": "config.json", "mimeType": "application/json", "buffer": json.dumps(config).encode()}
    tab.locator(".own summary").first.click()
    tab.wait_for_function("globalThis.roofline.own")
    for _ in range(2):
        tab.click("#explorer-reset")
        with tab.expect_file_chooser() as chooser:
            tab.click("#x-config-file")
        chooser.value.set_files(file)
        tab.wait_for_function("document.querySelector('#x-model').value === 'your own model'")
    choose(tab, "model", "no such model")
    assert tab.input_value("#x-model") == "your own model"
    assert "own=model" in tab.url
    tab.goto(tab.url)
    tab.wait_for_function("globalThis.roofline.own")
    assert "paste it again" in tab.inner_text("#x-config-fault")


def test_on_a_phone_the_answer_stays_in_sight(browser, site):
    """While one scrolls through the choices; the page is as wide as the screen, and nothing jumps as it loads."""
    tab = browser.new_page(viewport={"width": 390, "height": 844})
    tab.goto(f"{site.as_uri()}/explorer.html")
    tab.focus("#x-overlap")
    answer = tab.locator(".answers.train .judged").bounding_box()
    assert 0 <= answer["y"] < 200
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    tab.context.close()
