"""The loss of a run as a picture.

python -m tooldec.training.plot history.json loss.svg
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tooldec.views.plot import plot


def loss_plot(history: Sequence[Sequence[float]], points: int = 120) -> str:
    """The loss against the minutes, from the history of a run: [step, seconds, loss], averaged to so many points."""
    size = max(1, len(history) // points)
    groups = [history[start : start + size] for start in range(0, len(history), size)]
    means = [(group[-1][1] / 60, sum(row[2] for row in group) / len(group)) for group in groups]
    return plot({"loss": means}, "minutes", "nats a learned token")


def main() -> None:
    """The command line of this module."""
    source, target = map(Path, sys.argv[1:3])
    target.write_text(loss_plot(json.loads(source.read_text())))


if __name__ == "__main__":
    main()
