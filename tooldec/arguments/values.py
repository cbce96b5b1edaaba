"""Schemas → grammar: the values that satisfy all of some schemas, case by case and type by type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from tooldec.arguments.arrays import Build, arrays, items
from tooldec.arguments.bare import bare, name_in, names_in, spelled
from tooldec.arguments.cases import any_value, cases_of_all
from tooldec.arguments.constants import can_be_written, constants, literal, satisfying
from tooldec.arguments.decimals import numbers
from tooldec.arguments.document import Document
from tooldec.arguments.facts import ANY, UNREACHED, Facts, Spot
from tooldec.arguments.keywords import CONSTRAINING
from tooldec.arguments.literals import STRING, number, word
from tooldec.arguments.objects import objects
from tooldec.arguments.strings import any_string, strings
from tooldec.arguments.writing import Fashion, Writing
from tooldec.errors import SchemaError
from tooldec.grammar import EMPTY, NOTHING, Grammar, Literal, choice, sequence

ANY_DEPTH = 5
"""How deep a value that may be anything nests."""


def values(spots: Sequence[Spot], doc: Document) -> Grammar:
    """The values that satisfy all of the schemas; NOTHING where there are none."""
    kept = [spot for spot in spots if not any_value(spot)]
    if not kept:
        return anything(doc.writing, ANY_DEPTH)
    key = tuple(spot.key for spot in kept)
    known = doc.grammars.get(key)
    if known is None:
        options = [of_case(facts, doc) for facts in cases_of_all(kept, doc)]
        options = [option for option in options if option is not NOTHING]
        if not options and len(kept) == 1 and _is_meant(kept[0]):
            raise no_value(kept[0], doc)
        known = doc.grammars[key] = ([spot.schema for spot in kept], choice(options) if options else NOTHING)
    return known[1]


def bare_values(spots: Sequence[Spot], doc: Document) -> Grammar:
    """The same where values stand between tags: strings bare, all others as JSON.

    A text that may be either is read as the other value, where that satisfies the schema, so nothing is written that
    isn't read as a valid value. Where tags tell strings from other values nothing is left to be told.
    """
    fashion = doc.writing.outer or doc.writing.braces
    string, other = fashion.kinds or (EMPTY, EMPTY)
    options: list[Grammar] = []
    for facts in cases_of_all(spots, doc):
        texts, others = (None, None) if facts.constants is None else _parted(facts.constants)
        if "string" in facts.kinds and texts != ():
            said = replace(facts, kinds=frozenset({"string"}), constants=texts)
            found = constants(said, doc.writing, _held_against(doc)) if texts else strings(said, doc)
            bared = found if found is NOTHING else bare(found, fashion.barred, fashion.follows)
            options.append(_behind(string, bared))
            if found is STRING and fashion.kinds is None:  # that's any text, the rest among them
                return options[-1]
        if (kinds := facts.kinds - {"string"}) and others != ():
            options.append(_behind(other, of_case(replace(facts, kinds=kinds, constants=others), doc)))
    options = [option for option in options if option is not NOTHING]
    if not options and len(spots) == 1 and _is_meant(spots[0]):
        raise no_value(spots[0], doc)
    return choice(options) if options else NOTHING


def _behind(tag: Grammar, value: Grammar) -> Grammar:
    return value if value is NOTHING or tag is EMPTY else sequence(tag, value)


def _parted(values: Sequence[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Strings, and other constants."""
    texts = tuple(value for value in values if isinstance(value, str))
    return texts, tuple(value for value in values if not isinstance(value, str))


def _held_against(doc: Document) -> Callable[[Facts], Grammar]:
    """What tells whether a constant satisfies a case."""
    return lambda facts: of_case(facts, doc.lenient)


def constant_members(facts: Facts, doc: Document, fashion: Fashion) -> Grammar:
    """The objects that are a case's constants, as the members of an object of all arguments."""
    options: list[Grammar] = []
    kinds = fashion.kinds or (EMPTY, EMPTY)
    for value in satisfying(facts, doc.writing, _held_against(doc)):
        parts: list[Grammar] = []
        for name in doc.writing.ordered(value):
            one = value[name]
            key = sequence(fashion.before, name_in(name, fashion, doc.writing, facts.path), fashion.after)
            is_bare = fashion.tags and isinstance(one, str)
            kind = kinds[0] if is_bare else kinds[1]
            text = Literal(one.encode()) if is_bare else literal(one, doc.writing)
            parts.append(sequence(fashion.between if parts else EMPTY, key, kind, text, fashion.behind))
        options.append(sequence(fashion.opening, *parts, fashion.closing))
    return choice(options) if options else NOTHING


