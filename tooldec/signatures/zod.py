"""Tools of TypeScript programs whose types are Zod's: Vercel's AI SDK, OpenAI's Agents, MCP servers, LangChain.

    const weather = tool({                              Tool("weather", "Weather of a city",
      description: "Weather of a city",           →          {"properties": {"city": {"type": "string"}}, …})
      inputSchema: z.object({ city: z.string() }),
    });
    server.tool("add", { a: z.number() }, run);         Tool("add", "", …)

The program is read token by token for these places, and never executed; all else in it is passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures import js_values, json_tools
from tooldec.signatures.source import Item, Source
from tooldec.signatures.ts_tokens import Token, Tokens, text_of
from tooldec.signatures.typescript import PYTHON
from tooldec.signatures.zod_types import MADE, SIMPLE, Zod

_FUNCTIONS = "|".join(("coerce", "iso", *SIMPLE, *MADE))
_ZOD = re.compile(rf"\bz\s*\.\s*(?:{_FUNCTIONS})\s*[(.]")
_JSON = re.compile(r'\ufeff?\s*+(?:\[\s*+)?\{\s*+"')
KEYS = ("inputSchema", "parameters", "input_schema", "argsSchema", "schema")
"""Keys behind which a tool's type stands; `schema` only beside a name."""
WRAPPERS = ("zodSchema", "zodToJsonSchema")
OPENS, CLOSES = ("(", "[", "{"), (")", "]", "}")


def recognises(text: str) -> bool:
    """Whether a type of Zod stands in the text, and no function of Python.

    >>> recognises("const now = tool({ inputSchema: z.object({}) });"), recognises("now(z: int)")
    (True, False)
    >>> recognises('[{"name": "now", "description": "as z.date() has it"}]')
    False
    """
    if _JSON.match(text) or _ZOD.search(text[:200_000]) is None:
        return False
    return PYTHON.search(text) is None


@dataclass(frozen=True, slots=True)
class _Found:
    """A tool in the program: the tokens of its name, of its description, and of its type."""

    name: int | None
    description: int | None
    type: int


def items(source: Source) -> Iterator[Item]:
    """The tools of a program, and an error with its place for each one that can't be read.

    >>> [tool.signature() for tool in items(Source.of("server.tool('add', { a: z.number() }, run)"))]
    ['add(a: float)']
    """
    program = _Program(Tokens.of(source, any_mark=True))
    count = 0
    for at, token in enumerate(program.row):
        try:
            found = program.method(at) or program.entry(at)
            if found is not None:
                count += 1
                yield program.tool(found)
        except SignatureError as error:
            yield error
        except RecursionError:
            yield source.nested_too_deep(token.start)
    if not count:
        fix = 'write it as `tool({ name: "now", parameters: z.object({ … }) })`, or as `const now = tool({ … })`'
        yield source.error("there are types in this program, but no tool", 0, fix)


def _is_mark(token: Token, *marks: str) -> bool:
    return token.kind == "mark" and token.text in marks


