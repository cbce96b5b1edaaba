"""Types of TypeScript and of Zod that meant something else once, or nothing."""

from __future__ import annotations

import json
from time import monotonic
from typing import Any

import pytest

from tooldec.arguments import DUMPS, argument
from tooldec.automaton import DFA
from tooldec.errors import SignatureError
from tooldec.signatures import format_of, parse_tools, read_tools
from tooldec.signatures.source import Source
from tooldec.signatures.typescript.tokens import Tokens
from tooldec.signatures.zod.types import Zod

STR, INT, NUM, NULL = {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "null"}


def made(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    found = {"type": "object", "properties": properties, **more}
    return {**found, "required": list(required)} if required else found


def accepts(schema: Any, value: Any) -> bool:
    dfa = DFA(argument(schema, DUMPS))
    state = dfa.read(json.dumps(value).encode())
    return state is not None and dfa.is_accepting(state)


DEFINED = """enum S { Active = 1, Inactive, Pending = -3, Last }
enum T { A = "a", B = "b" }
type Kind = { kind: "a" } | { kind: "b" };
/** Maybe a text. */
type Maybe = string | null;
interface P { [key: string]: number }
interface Q extends P { a: number }
interface R { r?: string }
interface Both extends Q, R { own: string }
"""
KINDS = {"anyOf": [made({"kind": {**STR, "enum": [kind]}}, "kind") for kind in "ab"]}
LEVELS = made({"lo": NUM, "hi": NUM}, "lo", "hi")
TYPES: dict[str, Any] = {
    "S": {**INT, "enum": [1, 2, -3, -2]},
    "S.Inactive": {**INT, "enum": [2]},
    "T.A | T.B": {**STR, "enum": ["a", "b"]},
    "Kind & { id: string }": {"allOf": [KINDS, made({"id": STR}, "id")]},
    '("x" | "y") & string': {**STR, "enum": ["x", "y"]},
    "number & (1 | 2)": {**INT, "enum": [1, 2]},
    '("x" | 1) & string': {"allOf": [{"enum": ["x", 1]}, STR]},
    "string & {}": STR,
    "unknown & string": STR,
    "{ a: string } & Record<string, number>": made({"a": STR}, "a", additionalProperties=NUM),
    "{ a?: string | null } & { a: string }": made({"a": {"allOf": [{"anyOf": [STR, NULL]}, STR]}}, "a"),
    "{ a: string } & Record<number, string>": made(
        {"a": STR}, "a", patternProperties={r"^(0|[1-9]\d*)$": STR}, additionalProperties=False
    ),
    "P": {"type": "object", "additionalProperties": NUM},
    "Q": made({"a": NUM}, "a", additionalProperties=NUM),
    "Both": made({"a": NUM, "r": STR, "own": STR}, "a", "own", additionalProperties=NUM),
    'Record<"lo" | "hi", number>': LEVELS,
    'Partial<Record<"lo" | "hi", number>>': made({"lo": NUM, "hi": NUM}),
    'Map<"lo" | "hi", number>': made({"lo": NUM, "hi": NUM}),
    "Record<T, number>": made({"a": NUM, "b": NUM}, "a", "b"),
    "Record<string | number, any>": {"type": "object"},
    "NonNullable<string | null | undefined>": STR,
    "NonNullable<Maybe>": {**STR, "description": "Maybe a text."},
    "Required<{ x?: number, y: string }>": made({"x": NUM, "y": STR}, "x", "y"),
    "Partial<Kind>": {"anyOf": [made({"kind": {**STR, "enum": [kind]}}) for kind in "ab"]},
    'Pick<{ a: string, b?: number }, "a">': made({"a": STR}, "a"),
    'Pick<{ a: string, b?: number }, "a" | "b">': made({"a": STR, "b": NUM}, "a"),
    'Omit<{ a: string, b?: number }, "a" | "z">': made({"b": NUM}),
    'Omit<{ k: "x", a: string } | { k: "y", a: string }, "a">': {
        "anyOf": [made({"k": {**STR, "enum": [kind]}}, "k") for kind in "xy"]
    },
    'Partial<Pick<{ a: string, b: number }, "b">>': made({"b": NUM}),
    "1 | true": {"enum": [1, True]},
    "{ a: 1 } | { a: true }": {
        "anyOf": [made({"a": {**INT, "enum": [1]}}, "a"), made({"a": {"type": "boolean", "enum": [True]}}, "a")]
    },
}


@pytest.mark.parametrize("written", TYPES)
def test_types(written: str) -> None:
    (tool,) = parse_tools(f"{DEFINED}function f(x: {written}): void;")
    found, wanted = tool.parameters["properties"]["x"], TYPES[written]
    assert json.dumps(found, sort_keys=True) == json.dumps(wanted, sort_keys=True)  # 1 isn't true there


def test_arguments_are_one_of_several_objects() -> None:
    (tool,) = parse_tools(f"{DEFINED}type f = (_: Kind & {{ id: string }}) => any;")
    assert accepts(tool.parameters, {"kind": "b", "id": "x"})
    assert not accepts(tool.parameters, {"id": "x"}) and not accepts(tool.parameters, {"kind": "c", "id": "x"})


def test_defaults_are_values() -> None:
    (tool,) = parse_tools("function f({ a }: { a?: string } = {}): void;")
    assert tool.parameters == made({"a": STR})
    (tool,) = parse_tools("function f(names: string[] = ['x'], n = 1): void;")
    assert tool.parameters["properties"]["names"]["default"] == ["x"]
    assert tool.parameters["properties"]["n"] == {**NUM, "default": 1}


@pytest.mark.parametrize(
    ("written", "items", "least", "most"),
    [
        ("[lat: number, lon?: number]", False, 1, 2),
        ("[number, number?]", False, 1, 2),
        ("[number, number, ...string[]]", STR, 2, None),
        ("[a: number, b: number, ...more: any[]]", True, 2, None),
    ],
)
def test_tuples_may_have_labels_and_ends_that_are_open(
    written: str, items: object, least: int, most: int | None
) -> None:
    (tool,) = parse_tools(f"function f(x: {written}): void;")
    size = {"minItems": least, **({} if most is None else {"maxItems": most})}
    assert tool.parameters["properties"]["x"] == {"type": "array", "prefixItems": [NUM, NUM], "items": items, **size}


TYPE_ERRORS = (
    ('function f(x: Pick<{ a: string }, "b">): void', 1, 15, "`Pick` of this type"),
    ("function f(x: Omit<{ a: string }, string>): void", 1, 15, "`Omit` of this type"),
    ('function f(x: Pick<Record<string, number> | string, "a">): void', 1, 15, "`Pick` of this type"),
    ("function f(x: string & number): void", 1, 22, "no value is of both types"),
    ("function f(x: { a: 1 } & { a: string }): void", 1, 24, "no value is of both types"),
    ("enum S { A = 'a', B }\nfunction f(x: S): void", 1, 19, "value of `B`"),
    ("enum S { A = 1 | 2 }\nfunction f(x: S): void", 1, 14, "value of `A`"),
    ("enum S { A = SOME }\nfunction f(x: S): void", 1, 14, "value of `A`"),
    ("enum S {}\nfunction f(x: S): void", 1, 8, "no values"),
    ("enum S { A, B }\nfunction f(x: S.C): void", 2, 17, "`S` has no member `C`; use A, B"),
    ("type S = { a: string };\nfunction f(x: S.a): void", 2, 17, "`S` has no member `a`"),
    ("function f(x: NonNullable<null>): void", 1, 15, "nothing but null"),
    ("function f(x: Record<boolean, string>): void", 1, 15, "no names of properties"),
    ("function f(x: { [key: boolean]: string }): void", 1, 17, "no names of properties"),
    (
        "type A = { a: 1 } | { b: 1 };\ninterface B extends A { c: 1 }\nfunction f(x: B): void",
        2,
        21,
        "`A` is no object",
    ),
    ("function f(id: number, { b }: { b: string }): void", 1, 24, "taken apart has no name"),
    ("function f({ b }: { b: string }, id: number): void", 1, 12, "taken apart has no name"),
    ("function f({ b }): void", 1, 12, "taken apart has no name"),
    ("function f(a: { done: (x: string) => void }): void", 1, 23, "a function is no value that a call can give"),
    ("function f(a: { done(x: string): void }): void", 1, 17, "a function is no value that a call can give"),
    ("function f(done: () => void): void", 1, 18, "a function is no value that a call can give"),
    ("function f(a: number = SOME): void", 1, 24, "a plain value is expected"),
    ("function f(a: number = 60 * 60): void", 1, 27, "`*` makes another value"),
    ("interface A { x: 1 }\ninterface A { x: 2 }\nfunction f(a: A): void", 2, 13, "`A` gives a property two types"),
    ("type A = { x: 1 };\ntype A = { y: 2 };\nfunction f(a: A): void", 2, 6, "two types are called `A`"),
    ("enum A { X }\nenum A { Y }\nfunction f(a: A): void", 2, 6, "two types are called `A`"),
    ("interface A { x: 1 }\ntype A = { y: 2 };\nfunction f(): void", 2, 6, "two types are called `A`"),
)


def test_interfaces_of_one_name_are_one() -> None:
    written = "/** it */\ninterface A { x: number }\ninterface B { z: boolean }\n"
    (tool,) = parse_tools(f"{written}interface A extends B {{ x: number; y?: 'a' }}\nfunction f(a: A): void")
    (only,) = parse_tools("function f(a: { z: boolean, x: number, y?: 'a' }): void")
    found, meant = (one.parameters["properties"]["a"] for one in (tool, only))
    assert found["properties"] == meant["properties"] and set(found["required"]) == {"x", "z"}
    assert found["description"] == "it"


@pytest.mark.parametrize(("text", "line", "column", "phrase"), TYPE_ERRORS)
def test_type_errors(text: str, line: int, column: int, phrase: str) -> None:
    with pytest.raises(SignatureError) as caught:
        parse_tools(text)
    assert phrase in str(caught.value) and caught.value.fix
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)


