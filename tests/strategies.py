"""Hypothesis strategies: grammar terms, vocabularies, and JSON Schemas together with values that satisfy them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tooldec import grammar as g
from tooldec.tools import Tool
from tooldec.vocabulary import Vocabulary

# ---- grammar terms over a small alphabet, so that ways meet often

ALPHABET = b'ab("\xc3\xa9'
SPECIALS = ("<T>", "ab(")  # the second one is also what calls are made of
words = st.binary(min_size=1, max_size=3).map(lambda b: bytes(ALPHABET[byte % len(ALPHABET)] for byte in b))
classes = st.sets(st.sampled_from(ALPHABET), min_size=1, max_size=4).map(lambda s: g.SymbolClass(frozenset(s)))


def _names(draw_words: set[bytes], tails: list[g.Grammar]) -> g.Names:
    ordered = tuple(sorted(draw_words))
    return g.Names(ordered, lambda index: tails[index % len(tails)])


def _grow(inner: st.SearchStrategy[g.Grammar], plain: bool) -> st.SearchStrategy[g.Grammar]:
    bounds = st.tuples(st.integers(0, 2), st.none() | st.integers(0, 2))
    grown = [
        st.lists(inner, max_size=3).map(lambda parts: g.Sequence(tuple(parts))),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: g.Choice(tuple(options))),
        st.builds(lambda b, n: g.Repeat(b, n[0], None if n[1] is None else n[0] + n[1]), inner, bounds),
    ]
    if not plain:
        grown += [
            st.builds(_names, st.sets(words, min_size=1, max_size=5), st.lists(inner, min_size=1, max_size=3)),
            st.builds(lambda b: g.Deferred("later", lambda: b), inner),
            st.builds(lambda b, t: g.Labelled(g.Label("name", t), b), inner, st.sampled_from("fg")),
            inner.map(lambda b: g.Noted(("a note",), b)),
            plain_terms.map(lambda body: g.Submachine("box", body)),
        ]
    return st.one_of(grown)


_leaves = st.one_of(words.map(g.Literal), classes)
plain_terms = st.recursive(_leaves, lambda inner: _grow(inner, plain=True), max_leaves=6)
_special = st.sampled_from(SPECIALS)
terms = st.recursive(
    st.one_of(_leaves, _special.map(g.Special), st.just(g.EMPTY)), lambda inner: _grow(inner, plain=False), max_leaves=8
)
"""Terms as they stand inside of a call."""

_markers = st.sampled_from((*SPECIALS, "ab", "aab", "aba"))
_barred = st.sampled_from([(), (), ("b(",), ("<T>",), ("aa", "ab(")])
_texts_until = st.builds(
    lambda marker, barred, ends: g.Until(marker, tuple(word for word in barred if word != marker), ends),
    *(_markers, _barred, st.booleans()),
)
_texts_until_the_end = st.builds(g.Until, st.just(""), st.sampled_from([(), ("ab", "ab(")]), st.booleans())

grammars = st.one_of(
    terms,
    st.builds(lambda text, call: g.Forever(g.sequence(text, call)), _texts_until, terms),
    st.builds(g.sequence, _texts_until, terms),
    st.builds(lambda head, tail: g.sequence(head, tail), terms, _texts_until_the_end),
    _texts_until_the_end,
)
"""Whole grammars, text mode among them."""


@st.composite
def vocabularies(draw: st.DrawFn) -> Vocabulary:
    """Tokens of several bytes, twins, half characters, special tokens, added tokens, padding; perhaps not all bytes."""
    token = st.binary(min_size=1, max_size=5).map(lambda b: bytes(ALPHABET[byte % len(ALPHABET)] for byte in b))
    spelled = st.sampled_from([b"<T>", b"<", b"T>", b"ab(", b">", b"", b"\xa9a", b'("', b"xyz"])
    rows: list[bytes | str | None] = draw(st.lists(st.one_of(token, spelled), min_size=1, max_size=24))
    rows += draw(st.sampled_from([[], [bytes([byte]) for byte in (*ALPHABET, *b"<>Tx")]]))
    rows += draw(st.lists(st.sampled_from([*SPECIALS, None, "<EOS>", "<pad>"]), max_size=5))
    rows = draw(st.permutations(rows))
    eos = [token for token, spelling in enumerate(rows) if spelling == "<EOS>"]
    added = {}
    for name in SPECIALS:
        twins = [token for token, spelling in enumerate(rows) if spelling == name.encode()]
        if twins and draw(st.booleans()):
            added[name] = twins[0]
    return Vocabulary(rows, eos, added)


# ---- schemas with their values


@dataclass(frozen=True)
class Typed:
    """A schema and a strategy for values that satisfy it."""

    schema: dict[str, Any]
    values: st.SearchStrategy[Any]


_characters = st.characters(exclude_categories=["Cs"])
_texts = st.text(_characters, max_size=8)
_keys = st.sampled_from(["a", "b2", "key", "with space", 'quo"te', "émoji🙂", "x_y"])

PATTERNS: dict[str, list[str]] = {
    "^[a-z]{2,4}$": ["ab", "abcd"],
    "^(foo|ba[rz])?-\\d+$": ["foo-1", "-22", "baz-007"],
    "b+": ["b", "xxbbyy", 'é"b'],
    "^#[0-9a-fA-F]{6}$": ["#00ffAA"],
    "^[^x]*$": ["", 'a"\n\\', "🙂é"],
    "\\S": ["a", " b"],
}


@st.composite
def _integers(draw: st.DrawFn) -> Typed:
    low, high = sorted(draw(st.tuples(st.integers(-2000, 2000), st.integers(-2000, 2000))))
    schema: dict[str, Any] = {"type": "integer"}
    limits: dict[str, int | None] = {"min_value": None, "max_value": None}
    if draw(st.booleans()):
        limits["min_value"] = low
        schema |= {"minimum": low} if draw(st.booleans()) else {"exclusiveMinimum": low - 1}
    if draw(st.booleans()):
        limits["max_value"] = high
        schema |= {"maximum": high} if draw(st.booleans()) else {"exclusiveMaximum": high + 1}
    return Typed(schema, st.integers(**limits))


@st.composite
def _strings(draw: st.DrawFn) -> Typed:
    kind = draw(st.sampled_from(["plain", "length", "pattern", "format"]))
    if kind == "length":
        low, high = draw(st.integers(0, 3)), draw(st.none() | st.integers(3, 6))
        schema = {"type": "string", "minLength": low} | ({} if high is None else {"maxLength": high})
        return Typed(schema, st.text(_characters, min_size=low, max_size=high or 8))
    if kind == "pattern":
        pattern = draw(st.sampled_from(sorted(PATTERNS)))
        return Typed({"type": "string", "pattern": pattern}, st.sampled_from(PATTERNS[pattern]))
    if kind == "format":
        name = draw(st.sampled_from(sorted(FORMAT_VALUES)))
        return Typed({"type": "string", "format": name}, FORMAT_VALUES[name])
    return Typed({"type": "string"}, _texts)


FORMAT_VALUES: dict[str, st.SearchStrategy[str]] = {
    "date": st.dates().map(lambda d: f"{d:%Y-%m-%d}".rjust(10, "0")),
    "time": st.times().map(lambda t: t.isoformat("seconds") + "Z"),
    "date-time": st.datetimes().map(lambda d: d.isoformat("T").rjust(19, "0") + "+02:00"),
    "duration": st.sampled_from(["P1D", "PT5M", "P1Y2M3DT4H5M6S", "P3W"]),
    "email": st.sampled_from(["a@b.co", "first.last+tag@mail.example.org"]),
    "ipv4": st.ip_addresses(v=4).map(str),
    "uuid": st.uuids().map(str),
}

_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_keys, inner, max_size=2),
    max_leaves=4,
)

_scalars = st.one_of(
    _integers(),
    _strings(),
    st.sampled_from(
        [
            Typed({"type": "number"}, st.floats(allow_nan=False, allow_infinity=False) | st.integers()),
            Typed({"type": "boolean"}, st.booleans()),
            Typed({"type": "null"}, st.none()),
            Typed({"type": ["integer", "null"]}, st.integers() | st.none()),
            Typed({"enum": ["c", "f", 1, None, '§ü"']}, st.sampled_from(["c", "f", 1, None, '§ü"'])),
            Typed({"type": "string", "enum": ["day", "daylight"]}, st.sampled_from(["day", "daylight"])),
            Typed({"const": {"k": [1, "v"]}}, st.just({"k": [1, "v"]})),
            Typed({}, _anything),
        ]
    ),
)


@st.composite
def _arrays(draw: st.DrawFn, inner: st.SearchStrategy[Typed]) -> Typed:
    item, low = draw(inner), draw(st.integers(0, 2))
    high = draw(st.none() | st.integers(low, 3))
    schema: dict[str, Any] = {"type": "array", "items": item.schema, "minItems": low}
    if high is not None:
        schema["maxItems"] = high
    if draw(st.booleans()):
        return Typed(schema, st.lists(item.values, min_size=low, max_size=high if high is not None else 3))
    first = draw(inner)
    schema["prefixItems"] = [first.schema]
    size = 3 if high is None else high
    values = st.tuples(first.values, st.lists(item.values, min_size=max(low - 1, 0), max_size=max(size - 1, 0)))
    return Typed(schema, values.map(lambda v: [v[0], *v[1]][: high if high is not None else 9]))


@st.composite
def _objects(draw: st.DrawFn, inner: st.SearchStrategy[Typed]) -> Typed:
    if draw(st.booleans()):
        item = draw(inner)
        schema = {"type": "object", "additionalProperties": item.schema}
        return Typed(schema, st.dictionaries(_keys, item.values, max_size=2))
    parts = draw(st.dictionaries(_keys, inner, min_size=1, max_size=3))
    required = [name for name in parts if draw(st.booleans())]
    schema = {"type": "object", "properties": {name: part.schema for name, part in parts.items()}, "required": required}
    schema["additionalProperties"] = False
    needed = {name: parts[name].values for name in required}
    others = {name: part.values for name, part in parts.items() if name not in required}
    values = st.fixed_dictionaries(needed, optional=others).map(
        lambda v: {name: v[name] for name in parts if name in v}
    )
    return Typed(schema, values)


@st.composite
def _unions(draw: st.DrawFn, inner: st.SearchStrategy[Typed]) -> Typed:
    options = draw(st.lists(inner, min_size=1, max_size=2))
    return Typed({"anyOf": [option.schema for option in options]}, st.one_of([option.values for option in options]))


typed = st.recursive(_scalars, lambda inner: st.one_of(_arrays(inner), _objects(inner), _unions(inner)), max_leaves=3)
"""Schemas out of what `arguments` supports, each with values."""


@dataclass(frozen=True)
class CallOf:
    """A tool and valid calls of it: by position, optional ones left out from the right, and by name."""

    tool: Tool
    positional: st.SearchStrategy[list[Any]]
    named: st.SearchStrategy[dict[str, Any]]


@st.composite
def calls(draw: st.DrawFn, name: str) -> CallOf:
    parts = draw(st.lists(typed, max_size=3))
    names = ["side", "n", "zürich"][: len(parts)]
    needed = draw(st.integers(0, len(parts)))
    properties: dict[str, Any] = {key: part.schema for key, part in zip(names, parts, strict=True)}
    values = [part.values for part in parts]
    rest = draw(st.none() | _integers())
    if rest is not None:
        properties["more"] = {"type": "array", "items": rest.schema, "x-variadic": True}
    tool = Tool(name, parameters={"type": "object", "properties": properties, "required": names[:needed]})
    options = [st.tuples(*values[:count]).map(list) for count in range(needed, len(parts) + 1)]
    if rest is not None:
        more = st.lists(rest.values, max_size=3)
        options.append(st.tuples(st.tuples(*values), more).map(lambda v: [*v[0], *v[1]]))
    pairs = dict(zip(names, values, strict=True))
    named = st.fixed_dictionaries(
        {key: pairs[key] for key in names[:needed]},
        optional={key: pairs[key] for key in names[needed:]}
        | ({} if rest is None else {"more": st.lists(rest.values, max_size=2)}),
    ).map(lambda v: {key: v[key] for key in properties if key in v})
    return CallOf(tool, st.one_of(options), named)


inventories = st.sets(
    st.sampled_from(["sq", "square", "squared", "sqrt", "add", "a", "get_weather", "get-x.y", "größe"]),
    min_size=1,
    max_size=4,
).flatmap(lambda names: st.tuples(*(calls(name) for name in sorted(names))))
"""Several tools, names that begin other names among them."""


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_kinds = st.sampled_from(r"a b x é 🙂 . [ab] [^a] [a-x] \d \w \s \D \W \S [^\w] [\s\d] -".split())
patterns = st.recursive(
    _kinds,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
        st.builds(lambda part, count: f"(?:{part}){count}", inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}"])),
    ),
    max_leaves=5,
)
"""Regular expressions without anchors."""