class _Program:
    """The tokens of a program, and where each of its objects begins."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens, self.row = tokens, tokens.tokens
        self.zod = Zod(tokens, {self.row[at - 2].text: at for at in range(2, len(self.row)) if self._is_named(at)})
        self._inside: list[int | None] = []
        """The bracket in which each token stands."""
        self._keys: dict[int, dict[str, int]] = {}
        """Where an object begins → its keys, each with the place of its value."""
        opened: list[int] = []
        for at, token in enumerate(self.row):
            if opened and _is_mark(token, *CLOSES):
                opened.pop()
            self._inside.append(opened[-1] if opened else None)
            if opened and self._is_key(at, opened[-1]):
                name = text_of(token) if token.kind == "text" else token.text
                self._keys.setdefault(opened[-1], {})[name] = at + 2
            if _is_mark(token, *OPENS):
                opened.append(at)

    def _is_named(self, at: int) -> bool:
        """`const City = z.object(…)`, `const UNITS = [`: whether the value begins here."""
        row = self.row
        begins = row[at].text in ("z", "[", "{") and row[at].kind != "text"
        return begins and _is_mark(row[at - 1], "=") and row[at - 2].kind == "word"

    def _is_key(self, at: int, start: int) -> bool:
        row = self.row
        first = at - 1 == start or _is_mark(row[at - 1], ",")
        return first and row[start].text == "{" and at + 2 < len(row) and _is_mark(row[at + 1], ":")

    def method(self, at: int) -> _Found | None:
        """`server.tool("add", "Adds.", { a: z.number() }, …)` of an MCP server; `at` is the word `tool`."""
        row = self.row
        called = 0 < at < len(row) - 4 and row[at].text == "tool" and _is_mark(row[at - 1], ".")
        if not called or not _is_mark(row[at + 1], "(") or row[at + 2].kind != "text":
            return None
        described = row[at + 4].kind == "text"
        type_at = self._type(at + (6 if described else 4))
        return None if type_at is None else _Found(at + 2, at + 4 if described else None, type_at)

    def entry(self, at: int) -> _Found | None:
        """`inputSchema: z.object(…)` in an object that says what a tool is; `at` is the key."""
        key, start = self.row[at].text, self._inside[at]
        if key not in KEYS or start is None or self._keys.get(start, {}).get(key) != at + 2:
            return None
        type_at, values = self._type(at + 2), self._keys[start]
        name = values.get("name")
        if type_at is None or (key == "schema" and name is None):  # not of a tool, but of an answer
            return None
        if name is None:
            name = self._outside(start)
        elif self.row[name].kind != "text":
            name = None
        return _Found(name, values.get("description"), type_at)

    def _type(self, at: int) -> int | None:
        """Where a type begins, inside of `zodSchema(…)` too; none where something else stands."""
        words = [token.text for token in self.row[at : at + 4]] + [""] * 4
        if words[:4] == ["z", ".", "toJSONSchema", "("]:
            return at + 4
        if words[0] in WRAPPERS and words[1] == "(":
            return at + 2
        is_type = words[:2] == ["z", "."] or words[0] in self.zod.named or words[0] == "{"
        return at if is_type else None

    def _outside(self, start: int) -> int | None:
        """The name that an object without one has: `registerTool("now", {`, `const now = tool({`, `now: {`."""
        row, at = self.row, start - 1
        if at > 0 and _is_mark(row[at], ",") and row[at - 1].kind == "text":
            return at - 1
        if at > 1 and _is_mark(row[at], "("):
            at -= 2  # past the function that is called
        return at - 1 if at > 0 and _is_mark(row[at], "=", ":") and row[at - 1].kind in ("word", "text") else None

    def tool(self, found: _Found) -> Item:
        """The tool; raises SignatureError where its type or its name can't be read."""
        if found.name is None:
            fix = 'write `name: "…"` beside its type'
            raise self.tokens.error("this tool has no name in quotes", self.row[found.type], fix)
        token = self.row[found.name]
        name = text_of(token) if token.kind == "text" else token.text
        given = {"name": name, "description": self._words(found.description), "parameters": self._schema(found.type)}
        tool = next(json_tools.items(Source.of(json.dumps(given, ensure_ascii=False))))
        return json_tools.placed(tool, *self.tokens.source.place(token.start + (token.kind == "text")))

    def _words(self, at: int | None) -> str:
        """A description, where it is a plain text."""
        if at is None or self.row[at].kind != "text":
            return ""
        try:
            return str(js_values.value(self.tokens.seen_from(at)))
        except SignatureError:  # put together by the program
            return ""

    def _schema(self, at: int) -> Any:
        """The schema of a tool's arguments: a type of Zod, `{ city: z.string() }`, or JSON Schema as it is."""
        words = [token.text for token in self.row[at : at + 4]] + [""] * 4
        is_shape = words[2] == ":" and (words[3] == "z" or words[3] in self.zod.named)
        if words[0] == "{" and words[1] not in ("}", "...") and not is_shape:
            return js_values.value(self.tokens.seen_from(at))
        self.zod.followed = 0
        return self.zod.shape_of(self.tokens.seen_from(at))
