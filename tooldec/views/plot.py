"""Curves as an SVG picture: the loss of a run, or accuracy against the number of tools."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT, EDGE = 640, 360, 56
NAMES, LINE = 90, 14  # beside the ends of several curves, and from one name to the next
COLORS = ("#0b6e4f", "#c2410c", "#1d4ed8", "#7e22ce", "#64748b", "#b91c1c", "#0891b2", "#a16207")


def plot(curves: Mapping[str, Points], across: str, up: str, logarithmic: bool = False) -> str:
    """An SVG of curves, each with its name at its end where there are several; `logarithmic` is the axis across."""
    xs = [x for points in curves.values() for x, _ in points]
    ys = [y for points in curves.values() for _, y in points]
    low, high, top = min(xs), max(xs), max(*ys, 1e-9) * 1.05
    span = high - low or 1  # one point, after a short run, is a curve too

    def at(x: float, y: float) -> tuple[float, float]:
        part = math.log(x / low) / (math.log(high / low) or 1) if logarithmic else (x - low) / span
        return EDGE + part * (WIDTH - 2 * EDGE), HEIGHT - EDGE - y / top * (HEIGHT - 2 * EDGE)

    ends = {name: at(*points[-1])[1] for name, points in curves.items()}
    names = dict(zip(sorted(ends, key=ends.__getitem__), _apart(sorted(ends.values())), strict=True))
    width = WIDTH + NAMES * (len(curves) > 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" '
        f'font-size="11" role="img" aria-label="{escape(up)} against {escape(across)}">',
        f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
    ]
    for y in _ticks(top):
        left, height = at(low, y)
        lines.append(f'<line x1="{left}" x2="{WIDTH - EDGE}" y1="{height:.1f}" y2="{height:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{left - 6}" y="{height + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in sorted(set(xs)) if logarithmic else [low + tick for tick in _ticks(span)]:
        left, height = at(x, 0)
        lines.append(f'<text x="{left:.1f}" y="{height + 16:.1f}" text-anchor="middle">{x:g}</text>')
    lines.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 14}" text-anchor="middle">{escape(across)}</text>')
    lines.append(f'<text x="{EDGE}" y="{EDGE - 24}">{escape(up)}</text>')
    for number, (name, points) in enumerate(curves.items()):
        color = COLORS[number % len(COLORS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in points))
        lines.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        if len(curves) > 1:
            place = f'x="{WIDTH - EDGE + 18}" y="{names[name] + 4:.1f}"'
            lines.append(f'<text {place} fill="{color}">{escape(name)}</text>')
            ends_at = f'x2="{WIDTH - EDGE + 15}" y2="{names[name]:.1f}"'
            lines.append(f'<line x1="{WIDTH - EDGE}" y1="{ends[name]:.1f}" {ends_at} stroke="{color}"/>')
    return "\n".join([*lines, "</svg>\n"])


def _apart(heights: Sequence[float]) -> list[float]:
    """Places of names near these heights, which rise, LINE apart: `_apart([0, 5, 90])` → [-4.5, 9.5, 90.0]."""
    groups: list[tuple[float, int]] = []  # the middle of names that stand together, and how many they are
    for height in heights:
        groups.append((height, 1))
        while len(groups) > 1 and groups[-1][0] - groups[-2][0] < LINE * (groups[-1][1] + groups[-2][1]) / 2:
            (below, more), (middle, count) = groups.pop(), groups.pop()
            groups.append(((middle * count + below * more) / (count + more), count + more))
    return [middle + LINE * (place - (count - 1) / 2) for middle, count in groups for place in range(count)]


def _ticks(top: float) -> list[float]:
    """Four to nine round numbers from 0 on: `_ticks(100)` → [0, 20, 40, 60, 80, 100]."""
    unit = 10 ** math.floor(math.log10(top))
    step = next(unit * part for part in (0.1, 0.2, 0.5, 1, 2) if top / (unit * part) <= 8)
    return [step * number for number in range(int(top / step) + 1)]