def test_types_that_double_each_other_end() -> None:
    levels = [f"interface T{level} {{ a: T{level + 1}; b: T{level + 1} }}" for level in range(40)]
    begun = monotonic()
    text = "\n".join([*levels, "interface T40 { x: 1 }", "function f(x: T0): void", "function g(x: T36): void"])
    (tool,), (error,) = read_tools(text)
    assert (
        tool.name == "g" and "longer than 50,000 words" in error.message and error.line and error.column and error.fix
    )
    assert monotonic() - begun < 20


# ---- Zod

NO_ARGUMENTS = {
    'server.tool("now", async () => ({}));': "",
    'server.tool("now", run);': "",
    'server.tool("now", "The time", () => ({}));': "The time",
    'server.tool("now", "The time", { readOnlyHint: true }, run);': "The time",
    'server.registerTool("now", { description: "The time" }, run);': "The time",
    'const now = tool({ description: "The time", execute: run }); z.int();': "The time",
}


@pytest.mark.parametrize("text", NO_ARGUMENTS)
def test_tools_without_arguments(text: str) -> None:
    assert format_of(text) == "zod"
    (tool,) = parse_tools(text)
    assert (tool.name, tool.description, tool.parameters) == ("now", NO_ARGUMENTS[text], made({}))


def test_a_type_may_be_a_key_alone() -> None:
    (tool,) = parse_tools("const inputSchema = z.object({ a: z.int() });\nconst t = tool({ name: 'f', inputSchema });")
    assert tool.parameters == made({"a": INT}, "a")


