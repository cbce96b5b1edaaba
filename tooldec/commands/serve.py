"""`tooldec serve`: the page, as `app.py` beside the package serves it, with the options of that file."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tooldec.errors import UsageError


def run(arguments: Sequence[str]) -> int:
    """Hand everything to app.py; raises UsageError where that isn't there."""
    return int(_app().main(list(arguments)) or 0)


def _app() -> Any:
    """The page: `app.py` beside the package."""
    file = Path(__file__).resolve().parents[2] / "app.py"
    spec = importlib.util.spec_from_file_location("app", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise UsageError("app.py isn't beside the package", fix="run it from a checkout: `pip install -e .`")
    module = sys.modules.setdefault("app", importlib.util.module_from_spec(spec))
    if not hasattr(module, "main"):
        spec.loader.exec_module(module)
    return module
