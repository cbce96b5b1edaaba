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
from tooldec.signatures.source import Item, Source, quoted
from tooldec.signatures.ts_tokens import Token, Tokens, text_of
from tooldec.signatures.typescript import PYTHON
from tooldec.signatures.zod_methods import FORMATS
from tooldec.signatures.zod_types import MADE, SIMPLE, Zod

_FUNCTIONS = "|".join(("coerce", "iso", *SIMPLE, *FORMATS, *MADE))
_ZOD = re.compile(rf"\bz\s*\.\s*(?:{_FUNCTIONS})\s*[(.]")
_TOOL = re.compile(
    r"\.\s*(?:tool|registerTool)\(\s*(?:'[^'\n]+'|\"[^\"\n]+\"|`[^`\n]+`)\s*,"  # of an MCP server
    r"|\btool\(\s*\{[^;]{0,2000}?\b(?:inputSchema|parameters)\s*[:,}]"
    r"|\bsetRequestHandler\(\s*ListTools"
)
_SCRIPT = re.compile(r"^[ \t]*(?:const|let|var)[ \t]+\w+[ \t]*=[ \t]*(?:await[ \t]+)?new\b", re.MULTILINE)
_LISTED = re.compile(r"\b(?:inputSchema|parameters|input_schema)[\"']?\s*:\s*\{")
"""A tool of plain JSON Schema in a program that does more than name a list of them."""
_JSON = re.compile(r'\ufeff?\s*+(?:\[\s*+)?\{\s*+"')
KEYS = ("inputSchema", "parameters", "input_schema", "argsSchema", "schema")
"""Keys behind which a tool's type stands; `schema` only beside a name."""
WRAPPERS = ("zodSchema", "zodToJsonSchema", "jsonSchema")
CALLS = ("tool", "registerTool")
"""Functions that are given what a tool is, as an object."""
HINTS = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
OPENS, CLOSES = ("(", "[", "{"), (")", "]", "}")


def recognises(text: str) -> bool:
    """Whether a type of Zod stands in the text, or a tool whose type may be imported, and no function of Python.

    >>> recognises("const now = tool({ inputSchema: z.object({}) });"), recognises("now(z: int)")
    (True, False)
    >>> recognises('[{"name": "now", "description": "as z.date() has it"}]')
    False
    """
    start = text[:200_000]
    listed = _SCRIPT.search(start) and _LISTED.search(start)
    if _JSON.match(text) or not (listed or _ZOD.search(start) or _TOOL.search(start)):
        return False
    return PYTHON.search(text) is None


@dataclass(frozen=True, slots=True)
class _Found:
    """A tool in the program: the tokens of its name, its description and its type; without a type, no arguments."""

    name: int
    description: int | None
    type: int | None