def test_a_description_may_be_put_together() -> None:
    (tool,) = parse_tools('server.tool("add", WORDS, { a: z.int() }, run)')
    assert (tool.description, tool.parameters) == ("", made({"a": INT}, "a"))


MISSING = (
    ('const weather = tool({ description: "w", inputSchema: weatherSchema })', 55, "`weatherSchema` isn't defined"),
    ('const weather = tool({ description: "w", inputSchema })', 42, "`inputSchema` isn't defined"),
    ('server.tool("w", weatherSchema, run)', 18, "`weatherSchema` isn't defined"),
    ('server.tool("w", "of", weather.shape, run)', 24, "`weather` isn't defined"),
    ('server.registerTool("w", { inputSchema: weather }, run)', 41, "`weather` isn't defined"),
    ('server.registerTool("w", config, run)', 26, "doesn't stand here"),
    ('server.registerTool("w", { ...config }, run)', 28, "may come from here"),
)


@pytest.mark.parametrize(("text", "column", "phrase"), MISSING)
def test_what_is_imported_is_missed_at_its_place(text: str, column: int, phrase: str) -> None:
    tools, (error,) = read_tools(text)
    assert not tools and phrase in error.message and error.fix
    assert (error.line, error.column) == (1, column), str(error)


def zod(text: str) -> dict[str, Any]:
    return Zod(Tokens.of(Source.of(text), any_mark=True)).at(0)[0]


