"""What searching leaves out, taken out of a page while the search plugin reads it.

The plugin skips what says ``data-search-exclude`` and the section of a heading that says so, but reads all of it first;
a formula it would find as a heap of signs. These are nine tenths of what our pages hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LEFT_OUT = re.compile(r'<(?:(span) class="katex"|(\w+)\b[^<>]*\sdata-search-exclude\b[^<>]*)>')
HEADING = re.compile(r"<h[1-6]\b")


def taken_out(html: str) -> tuple[str, list[str]]:
    """A page with a comment in place of each part that is left out, and those parts."""
    kept, parts, done = list[str](), list[str](), 0
    for begin, end in _left_out(html):
        kept += [html[done:begin], f"<!--unsearched {len(parts)}-->"]
        parts.append(html[begin:end])
        done = end
    return "".join([*kept, html[done:]]), parts


def put_back(html: str, parts: list[str]) -> str:
    """The page with its parts again."""
    return re.sub(r"<!--unsearched (\d+)-->", lambda found: parts[int(found[1])], html)


def _left_out(html: str) -> Iterator[tuple[int, int]]:
    """Where each part begins and ends: an element, or what stands between a heading and the next."""
    end = 0
    while found := LEFT_OUT.search(html, end):
        tag, begin = found[1] or found[2], found.start()
        if HEADING.match(html, begin):
            begin = _after(html, begin, tag)
            following = HEADING.search(html, begin)
            end = following.start() if following else len(html)
        else:
            end = _after(html, begin, tag)
        yield begin, end


def _after(html: str, begin: int, tag: str) -> int:
    """Where an element ends, in which others of its kind may stand."""
    depth = 0
    for found in re.compile(rf"<(/?){tag}\b").finditer(html, begin):
        depth += -1 if found[1] else 1
        if not depth:
            return html.index(">", found.end()) + 1
    return len(html)
