"""The built site: what is in it, and what is not."""

from __future__ import annotations

import ast
import re
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest

from roofline_sym.core.show import quantity_text
from roofline_sym.library import EQUATIONS
from roofline_sym.site import listing
from roofline_sym.site.build import SiteError, _faults, build

BLOCKS = (
    "definition", "symbols", "derivation", "assumptions", "limitations", "reality-checks", "sensitivities", "code",
    "source", "connections", "cite",
)  # fmt: skip
#: What a block may end in: a sentence, a table, a list, code, or a calculator.
ENDS = re.compile(r"([.!?](</a>)?</p>|</table>\s*</div>|</dl>|</details>|</pre></div>|</section>)\s*$")


def test_every_equation_has_a_page_with_every_block(site):
    """In the same order, none of them empty, each ended as a sentence is; and the index links to it."""
    index = (site / "equations" / "index.html").read_text(encoding="utf-8")
    wrong = [name for name in EQUATIONS if f'href="{name}.html"' not in index]
    for name in EQUATIONS:
        text = (site / "equations" / f"{name}.html").read_text(encoding="utf-8")
        wrong += [f"{name}: {fault}" for fault in faults_of(text.partition("<article")[2].partition("</article>")[0])]

    assert not wrong


def faults_of(article):
    """What is wrong with the blocks of an equation's page."""
    places = [article.find(f'id="{block}"') for block in BLOCKS]
    if -1 in places or places != sorted(places):
        yield f"has not all blocks in their order: {places}"
        return
    for block in re.split(r"<h2\b", article)[1:]:
        title, _, body = block.partition("</h2>")
        body = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL).strip()
        if not ENDS.search(body[-200:]):  # no end is as long
            yield f"the block {re.sub('<[^>]+>|.*?>', '', title, count=1)!r} ends in {body[-60:]!r}"


#: What a reader would stumble over, each as it would stand in the HTML of an article.
STUMBLES = re.compile(
    r">\s*(?:None|nan|undefined)\s*</(?!span|code)|[?!](?:</a>)?\.</|<th(?![^>]*\bscope=)[^e>]*>|>(?:here|this|link)</a>"
)


def test_there_is_nothing_to_stumble_over(site, pages):
    """No value that is none, no two stops, no head of a table without its scope, no link that says nothing."""
    found = {}
    for page in pages:
        article = (site / page).read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]
        own = re.search(rf'<a[^>]*href="?{re.escape(page.rpartition("/")[2])}["> ]', article)
        if stumble := own or STUMBLES.search(article):
            found[page] = article[max(0, stumble.start() - 60) : stumble.end() + 20]

    assert found == {}


def test_an_empty_block_is_found():
    """And so is one that is missing, stands elsewhere, or ends in the middle of a sentence."""
    blocks = [f'<h2 id="{block}">{block}</h2>\n<p>All is said.</p>\n' for block in BLOCKS[1:]]
    whole = '<section id="definition"></section>' + "".join(blocks)

    assert list(faults_of(whole)) == []
    for spoilt in (
        whole.replace("<p>All is said.</p>", "", 1),
        whole.replace("<p>All is said.</p>", "<p>All is</p>", 1),
        whole.replace(blocks[3], ""),
        whole.replace(blocks[3], "") + blocks[3],
    ):
        assert len(list(faults_of(spoilt))) == 1


def test_verdicts_are_those_of_the_numbers(site):
    """Every check stands on the audit page, and what is said of it is what the package says."""
    wanted = ["✓ holds" if c.run(e).passed else "✗ fails" for e in EQUATIONS.values() for c in e.checks]
    text = (site / "audit.html").read_text(encoding="utf-8")

    assert re.findall(r'<span class="verdict \w+">(. (?:holds|fails))</span>', text) == wanted


def test_every_example_runs_and_gives_what_it_says():
    """The call that an equation's page shows, with the number behind it."""
    for name, equation in EQUATIONS.items():
        code = listing.example(equation)
        *_, call = ast.parse(code).body
        known = {}
        exec(code[: code.index("\n\n")], known)  # noqa: S102 - our own code, as a reader would run it
        value = eval(ast.unparse(call), known)  # noqa: S307 - likewise
        assert quantity_text(value) == code.strip().rpartition("# ")[2], name