DAY, UUID = "2026-02-28", "12345678-1234-{}234-8234-123456789012"
VALUES: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "z.uint32()": ((0, 2**32 - 1), (-5, 2**32)),
    "z.int32().max(7)": ((-(2**31), 7), (-(2**31) - 1, 8)),
    "z.email({ pattern: /^[a-z]{2,3}@x$/, message: 'no' })": (("ab@x",), ("a@x", "ab@x.de")),
    "z.string().email({ message: 'no' })": (("a@b.de",), ("a",)),
    "z.url({ protocol: /^https?$/ })": (("http://a", "https://a"), ("ftp://a", "httpx://a")),
    "z.uuid({ version: 'v4' })": ((UUID.format(4),), (UUID.format(1),)),
    "z.string().datetime({ offset: true })": ((f"{DAY}T12:30:00+02:00",), (f"{DAY}T12:30:00",)),
    "z.iso.datetime({ local: true })": (
        (f"{DAY}T12:30:00", f"{DAY}T12:30Z"),
        (f"{DAY}T12:30:00+02:00", "2026-02-29T12:30"),
    ),
    "z.string().datetime({ precision: 3, offset: true })": ((f"{DAY}T12:30:00.123+02:00",), (f"{DAY}T12:30:00Z",)),
    "z.iso.time()": (("12:30:11", "12:30:11.5"), ("12:30:11Z", "25:00:00")),
    "z.iso.time({ precision: -1 })": (("12:30",), ("12:30:00",)),
    "z.string().time({ precision: 0 })": (("12:30:00",), ("12:30", "12:30:00.1")),
    "z.union([z.literal(1), z.literal(true)])": ((1, True), (False, 2)),
    "z.literal(1).or(z.literal(true))": ((1, True), (False, 2)),
    "z.union([z.array(z.literal(0)).length(1), z.array(z.literal(false)).length(1)])": (([0], [False]), ([1],)),
    "z.number().max(0x10).min(-0b11)": ((16, -3), (17, -4)),
    "z.int().max(0o17).min(1_0)": ((15, 10), (16, 9)),
    "z.bigint().max(10n)": ((10,), (11,)),
    "z.literal(-1 as const)": ((-1,), (1,)),
    "z.enum(['a', 'b'] as const)": (("a", "b"), ("c",)),
    "z.enum(['a'] satisfies string[])": (("a",), ("b",)),
    r"z.string().regex(/^[^\\/]+$/)": (("ab",), ("a\\b", "a/b")),
    r"z.string().regex(/^a\/\\$/, 'no')": (("a/\\",), ("a/", "a\\/")),
    "z.string({ error: (given) => given.input === undefined ? 'a' : 'b' })": (("x",), (1,)),
}


@pytest.mark.parametrize("text", VALUES)
def test_zod_options(text: str) -> None:
    schema, (valid, invalid) = zod(text), VALUES[text]
    assert [value for value in valid if not accepts(schema, value)] == []
    assert [value for value in invalid if accepts(schema, value)] == []


ZOD_ERRORS = (
    ("z.email(some)", 3, "`email` of Zod"),
    ("z.email({ pattern: z.regexes.html5Email })", 11, "`pattern` of Zod"),
    (
        "z.email({ pattern: /x/i })",
        11,
        "the flag `i` of a regular expression can.t be enforced here; leave it out, and write both",
    ),
    ("z.url({ protocol: /https/ })", 9, "`protocol` of Zod"),
    ("z.url({ hostname: /^a$/ })", 9, "`hostname` of Zod"),
    ("z.uuid({ version: 'v9' })", 10, "`version` of Zod"),
    ("z.string().datetime({ ...some })", 23, "`...` of Zod"),
    ("z.string().time({ precision: 0.5 })", 19, "`precision` of Zod"),
    ("z.string().regex(/a/).email({ pattern: /b/ })", 23, "`email` of Zod"),
    ("z.string().regex(/a/.source)", 12, "`regex` of Zod"),
    ("z.number().max(60 * 60)", 19, r"`\*` makes another value"),
    ("z.number().max(010)", 16, "readers disagree on the number `010`"),
    ("z.number().max(5.)", 17, r"`\.` makes another value"),
    ("z.literal(1 + 1)", 13, r"`\+` makes another value"),
    ("z.literal([1, 1 + 1])", 17, "not `\\+`"),
    ("z.enum(['a', 'b'].concat(X))", 18, r"`\.` makes another value"),
    ("z.string().default('a'.trim())", 23, r"`\.` makes another value"),
    ("z.iso.time({ precision: 1 + 1 })", 27, r"`\+` makes another value"),
)


@pytest.mark.parametrize(("text", "column", "phrase"), ZOD_ERRORS)
def test_zod_errors(text: str, column: int, phrase: str) -> None:
    with pytest.raises(SignatureError, match=phrase) as caught:
        zod(text)
    assert caught.value.column == column and caught.value.fix
