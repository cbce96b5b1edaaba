"""A schema document that is being read: its references, its way of writing, and what had to be relaxed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from tooldec.arguments.facts import Facts, Spot
from tooldec.arguments.keywords import UNEVALUATED
from tooldec.arguments.references import DYNAMIC, References
from tooldec.arguments.writing import Writing
from tooldec.errors import SchemaError
from tooldec.grammar import Grammar

Opposites = Callable[[Spot, "Document"], list[Facts]]

MOST_CASES = 400
"""How many cases a schema's choices may multiply into."""

MOST_MERGED = 20_000
"""How often two cases of a document may be merged: a second or two."""


_CHANGING = UNEVALUATED | DYNAMIC
"""Keywords by which it matters what was come through, or what else speaks of a value."""


class Document:
    """What the parts of one schema share while it is turned into a grammar.

    opposites   gives the cases of a schema's opposite
    """

    def __init__(self, root: Any, writing: Writing, opposites: Opposites) -> None:
        self.root, self.writing, self.opposites = root, writing, opposites
        self.warnings: list[str] = []
        self.merged = 0
        self.cases: dict[object, tuple[Any, list[Facts]]] = {}
        self.grammars: dict[object, tuple[Any, Grammar]] = {}

    @cached_property
    def unquoted(self) -> Document:
        """The same where strings may be any, as names of properties may."""
        return self if self.writing.texts is None else self._written(texts=None)

    @cached_property
    def lenient(self) -> Document:
        """The same for what a constant is held against: strings, and names and order of members, are its own."""
        return self._written(texts=None, any_order=True, open_objects=True)

    def _written(self, **ways: Any) -> Document:
        other = Document(self.root, replace(self.writing, **ways), self.opposites)
        other.warnings = self.warnings
        return other

    @cached_property
    def references(self) -> References:
        return References(self.root, self.draft)

    @cached_property
    def unevaluated(self) -> bool:
        """Whether it matters which parts of a schema speak of a member or an item."""
        return not UNEVALUATED.isdisjoint(self._keywords)

    @cached_property
    def scoped(self) -> bool:
        """Whether it matters which way led to a schema."""
        return not DYNAMIC.isdisjoint(self._keywords) and self.references.is_dynamic

    @cached_property
    def _keywords(self) -> set[str]:
        """Those of the document's keywords that change how others are read; a name may be taken for one."""
        found, stack = set[str](), [self.root]
        while stack:
            at = stack.pop()
            if isinstance(at, Mapping):
                found |= _CHANGING & at.keys()
                stack += at.values()
            elif isinstance(at, list):
                stack += at
        return found

    @cached_property
    def draft(self) -> int:
        """The draft that `$schema` names: 4, 6, 7, 2019 or 2020."""
        named = self.root.get("$schema") if isinstance(self.root, Mapping) else None
        found = re.search(r"draft[-/]0?(\d+)", named) if isinstance(named, str) else None
        return int(found[1]) if found else 2020

    def refuse(self, keyword: str, reason: str, spot: Spot) -> None:
        """Say that a keyword isn't enforced here: a warning where the caller takes that, else a SchemaError."""
        if not self.writing.relax:
            raise SchemaError(
                reason, path=spot.path, keyword=keyword, fix=f"leave `{keyword}` out or say it in the description"
            )
        warning = f"{spot.path}: `{keyword}` is left unchecked: {reason}"
        if warning not in self.warnings:
            self.warnings.append(warning)


def wrong(keyword: str, wanted: str, value: object, spot: Spot) -> SchemaError:
    """The error for a keyword whose value isn't what JSON Schema lets it be."""
    shown = json.dumps(value, default=str)
    shown = shown if len(shown) < 60 else shown[:57] + "…"
    return SchemaError(f"`{keyword}` is {wanted}, not {shown}", path=spot.path, keyword=keyword)
