"""Types that TypeScript has a name for → JSON Schema: plain ones, and those that are made of others.

string                         {"type": "string"}
Partial<{ a: string }>         {"type": "object", "properties": {"a": {"type": "string"}}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tooldec.signatures.schemas import JSONSchema, array_of
from tooldec.signatures.typescript.operators import excluded, non_nullable, partial, picked, record, required

PLAIN: Mapping[str, JSONSchema] = {
    **{kind: {"type": kind} for kind in ("string", "number", "integer", "boolean", "null", "object")},
    **{"bigint": {"type": "integer"}, "undefined": {"type": "null"}, "void": {"type": "null"}},
    **{"any": {}, "unknown": {}, "Date": {"type": "string", "format": "date-time"}},
    **{"int": {"type": "integer"}, "float": {"type": "number"}, "String": {"type": "string"}},
    **{"Number": {"type": "number"}, "Boolean": {"type": "boolean"}, "Object": {"type": "object"}},
}
"""name of a type -> its schema."""


@dataclass(frozen=True, slots=True)
class Generic:
    """How a type is made of others, of how many, and what is told where it can't be.

    opens   whether it looks at the properties of the first one
    """

    make: Callable[..., JSONSchema | None]
    parts: int = 1
    opens: bool = False
    problem: str = "`{}` of this type isn't read"
    fix: str = ""


def _map(keys: JSONSchema, values: JSONSchema) -> JSONSchema | None:
    """`Map<K, V>`, written as an object; None where K are no names.

    >>> _map({"enum": ["a"]}, {"type": "string"})["properties"], _map({"type": "boolean"}, {})
    ({'a': {'type': 'string'}}, None)
    """
    found = record(keys, values)
    return None if found is None else partial(found)


_NO_NAMES = (
    "the keys of this type are no names of properties",
    'write the keys as `string`, `number` or `"a" | "b"`',
)
_PICK = ("`{}` of this type isn't read", 'write it as `Pick<T, "a" | "b">` with properties of T, or write out the type')
_NOTHING = ("nothing is left of this type", "write the type that is meant")
GENERICS: Mapping[str, Generic] = {
    **{name: Generic(array_of) for name in ("Array", "ReadonlyArray", "Set")},
    **{name: Generic(lambda part: part) for name in ("Readonly", "Promise")},
    "Record": Generic(record, 2, False, *_NO_NAMES),
    "Map": Generic(_map, 2, False, *_NO_NAMES),
    "Partial": Generic(partial, 1, True),
    "Required": Generic(required, 1, True),
    "Pick": Generic(picked, 2, True, *_PICK),
    "Omit": Generic(lambda part, keys: picked(part, keys, others=True), 2, True, *_PICK),
    "Exclude": Generic(excluded, 2, False, *_NOTHING),
    "Extract": Generic(lambda part, other: excluded(part, other, others=False), 2, False, *_NOTHING),
    "NonNullable": Generic(non_nullable, 1, True, "nothing but null is in this type", "write the type that is meant"),
}
"""name of a type with arguments -> how it is made."""
