"""`unevaluatedProperties` and `unevaluatedItems`: what holds of members and items that no part of a schema speaks of.

{"properties": {"a": A}, "anyOf": [{"required": ["b"], "properties": {"b": B}}, true], "unevaluatedProperties": false}
    ->  an object with "b", and maybe "a",  an object with nothing but maybe "a"

In one case of a schema it is plain which of its parts hold, so that they are what speaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tooldec.arguments.document import Document
from tooldec.arguments.facts import Facts, Items, Members, Spot
from tooldec.tools import Schema

_CONTAINED = 2020
"""From this draft on what `contains` finds has been spoken of."""


def of_others(facts: Facts, schema: Schema, spot: Spot, doc: Document) -> Facts:
    """What a schema says of the members and items that nothing in this case of it speaks of."""
    return Facts(
        members=_members(facts, schema, spot) if "unevaluatedProperties" in schema else (),
        items=_items(facts, schema, spot, doc) if "unevaluatedItems" in schema else (),
        path=spot.path,
    )


def _members(facts: Facts, schema: Schema, spot: Spot) -> tuple[Members, ...]:
    groups = [one for one in facts.members if one.annotates and (one.declares or one.explicit or one.patterns)]
    if any(group.others is not None for group in groups):
        return ()
    anything = spot.at(True, "")
    named = {name: anything for group in groups for name in group.named}
    patterns = tuple((pattern, anything) for group in groups for pattern, _ in group.patterns)
    rest = spot.at(schema["unevaluatedProperties"], ".unevaluatedProperties")
    return (Members(named, patterns, rest, declares=True, explicit=True),)


def _items(facts: Facts, schema: Schema, spot: Spot, doc: Document) -> tuple[Items, ...]:
    groups = [one for one in facts.items if one.annotates]
    if any(group.others is not None for group in groups):
        return ()
    found = [one.spot.schema for one in facts.contains if one.annotates and doc.draft >= _CONTAINED]
    options = [schema["unevaluatedItems"], *found]
    options = [one for one in options if one is not False] or [False]
    rest = {"anyOf": options} if len(options) > 1 else options[0]
    first = max((len(group.first) for group in groups), default=0)
    return (Items((spot.at(True, ""),) * first, spot.at(rest, ".unevaluatedItems")),)


def silent(found: Sequence[Facts]) -> list[Facts]:
    """The same cases where nothing of what they say has been said: they are from inside of a `not`."""
    return [_silent(facts) for facts in found]


def _silent(facts: Facts) -> Facts:
    if not (facts.members or facts.items or facts.contains):
        return facts
    return replace(
        facts,
        members=tuple(replace(one, annotates=False) for one in facts.members),
        items=tuple(replace(one, annotates=False) for one in facts.items),
        contains=tuple(replace(one, annotates=False) for one in facts.contains),
    )
