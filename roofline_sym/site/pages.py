"""The pages nobody writes: one per equation, as Markdown; and where they stand in the navigation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import indent
from typing import Any

from roofline_sym.core.equation import Equation
from roofline_sym.site.apart import Wanted
from roofline_sym.site.citation import bibtex, sentence
from roofline_sym.site.listing import definition, example, javascript
from roofline_sym.site.page import Press, chapter_title, title_of

AUDIT = "audit.md"


def equation_pages(press: Press) -> dict[str, str]:
    """The Markdown of every equation's page by its path."""
    return {f"equations/{e.name}.md": equation_page(e) for e in press.book.equations.values()}


def equation_page(equation: Equation) -> str:
    """An equation's page: the same blocks in the same order on every one."""
    name = equation.name
    return f"""---
title: {title_of(name)}
description: {" ".join(equation.doc.split(chr(10) * 2)[0].split())!r}
---

# {title_of(name)}

<p class="dateline"><code>{name}</code> · {chapter_title(equation.chapter)[0]} · {equation.status}</p>

::: definition {name}

## Symbols {{ data-search-exclude }}

::: symbols {name}

::: calculator {name}

## Derivation

::: derivation {name}

## Assumptions {{ data-search-exclude }}

::: assumptions {name}

## Limitations {{ data-search-exclude }}

::: limits {name}

## Reality checks

::: checks {name}

::: records {name}

## Sensitivities {{ data-search-exclude }}

::: sensitivities {name}

## Code {{ data-search-exclude }}

The definition. Everything on this page is made from it.

```python
{definition(equation)}
```

How to call it, at this page’s reference point:

```python
{example(equation)}
```

??? code "The same in JavaScript"

{indent(f"```javascript{chr(10)}{javascript(equation)}{chr(10)}```", "    ")}

## Source {{ data-search-exclude }}

::: source {name}

## Connections {{ data-search-exclude }}

::: uses {name}

## Cite this {{ #cite data-search-exclude }}

{sentence(equation)}

```bibtex
{bibtex(equation)}
```

Where the formula itself comes from stands under [Source](#source).
"""


def apart(press: Press) -> Iterator[Wanted]:
    """The blocks that take a proof, in the order of their pages; the audit of all comes last."""
    for name in press.book.equations:
        if name in press.derivations:
            yield f"equations/{name}.md", "derivation", (name,)
            yield f"equations/{name}.md", "limits", (name,)
    yield AUDIT, "audit", ()


def navigation(nav: list[Any], press: Press) -> list[Any]:
    """The navigation with every equation below its chapter."""
    return [
        {"Equations": ["equations/index.md", *_chapters(press)]} if "Equations" in _keys(item) else item for item in nav
    ]


def _keys(item: Any) -> Mapping[str, Any]:
    return item if isinstance(item, dict) else {}


def _chapters(press: Press) -> list[dict[str, list[str]]]:
    written: dict[str, list[str]] = {}
    for equation in press.book.equations.values():
        written.setdefault(equation.chapter, []).append(f"equations/{equation.name}.md")
    return [{chapter_title(chapter)[0]: pages} for chapter, pages in written.items()]
