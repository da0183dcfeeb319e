"""What searching leaves out, taken out of a page while the search plugin reads it.

The plugin skips what says ``data-search-exclude`` and the section of a heading that says so, but reads all of it first;
a formula it would find as a heap of signs. These are nine tenths of what our pages hold. Where it is not plain that a
part says so, or where it ends, the part stays, and the plugin reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SILENT = r"<!--.*?-->|<(script|style)\b.*?</\1\s*>"  # no searching finds it, and what looks like a tag in it is none
_BOX = "article|blockquote|dd|details|div|figure|li|section|td"  # in which a heading may stand
_HOW = re.IGNORECASE | re.DOTALL

LEFT_OUT = re.compile(
    rf'{_SILENT}|<(?:(span) class="katex"|([a-z][\w-]*)\s(?:[^<>]*\s)?data-search-exclude\b[^<>]*)>', _HOW
)
HEADING = re.compile(r"<h[1-6]\b", re.IGNORECASE)
FOLLOWING = re.compile(rf"{_SILENT}|<h[1-6]\b|<(/?)(?:{_BOX})(?=[\s/>])", _HOW)
QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
SAYS_SO = re.compile(r"""[^"']*\sdata-search-exclude(?=[\s=>])[^"']*(?<!/)>""", re.IGNORECASE)
ENDLESS = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


def taken_out(html: str) -> tuple[str, list[str]]:
    """A page with a comment in place of each part that is left out, and those parts."""
    kept, parts, done = list[str](), list[str](), 0
    for begin, end in _left_out(html):
        kept += [html[done:begin], f"<!--unsearched {len(parts)}-->"]
        parts.append(html[begin:end])
        done = end
    return "".join([*kept, html[done:]]), parts


def put_back(html: str, parts: list[str]) -> str:
    """The page with its parts again; what a page itself held of such comments is among them."""
    return re.sub(r"<!--unsearched (\d+)-->", lambda found: parts[int(found[1])], html)


def _left_out(html: str) -> Iterator[tuple[int, int]]:
    """Where each part begins and ends: an element, or what stands between a heading and the next."""
    done = 0
    while found := LEFT_OUT.search(html, done):
        begin, done = found.span()
        if tag := found[2] or found[3]:
            end = _after(html, begin, tag) if found[2] or _says_so(found[0], tag) else None
            if end is None:
                continue
            heading = HEADING.match(html, begin)
            begin, done = (end, _section(html, end)) if heading else (begin, end)
        yield begin, done


def _says_so(begin: str, tag: str) -> bool:
    """Whether a tag that begins an element has the attribute, and not only its name in the value of another."""
    return tag.lower() not in ENDLESS and bool(SAYS_SO.fullmatch(QUOTED.sub("", begin)))


def _after(html: str, begin: int, tag: str) -> int | None:
    """Where an element ends, in which others of its kind may stand."""
    depth = 0
    for found in re.compile(rf"{_SILENT}|<(/?){tag}(?=[\s/>])[^<>]*>", _HOW).finditer(html, begin):
        if found[2] is not None and not found[0].endswith("/>"):
            depth += -1 if found[2] else 1
            if not depth:
                return found.end()
    return None


def _section(html: str, begin: int) -> int:
    """Where what stands below a heading ends: at the next one, or with the box that both stand in."""
    depth = 0
    for found in FOLLOWING.finditer(html, begin):
        if found[2] is not None:
            depth += -1 if found[2] else 1
        if depth < 0 or HEADING.match(found[0]):
            return found.start()
    return len(html)