def _is_meant(spot: Spot) -> bool:
    """Whether a value was expected here: nothing was left out, nor forbidden by `false` or its like."""
    return spot.wanted and not spot.depth and spot.schema not in (False, {"not": {}}, {"not": True})


def no_value(spot: Spot, doc: Document) -> SchemaError:
    """The error for a schema that no value satisfies, with the likeliest reason."""
    reason, keyword = _reason(spot, doc)
    return SchemaError(reason, path=spot.path, keyword=keyword, empty=True)


def _reason(spot: Spot, doc: Document) -> tuple[str, str | None]:
    """Why no value satisfies a schema, most likely, and the keyword that says so."""
    schema = spot.schema
    if not isinstance(schema, Mapping):
        return "the schema `false` admits no value", None
    for least, most in (("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties")):
        if least in schema and most in schema and schema[least] > schema[most]:
            return f"`{least}` is above `{most}`", least
        if schema.get(least, 0) >= UNREACHED:
            return f"nobody can write as much as `{least}` asks for", least
    if "minimum" in schema and "maximum" in schema and "enum" not in schema:
        kind = "integer" if schema.get("type") == "integer" else "number"
        between = f"{schema['minimum']} and {schema['maximum']}"
        return f"no {kind} is between {between}", "minimum"
    constants = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if constants and not any(can_be_written(one, doc.writing) for one in constants):
        return "every value holds a tag of the call, which would end it", "enum" if "enum" in schema else "const"
    if "enum" in schema:
        also = [keyword for keyword in schema if keyword in CONSTRAINING and keyword != "enum"]
        reason = f"no value of `enum` satisfies `{also[0]}` too" if also else "no value of `enum` can be written"
        return reason, "enum"
    keyword = next((k for k in schema if k in CONSTRAINING and k != "type"), "type" if "type" in schema else None)
    reason = f"no value satisfies its `{keyword}` and all else that is said"
    if "$ref" in schema:
        reason += f", as far as references lead back to themselves at most {doc.writing.depth} times"
    return reason, keyword


def of_case(facts: Facts, doc: Document) -> Grammar:
    """The values of one case."""

    def build(spots: Sequence[Spot]) -> Grammar:
        return values(spots, doc)

    if facts == ANY:
        return anything(doc.writing, ANY_DEPTH)
    if facts.constants is not None:
        return constants(facts, doc.writing, _held_against(doc))
    options: list[Grammar] = []
    kinds = facts.kinds
    if kinds & {"integer", "fraction"}:
        options.append(numbers(facts, kinds & {"integer", "fraction"}, doc))
    for kind in sorted(kinds - {"integer", "fraction"}):
        options.append(_BY_KIND[kind](facts, doc, build))
    return choice([option for option in options if option is not NOTHING] or [NOTHING])


def _string(facts: Facts, doc: Document, build: Build) -> Grammar:
    found = strings(facts, doc)
    return found if found is NOTHING else spelled(found, doc.writing)


def _boolean(facts: Facts, doc: Document, build: Build) -> Grammar:
    notation = doc.writing.notation
    left = [value for value in (True, False) if not any(value is other for other in facts.excluded)]
    words = [one for value in left for one in (notation.true if value else notation.false)]
    return word("BoolFSM", *words) if words else NOTHING


def _null(facts: Facts, doc: Document, build: Build) -> Grammar:
    return NOTHING if any(value is None for value in facts.excluded) else word("NullFSM", *doc.writing.notation.null)


_BY_KIND: Mapping[str, Callable[[Facts, Document, Build], Grammar]] = MappingProxyType(
    {"string": _string, "boolean": _boolean, "null": _null, "array": arrays, "object": objects}
)


@lru_cache(maxsize=64)
def anything(writing: Writing, depth: int) -> Grammar:
    """Any value, nested at most this deep."""
    notation = writing.notation
    words = [word("BoolFSM", *notation.true, *notation.false), word("NullFSM", *notation.null)]
    scalars: list[Grammar] = [spelled(any_string(writing), writing), number(writing.plus), *words]
    if depth == 0:
        return choice(scalars)
    inner = anything(writing, depth - 1)
    member = sequence(names_in(STRING, writing.braces, writing), writing.colon, inner)
    pad, comma = writing.pad, writing.comma
    return choice(
        [
            *scalars,
            sequence(b"[", pad, items([], inner, 0, None, comma), pad, b"]"),
            sequence(b"{", pad, items([], member, 0, None, comma), pad, b"}"),
        ]
    )
