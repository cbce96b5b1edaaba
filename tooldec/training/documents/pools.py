"""Values as people write them: values.txt, one a line below its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

from tooldec.training.documents.draw import Draw

REAL = 0.75
"""How often a value is one that people write; the others are made up, so that copying is learned and not the values."""


@cache
def pools() -> Mapping[str, tuple[str, ...]]:
    """Kind → its values: `pools()["places"]` → `("winter garden", "Old Mill Quay", …)`."""
    found: dict[str, list[str]] = {}
    kind = ""
    for line in files("tooldec.training.documents").joinpath("values.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            kind = line[2:]
        elif line:
            found.setdefault(kind, []).append(line)
    return {kind: tuple(values) for kind, values in found.items()}


def mixed(kinds: str, make: Callable[[Draw], str]) -> Callable[[Draw], str]:
    """Draw from one of these kinds, `"messages tasks"`, or what `make` makes up."""
    names = kinds.split()

    def value(draw: Draw) -> str:
        return draw.pick(pools()[draw.pick(names)]) if draw.chance(REAL) else make(draw)

    return value
