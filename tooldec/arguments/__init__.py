"""JSON Schema → grammar: what an argument may be (section 3.2, Figure 2).

    schema  --cases-->  Facts, Facts, …  --numbers, strings, arrays, objects-->  grammar terms

Every keyword is enforced, carries no constraint, or is refused with its place and the reason (`KEYWORDS`); none is
silently ignored. `Writing` says how JSON is spaced, whether numbers may begin with +, and how properties are ordered.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from weakref import WeakKeyDictionary

from tooldec.arguments.arrays import items
from tooldec.arguments.bare import can_be, name_in
from tooldec.arguments.cases import cases
from tooldec.arguments.document import Document
from tooldec.arguments.facts import Spot
from tooldec.arguments.formats import FORMATS
from tooldec.arguments.keywords import CONSTRAINING, KEYWORDS
from tooldec.arguments.members import in_order
from tooldec.arguments.objects import objects
from tooldec.arguments.opposites import opposites
from tooldec.arguments.statements import TYPES as ARGUMENT_TYPES
from tooldec.arguments.values import ANY_DEPTH, bare_values, constant_members, no_value, of_case, values
from tooldec.arguments.writing import COMPACT, DUMPS, JSON, POSITIONAL, PYTHON, Fashion, Notation, Writing, spaced
from tooldec.grammar import NOTHING, Grammar, Label, Labelled, Noted, choice, sequence
from tooldec.submachine import KEPT
from tooldec.tools import Schema

__all__ = [
    "ANY_DEPTH", "ARGUMENT_TYPES", "COMPACT", "DUMPS", "FORMATS", "JSON", "KEYWORDS", "POSITIONAL", "PYTHON",
    "Fashion", "Notation", "Writing", "argument", "by_position", "in_order", "is_known", "items", "object_of", "spaced",
]  # fmt: skip

_simple: WeakKeyDictionary[Writing, dict[Hashable, Grammar]] = WeakKeyDictionary()
"""Tools share simple types by the thousand: those without lists are built once."""


def argument(schema: object, writing: Writing, path: str = "$", root: Schema | None = None) -> Grammar:
    """The JSON values that satisfy a schema; as they stand between tags, where the writing has some around them.

    `path` is where the schema stands and `root` the document that `$ref` points into.
    Raises SchemaError naming the keyword that can't be enforced; with `writing.relax` the grammar is Noted instead.
    """
    key, simple = _simple_key(schema), _simple.setdefault(writing, {})
    if key in simple:
        return simple[key]
    doc = Document(schema if root is None else root, writing, opposites)
    spot = Spot(schema, path)
    found = bare_values([spot], doc) if writing.outer and writing.outer.tags else values([spot], doc)
    if found is NOTHING:
        raise no_value(spot, doc)
    if key is not None and not doc.warnings:
        simple[key] = found
        while len(simple) > KEPT:
            simple.pop(next(iter(simple)), None)  # the oldest; another thread may have been quicker
    return _noted(found, doc)


def _simple_key(schema: object) -> Hashable:
    """What two schemas share that mean the same values; None where that isn't told quickly.

    Types belong to it: true isn't 1, though Python says that they are equal.
    """
    if not isinstance(schema, Mapping) or "$ref" in schema:
        return None
    try:
        return frozenset([(word, type(value), value) for word, value in schema.items() if word in CONSTRAINING])
    except TypeError:  # a list or a schema inside
        return None


def is_known(schema: Schema, writing: Writing) -> bool:
    """Whether these arguments surely have a grammar: a plain object, the types of its properties built before."""
    values = schema.get("properties", {})
    simple = _simple.get(writing, {})
    return _is_plain(schema, values, writing) and all(_simple_key(v) in simple for v in values.values())


def object_of(schema: Schema, values: Mapping[str, Grammar], writing: Writing, others: Label | None = None) -> Grammar:
    """The objects that satisfy a schema; its properties are written as `values` say, or at least labelled so.

    others   the label of members whose names aren't declared
    """
    fashion = writing.outer or writing.braces
    if _is_plain(schema, values, writing):
        required = schema.get("required", ())
        members = [
            (
                sequence(
                    fashion.before, name_in(name, fashion, writing, "$"), fashion.after, values[name], fashion.behind
                ),
                name in required,
            )
            for name in writing.ordered(values)
        ]
        return sequence(fashion.opening, in_order(members, fashion.between), fashion.closing)
    doc = Document(schema, writing, opposites)
    spot = Spot(schema, "$")

    def mark(name: str, value: Grammar) -> Grammar:
        given = values.get(name)
        label = given.label if isinstance(given, Labelled) else None if name else others
        return value if label is None else Labelled(label, value)

    inner = bare_values if fashion.tags else _values
    options = []
    for facts in cases(spot, doc):
        if "object" not in facts.kinds:
            continue
        if facts.constants is None:
            options.append(objects(facts, doc, lambda spots: inner(spots, doc), mark, fashion))
        else:
            options.append(of_case(facts, doc) if writing.outer is None else constant_members(facts, doc, fashion))
    options = [option for option in options if option is not NOTHING]
    if not options:
        raise no_value(spot, doc)
    return _noted(choice(options), doc)


def by_position(schema: Schema, written: Grammar, writing: Writing) -> Grammar:
    """Arguments that are written one after the other; noted where an object's schema says more than they can keep.

    Raises SchemaError naming that keyword where the writing isn't relaxed: which arguments go together, or what a
    reference adds to them, only an object of arguments shows.
    """
    doc = Document(schema, writing, opposites)
    for keyword in schema:
        if keyword in CONSTRAINING and keyword not in _BY_POSITION:
            reason = "by position it can't be followed; `json_tags` and `react` write the arguments as an object"
            doc.refuse(keyword, reason, Spot(schema, "$"))
    return _noted(written, doc)


_values = values
_PLAIN = frozenset({"type", "properties", "required", "additionalProperties"})
_BY_POSITION = _PLAIN | {"unevaluatedProperties", "nullable"}
"""What arguments by position keep: they are those of the signature, and there is an object of them."""


def _is_plain(schema: Schema, values: Mapping[str, Grammar], writing: Writing) -> bool:
    """An object like nearly every tool's: declared properties, no others, none that is required but not declared."""
    required, fashion = schema.get("required", ()), writing.outer or writing.braces
    return (
        all(keyword in _PLAIN or keyword not in CONSTRAINING for keyword in schema)
        and schema.get("type", "object") == "object"
        and isinstance(schema.get("properties"), Mapping)
        and isinstance(required, list | tuple)
        and all(isinstance(name, str) and name in values for name in required)
        and all(isinstance(inner, Mapping) for inner in schema["properties"].values())
        and not writing.any_order
        and (fashion.names is None or all(can_be(name, fashion.names) for name in schema["properties"]))
        and schema.get("additionalProperties", writing.open_objects) is False
    )


def _noted(grammar: Grammar, doc: Document) -> Grammar:
    return Noted(tuple(doc.warnings), grammar) if doc.warnings else grammar
