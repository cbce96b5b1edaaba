"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import tooldec

MODULES = [
    module.name for module in walk_packages(tooldec.__path__, "tooldec.") if not module.name.endswith("__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    """Every reader of signatures has one at least."""
    result = doctest.testmod(import_module(name))
    assert not result.failed
    assert result.attempted or not name.startswith("tooldec.signatures.")
