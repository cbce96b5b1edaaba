"""A schema's choices multiplied out: the cases of which a value has to satisfy one.

    {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
        ->  an object with "a",  an object with "b"

`oneOf` takes from each option what the others hold too, and `not` and `if` need a schema's opposite (`opposites`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, islice

from tooldec.arguments.contradictions import settled
from tooldec.arguments.document import MOST_CASES, MOST_MERGED, Document, wrong
from tooldec.arguments.facts import ANY, Facts, Members, Spot, merge, pruned
from tooldec.arguments.keywords import REFUSED, UNEVALUATED
from tooldec.arguments.references import REFERRING
from tooldec.arguments.rules import rules_of
from tooldec.arguments.statements import names_of, stated
from tooldec.arguments.unevaluated import of_others, silent
from tooldec.errors import SchemaError
from tooldec.tools import Schema


def cases(spot: Spot, doc: Document) -> list[Facts]:
    """The cases of a schema, or of its opposite; none where it has no value."""
    known = doc.cases.get(spot.key)
    if known is None:
        here = replace(spot, scope=doc.references.entered(spot.schema, spot.scope)) if doc.scoped else spot
        found = _positive(here, doc) if spot.wanted else silent(doc.opposites(here, doc))
        known = doc.cases[spot.key] = (spot.schema, found)
    return known[1]


def cases_of_all(spots: Iterable[Spot], doc: Document) -> list[Facts]:
    """The cases of values that satisfy all of the schemas; those of the first of them are kept for what comes next."""
    found, key = [ANY], tuple[object, ...]()
    for spot in spots:
        key = (*key, spot.key)
        known = doc.cases.get(key)
        if known is None:
            known = doc.cases[key] = (None, multiply(found, cases(spot, doc), spot, doc))
        found = known[1]
    return found


def multiply(some: list[Facts], others: list[Facts], spot: Spot, doc: Document) -> list[Facts]:
    """Every case of the one with every case of the other, as far as they agree."""
    found = list(islice(_agreeing(some, others, doc, 1), MOST_CASES + 1))
    if len(found) > MOST_CASES:
        raise _too_many(f"its choices multiply into more than {MOST_CASES} cases", spot.path)
    return found


def _too_many(message: str, path: str) -> SchemaError:
    return SchemaError(message, path=path, keyword="anyOf", fix="write fewer alternatives")


def _agreeing(some: Iterable[Facts], others: list[Facts], doc: Document, levels: int) -> Iterator[Facts]:
    """What each case of the one and each of the other say together, if there may be such a value."""
    for one in some:
        for other in others:
            doc.merged += 1
            if doc.merged > MOST_MERGED:
                raise _too_many(f"its choices are held against each other more than {MOST_MERGED} times", one.path)
            both = merge(one, other)
            if both is not None and both is not one and both is not other:
                both = _possible(both, doc, levels)
            if both is not None:
                yield both


def _possible(facts: Facts, doc: Document, levels: int) -> Facts | None:
    """Without objects of which some required property can't have any value; None where nothing is left.

    levels   how deep required properties inside of required properties are looked at
    """
    if "object" not in facts.kinds or facts.constants is not None or not levels:
        return facts
    for name in facts.required:
        try:
            spots = [spot for group in facts.members for spot in rules_of(group, name) or ()]
            found = cases_of_all(spots, doc)
        except SchemaError:  # who writes the property says what is wrong
            continue
        if all(_possible(one, doc, levels - 1) is None for one in found):
            return pruned(replace(facts, kinds=facts.kinds - {"object"}))
    return facts


def _positive(spot: Spot, doc: Document) -> list[Facts]:
    schema = spot.schema
    if schema is True or schema == {}:
        return [ANY]
    if schema is False:
        return []
    if not isinstance(schema, Mapping):
        raise SchemaError(f"a schema is an object, not {json.dumps(schema, default=str)}", path=spot.path)
    if "$ref" in schema and doc.draft <= 7:  # what stands beside it doesn't count there
        return of_reference("$ref")(schema, spot, doc)
    for keyword in REFUSED.keys() & schema.keys():
        if schema[keyword] not in (True, {}):
            doc.refuse(keyword, REFUSED[keyword], spot)
    schema = settled(schema, spot, doc)
    own = pruned(stated(schema, spot, doc))
    found = [] if own is None else [own]
    for keyword, read in _CHOICES.items():
        if keyword in schema and found:
            try:
                for choice in read(schema, spot, doc):
                    found = multiply(found, choice, spot, doc)
            except SchemaError as error:
                if not doc.writing.relax:
                    raise
                doc.refuse(error.keyword or keyword, error.message, replace(spot, path=error.path))
    if schema.keys() & UNEVALUATED:
        found = [facts for one in found if (facts := merge(one, of_others(one, schema, spot, doc))) is not None]
    return found


# ---- choices: each gives the cases that it leaves, or several lists of them, of which a value has to be in each


def parts_of(schema: Schema, keyword: str, spot: Spot) -> list[Spot]:
    parts = schema[keyword]
    if not isinstance(parts, list) or not parts:
        raise wrong(keyword, "a list with at least one schema", parts, spot)
    return [spot.at(part, f".{keyword}[{index}]") for index, part in enumerate(parts)]


def reference(schema: Schema, spot: Spot, doc: Document, keyword: str) -> Spot | None:
    """The schema that a reference points to; None where it leads back to itself too often."""
    target, recursive = doc.references.target(schema, spot.path, keyword, spot.scope)
    depth = spot.depth + recursive
    most = doc.writing.depth + (_DEEPER if spot.whole else 0)
    return None if depth > most else replace(spot, schema=target, depth=depth)


_DEEPER = 2
"""So much deeper cases are followed that are held against others: what they are there mostly tells them apart."""


def of_reference(keyword: str) -> Callable[[Schema, Spot, Document], list[Facts]]:
    """The reader of the cases of what a reference leads to."""

    def read(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
        target = reference(schema, spot, doc, keyword)
        return ([ANY] if spot.whole else []) if target is None else cases(target, doc)

    return read


def _any_of(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    parts = parts_of(schema, "anyOf", spot)
    found = [facts for part in parts for facts in cases(part, doc)]
    if len(parts) <= _MOST_JOINED and (doc.unevaluated or not doc.writing.open_objects):
        found += _joined(parts, doc)
    return found


_MOST_JOINED = 4


def _joined(parts: list[Spot], doc: Document) -> list[Facts]:
    """Objects of several options at once: with closed objects, each option alone lacks what the others declare.

    So does each beside an `unevaluatedProperties`, or arrays beside an `unevaluatedItems`.
    """
    found = []
    for size in range(2, len(parts) + 1):
        for chosen in combinations(parts, size):
            if doc.unevaluated:
                both = frozenset({"array", "object"})
                found += [replace(facts, kinds=facts.kinds & both) for facts in cases_of_all(chosen, doc)]
            elif all(any("object" in facts.kinds and facts.members for facts in cases(part, doc)) for part in chosen):
                for facts in cases_of_all(chosen, doc):
                    declaring = [group for group in facts.members if group.declares]
                    if len(declaring) >= size and not any(group.explicit for group in declaring):
                        found.append(replace(facts, kinds=facts.kinds & {"object"}))
    return [facts for facts in found if facts.kinds]


def _all_of(schema: Schema, spot: Spot, doc: Document) -> Iterator[list[Facts]]:
    return (cases(part, doc) for part in parts_of(schema, "allOf", spot))


def _one_of(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    parts = parts_of(schema, "oneOf", spot)
    options = [cases(part, doc) for part in parts]
    own = pruned(stated(schema, spot, doc)) or ANY  # what stands beside it helps to tell the options apart
    options = [multiply([own], option, spot, doc) for option in options]
    others = options if spot.whole or not doc.references.recursive else [_whole(part, doc) for part in parts]
    found: list[Facts] = []
    for index, option in enumerate(options):
        left = option
        for other, part in enumerate(parts):
            shared = [facts for facts in left if other != index and not _disjoint(facts, others[other], doc)]
            if shared:
                try:
                    apart = multiply(shared, cases(replace(part, wanted=not part.wanted), doc), spot, doc)
                    left = [facts for facts in left if facts not in shared] + apart
                except SchemaError as error:
                    reason = f"options {index} and {other} can't be told apart: {error.message}"
                    doc.refuse("oneOf", reason, spot)
        found += left
    return found


def _whole(part: Spot, doc: Document) -> list[Facts]:
    """The cases of a schema and of what is deeper in it than is written, or more than those."""
    try:
        return cases(replace(part, whole=True), doc)
    except SchemaError:
        return [ANY]


def _disjoint(facts: Facts, others: list[Facts], doc: Document) -> bool:
    """Whether no value can be of one of the others, too, as far as types, constants, bounds and properties tell."""
    return next(_agreeing([facts], others, doc, 2), None) is None


def of_not(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    """The cases of a negation, or of its opposite."""
    return cases(spot.at(schema["not"], ".not", wanted=not spot.wanted), doc)


def of_if(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    """The cases of `if` with `then` and `else`, or of their opposites: the condition is the same."""
    found: list[Facts] = []
    for keyword, holds in (("then", True), ("else", False)):
        condition = cases(spot.at(schema["if"], ".if", wanted=holds), doc)
        result = cases(spot.at(schema.get(keyword, True), f".{keyword}"), doc)
        found += multiply(condition, result, spot, doc)
    return found


def without(name: str, spot: Spot) -> Facts:
    """Objects that lack a property, and all that is no object."""
    return Facts(members=(Members({name: spot.at(False, f".{name}", wanted=True)}),), path=spot.path)


def dependencies(schema: Schema, spot: Spot) -> list[tuple[str, Spot | tuple[str, ...]]]:
    """What properties ask for: names, or a schema."""
    found: list[tuple[str, Spot | tuple[str, ...]]] = []
    for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
        wanted = schema.get(keyword, {})
        if not isinstance(wanted, Mapping):
            raise wrong(keyword, "an object", wanted, spot)
        for name, needs in wanted.items():
            if isinstance(needs, list):
                found.append((name, names_of(needs, keyword, spot)))
            else:
                found.append((name, spot.at(needs, f".{keyword}.{name}")))
    return found


def _dependencies(schema: Schema, spot: Spot, doc: Document) -> Iterator[list[Facts]]:
    for name, needs in dependencies(schema, spot):
        there = [Facts(required=needs, path=spot.path)] if isinstance(needs, tuple) else cases(needs, doc)
        yield [without(name, spot), *multiply([Facts(required=(name,), path=spot.path)], there, spot, doc)]


def _alone(read: Callable[[Schema, Spot, Document], list[Facts]]) -> _Reader:
    return lambda schema, spot, doc: [read(schema, spot, doc)]


_Reader = Callable[[Schema, Spot, Document], Iterable[list[Facts]]]
_CHOICES: Mapping[str, _Reader] = {
    **{keyword: _alone(of_reference(keyword)) for keyword in REFERRING},
    "allOf": _all_of,
    "anyOf": _alone(_any_of),
    "oneOf": _alone(_one_of),
    "not": _alone(of_not),
    "if": _alone(of_if),
    "dependentRequired": _dependencies,
    "dependentSchemas": _dependencies,
    "dependencies": _dependencies,
}


def any_value(spot: Spot | None) -> bool:
    """Whether a schema says nothing."""
    return spot is None or (spot.wanted and (spot.schema is True or spot.schema == {}))
