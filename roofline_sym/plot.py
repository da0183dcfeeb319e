"""Two panels as one SVG, drawn without any other program: a roofline with phases under it, and a frontier over batches.

Colours are classes, so that a reader's dark page gets light lines on a dark ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from xml.sax.saxutils import escape

from roofline_sym.core.show import number_text

WIDTH, HEIGHT, LEFT, TOP, GAP = 420, 320, 76, 72, 36
FOOT = 56  #: room for the numbers and the name of the axis below
STEPS = (1, 2, 5)  #: where an axis may begin and end, in each power of ten
PREFIXES = {15: "P", 12: "T", 9: "G", 6: "M"}

STYLE = """
.ground{fill:#fff} text{fill:#1c1f24} .soft{fill:#5b626c} .bold{font-weight:600}
.grid{stroke:#e3e6ea} .line{stroke:#1f5f9e;stroke-width:2.25;fill:none;stroke-linejoin:round}
.drop{stroke:#b8432f;stroke-width:1.25;stroke-dasharray:2 3} .dot{fill:#b8432f}
.ring{fill:none;stroke:#b8432f;stroke-width:1.5}
@media (prefers-color-scheme:dark){
.ground{fill:#15181d} text{fill:#e8eaed} .soft{fill:#a0a7b1} .grid{stroke:#2c313a} .line{stroke:#79b4ec}
.drop{stroke:#ff9480} .dot{fill:#ff9480} .ring{stroke:#ff9480}}
""".replace("\n", " ")

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
    'font-family="system-ui, sans-serif" font-size="12"><title>{title}</title><style>{style}</style>'
    '<rect class="ground" width="{w}" height="{h}"/>'
)


@dataclass(frozen=True)
class Point:
    """A point with a name; what else it says is told where one points at it.

    Attributes:
        x: Where it is.
        y: Likewise.
        name: What stands beside it.
        told: What is told where one points at it.
        below: Whether its name stands to the lower right, where a rising line leaves room; else to the upper right.
        roof: The height from which a line is dropped to it.
        ringed: Whether it stands out.
    """

    x: float
    y: float
    name: str
    told: str = ""
    below: bool = False
    roof: float | None = None
    ringed: bool = False


def picture(title: str, subtitle: str, panels: Sequence[str]) -> str:
    """Panels side by side."""
    width = len(panels) * (LEFT + WIDTH + GAP)
    moved = [f'<g transform="translate({LEFT + i * (LEFT + WIDTH + GAP)} {TOP})">{p}</g>' for i, p in enumerate(panels)]
    text = _text(LEFT, 24, title, "bold", size=15) + _text(LEFT, 42, subtitle, "soft")
    head = HEAD.format(w=width, h=TOP + HEIGHT + FOOT, title=escape(title), style=STYLE.strip())
    return head + text + "".join(moved) + "</svg>\n"


def panel(x_label: str, y_label: str, line: Sequence[tuple[float, float]], points: Sequence[Point]) -> str:
    """One panel with logarithmic axes: a line, and points with names."""
    every = [*line, *((p.x, p.y) for p in points)]
    xs, ys = _Scale([x for x, _ in every], WIDTH), _Scale([y for _, y in every], -HEIGHT, HEIGHT)
    grid = [
        f'<line class="grid" x1="{xs.at(v):.1f}" y1="0" x2="{xs.at(v):.1f}" y2="{HEIGHT}"/>'
        + _text(xs.at(v), HEIGHT + 18, _tick(v), "soft", anchor="middle")
        for v in xs.ticks
    ] + [
        f'<line class="grid" x1="0" y1="{ys.at(v):.1f}" x2="{WIDTH}" y2="{ys.at(v):.1f}"/>'
        + _text(-8, ys.at(v) + 4, _tick(v), "soft", anchor="end")
        for v in ys.ticks
    ]
    path = " ".join(f"{xs.at(x):.1f},{ys.at(y):.1f}" for x, y in line)
    labels = _text(WIDTH / 2, HEIGHT + 40, x_label, anchor="middle") + _text(0, -10, y_label)
    dots = [_dot(p, xs.at(p.x), ys.at(p.y), ys.at(p.roof) if p.roof else None) for p in points]
    return "".join([*grid, f'<polyline class="line" points="{path}"/>', *dots, labels])


def _dot(point: Point, x: float, y: float, roof: float | None) -> str:
    told = point.told or f"{point.name}: {number_text(point.x)}, {number_text(point.y)}"
    drop = "" if roof is None else f'<line class="drop" x1="{x:.1f}" y1="{roof:.1f}" x2="{x:.1f}" y2="{y:.1f}"/>'
    ring = f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="8"/>' if point.ringed else ""
    room = 12 if point.ringed else 8
    near_end = x > WIDTH - 60
    side = _text(
        x - room if near_end else x + room, y + 16 if point.below else y - 6, point.name,
        "bold" if point.ringed else "", anchor="end" if near_end else "start",
    )  # fmt: skip
    return (
        f'<g><title>{escape(told)}</title>{drop}<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>{ring}{side}</g>'
    )


def _text(x: float, y: float, text: str, look: str = "", *, anchor: str = "start", size: int = 12) -> str:
    kind = f' class="{look}"' if look else ""
    where = f' text-anchor="{anchor}"' if anchor != "start" else ""
    large = f' font-size="{size}"' if size != 12 else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}"{where}{large}>{escape(text)}</text>'


class _Scale:
    """A logarithmic axis from a 1, 2 or 5 of some power of ten to another, with room for every value between them."""

    def __init__(self, values: Sequence[float], length: float, start: float = 0) -> None:
        steps = [
            s * 10.0**p for p in range(floor(log10(min(values))) - 1, floor(log10(max(values))) + 2) for s in STEPS
        ]
        low = max(s for s in steps if s <= min(values) * (1 - 1e-9))
        high = min(s for s in steps if s >= max(values) * (1 + 1e-9))
        self.low, self.high, self.length, self.start = log10(low), log10(high), length, start
        between = [s for s in steps if low <= s <= high]
        powers = [s for s in between if round(log10(s), 9) == round(log10(s))]
        self.ticks = between if len(between) <= 7 else powers

    def at(self, value: float) -> float:
        return self.start + (log10(value) - self.low) / (self.high - self.low) * self.length


def _tick(value: float) -> str:
    """A round number with a prefix where it is large: ``2 P`` for 2e15."""
    for power, prefix in PREFIXES.items():
        if value >= 10.0**power * (1 - 1e-9):
            return f"{value / 10.0**power:g} {prefix}"
    return f"{value:,g}"
