"""Tables in the browser: sorted by value with a click or a key, filtered, and plain without scripts."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser

#: The names in the first table, in the order in which they are shown.
FIRST = """[...document.querySelector("table.sortable").tBodies[0].rows]
  .filter((row) => !row.hidden).map((row) => row.cells[0].innerText.trim())"""


def test_tables_sort(browser, site):
    """By number and not by text, either way, what is unknown last; a third time gives the order that was written."""
    tab = browser.new_page(viewport={"width": 1280, "height": 800})
    tab.goto(f"{site.as_uri()}/hardware.html")
    written = tab.evaluate(FIRST)
    head = tab.locator("table.sortable").first.locator("th", has_text="Bandwidth")
    head.get_by_role("button").click()
    rising = tab.evaluate(FIRST)
    assert head.get_attribute("aria-sort") == "ascending"
    head.get_by_role("button").press("Enter")
    falling = tab.evaluate(FIRST)
    assert head.get_attribute("aria-sort") == "descending"
    head.get_by_role("button").press("Enter")

    assert falling[0].startswith("Cerebras")
    assert rising[-1].startswith("Cerebras")
    assert (
        rising.index("NVIDIA Tesla T4") < rising.index("NVIDIA H100 SXM5 80GB") < rising.index("NVIDIA H200 SXM 141GB")
    )
    assert tab.evaluate(FIRST) == written

    tab.locator("table.sortable").first.locator("th", has_text="Power").get_by_role("button").click()
    assert tab.evaluate("document.querySelector('table.sortable').tBodies[0].rows[55].cells[9].innerText") == "–"
    tab.get_by_label("Filter devices").first.fill("h100 <b>")
    assert tab.evaluate(FIRST) == []
    tab.get_by_label("Filter devices").first.fill("H100 hopper")
    assert len(tab.evaluate(FIRST)) == len([name for name in written if "H100" in name])
    tab.context.close()

    plain = browser.new_page(java_script_enabled=False)
    plain.goto(f"{site.as_uri()}/hardware.html")
    assert plain.locator("table.sortable").first.is_visible()
    assert plain.locator("button.sort").count() == 0
    plain.context.close()
