"""A page of HTML that needs nothing but itself: no script, no font, no address; light or dark as the reader is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root{color-scheme:light dark;--ground:#fff;--text:#1c1f24;--soft:#5b626c;--line:#e3e6ea;--tint:#f6f7f9;--mark:#1f5f9e;
--bad:#b8432f;--good:#2b7a4b}
@media (prefers-color-scheme:dark){:root{--ground:#15181d;--text:#e8eaed;--soft:#a0a7b1;--line:#2c313a;--tint:#1c2027;
--mark:#79b4ec;--bad:#ff9480;--good:#6fcf97}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1.25rem 4rem;max-width:68rem;background:var(--ground);color:var(--text);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2.5rem 0 .75rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}
h3{font-size:1rem;margin:1.5rem 0 .25rem;overflow-wrap:anywhere}
p{margin:.4rem 0}.soft{color:var(--soft)}.bad{color:var(--bad)}.good{color:var(--good)}
code,.numbers{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86em;overflow-wrap:anywhere}
a{color:var(--mark)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem;margin:.5rem 0}
td code{overflow-wrap:normal;white-space:nowrap}
th,td{text-align:left;vertical-align:top;padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--line)}
td.number,th.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
details{margin:.35rem 0 .35rem .2rem;padding-left:1rem;border-left:2px solid var(--line)}
summary{cursor:pointer;margin-left:-.35rem;overflow-wrap:anywhere}
summary b{font-weight:600}
.formula{overflow-x:auto;padding:.2rem 0}math{font-size:1.1em;math-style:normal}
.again{padding-left:1.35rem}
figure{margin:1rem 0;overflow-x:auto}
svg{max-width:100%;height:auto}
@media print{details{border-color:#999}body{max-width:none}}
""".strip()


def page(title: str, body: Iterable[str], lead: str = "") -> str:
    """A whole page; `body` is HTML, `title` and `lead` are text."""
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<main>",
            f"<h1>{escape(title)}</h1>",
            *([f'<p class="soft">{escape(lead)}</p>'] if lead else []),
            *body,
            "</main>\n</body>\n</html>\n",
        ]
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """A table of HTML cells; `numbers` are the columns that stand right."""
    kinds = [' class="number"' if place in numbers else "" for place in range(len(heads))]
    head = "".join(f"<th{kind}>{escape(text)}</th>" for kind, text in zip(kinds, heads, strict=True))
    body = "\n".join(
        "<tr>" + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'
