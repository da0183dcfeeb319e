"""Calculators in Chromium: live numbers are the prerendered ones, follow the sliders, and stay within bounds."""

from __future__ import annotations

import json
import re
from math import isclose

import pytest

from roofline_sym import EQUATIONS, Scenario, scalar
from roofline_sym.core.show import quantity_text

PAGES = ("equations/ridge_point.html", "equations/kv_cache.html", "equations/young_interval.html", "index.html")
TEXTS = """() => [...document.querySelectorAll(".calculator")].map((c) => ({
  outputs: [...c.querySelectorAll("output")].map((o) => o.textContent),
  spoken: [...c.querySelectorAll("[type=range]")].map((r) => r.getAttribute("aria-valuetext")),
  boxes: [...c.querySelectorAll("[type=text]")].map((b) => b.value),
  choices: [...c.querySelectorAll("select")].map((s) => s.value),
  drawn: [...c.querySelectorAll("figure svg")].map((s) => s.querySelector("desc").textContent),
}))"""

#: Move a slider as a hand does, and look at what is there one frame later.
SLIDE = """([selector, value]) => {
  const slider = document.querySelector(selector);
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  return new Promise((done) => requestAnimationFrame(() => {
    const calculator = slider.closest(".calculator");
    const svg = calculator.querySelector("figure .wide svg");
    const moving = svg.querySelector("circle.moving");
    done({
      output: calculator.querySelector("output").textContent,
      box: Number(slider.parentElement.querySelector("[type=text]").value),
      desc: svg.querySelector("desc").textContent,
      x: [svg.dataset.x, moving.getAttribute("cx")],
      y: [svg.dataset.y, moving.getAttribute("cy")],
    });
  }));
}"""

#: What a box holds, and all that its calculator shows then.
TAKEN = """(box) => [box.value, box.closest(".calculator").innerText]"""


@pytest.fixture
def tab(browser, site, watch):
    """A tab of usual size, which must not ask elsewhere or err."""
    looking = watch(site.as_uri())
    page = looking.on(browser.new_page(viewport={"width": 1280, "height": 800}))
    yield page
    page.context.close()
    assert (looking.outside, looking.wrong) == ([], [])


def back(axis, pixel):
    """The value that an axis has at a pixel: ``log 0.1 1000 47 707`` is scale, domain and range."""
    scale, low, high, begin, end = axis.split()
    share = (float(pixel) - float(begin)) / (float(end) - float(begin))
    low, high = float(low), float(high)
    return low * (high / low) ** share if scale == "log" else low + (high - low) * share


def test_what_is_prerendered_is_what_scripts_show(browser, tab, site):
    """Outputs, boxes, what is spoken of sliders, choices and figures, with scripts and without."""
    off = browser.new_page(java_script_enabled=False)
    for page in PAGES:
        off.goto(f"{site.as_uri()}/{page}")
        tab.goto(f"{site.as_uri()}/{page}")
        static = off.locator(".calculator output").all_inner_texts()
        drawn = off.locator(".calculator figure desc").all_text_contents()
        live = tab.evaluate(TEXTS)
        text = (site / page).read_text(encoding="utf-8")

        assert [text for calculator in live for text in calculator["outputs"]] == static != []
        assert [text for calculator in live for text in calculator["drawn"]] == drawn
        spoken = [
            re.search(r'aria-valuetext="?([^">]*)', tag)[1] for tag in re.findall(r"<input[^>]*range[^>]*>", text)
        ]
        assert [value for calculator in live for value in calculator["spoken"]] == spoken
    off.context.close()