def items(source: Source) -> Iterator[Item]:
    """The tools of a program, and an error with its place for each one that can't be read.

    >>> [tool.signature() for tool in items(Source.of("server.tool('add', { a: z.number() }, run)"))]
    ['add(a: float)']
    """
    program = _Program(Tokens.of(source, any_mark=True))
    count = 0
    for at, token in enumerate(program.row):
        try:
            found = program.method(at) or program.entry(at) or program.bare(at)
            if found is not None:
                count += 1
                yield program.tool(found)
        except SignatureError as error:
            count += 1
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
        assigned = [at for at in range(2, len(self.row)) if _is_mark(self.row[at - 1], "=")]
        self._texts = {self.row[at - 2].text: at for at in assigned if self.row[at].kind == "text"}
        """`const NAME = "add"` → where the text stands that has a name."""
        self._inside: list[int | None] = []
        """The bracket in which each token stands."""
        self._keys: dict[int, dict[str, int]] = {}
        """Where an object begins → its keys, each with the place of its value."""
        self._given: dict[int, list[int]] = {}
        """Where a round bracket opens → where each argument in it begins."""
        self._spread: dict[int, int] = {}
        """Where an object begins → where it takes another one in: `...base`."""
        opened: list[int] = []
        for at, token in enumerate(self.row):
            if opened and _is_mark(token, *CLOSES):
                opened.pop()
            self._inside.append(opened[-1] if opened else None)
            if opened and (at - 1 == opened[-1] or _is_mark(self.row[at - 1], ",")):
                self._add(at, opened[-1])
            if _is_mark(token, *OPENS):
                opened.append(at)

    def _is_named(self, at: int) -> bool:
        """`const City = z.object(…)`, `const UNITS = [`: whether the value begins here."""
        row = self.row
        begins = row[at].text in ("z", "[", "{") and row[at].kind != "text"
        return begins and _is_mark(row[at - 1], "=") and row[at - 2].kind == "word"

    def _add(self, at: int, start: int) -> None:
        """Keep what begins here in a bracket: an argument, a key, or `inputSchema` alone, which is its own value."""
        row, token = self.row, self.row[at]
        following = row[at + 1] if at + 1 < len(row) else token
        if row[start].text == "(":
            self._given.setdefault(start, []).append(at)
        if row[start].text != "{":
            return
        if _is_mark(token, "..."):
            self._spread[start] = at
        elif _is_mark(following, ":") and at + 2 < len(row):
            name = text_of(token) if token.kind == "text" else token.text
            self._keys.setdefault(start, {})[name] = at + 2
        elif token.text in KEYS and _is_mark(following, ",", "}") and self._is_given(start):
            self._keys.setdefault(start, {})[token.text] = at

    def _is_given(self, start: int) -> bool:
        """Whether the object that begins here is given to a function that makes a tool."""
        opened = self._inside[start]
        if not opened or self.row[opened].text != "(" or self.row[start].text != "{":
            return False
        return self.row[opened - 1].text in CALLS and start in self._given[opened]

    def method(self, at: int) -> _Found | None:
        """`server.tool("add", "Adds.", { a: z.number() }, …)` of an MCP server; `at` is the word `tool`."""
        row = self.row
        if not (at and row[at].text == "tool" and _is_mark(row[at - 1], ".")):
            return None
        name, *others = self._given.get(at + 1, [at])
        if others and row[name].kind == "word" and row[name].text in self._texts and others[0] == name + 2:
            name = self._texts[row[name].text]
        if others and row[name].kind != "text" and any(map(self._is_shape, others)):
            fix = "write the name itself, in quotes"
            raise self.tokens.error("the name of this tool isn't known here", row[name], fix)
        if not others or row[name].kind != "text":
            return None
        description = others.pop(0) if row[others[0]].kind == "text" else None
        if others and self._keys.get(others[0], {}).keys() & HINTS:  # what clients are told of a tool without arguments
            return _Found(name, description, None)
        for place in others[:1]:
            if (type_at := self._type(place)) is not None:
                return _Found(name, description, type_at)
        if len(others) < 2 or self._is_code(others[0]):
            return _Found(name, description, None)
        if description is None and (self._is_shape(others[1]) or row[others[1]].text in ("z", *self.zod.named)):
            return _Found(name, None, others[1])  # behind a description that the program puts together
        raise self._missing(others[0])

    def entry(self, at: int) -> _Found | None:
        """`inputSchema: z.object(…)` in an object that says what a tool is; `at` is the key."""
        key, start = self.row[at].text, self._inside[at]
        if key not in KEYS or start is None:
            return None
        values = self._keys.get(start, {})
        place = values.get(key)
        if place not in (at, at + 2) or (key == "schema" and "name" not in values and not self._is_given(start)):
            return None  # no key, or not of a tool, but of an answer
        type_at = self._type(place)
        if type_at is None:
            described = "description" in values and self.row[values["description"]].kind == "text"
            if described or self._is_given(start):
                raise self._missing(place)
            return None
        return _Found(self._named(start, type_at), values.get("description"), type_at)

    def bare(self, at: int) -> _Found | None:
        """`registerTool("now", { description: "…" }, run)`: a tool without arguments; `at` is the function."""
        row = self.row
        given = self._given.get(at + 1, []) if row[at].text in CALLS and row[at - 1].text != "function" else []
        if row[at].text == "registerTool" and len(given) > 1 and row[given[1]].text != "{":
            fix = 'write it here, as `{ description: "…", inputSchema: { … } }`'
            raise self.tokens.error("what this tool is doesn't stand here", row[given[1]], fix)
        start = next((place for place in given if row[place].text == "{"), None)
        values = self._keys.get(start, {}) if start is not None else {}
        told = row[at].text == "registerTool" or not values.keys().isdisjoint(("name", "description", "execute"))
        if start is None or not told or not values.keys().isdisjoint(KEYS):
            return None
        if start in self._spread:
            fix = "write it out here: `inputSchema: z.object({ … })`"
            raise self.tokens.error("the type of this tool may come from here", row[self._spread[start]], fix)
        return _Found(self._named(start, start), values.get("description"), None)

    def _named(self, start: int, place: int) -> int:
        """The name of the tool that an object says; raises SignatureError at `place` where there is none."""
        name = self._keys.get(start, {}).get("name")
        found = self._outside(start) if name is None else name if self.row[name].kind == "text" else None
        if found is None:
            fix = 'write `name: "…"` beside its type'
            raise self.tokens.error("this tool has no name in quotes", self.row[place], fix)
        return found

    def _missing(self, at: int) -> SignatureError:
        """The error for a type that another file defines; to be raised by the caller."""
        name = self.row[at].text
        fix = f"paste its definition with the program: `const {name} = z.object({{ … }})`"
        return self.tokens.error(f"the type {quoted(name)} isn't defined in this text", self.row[at], fix)

    def _is_code(self, at: int) -> bool:
        """Whether a function begins here: `async () =>`, `(a) =>`, `a =>`."""
        words = [token.text for token in self.row[at : at + 2]]
        return words[0] in ("async", "function", "(") or words[1:] == ["=>"]

    def _is_shape(self, at: int) -> bool:
        """Whether `{ city: z.string() }` begins here, which needs no `z.object`."""
        words = [token.text for token in self.row[at : at + 4]] + [""] * 4
        typed = words[2] == ":" and (words[3] == "z" or words[3] in self.zod.named)
        return words[0] == "{" and (words[1] in ("}", "...") or typed)

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
        token = self.row[found.name]
        name = text_of(token) if token.kind == "text" else token.text
        given = {"name": name, "description": self._words(found.description), "parameters": {}}
        if found.type is not None:
            given["parameters"] = self._schema(found.type)
        tool = next(json_tools.items(Source.of(json.dumps(given, ensure_ascii=False))))
        return json_tools.placed(tool, *self.tokens.source.place(token.start + (token.kind == "text")))

    def _words(self, at: int | None) -> str:
        """A description, where it is a plain text."""
        if at is None or self.row[at].kind != "text":
            return ""
        try:
            return str(js_values.whole(self.tokens.seen_from(at)))
        except SignatureError:  # put together by the program
            return ""

    def _schema(self, at: int) -> Any:
        """The schema of a tool's arguments: a type of Zod, `{ city: z.string() }`, or JSON Schema as it is."""
        if self.row[at].text == "{" and not self._is_shape(at):
            return js_values.whole(self.tokens.seen_from(at))
        self.zod.followed = 0
        return self.zod.shape_of(self.tokens.seen_from(at))