def test_everything_a_page_loads_is_served(site, served, pages):
    """Every script, style, image and font that a page or a style sheet names is there, at our own address."""
    named = {}
    for path in [*map(site.joinpath, pages), *site.rglob("*.css")]:
        text = path.read_text(encoding="utf-8")
        found = re.findall(r"<(?:script|img)\b[^>]*?\ssrc=\"?([^\s\">]+)", text)
        found += re.findall(r"<link\b[^>]*?rel=\"?(?:stylesheet|icon)[^>]*?href=\"?([^\s\">]+)", text)
        found += re.findall(r"<link\b[^>]*?href=\"?([^\s\">]+)[^>]*?rel=\"?(?:stylesheet|icon)", text)
        found += re.findall(r"url\([\"']?(?!data:)([^)\"'#]+)", text) if path.suffix == ".css" else []
        named |= {urljoin(f"{served}/{path.relative_to(site)}", address): path.name for address in found}

    assert len(named) > 15
    assert [address for address in named if not address.startswith(served)] == []
    for address in named:
        with urlopen(address) as answer:  # noqa: S310 - our own server
            assert answer.status == 200, address


def test_nothing_unneeded_is_in_it(site):
    """No stemmers of other languages, no source maps, no older font formats."""
    names = [str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()]

    assert not [name for name in names if name.endswith((".map", ".woff", ".ttf")) or "lunr" in name]
    assert not [path for path in site.rglob("*.css") if "sourceMappingURL" in path.read_text(encoding="utf-8")]


def test_a_fault_in_a_page_stops_the_build(monkeypatch, tmp_path):
    """With the page, the line, the name and the nearest one."""
    from roofline_sym.site import build as module
    from roofline_sym.site import pages
    from roofline_sym.site.node import ROOT

    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Title\n\nIt is [[rigde_point: h100-sxm-80gb]].\n\n[no](none.md)\n")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: test\nstrict: true\nmarkdown_extensions: [roofline_sym.site.mdx]\n"
        f"hooks: [{ROOT}/roofline_sym/site/hooks.py]\ntheme: {{name: material, font: false}}\n"
    )
    monkeypatch.setattr(module, "CONFIG", tmp_path / "mkdocs.yml")
    monkeypatch.setattr(pages, "equation_pages", lambda _: {})  # which take long

    with pytest.raises(SiteError, match=r"index\.md:3: .*no quantity is called 'rigde_point'.*mean 'ridge_point'"):
        build(tmp_path / "site")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<script async src="https://example.org/a.js"></script>'),
        ("a.html", '<link rel="stylesheet" href="//example.org/a.css">'),
        ("a.html", "<img alt='' src=http://example.org/a.png>"),
        ("a.html", '<IMG SRC="//example.org/a.png">'),
        ("a.css", "@font-face { src: url(https://example.org/a.woff2) }"),
        ("a.css", "@font-face { src: URL( '//example.org/a.woff2' ) }"),
        ("a.css", "@Import 'https://example.org/a.css';"),
        ("a.html", "<p>the ridge is \\frac{P}{B}</p>"),
        ("a.html", "<p>the ridge is \\(P</p>"),
        ("a.html", "<p>the ridge is $$P</p>"),
        ("a.html", "<span class='katex-error'>x</span>"),
        ("a.html", '<span class="fault">[[x]]</span>'),
    ],
)
def test_what_must_not_be_published_is_found(tmp_path, name, text):
    """Each of these is one fault."""
    (tmp_path / name).write_text(text, encoding="utf-8")

    assert len(_faults(tmp_path)) == 1


def test_links_and_code_may_name_other_places(tmp_path):
    """A link loads nothing until it is followed."""
    (tmp_path / "a.html").write_text(
        '<a href="https://example.org">there</a><code>\\frac{1}{2}</code>'
        '<math><annotation encoding="application/x-tex">\\frac{P}{B}</annotation></math>',
        encoding="utf-8",
    )

    assert _faults(tmp_path) == []