def test_number_and_figure_follow_the_slider_in_one_frame(tab, site):
    """The number is Python's, the description says it, and the moving point lies where the function is."""
    tab.goto(f"{site.as_uri()}/equations/ridge_point.html")
    spec = json.loads(tab.locator(".calculator script").first.text_content())
    at = {control["name"]: control for control in spec["controls"]}
    for name, value in (("hbm_bandwidth", 200), ("hbm_bandwidth", 900), ("peak_flops", 100), ("peak_flops", 731)):
        found = tab.evaluate(SLIDE, [f'[data-control="{name}"] [type=range]', value])
        at[name]["value"] = found["box"] / at[name]["factor"]
        wanted = scalar.ridge_point(at["peak_flops"]["value"], at["hbm_bandwidth"]["value"])
        text = quantity_text(EQUATIONS["ridge_point"].lhs.unit * wanted)

        assert found["output"] == text
        assert text in found["desc"]
        assert isclose(back(*found["x"]), found["box"], rel_tol=2e-3)
        assert isclose(back(*found["y"]), wanted, rel_tol=4e-3)


def test_number_figure_and_slider_are_seen_together(tab, site):
    """On a screen of usual size; on a phone the number stays above the sliders."""
    tab.goto(f"{site.as_uri()}/equations/ridge_point.html")
    tab.locator(".calculator").scroll_into_view_if_needed()
    tab.locator(".calculator [type=range]").last.focus()
    tab.evaluate("document.querySelector('.calculator').scrollIntoView({ block: 'center' })")
    for part in (".calculator output", ".calculator figure", ".calculator [type=range]:focus"):
        box = tab.locator(part).first.bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 800, part

    tab.set_viewport_size({"width": 390, "height": 500})
    tab.goto(f"{site.as_uri()}/equations/kv_cache.html")
    slider = tab.locator(".calculator .control:visible").last
    slider.evaluate("(row) => row.scrollIntoView({ block: 'end' })")
    tab.wait_for_timeout(50)
    number, header = tab.locator(".calculator output").first.bounding_box(), tab.locator(".md-header").bounding_box()
    assert number["y"] >= header["y"] + header["height"]
    assert number["y"] + number["height"] <= slider.bounding_box()["y"]


def test_the_keyboard_is_enough(tab, site):
    """Tab reaches the first slider, arrows move it, the focus is seen, and its value is spoken with the unit."""
    tab.goto(f"{site.as_uri()}/equations/ridge_point.html")
    tab.locator(".calculator select").first.focus()
    tab.keyboard.press("Tab")
    slider = tab.locator(".calculator [type=range]").first
    assert slider.evaluate("(s) => s === document.activeElement")
    before, spoken = tab.locator(".calculator output").inner_text(), slider.get_attribute("aria-valuetext")
    tab.keyboard.press("ArrowRight")

    assert tab.locator(".calculator output").inner_text() != before
    assert slider.get_attribute("aria-valuetext") != spoken
    assert spoken.endswith("FLOP/s")
    assert slider.evaluate("(s) => getComputedStyle(s).outlineStyle") != "none"


def test_a_link_holds_the_state(tab, site):
    """The address opens the same numbers again; Reset goes back to the start and clears it."""
    tab.goto(f"{site.as_uri()}/equations/kv_cache.html")
    start = tab.evaluate(TEXTS)
    tab.locator('.calculator [data-preset="models"]').select_option("llama-3-8b")
    tab.locator('[data-control="batch_size"] [type=text]').fill("3")
    tab.locator('[data-control="batch_size"] [type=text]').press("Enter")
    changed = tab.evaluate(TEXTS)
    assert changed != start
    wanted = Scenario("llama-3-8b", batch_size=3, context_length=8192, kv_bytes="2 byte").evaluate("kv_cache")
    assert changed[0]["outputs"] == [quantity_text(wanted)]

    assert "batch_size=3" in tab.url
    tab.goto(tab.url)
    tab.reload()
    assert tab.evaluate(TEXTS) == changed
    tab.locator("[data-reset]").click()
    assert tab.evaluate(TEXTS) == start
    assert "?" not in tab.url


