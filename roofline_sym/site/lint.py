"""The lint of the prose: what people wrote holds no maths and no number with a unit; those are computed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roofline_sym.core.text import known_units

#: What may stand in the prose all the same, each with the reason.
ALLOWED = {
    "Llama 3 70B": "the name of a model: B is for billion",
    "Llama 3 8B": "likewise",
}

COUNTED = ("byte", "bit", "token", "parameter", "device", "second", "minute", "hour", "day", "year", "FLOP")
WORDS = {"percent", "gigabyte", "gigabytes", "terabyte", "terabytes", "watts", "joules", "dollars"}


def _numbers_with_units() -> re.Pattern[str]:
    units = sorted({*known_units(), *(f"{name}s" for name in COUNTED), *WORDS}, key=len, reverse=True)
    names = "|".join(map(re.escape, units))
    return re.compile(rf"(?<![\w.])\d[\d,.]*(?:[eE]\d+|×10\S*)?[\s\u00a0-]?(?:{names})(?![\w])|[$€£]\s?\d")


NUMBER_WITH_UNIT = _numbers_with_units()
MATHS = re.compile(
    r"\$[^$\n]+\$|\\\(|\\\[|\\[a-zA-Z]{2,}"  # TeX
    r"|[×÷±≈≤≥≠√∑∏∞∝∂∫²³⁻]"  # signs of maths
    r"|(?<![\w=<>!])[\w)]+\s*(?:=|\^|<|>)\s*[\w(]+"  # a relation or a power
    r"|\d\s*[/+]\s*[\d(]|[\w)](?: \* |\*)[\w(]"  # arithmetic
)

#: What is not prose, in the order it is taken out: front matter, code, directives, links and HTML.
OTHER = (
    r"\A---\n(?s:.*?)\n---\n",
    r"^( *)(`{3,}|~{3,})(?s:.*?)^\1\2",
    r"`[^`\n]+`",
    r"^ *::: .*$",
    r"\[\[[^\[\]]*\]\]",
    r"!?\[[^\]]*\]\([^)]*\)",
    r"^\{ .*\}$",
    r"<[^<>\n]+>",
    r"^\|[\s:|-]+\|$",
)


def faults(text: str) -> Iterator[str]:
    """What does not belong into prose, each with its line."""
    for pattern in OTHER:
        text = re.sub(pattern, _blank, text, flags=re.MULTILINE)
    for allowed in ALLOWED:
        text = text.replace(allowed, "")
    for number, line in enumerate(text.splitlines(), 1):
        for kind, finder in (("a number with a unit", NUMBER_WITH_UNIT), ("maths", MATHS)):
            for found in finder.finditer(line):
                yield f"line {number}: {kind}: {found[0]!r}"


def _blank(match: re.Match[str]) -> str:
    """As many empty lines as were taken out, so that the others keep their numbers."""
    return "\n" * match[0].count("\n")
