"""The site as a reader meets it: in Chromium, from a disk, wide and narrow, light and dark."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
WHOLE = "equations/ridge_point.html"  #: the page that axe walks without leaving anything out
PARTS = 4  #: of the pages, which may be looked at side by side

#: Leaves out on long pages, before axe walks them, the parts of formulas, and what is made like those before it.
SHORTEN = """() => {
  const alike = `tr:nth-child(n+6), :is(tbody, details):nth-of-type(n+6), dl.terms > :nth-child(n+30),
    svg.scatter a:nth-of-type(n+6)`;
  document.querySelectorAll(alike).forEach((node) => node.remove());
  document.querySelectorAll(".katex").forEach((node) => node.replaceChildren("x"));
}"""

FITS = "document.documentElement.scrollWidth <= innerWidth"

#: The first LaTeX or error that a page shows.
BARE = r"""() => {
  const copy = document.querySelector("article").cloneNode(true);
  copy.querySelectorAll("annotation, pre, code, script").forEach((node) => node.remove());
  const bare = copy.textContent.match(/\\[a-z]{2,}|\\\(|\$\$/) ?? copy.querySelector(".katex-error, span.fault");
  return bare && String(bare[0] ?? bare.textContent);
}"""

#: Every figure that lacks what a screen reader says of it, and every id that is given out twice.
UNSAID = """() => {
  const figures = [...document.querySelectorAll("article svg.chart")];
  const said = (svg) => ["title", "desc"].every((part) => svg.querySelector(`:scope > ${part}`)?.textContent.trim());
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  return [...figures.filter((svg) => !said(svg)).map((svg) => svg.outerHTML.slice(0, 120)),
          ...ids.filter((id, place) => ids.indexOf(id) !== place)];
}"""

#: How many elements of a kind can be seen.
SEEN = "(what) => [...document.querySelectorAll(what)].filter((node) => node.checkVisibility()).length"

#: Pairs of labels of a figure that lie over one another.
OVERLAPS = """() => [...document.querySelectorAll("figure svg.chart")]
  .filter((svg) => svg.checkVisibility()).flatMap((svg) => {
    const boxes = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
    return boxes.flatMap(([name, a], i) =>
      boxes.slice(i + 1).filter(([, b]) => over(a, b)).map(([other]) => `${name} / ${other}`));
  })"""


@pytest.fixture
def tab(browser):
    """A fresh tab of usual size."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    yield page
    page.context.close()


@pytest.mark.parametrize("part", range(PARTS))
def test_pages_from_a_disk(browser, site, sample, kinds, watch, part):
    """None asks elsewhere, errs, shows LaTeX, or scrolls sideways on a small phone; formulas and tables do, in boxes.

    One of every kind is looked at in other widths and asked for what WCAG 2 wants at A and AA in both colour schemes.
    """
    looking = watch(site.as_uri())
    tab = looking.on(browser.new_page())
    wrong = []
    for page in sample[part::PARTS]:
        tab.set_viewport_size({"width": 360, "height": 844})
        tab.goto(f"{looking.home}/{page}", wait_until="load")
        wrong += [f"{page} shows {bare}" for bare in [tab.evaluate(BARE)] if bare]
        wrong += [f"{page} has without words, or twice, {what}" for what in tab.evaluate(UNSAID)]
        for width in (360, 768, 1280) if page in kinds else (360,):
            tab.set_viewport_size({"width": width, "height": 844})
            if not fits(tab):
                wrong.append(f"{page} is wider than {width} pixels")
        if page in kinds:
            wrong += [f"{page}, {fault}" for fault in inaccessible(tab, whole=page == WHOLE)]
    tab.wait_for_timeout(100)
    tab.context.close()

    assert (looking.outside, looking.wrong, wrong) == ([], [], [])


def inaccessible(tab, *, whole):
    """What axe finds in a page, which it changes; of a long page only a part is walked. Contrast is in both schemes."""
    tab.add_style_tag(content="* { transition: none !important }")  # no colour halfway between two schemes
    if not whole:
        tab.evaluate(SHORTEN)
    tab.evaluate(AXE.read_text(encoding="utf-8"))
    for scheme, run in (("default", f"{{type: 'tag', values: {RULES}}}"), ("slate", "['color-contrast']")):
        tab.evaluate(f"document.body.dataset.mdColorScheme = '{scheme}'")
        report = tab.evaluate(f"axe.run('article', {{runOnly: {run}, resultTypes: ['violations'], preload: false}})")
        assert report["passes"] or report["violations"], f"nothing was looked at in {tab.url}"
        yield from (f"{scheme}: {v['id']}: {v['nodes'][0]['html'][:200]}" for v in report["violations"])


def fits(tab):
    """Whether a page is no wider than its window, once the theme has followed a new width."""
    for _ in range(10):
        if tab.evaluate(FITS):
            return True
        tab.wait_for_timeout(50)
    return False


def test_the_watch_sees_what_it_watches_for(tab, tmp_path, watch):
    """A page that loads a script from elsewhere, asks for a file that is not there, throws and is hard to read."""
    bad = tmp_path / "bad.html"
    bad.write_text(
        "<script src='http://127.0.0.1:9/a.js'></script><script>null.x</script>"
        "<article style='width: 2000px'><img src='none.png'><p style='color: #bbb; background: #fff'>"
        r"\frac{1}{2}</p></article>"
    )
    looking = watch(tmp_path.as_uri())
    looking.on(tab).goto(bad.as_uri())
    tab.wait_for_timeout(100)

    assert looking.outside == ["http://127.0.0.1:9/a.js"]
    assert any("none.png" in said for said in looking.wrong)
    assert any("null" in said for said in looking.wrong)
    assert not fits(tab)
    assert tab.evaluate(BARE) == r"\frac"
    found = [fault.partition(": <")[0] for fault in inaccessible(tab, whole=True)]
    assert found == ["default: color-contrast", "default: image-alt", "slate: color-contrast"]


def test_it_reads_without_javascript(browser, site):
    """Formulas, numbers, tables and the figure are there."""
    tab = browser.new_page(java_script_enabled=False, viewport={"width": 1280, "height": 800})
    tab.goto(f"{site.as_uri()}/index.html")

    assert tab.locator("section.equation").count() >= 3
    for part in ("section.equation .katex-html", "figure svg.chart", "a.number", "table.data"):
        assert tab.locator(part).first.is_visible(), part
    tab.context.close()


def test_the_first_three_equations_are_the_roofline(tab, site):
    """As the methodology numbers them."""
    tab.goto(f"{site.as_uri()}/index.html")
    first = tab.locator("section.equation").all()[:3]

    assert [s.get_attribute("id") for s in first] == ["arithmetic_intensity", "ridge_point", "achieved_throughput"]
    assert [s.locator(".count").inner_text() for s in first] == ["(1)", "(2)", "(3)"]


def test_one_kind_of_record_is_shown_without_a_script(browser, site):
    """The choice of kinds hides the other rows and points, and brings them back."""
    tab = browser.new_page(java_script_enabled=False)
    tab.goto(f"{site.as_uri()}/validation.html")

    def seen(of=""):
        every = (f"tbody.records tr{of}[id]", f"svg.scatter a > path{of}")
        return [tab.evaluate(SEEN, what) for what in every]

    all_rows, all_points = seen()
    tab.click("label[for=show-bound]")
    rows, points = seen()

    assert [rows, points] == seen(".of-bound")
    assert 0 < rows < all_rows
    assert 0 < points < all_points
    tab.click("label[for=show-all]")
    assert seen() == [all_rows, all_points]
    tab.context.close()


def test_figures_are_legible(browser, site):
    """On a phone the narrow drawing shows, its text eleven pixels or more; no label lies over another."""
    tab = browser.new_page()
    for page in ("index.html", "primer.html", "validation.html"):
        tab.goto(f"{site.as_uri()}/{page}")
        for width, shown, hidden in ((390, ".narrow", ".wide"), (1280, ".wide", ".narrow")):
            tab.set_viewport_size({"width": width, "height": 844})
            assert tab.locator(f"figure {shown}").first.is_visible()
            assert not tab.locator(f"figure {hidden}").first.is_visible()
            heights = (
                f"[...document.querySelectorAll('figure {shown} text')].map((t) => t.getBoundingClientRect().height)"
            )
            assert min(tab.evaluate(heights)) >= 11 * 1.2
            assert tab.evaluate(OVERLAPS) == [], (page, width)
    tab.context.close()


@pytest.mark.parametrize(
    ("page", "most"),
    [
        ("index.html", 250_000),
        ("findings.html", 300_000),
        ("validation.html", 300_000),
        ("notation.html", 300_000),
        ("equations/parameters.html", 300_000),
    ],
)
def test_pages_are_light(browser, served, site, page, most):
    """What a first visit loads, compressed as servers do it."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    tab, loaded = context.new_page(), set()
    tab.on("response", lambda response: loaded.add(response.url))
    tab.goto(f"{served}/{page}", wait_until="load")
    tab.evaluate("document.fonts.ready")
    context.close()
    paths = [site / url.removeprefix(f"{served}/").partition("?")[0] for url in loaded]
    weight = sum(len(gzip.compress(path.read_bytes(), mtime=0)) for path in paths if path.parent.name != "search")

    assert 50_000 < weight <= most
