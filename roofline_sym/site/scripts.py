"""The scripts of the pages: modules beside this file and the generated equations, bundled by esbuild.

Classic scripts, each in a function of its own, because a browser loads no module from a file.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from roofline_sym.core.codegen import javascript_table
from roofline_sym.core.quantity import Constant
from roofline_sym.site.assets import OF_A_PAGE
from roofline_sym.site.page import Press

GENERATED = ("equations.js", "catalogue.js")
#: Scripts by the name they are served under, each of a module beside this file; a page loads what it needs.
BUNDLED = {
    "calculator.js": "calculator.mjs",
    "explorer.js": "explorer.mjs",
    "explorer-own.js": "explorer-own.mjs",
    "tables.js": "tables.mjs",
}
#: Numbers that may be negative; of any other that is, what it was made from does not go together, as more copies of a
#: model than devices.
SIGNED = (
    "batch_that_fits", "critical_batch_with_cache", "longest_compute_bound_context", "memory_room",
    "prefill_difference", "decode_difference", "six_n_error",
)  # fmt: skip


def scripts(press: Press) -> dict[str, str]:
    """Every script by the path it is served under."""
    bundled = {name: press.node.bundle(entry=entry) for name, entry in BUNDLED.items()}
    return {f"assets/{name}": text for name, text in {**press.scripts, **bundled}.items()}


def loaded(html: str, url: str) -> str:
    """A page with the scripts and style sheets that its parts name in ``data-needs``, each once, in their order here.

    Raises:
        ValueError: a part needs what there is not.
    """
    needed = {name for names in re.findall(r'data-needs="([^"]*)"', html) for name in names.split()}
    styles, order = [f"{name}.css" for name in OF_A_PAGE], [*GENERATED, *BUNDLED]
    if unknown := sorted(needed - {*styles, *order}):
        raise ValueError(f"{url} needs {', '.join(unknown)}; there are {', '.join([*styles, *order])}")
    up = "../" * url.count("/")
    links = "".join(f'<link rel="stylesheet" href="{up}assets/{name}">' for name in styles if name in needed)
    tags = "".join(f'<script defer src="{up}assets/{name}"></script>' for name in order if name in needed)
    return html.replace("</head>", f"{links}</head>", 1).replace("</body>", f"{tags}</body>")


def generated(press: Press) -> dict[str, str]:
    """The scripts with the equations, and with the catalogue and defaults, which both make `globalThis.roofline`."""
    table = javascript_table(press.book.equations.values())
    values = {
        kind: {**entries, "rows": {name: row for name, (_, *row) in entries["rows"].items()}}  # a page has the titles
        for kind, entries in catalogue().items()
    }
    data = {"catalogue": values, "absent": absent(press), "defaults": defaults(press)}
    equations = f"{table}\nglobalThis.roofline = {{ equations }};\n"
    texts = equations, f"Object.assign(globalThis.roofline, {json.dumps(data)});\n"
    return {name: press.node.bundle(text=text) for name, text in zip(GENERATED, texts, strict=True)}


def absent(press: Press) -> list[str]:
    """Counts of parts that a model has not unless it says so."""
    return [name for name, quantity in press.book.notation.items() if quantity.absent]


def defaults(press: Press) -> dict[str, float]:
    """The value of every input that has one by default, in its own unit."""
    inputs = {n: q for n, q in press.book.notation.items() if not isinstance(q, Constant) and q.default is not None}
    return {name: plain(quantity.default) for name, quantity in inputs.items()}


@cache
def catalogue() -> dict[str, Any]:
    """Models and accelerators: their names, titles, and quantities in columns."""
    from roofline_sym.catalogue import hardware, models

    return {"models": columns(models), "hardware": columns(hardware)}


def columns(entries: Any) -> dict[str, Any]:
    """Entries as columns of plain numbers, each in its quantity's own unit; what an entry lacks is null."""
    quantities = list(dict.fromkeys(q for name in entries for q in entries[name]))
    rows = {
        name: [entries[name].title, *(_magnitude(entries[name].quantities.get(q)) for q in quantities)]
        for name in entries
    }
    return {"quantities": quantities, "rows": rows}


def _magnitude(value: Any) -> float | int | None:
    return None if value is None else plain(value.magnitude)


def plain(value: Any) -> float | int:
    """A number as JSON has it; whole ones without a point."""
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
