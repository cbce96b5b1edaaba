"""Checks on patterns: whether they say what the whole text is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from tooldec.arguments.patterns import counted_apart, followed, pattern_table, reads
from tooldec.errors import SchemaError
from tooldec.lint.finding import Check, Hit, Inventory, Part, tool_with
from tooldec.lint.keywords import at_keyword
from tooldec.lint.places import Replacement
from tooldec.patterns.expressions import alternatives
from tooldec.submachine import KEPT, Table

LONGEST = 400
"""Longer patterns aren't looked at: who writes them knows what they are."""

_AROUND = ("x", "0", " ", "-", "/")


def whole(pattern: str) -> str:
    """A pattern of the whole text.

    >>> whole("[A-Z]{3}$"), whole("^a|b$"), whole(r"\\$")
    ('^[A-Z]{3}$', '^(?:a|b)$', '^\\\\$$')
    """
    inner = pattern.removeprefix("^")
    inner = inner if inner.endswith("\\$") else inner.removesuffix("$")
    return f"^(?:{inner})$" if len(alternatives(pattern)) > 1 else f"^{inner}$"


@lru_cache(maxsize=KEPT)
def beyond(pattern: str) -> str | None:
    """A text that a pattern admits for what stands beside a match in it; None where there is none, or it may be meant.

    One that looks for a single character says what must be there, not what the text is: `\\\\S`, `@`.

    >>> beyond("[A-Z]{3}"), beyond("^[A-Z]{3}$"), beyond("@")
    ('xAAAx', None, None)
    """
    try:
        text = _shortest(whole(pattern))
        if text is None or len(text) < 2 or len(_shortest(pattern) or "") < 2:
            return None
        around = (one + text + one for one in _AROUND)
        return next((one for one in around if reads(pattern, one) and not reads(whole(pattern), one)), None)
    except SchemaError:  # other checks say why it isn't followed
        return None


@lru_cache(maxsize=KEPT)
def is_narrowed(pattern: str) -> bool:
    """Whether a machine takes a pattern from the text's beginning on, since it would be too large otherwise.

    >>> is_narrowed("[A-Z].{15}[0-9]"), is_narrowed("^[A-Z].{15}[0-9]$"), is_narrowed("[A-Z]{3}")
    (True, False, False)
    """
    try:
        plain = counted_apart(pattern)[0]
        options = followed(plain)
    except SchemaError:
        return False
    return any(map(is_narrowed, options)) if len(options) > 1 else options != [plain]


def _shortest(pattern: str) -> str | None:
    """One of the shortest texts of a pattern."""
    table = pattern_table(pattern)
    return next((str(json.loads(text)) for state, text in _reached(table) if table.accepting[state]), None)


def _reached(table: Table) -> Iterator[tuple[int, bytes]]:
    """The states breadth-first, each with the first text that leads there; letters first."""
    texts, order = {0: b""}, [0]
    for state in order:  # grows while it is read
        yield state, texts[state]
        row = table.rows[state]
        for byte in (*b"Aa0", *range(256)):
            if row[byte] >= 0 and row[byte] not in texts:
                texts[row[byte]] = texts[state] + bytes([byte])
                order.append(row[byte])


def _open(inventory: Inventory) -> Iterator[Hit]:
    for part in inventory.constrained:
        pattern = part.schema.get("pattern")
        if not isinstance(pattern, str) or len(pattern) > LONGEST:
            continue
        text = beyond(pattern)
        if text is not None:
            message = f"the pattern of {part.name} may match anywhere in a text: {json.dumps(text)} is admitted, too"
            hit = part.hit(message, f"if the whole text is meant, write {json.dumps(whole(pattern))}")
            yield replace(at_keyword(inventory, part, "pattern", hit), replacement=_change(inventory, part, pattern))


def _narrowed(inventory: Inventory) -> Iterator[Hit]:
    for part in inventory.constrained:
        pattern = part.schema.get("pattern")
        if part.aside or not isinstance(pattern, str) or len(pattern) > LONGEST or not is_narrowed(pattern):
            continue
        message = f"the pattern of {part.name} is too large to be sought anywhere in a text: a match has to begin it"
        hit = part.hit(message, f"if the whole text is meant, write {json.dumps(whole(pattern))}")
        yield replace(at_keyword(inventory, part, "pattern", hit), replacement=_change(inventory, part, pattern))


def _change(inventory: Inventory, part: Part, pattern: str) -> Replacement | None:
    """The pattern of the whole text in its place, where that is written as JSON writes it."""
    at = inventory.places.value(part.tool, (*part.pointer, "pattern"))
    return None if at is None else inventory.places.renamed(at, json.dumps(pattern), json.dumps(whole(pattern)))


CHECKS = (
    Check(
        "H328",
        "hint",
        "A pattern that may match anywhere",
        "JSON Schema looks for a match in the text: what stands before and behind it is free, and may be anything.",
        tool_with('{"type": "string", "pattern": "[A-Z]{3}"}'),
        tool_with('{"type": "string", "pattern": "^[A-Z]{3}$"}'),
        _open,
    ),
    Check(
        "H329",
        "hint",
        "A pattern that is sought only at a text's beginning",
        "Where a match may begin anywhere, all that have begun have to be counted at once. A pattern that is too large "
        "for that is taken from the text's beginning on: calls are valid, but not every valid text can be written.",
        tool_with('{"type": "string", "pattern": "[A-Z].{15}[0-9]"}'),
        tool_with('{"type": "string", "pattern": "^[A-Z].{15}[0-9]$"}'),
        _narrowed,
    ),
)
