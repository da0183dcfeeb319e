"""What searching leaves out: it is not read, and is in the page all the same."""

from __future__ import annotations

import pytest

pytest.importorskip("material", reason="the site needs the extra docs")

from material.plugins.search.plugin import Parser

from roofline_sym.site.unsearched import put_back, taken_out

PAGE = """<h1 id="title">Title</h1>
<p>Words <span class="katex"><span>x</span><span class="base">formula</span></span> and more.</p>
<details data-search-exclude=""><summary>Folded</summary><details><p>folded twice</p></details>folded still</details>
<h2 data-search-exclude id="left-out">Left <a class="headerlink" href="#left-out">¶</a></h2>
<div><p>left out</p></div>
<h2 data-search-exclude="" id="too">Left out too</h2>
<h3 id="kept">Kept</h3>
<p>found, and <code>data-search-exclude</code> as a word</p>
<h2 data-search-exclude id="last">Last</h2>
<p>at the end</p>
"""
LEFT = ("formula", "Folded", "folded twice", "folded still", "left out", "at the end")


def found_in(html):
    """The sections that Material's search finds: title and text, without white space."""
    parser = Parser()
    parser.feed(html)
    parser.close()
    sections = [section for section in parser.data if not section.is_excluded()]
    return [("".join("".join(s.title).split()), "".join("".join(s.text).split())) for s in sections]


def test_what_is_left_out_comes_back():
    """Nothing of it is read, and the page is whole again."""
    light, parts = taken_out(PAGE)

    assert [word for word in LEFT if word in light] == []
    assert "found" in light
    assert put_back(light, parts) == PAGE


def test_searching_finds_the_rest():
    """Of the same page it finds as many sections, with what is in none of the parts."""
    light, _ = taken_out(PAGE)

    assert found_in(light) == [
        ("Title", "<p>Wordsandmore.</p>"),
        ("Kept", "<p>found,and<code>data-search-exclude</code>asaword</p>"),
    ]


@pytest.mark.parametrize("html", ["", "<p>nothing</p>", '<p><span class="katex">open', "<h2 data-search-exclude>Open"])
def test_a_page_need_not_be_whole(html):
    """Neither an empty page nor a tag that is never closed stops it."""
    light, parts = taken_out(html)

    assert put_back(light, parts) == html


ODD = [
    '<p title="say data-search-exclude here">found</p>',
    "<p data-search-exclude-not>found</p>",
    '<p data-search-exclude title="a>b">left out</p>',
    "<!-- <div data-search-exclude> --><p>found</p><div>found</div>",
    "<div data-search-exclude>left out<!-- <div> --></div>",
    '<script>let tag = "<div data-search-exclude>";</script><div>found</div>',
    '<img data-search-exclude src="a"><p>found</p><img src="b">',
    "<input data-search-exclude/><p>found</p>",
    "<DIV DATA-SEARCH-EXCLUDE>left out</div>",
    "<div data-search-exclude>left out<div-like>too</div-like></div>",
    "<div data-search-exclude>left out<p data-search-exclude>too</p></div>",
    "<ul><li data-search-exclude>left out<li>left out too</ul>",
    "<div><h2 data-search-exclude id='b'>B</h2><p>left out</p></div><p>found</p>",
    "<h2 data-search-exclude id='b'>B</h2><p>left out</p><!-- <h3> --><p>too</p>",
    "<!--unsearched 0--><p data-search-exclude>left out</p>",
]


@pytest.mark.parametrize("odd", ODD)
def test_what_is_written_in_an_odd_way(odd):
    """Searching finds what it finds where nothing is taken out, before, in and after it."""
    html = f'<h1 id="a">A</h1><p>before</p>{odd}<p>after</p><h2 id="z">Z</h2><p>last</p>'
    light, parts = taken_out(html)

    assert found_in(light) == found_in(html)
    assert put_back(light, parts) == html