def test_what_is_out_of_bounds_is_brought_back(tab, site):
    """Nothing that is typed gives NaN, or a value beyond the ends of the slider."""
    for page in PAGES[:3]:
        tab.goto(f"{site.as_uri()}/{page}")
        spec = json.loads(tab.locator(".calculator script").first.text_content())
        for control in (control for control in spec["controls"][:3] if "words" not in control):
            box = tab.locator(f'[data-control="{control["name"]}"] [type=text]')
            for text in ("0", "-1", "1e99", "abc", "", "NaN", "Infinity", "1,5", "0x10"):
                box.fill(text)
                box.press("Enter")
                typed, shown = box.evaluate(TAKEN)
                value = float(typed) / control["factor"]
                assert control["low"] * (1 - 1e-5) <= value <= control["high"] * (1 + 1e-5), (page, control, text)
                assert not re.search(r"NaN|Infinity|undefined|no value", shown), (page, control, text)


def test_sliders_reach_what_makes_sense(site):
    """On every page they hold their value with room beside it, and what is a part of a whole ends at the whole."""
    wrong = []
    for path in (site / "equations").glob("*.html"):
        for spec in re.findall(r'<script type="?application/json"?>(.*?)</script>', path.read_text(encoding="utf-8")):
            for control in json.loads(spec).get("controls", ()):
                if "words" in control:
                    continue
                low, value, high = control["low"], control["value"], control["high"]
                whole = not control["name"].endswith(("_share", "_efficiency", "_overlap", "_fraction")) or high <= 1
                if not (low <= value <= high and high >= 1.5 * low and whole):
                    wrong.append((path.stem, control["name"], low, value, high))

    assert wrong == []


def test_an_address_with_junk_in_it_is_as_good_as_none(tab, site):
    """Unknown names, words for numbers, entries that there are not, and keys of every object."""
    tab.goto(f"{site.as_uri()}/equations/kv_cache.html")
    start = tab.evaluate(TEXTS)
    junk = "batch_size=abc&models=__proto__&constructor=1&head_dim=&n_layers=,,&n_kv_heads=1,5&kv_bytes=_&x=<b>"
    tab.goto(f"{site.as_uri()}/equations/kv_cache.html?{junk}")

    assert tab.evaluate(TEXTS) == start


def test_inputs_that_contradict_each_other_give_no_value(tab, site):
    """A model with more experts at rest than it has parameters: no count is below 0, and the figure is away."""
    tab.goto(f"{site.as_uri()}/equations/active_parameters.html")
    box = tab.locator('[data-control="parameters"] [type=text]')
    start = tab.evaluate(TEXTS)
    box.fill("0")
    box.press("Enter")
    assert tab.locator(".calculator output").inner_text() == "no value for these inputs"
    assert not tab.locator(".calculator figure").is_visible()
    tab.locator("[data-reset]").click()
    assert tab.evaluate(TEXTS) == start


def test_every_entry_can_be_chosen(tab, site):
    """Also where it sets a control that takes words."""
    tab.goto(f"{site.as_uri()}/equations/causal_window_pairs.html")
    models = tab.locator('[data-preset="models"]')
    for name in models.locator("option").evaluate_all("(all) => all.map((option) => option.value)")[::9]:
        models.select_option(name)
        assert tab.locator(".calculator output").inner_text() != ""
    assert all(tab.locator(".calculator select").evaluate_all("(all) => all.map((one) => one.selectedIndex >= 0)"))


def test_going_back_goes_back_to_what_the_address_says(tab, site):
    """Over a link within the page."""
    tab.goto(f"{site.as_uri()}/equations/kv_cache.html?batch_size=5")
    before = tab.evaluate(TEXTS)
    tab.evaluate("location.hash = 'x'")
    box = tab.locator('[data-control="batch_size"] [type=text]')
    box.fill("7")
    box.press("Enter")
    assert tab.evaluate(TEXTS) != before
    tab.go_back()
    assert tab.evaluate(TEXTS) == before
