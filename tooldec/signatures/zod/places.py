"""Where tools stand in a program of TypeScript: what is called, what it is given, and where its type is.

server.tool("add", "Adds.", { a: z.number() }, run);       add, "Adds.", `{ a: …`
const now = tool({ inputSchema: z.object({}) });           now, "", `z.object(…`
tools = [{ name: "go", input_schema: GO }];                go, "", what `GO` is
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tooldec.errors import SignatureError
from tooldec.signatures.source import quoted
from tooldec.signatures.typescript.lexer import key_of
from tooldec.signatures.typescript.program import MAX_CALLS, Program
from tooldec.signatures.typescript.tokens import Tokens
from tooldec.signatures.zod.names import Names

KEYS = ("inputSchema", "parameters", "input_schema", "argsSchema", "schema", "parametersJsonSchema")
"""Keys behind which a tool's type stands; `schema` only beside a name."""
WRAPPERS = ("zodSchema", "zodToJsonSchema", "jsonSchema", "toJSONSchema")
CALLS = (
    *("tool", "registerTool", "addTool", "createTool", "defineTool", "betaTool", "betaZodTool"),
    *("zodFunction", "zodResponsesFunction"),
)
"""Functions that are given what a tool is, as an object."""
_PLACES = frozenset(CALLS) | {quote + key + quote for key in ("name", "metadata", *KEYS) for quote in ("", '"', "'")}
_HINTS = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
_NO_TOOL = re.compile(r"\w*(?:prompt|resource|flow|step|agent)", re.IGNORECASE)
"""Functions that are given a type, too, but make no tool."""
_LISTS = re.compile("tool|function", re.IGNORECASE)
"""What lists of tools are called."""
_SCHEMAS = (*KEYS, "properties", "items", "outputSchema", "json_schema", "format", "response_format")
"""Keys behind which an object says a type, and no tool."""


@dataclass(frozen=True, slots=True)
class Found:
    """A tool: its name with its offset, and where its description and its type begin; without one, no arguments."""

    name: tuple[str, int]
    description: int | None
    type: int | None


