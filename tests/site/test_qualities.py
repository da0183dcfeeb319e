"""What a reader may expect of every kind of page beside its numbers: both themes, print, weight, search."""

from __future__ import annotations

import gzip
import re
from importlib.metadata import version

import pytest

from roofline_sym.site.scripts import BUNDLED, GENERATED

#: A page of every set of scripts and style sheets; scripts, figures and long tables are what may move or ask for more.
UNLIKE = ("index.html", "equations/kv_cache.html", "explorer.html", "hardware.html", "validation.html")
LOADED = re.compile(r"<(?:script|link)\b[^>]*?(?:src|href)=[\"']?(?:\.\./)*([^\"' >]+\.(?:js|css))")

SHIFTS = """() => new Promise((done) => {
  let total = 0;
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput) total += shift.value;
  }).observe({ type: "layout-shift", buffered: true });
  document.fonts.ready.then(() => requestAnimationFrame(() => setTimeout(() => done(total), 30)));
})"""

FILLS = """() => [...document.querySelectorAll("article svg.chart text.tick")].map((t) => getComputedStyle(t).fill)"""


@pytest.fixture
def tab(browser):
    """A fresh tab of usual size."""
    page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light")
    yield page
    page.context.close()


@pytest.mark.parametrize(("width", "most"), [(1280, 0.05), (390, 0.1)])
def test_pages_from_a_server_err_nowhere_and_stand_still(browser, served, watch, width, most):
    """None asks elsewhere; the cumulative layout shift is small, with fonts that arrive late."""
    moved, looking = {}, watch(served)
    for page in UNLIKE:
        tab = looking.on(browser.new_page(viewport={"width": width, "height": 844}))
        tab.goto(f"{served}/{page}", wait_until="load")
        moved[page] = tab.evaluate(SHIFTS)
        tab.context.close()

    assert {page: round(shift, 3) for page, shift in moved.items() if shift > most} == {}
    assert (looking.outside, looking.wrong) == ([], [])


def test_pages_with_every_set_of_scripts_are_looked_at(site, pages):
    """What a server does otherwise than a disk is to load: so one page of each kind of loading is enough."""
    loads = {page: frozenset(LOADED.findall((site / page).read_text(encoding="utf-8"))) for page in pages}

    assert all(loads.values())
    assert {loads[page] for page in UNLIKE} == set(loads.values())


def test_both_themes_can_be_had(tab, site):
    """The button of the theme changes the colours of figures at once, and the choice is the reader's own."""
    tab.goto(f"{site.as_uri()}/index.html")
    light, paper = tab.evaluate(FILLS), tab.evaluate("getComputedStyle(document.body).backgroundColor")
    tab.locator("label[for^='__palette']:visible").click()
    dark, ink = tab.evaluate(FILLS), tab.evaluate("getComputedStyle(document.body).backgroundColor")

    assert light
    assert set(light).isdisjoint(dark)
    assert paper != ink


def test_it_prints_well_and_says_which_version_it_is(tab, site):
    """On paper the controls are gone and the figure is there; the foot has the version."""
    tab.goto(f"{site.as_uri()}/equations/kv_cache.html")
    tab.emulate_media(media="print")
    assert not tab.locator(".calculator [type=range]").first.is_visible()
    assert tab.locator(".calculator output").first.is_visible()
    assert tab.locator(".calculator figure svg.chart").first.is_visible()
    assert len(tab.pdf(format="A4")) > 20_000

    tab.emulate_media(media="screen")
    assert f"roofline_sym {version('roofline_sym')}" in tab.locator(".md-footer").inner_text()


@pytest.mark.parametrize("home", ["disk", "server"])
def test_searching_finds_names_and_no_latex(tab, site, served, home):
    """By the name of an equation and of a symbol, from a disk as from a server."""
    tab.goto(f"{served if home == 'server' else site.as_uri()}/index.html")
    for word, title in (("ridge", "Ridge point"), ("cache", "KV cache"), ("hbm_bandwidth", "Notation")):
        tab.fill("input.md-search__input", "")
        tab.locator("input.md-search__input").press_sequentially(word)
        tab.locator(".md-search-result__item", has_text=title).first.wait_for()
        found = tab.locator(".md-search-result__item").all_inner_texts()
        assert not [text for text in found if re.search(r"\\[a-z]{2,}|katex", text)]


def test_our_own_scripts_are_small(site, press, pages):
    """At most 20 kB compressed a page and 40 kB in all, what d3 adds apart; each page loads what it needs."""
    ours = {name: press.node.ours(entry).encode() for name, entry in BUNDLED.items()}
    ours |= {name: (site / "assets" / name).read_bytes() for name in GENERATED}
    sizes = {name: len(gzip.compress(script, mtime=0)) for name, script in ours.items()}
    heavy = {}
    for page in pages:
        loaded = set(re.findall(r"<script defer[^>]*?assets/([\w-]+\.js)", (site / page).read_text(encoding="utf-8")))
        if sum(sizes[name] for name in loaded) > 20_000:
            heavy[page] = loaded

    assert {path.name for path in (site / "assets").glob("*.js")} == {*sizes, "iframe-worker.js"}
    assert sum(sizes.values()) <= 40_000, sizes
    assert heavy == {}, sizes
