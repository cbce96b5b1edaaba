"""TypeScript declarations, as chat models are shown their functions → tools.

    // Weather of a city                            Tool("get_weather", "Weather of a city", {"properties":
    type get_weather = (_: {                  →       {"city": {"type": "string", "description": "where"}},
      city: string, // where                          "required": ["city"]})
    }) => any;
    function add(a: number, b?: number): number;    Tool("add", "", …): b may be left out
    const now = async (zone: string) => { … };      Tool("now", "", …): what a function does isn't read

Interfaces, enums and other `type` lines are types that the functions may name. A function whose only parameter is
`_`, or taken apart as `{ city }`, has that object's properties as its arguments. Methods of classes are tools, too,
and in a text without functions those of interfaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.prose import past_sentence
from tooldec.signatures.schemas import JSONSchema, object_of
from tooldec.signatures.source import Item, Source, quoted
from tooldec.signatures.typescript.functions import Function, assigned, function_of, methods
from tooldec.signatures.typescript.jsdoc import described, said, summary, taken_apart, with_properties
from tooldec.signatures.typescript.lexer import Token, key_of
from tooldec.signatures.typescript.operators import is_object
from tooldec.signatures.typescript.program import Program
from tooldec.signatures.typescript.tokens import Tokens
from tooldec.signatures.typescript.types import Types
from tooldec.tools import Tool

_DECLARATION = re.compile(
    r"^[ \t]*(?:(?:export|declare|default|async|abstract)[ \t]+)*(?:"
    r"function[ \t]+[\w$]+[ \t]*[<(]|(?:namespace|interface)[ \t]+[\w$.]+|class[ \t]+[\w$]+[^\n:(=]*\{|"
    r"(?:const[ \t]+)?enum[ \t]+\w+[ \t]*\{|"
    r"(?:const|let|var)[ \t]+[\w$]+[ \t]*(?::[^\n]*)?=[ \t]*(?:async\b[ \t]*)?(?:<[^\n>]*>[ \t]*)?"
    r"(?:function\b|\((?:[^\n]*=>|[^\n)]*$)|[\w$]+[ \t]*=>)|"
    r"(?P<type>type)[ \t]+[\w$]+[ \t]*(?:<[^\n]*>)?[ \t]*=[ \t]*(?:[({\"'|]|\n|[\w$.\[\]\"' |]+;))",
    re.MULTILINE,
)
PYTHON = re.compile(r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|class[ \t]+\w+[ \t]*[(:])", re.MULTILINE)
_WORDS = ("export", "declare", "default", "async", "public", "static", "readonly", "abstract")
_WRAPPERS = ("_", "__0", "{")


def recognises(text: str) -> bool:
    """Whether some line begins a declaration of TypeScript, and none before it a function or class of Python.

    Python has lines of `type`, too: there, none after it either.

    >>> recognises("type D = 'a' | 'b'\\nfunction f(d: D)"), recognises("type D = 'a' | 'b'\\ndef f(d: D)")
    (True, False)
    """
    found = _DECLARATION.search(text)
    return found is not None and PYTHON.search(text, 0, len(text) if found["type"] else found.start()) is None


@dataclass(frozen=True, slots=True)
class _Declared:
    """What has been found in a text.

    methods      those of its interfaces
    sentences    the errors that sentences around it would be, if nothing else were there
    """

    types: Types = field(default_factory=Types)
    functions: list[Function | SignatureError] = field(default_factory=list)
    methods: list[Function | SignatureError] = field(default_factory=list)
    sentences: list[SignatureError] = field(default_factory=list)


def items(source: Source) -> Iterator[Item]:
    """The functions of a text, and an error for each one that can't be read.

    >>> [tool.signature() for tool in items(Source.of("type now = (_: { zone?: string }) => string;"))]
    ['now(zone: str = null)']
    """
    found, tokens = _Declared(), Tokens.of(source, any_mark=True)
    program = Program(tokens, looked_at=False)
    try:
        _declarations(tokens, found, "")
    except SignatureError as error:
        found.functions.append(error)
    for function in found.functions or found.methods or found.sentences[:1]:
        if isinstance(function, SignatureError):
            yield function
            continue
        try:
            program.followed = 0
            yield _tool(tokens.part(function.tokens), function, found.types)
        except SignatureError as error:
            yield error
        except RecursionError:
            yield source.nested_too_deep(function.name.start)


def _declarations(tokens: Tokens, found: _Declared, end: str) -> None:
    """Every declaration up to the text's end, or up to the bracket that closes a namespace."""
    while tokens.here.text != end or tokens.here.kind == "text":
        description = tokens.comment()
        tokens.decorators()
        exported = False
        while tokens.here.text in _WORDS:
            exported = tokens.next().text == "default"
        word = tokens.here
        if word.text in (";", ","):
            tokens.next()
        elif word.text in ("namespace", "module"):
            tokens.next()
            tokens.next()
            tokens.expect("{")
            _declarations(tokens, found, "}")
            tokens.expect("}")
        elif word.text == "function":
            tokens.next()
            tokens.take("*")
            found.functions.append(Function(tokens.name(), description, tokens.statement()))
        elif word.text == "type":
            tokens.next()
            name = tokens.name()
            tokens.type_parameters()
            tokens.expect("=")
            statement = tokens.statement()
            if (function := function_of(tokens.source, statement)) is not None:
                found.functions.append(Function(name, description, function))
            elif not found.types.define(name.text, statement, "type", description):
                found.functions.append(_doubled(tokens, name))
            elif statement and statement[0].text == "{":
                found.methods.extend(methods(tokens.source, statement))
        elif word.text in ("interface", "enum", "class"):
            tokens.next()
            name, body = tokens.name(), tokens.statement(braces=True)
            if not found.types.define(name.text, body, word.text, description):
                found.functions.append(_doubled(tokens, name))
            if word.text != "enum":
                found_here = found.functions if word.text == "class" else found.methods
                found_here.extend(methods(tokens.source, body))
        elif word.text in ("const", "let", "var"):
            tokens.next()
            if tokens.here.text != "enum":  # another constant is no tool
                found.functions.extend(assigned(tokens, description))
        elif exported or word.text in ("import", "{", "*"):  # `export default now;`, `export { now };`
            tokens.statement()
        else:
            fix = (
                "paste one format at a time; TypeScript is read as `function f(a: number): string;`, `type f = …` "
                "or `const f = (a: number) => …`"
            )
            error = tokens.error(f"`{word.text[:40]}` begins no declaration", word, fix)
            if (last := past_sentence(tokens.source.text, word.start)) <= word.start:
                raise error
            found.sentences.append(error)
            while tokens.here.kind != "end" and tokens.here.start < last:
                tokens.next()


