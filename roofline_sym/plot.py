"""Two panels as one SVG, drawn without any other program: a roofline with phases on it, and a frontier over batches."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from xml.sax.saxutils import escape

from roofline_sym.core.show import number_text

WIDTH, HEIGHT, GAP = 420, 320, 64
Point = tuple[float, float, str]

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
    'font-family="sans-serif" font-size="12"><title>{title}</title>'
    '<rect width="{w}" height="{h}" fill="white"/>'
)


def picture(title: str, panels: Sequence[str]) -> str:
    """Panels side by side."""
    width = GAP + len(panels) * (WIDTH + GAP)
    moved = [f'<g transform="translate({GAP + i * (WIDTH + GAP)} 48)">{p}</g>' for i, p in enumerate(panels)]
    text = f'<text x="{GAP}" y="24" font-size="14" font-weight="bold">{escape(title)}</text>'
    return HEAD.format(w=width, h=HEIGHT + 108, title=escape(title)) + text + "".join(moved) + "</svg>\n"


def panel(x_label: str, y_label: str, line: Sequence[tuple[float, float]], points: Sequence[Point]) -> str:
    """One panel with logarithmic axes: a line, and points with names; what each shows is told where one points at."""
    every = [*line, *((x, y) for x, y, _ in points)]
    xs, ys = _Scale([x for x, _ in every], WIDTH), _Scale([y for _, y in every], -HEIGHT)
    path = " ".join(f"{xs.at(x):.1f},{HEIGHT + ys.at(y):.1f}" for x, y in line)
    dots = [
        f"<g><title>{escape(f'{name}: {number_text(x)}, {number_text(y)}')}</title>"
        f'<circle cx="{xs.at(x):.1f}" cy="{HEIGHT + ys.at(y):.1f}" r="4" fill="#b03a2e"/>'
        f'<text x="{xs.at(x) + 7:.1f}" y="{HEIGHT + ys.at(y) + 14:.1f}">{escape(name)}</text></g>'
        for x, y, name in points
    ]
    ticks = [
        f'<line x1="{xs.at(v):.1f}" y1="0" x2="{xs.at(v):.1f}" y2="{HEIGHT}" stroke="#ddd"/>'
        f'<text x="{xs.at(v):.1f}" y="{HEIGHT + 16}" text-anchor="middle">{number_text(v)}</text>'
        for v in xs.ticks
    ] + [
        f'<line x1="0" y1="{HEIGHT + ys.at(v):.1f}" x2="{WIDTH}" y2="{HEIGHT + ys.at(v):.1f}" stroke="#ddd"/>'
        f'<text x="-6" y="{HEIGHT + ys.at(v) + 4:.1f}" text-anchor="end">{_power(v)}</text>'
        for v in ys.ticks
    ]
    labels = (
        f'<text x="{WIDTH / 2}" y="{HEIGHT + 36}" text-anchor="middle">{escape(x_label)}</text>'
        f'<text x="0" y="-8">{escape(y_label)}</text>'
    )
    curve = f'<polyline points="{path}" fill="none" stroke="#1f4e79" stroke-width="2"/>'
    return "".join([*ticks, curve, *dots, labels])


class _Scale:
    """A logarithmic axis over whole powers of ten."""

    def __init__(self, values: Sequence[float], length: float) -> None:
        self.low, self.high = floor(log10(min(values))), ceil(log10(max(values)))
        self.high = max(self.high, self.low + 1)
        self.length = length

    def at(self, value: float) -> float:
        return (log10(value) - self.low) / (self.high - self.low) * self.length

    @property
    def ticks(self) -> list[float]:
        return [10.0**power for power in range(self.low, self.high + 1)]


def _power(value: float) -> str:
    return number_text(value) if 1e-3 <= value < 1e5 else f"1e{round(log10(value))}"