class Tools:
    """Finds the tools of a program.

    >>> from tooldec.signatures.source import Source
    >>> tools = Tools(Program(Tokens.of(Source.of('server.tool("add", "Adds.", { a: z.int() });'), any_mark=True)))
    >>> tools.at(tools.places[0]).name
    ('add', 13)
    """

    def __init__(self, program: Program) -> None:
        self.program, self.row, self.names = program, program.row, Names(program)
        self._lent: set[int] = set()
        """Objects with a name that say what other calls register."""
        self.places = [at for at, token in enumerate(self.row) if token.text in _PLACES]
        """Where tools may be said to be."""
        for at in self.places:
            if self.row[at].text in CALLS:
                for given in program.arguments(at):
                    start = program.object_of(given)
                    if start is not None:
                        lent = program.spread.get(start, ()) if start == given else ()
                        self._lent |= {start} - {given}
                        self._lent |= {base for one in lent if (base := program.object_of(one + 1)) is not None}

    def at(self, at: int) -> Found | None:
        """The tool that is said to be one here; raises SignatureError."""
        token = self.row[at]
        if token.kind == "word" and token.text in CALLS:
            return self._method(at) or self._call(at)
        key = key_of(token)
        if key == "name":
            return self._without_type(at)
        if key == "metadata":
            return self._metadata(at)
        return (self._entry(at, key) or self._field(at)) if key in KEYS else None

    def _method(self, at: int) -> Found | None:
        """`server.tool("add", "Adds.", { a: z.number() }, …)` of an MCP server; `at` is the word `tool`."""
        row, program = self.row, self.program
        if not (at and row[at].text == "tool" and row[at - 1].is_mark(".")):
            return None
        name_at, *others = program.arguments(at) or [at]
        name = self.names.text(name_at) if others else None
        if name is None:
            if any(self.kind(place) == "zod" for place in others):
                fix = "write the name itself, in quotes"
                raise program.tokens.error("the name of this tool isn't known here", row[name_at], fix)
            return None
        description = others.pop(0) if self.names.text(others[0]) else None
        if others and program.keys.get(others[0], {}).keys() & _HINTS:  # what clients are told of a tool
            return Found(name, description, None)
        if others and self.kind(others[0]):
            return Found(name, description, others[0])
        if len(others) < 2 or self.program.is_function(others[0]):
            return Found(name, description, None)
        if description is None and self.kind(others[1]):
            return Found(name, None, others[1])  # behind a description that the program puts together
        raise self._missing(others[0])

    def _entry(self, at: int, key: str) -> Found | None:
        """`inputSchema: z.object(…)` in an object that says what a tool is; `at` is the key."""
        start = self.program.inside[at]
        own = self.program.keys.get(start, {}) if start is not None else {}
        place = own.get(key)
        if start is None or place not in (at, at + 2) or start in self._lent or self._says_type(start):
            return None
        values = self.program.values(start)
        given, name = self._is_given(start), values.get("name")
        if name is not None and (self.row[name].text == "{" or self.kind(name) == "zod"):
            return None  # no tool, but a type with these properties
        alone = place == at or key == "schema"  # may be what another program takes apart, or an answer
        if alone and not given and (name is None or self.names.text(name) is None):
            return None
        if not self.kind(place):
            described = "description" in values and self.names.text(values["description"]) is not None
            if described or given:
                raise self._missing(place)
            return None
        return Found(self.names.of(values, start, place, self._key(start)), values.get("description"), place)

    def _field(self, at: int) -> Found | None:
        """`schema = z.object(…)`, or `schema() { return z.object(…); }`, in a class with a name; `at` is the field."""
        program, inside = self.program, self.program.inside[at]
        name, method = program.field("name", inside), program.closures.at.get(at + 1)
        if name is None or self.row[at - 1].text in ("const", "let", "var"):
            return None
        place = program.closures.returned(method) if method is not None else at + 2
        if place is None or (method is None and program.named.get(place) != at):
            return None
        said = self.names.text(name) if self.kind(place) else None
        return Found(said, program.field("description", inside), place) if said else None

    def _metadata(self, at: int) -> Found | None:
        """`metadata = { name: "now", … }` of xmcp, beside `schema = { zone: z.string() }`; `at` is its name."""
        start, schema = self.program.field("metadata", None), self.program.field("schema", None)
        if start is None or self.program.named.get(start) != at or schema is None or not self.kind(schema):
            return None
        values = self.program.values(start)
        name = self.names.text(values["name"]) if "name" in values else None
        return Found(name, values.get("description"), schema) if name else None

    def _without_type(self, at: int) -> Found | None:
        """`{ name: "now", description: "…" }` in a list of tools: one without arguments; `at` is the key."""
        start = self.program.inside[at]
        values = self.program.keys.get(start, {}) if start is not None else {}
        if start is None or values.get("name") != at + 2 or "description" not in values or values.keys() & {*KEYS}:
            return None
        before, list_at = self._key(start), self.program.inside[start]
        if before != "function" and list_at is not None and self.row[list_at].text == "[":
            before = self._key(list_at)
        name = self.names.text(at + 2)
        return Found(name, values["description"], None) if name and _LISTS.search(before) else None

    def _key(self, start: int) -> str:
        """The key or the name whose value begins here."""
        if start > 1 and self.row[start - 1].is_mark(":"):
            return self.row[start - 2].text.strip("\"'")
        named = self.program.named.get(start)
        return "" if named is None else self.row[named].text

    def _call(self, at: int) -> Found | None:
        """`registerTool("now", { description: "…" }, run)`: a tool without arguments, or with a type elsewhere."""
        row, program = self.row, self.program
        given = program.arguments(at) if at and row[at - 1].text != "function" else []
        registers = row[at].text == "registerTool"
        if registers and len(given) > 1 and program.object_of(given[1]) is None:
            if self.names.text(given[0]) is None:  # for each of tools that stand elsewhere
                return None
            fix = 'write it here, as `{ description: "…", inputSchema: { … } }`'
            raise program.tokens.error("what this tool is doesn't stand here", row[given[1]], fix)
        place = next((place for place in given if program.object_of(place) is not None), None)
        start = program.object_of(place) if place is not None else None
        if place is None or start is None:
            return None
        values = program.values(start)
        key = next((key for key in KEYS if key in values), None)
        if key is not None and (start != place or key not in program.keys.get(start, {})):
            if not self.kind(values[key]):
                raise self._missing(values[key])
            return Found(self.names.of(values, place, place, self._key(place)), values.get("description"), values[key])
        if key is not None or not (registers or not values.keys().isdisjoint(("name", "description", "execute"))):
            return None
        for spread in program.spread.get(start, ()):
            if program.object_of(spread + 1) is None:
                fix = "write it out here: `inputSchema: z.object({ … })`"
                raise program.tokens.error("the type of this tool may come from here", row[spread], fix)
        return Found(self.names.of(values, place, place, self._key(place)), values.get("description"), None)

    def settled(self, at: int) -> int:
        """Where a type begins, inside of `zodSchema(…)`, and behind the names that stand for it."""
        for _ in range(20):
            token, following = self.row[at], self.row[at + 1]
            if token.text == "z" and [one.text for one in self.row[at + 1 : at + 3]] == [".", "toJSONSchema"]:
                at += 2
            given = self.program.arguments(at) if self.row[at].text in WRAPPERS else []
            named = None
            if not given and token.kind == "word" and not following.is_mark("(", "["):
                named = self._named_value(at)
            if not given and named is None:
                break
            at = given[0] if given else named.at if named is not None else at
        return at

    def _named_value(self, at: int) -> Tokens | None:
        """What the name stands for that is here, `city` or `types.city` of an object; not `City.shape`."""
        tokens = self.program.tokens.seen_from(at)
        found = tokens.find(tokens.next())
        while found is not None and tokens.take("."):
            if found.here.text != "{" or not found.member(tokens.next().text):
                return None
        return found

    def kind(self, at: int, depth: int = 0) -> str:
        """What type begins here: one of "zod", one of "json" Schema, or none."""
        at = self.settled(at)
        token, following = self.row[at], self.row[at + 1].text
        if token.is_mark("{"):
            return "zod" if self._is_shape(at) else "json"
        if (function := self.program.function(token)) is not None:
            with self.program.call(function, token) as given:
                known = "" if given is None or depth >= MAX_CALLS else self.kind(given.at, depth + 1)
            return known if known == "zod" else ""
        if token.kind != "word" or following != ".":
            return ""
        if token.text == "z":
            return "zod"
        named = self.program.tokens.find(token)
        return self.kind(named.at) if named is not None and named.at != at else ""

    def _is_shape(self, at: int) -> bool:
        """Whether `{ city: z.string() }` begins here, which needs no `z.object`."""
        if self.row[at + 1].is_mark("}"):
            return True
        spread = (one + 1 for one in self.program.spread.get(at, ()))
        keys = self.program.keys
        types = (keys.get(place, {}).get("type", place) for place in keys.get(at, {}).values())
        places = (place for place in (*types, *spread) if self.row[place].text != "{")
        return any(self.kind(place) == "zod" for place in places)

    def _is_given(self, start: int) -> bool:
        """Whether the object that begins here is given to a function that makes a tool."""
        opened = self.program.inside[start]
        return self._caller(start) in CALLS and opened is not None and start in self.program.given[opened]

    def _caller(self, start: int) -> str:
        """The function that is given what begins here."""
        opened = self.program.inside[start]
        return self.row[self.program.called(opened)].text if opened and self.row[opened].is_mark("(") else ""

    def _says_type(self, start: int) -> bool:
        """Whether an object says a type, or what is no tool: `properties: {`, `z.object({`, `registerPrompt("x", {`."""
        if self._key(start) in _SCHEMAS and start not in self.program.named:
            return True
        caller = self._caller(start)
        return caller in ("object", "extend", "strictObject", "looseObject") or _NO_TOOL.fullmatch(caller) is not None

    def _missing(self, at: int) -> SignatureError:
        """The error for a type that another file defines; to be raised by the caller."""
        token = self.row[self.settled(at)]
        fix = f"paste its definition with the program: `const {token.text} = z.object({{ … }})`"
        return self.program.tokens.error(f"the type {quoted(token.text)} isn't defined in this text", token, fix)