def _doubled(tokens: Tokens, name: Token) -> SignatureError:
    """The error for a second type of one name; of interfaces TypeScript makes one."""
    fix = "keep one of them, or give it a name of its own"
    return tokens.error(f"two types are called {quoted(name.text)}", name, fix)


def _tool(tokens: Tokens, function: Function, types: Types) -> Tool:
    tokens.type_parameters()
    tokens.expect("(")
    types.followed = 0
    lines = said(function.description)
    parameters: list[tuple[str, dict[str, Any], bool, bool]] = []
    while tokens.here.text != ")":
        comment = tokens.comment()
        rest = tokens.take("...")
        name, inside = (tokens.name(), {}) if tokens.here.text != "{" else _pattern(tokens, types)
        optional = tokens.take("?")
        line = lines.get(name.text)
        schema: dict[str, Any] = {}
        if tokens.take(":"):
            schema = types.read(tokens)
        elif line is not None:
            optional, schema = optional or line.optional, line.schema(types.read, rest)
            schema = with_properties(schema, name.text, lines, types.read)
        else:
            schema = taken_apart(lines, inside, types.read)
        if tokens.take("="):
            optional, schema = True, {**schema, **types.default(tokens, schema)}
        tokens.take(",")
        comment = comment or tokens.trailing()
        if name.text in _WRAPPERS:
            schema = types.opened(schema, name, tokens)
        schema = described(schema, comment or (line.text if line else ""))
        if name.text == "{" and (not is_object(schema) or parameters or tokens.here.text != ")"):
            fix = "give it a name, as in `options: { city: string }`, or make it the only parameter, with its type"
            raise tokens.error("a parameter that is taken apart has no name", name, fix)
        parameters.append((name.text, schema, not optional and not rest, rest))
    tokens.expect(")")
    schema = _arguments(parameters)
    if defined := types.definitions(schema):
        schema["$defs"] = defined
    place = tokens.source.place(function.name.start)
    return Tool(function.name.text, summary(function.description), schema, *place)


def _pattern(tokens: Tokens, types: Types) -> tuple[Token, dict[str, JSONSchema | None]]:
    """`{ city, unit: u = "c" }`: where it stands, and its names, each with what its default says, None without one."""
    start, found = tokens.here, dict[str, JSONSchema | None]()
    inner = tokens.part(tokens.brackets()[1:-1])
    while inner.here.kind != "end":
        entry = inner.part(inner.argument())
        inner.next()
        name = entry.next()
        if name.kind not in ("word", "text"):  # `...others`
            continue
        found[key_of(name)] = None
        if entry.take(":"):
            entry.skip()
        if entry.take("="):
            try:
                found[key_of(name)] = types.default(entry, {})
            except SignatureError:  # what only a run of the program tells
                found[key_of(name)] = {}
    return start, found


def _arguments(parameters: list[tuple[str, dict[str, Any], bool, bool]]) -> dict[str, Any]:
    if len(parameters) == 1 and parameters[0][0] in _WRAPPERS and is_object(parameters[0][1]):
        schema = {key: value for key, value in parameters[0][1].items() if key not in ("description", "default")}
        return {"type": "object", "properties": {}, **schema}
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, schema, needed, rest in parameters:
        properties[name] = {"type": "array", **schema, "x-variadic": True} if rest else schema
        if needed:
            required.append(name)
    return object_of(properties, required)
