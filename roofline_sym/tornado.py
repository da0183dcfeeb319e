"""A tornado drawn: for each input, where the result goes as that input alone is lowered and raised."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, log10
from xml.sax.saxutils import escape

from roofline_sym.core.show import quantity_text
from roofline_sym.sensitivity import Row, Sensitivity, percent_change

WIDTH, ROW, LEFT, TOP, RIGHT, FOOT = 400, 26, 230, 76, 170, 44
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
    'font-family="system-ui, sans-serif" font-size="12"><title>{title}</title><style>{style}</style>'
    '<rect class="ground" width="{w}" height="{h}"/>'
)
MOST = 15  #: bars; the rest is counted below them

STYLE = (
    ".ground{fill:#fff} text{fill:#1c1f24} .soft{fill:#5b626c} .bold{font-weight:600} .grid{stroke:#e3e6ea} "
    ".middle{stroke:#5b626c} .raised{fill:#1f5f9e} .lowered{fill:#b8432f} "
    "@media (prefers-color-scheme:dark){.ground{fill:#15181d} text{fill:#e8eaed} .soft{fill:#a0a7b1} "
    ".grid{stroke:#2c313a} .middle{stroke:#a0a7b1} .raised{fill:#79b4ec} .lowered{fill:#ff9480}}"
)


def tornado(found: Sensitivity, most: int = MOST) -> str:
    """The bars as an SVG for light pages and dark ones, the longest first."""
    bars = sorted(((row, *_ends(row, found)) for row in found.rows), key=lambda bar: -max(abs(bar[1]), abs(bar[2])))
    moving = [bar for bar in bars if max(abs(bar[1]), abs(bar[2])) > 5e-4]
    shown = moving[:most] or bars[:1]
    reach = max((abs(end) for _, low, high in shown for end in (low, high)), default=0.0) or 0.1
    height, middle = TOP + ROW * max(len(shown), 1) + FOOT, LEFT + WIDTH / 2

    def at(share: float) -> float:
        return middle + share / reach * WIDTH / 2

    change = f"{100 * float(found.change):g} %"
    title = f"{found.step.quantity.name} = {quantity_text(found.result)}"
    parts = [
        HEAD.format(w=LEFT + WIDTH + RIGHT, h=height, title=escape(title), style=STYLE),
        _text(16, 24, title, "bold", size=15),
        _text(16, 42, f"each input alone, {change} down and {change} up", "soft"),
        f'<rect class="lowered" x="16" y="53" width="10" height="10"/>{_text(31, 62, "input lowered", "soft")}',
        f'<rect class="raised" x="126" y="53" width="10" height="10"/>{_text(141, 62, "input raised", "soft")}',
    ]
    for share in _ticks(reach):
        x = at(share)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{height - FOOT}"/>')
        parts.append(_text(x, height - FOOT + 18, _percent(share), "soft", anchor="middle"))
    parts += [_bar(row, low, high, place, at) for place, (row, low, high) in enumerate(shown)]
    parts.append(f'<line class="middle" x1="{middle}" y1="{TOP}" x2="{middle}" y2="{height - FOOT}"/>')
    if more := len(bars) - len(shown):
        parts.append(_text(16, height - 10, f"{more} further inputs move it by less, or not at all", "soft"))
    return "".join(parts) + "</svg>\n"


def _ticks(reach: float) -> list[float]:
    """Round shares from end to end, with 0 in the middle."""
    power = 10.0 ** floor(log10(reach))
    step = next(s * power for s in (0.1, 0.2, 0.5, 1, 2, 5) if reach / (s * power) < 4)
    most = floor(reach / step + 1e-9)
    return [place * step for place in range(-most, most + 1)]


def _ends(row: Row, found: Sensitivity) -> tuple[float, float]:
    base = found.step.value
    return percent_change(row.at_low, base) or 0.0, percent_change(row.at_high, base) or 0.0


def _bar(row: Row, low: float, high: float, place: int, at: Callable[[float], float]) -> str:
    y = TOP + ROW * place
    told = f"{row.quantity.name} {row.text}: {_percent(low)} lowered, {_percent(high)} raised"
    drawn = [f"<g><title>{escape(told)}</title>", _text(LEFT - 10, y + 17, row.quantity.name, anchor="end")]
    for kind, end in (("lowered", low), ("raised", high)):
        left, right = sorted((at(0.0), at(end)))
        size = f'width="{right - left:.1f}" height="{ROW - 10}"'
        drawn.append(f'<rect class="{kind}" x="{left:.1f}" y="{y + 5}" {size}/>')
    drawn.append(_text(LEFT + WIDTH + 8, y + 17, row.text, "soft"))
    return "".join([*drawn, "</g>"])


def _percent(share: float) -> str:
    return f"{100 * share:+.3g} %".replace("-", "−") if share else "0 %"


def _text(x: float, y: float, text: str, look: str = "", *, anchor: str = "start", size: int = 12) -> str:
    kind = f' class="{look}"' if look else ""
    where = f' text-anchor="{anchor}"' if anchor != "start" else ""
    large = f' font-size="{size}"' if size != 12 else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}"{where}{large}>{escape(text)}</text>'
