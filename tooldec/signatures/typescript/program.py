"""What stands where in a program of TypeScript: objects and their keys, calls and what they are given, and names.

const UNITS = ["c", "f"];          find(`UNITS`): the row from `[` on
server.tool<A>("now", { a: b });   given: `"now"` and `{`, by the bracket; called: `tool`
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager

from tooldec.signatures.typescript.closures import Closure, Closures
from tooldec.signatures.typescript.lexer import Token, key_of
from tooldec.signatures.typescript.tokens import Tokens

_OPENS, _CLOSES = frozenset("([{"), frozenset(")]}")
_DECLARES = frozenset("const let var enum public private protected static readonly override".split())
_GOES_ON = ("(", "[", ",", "?", ":", ".", "=", "&", "|")
"""What stands before a line that begins no statement."""
MAX_CALLS = 16
"""How deep the functions of a program may call each other for one type."""
MAX_FOLLOWED = 1_000
"""How many names one tool may follow: types and lists that double each other would never end."""


class Program:
    """The tokens of a program, and where each of its objects begins.

    >>> from tooldec.signatures.source import Source
    >>> program = Program(Tokens.of(Source.of("const a = 1; f(a);"), any_mark=True))
    >>> program.find(program.row[7]).here.text
    '1'
    """

    def __init__(self, tokens: Tokens, looked_at: bool = True) -> None:
        """`looked_at`: whether the places are wanted; else they are looked for when a name is."""
        self.tokens = tokens
        self.row = (*tokens.tokens, tokens.end, tokens.end)  # something follows, wherever a text ends
        tokens.find = self.find
        self.inside: list[int | None] = []
        """The bracket in which each token stands."""
        self.keys: dict[int, dict[str, int]] = {}
        """Where an object begins → its keys, each with the place of its value."""
        self.given: dict[int, list[int]] = {}
        """Where a round bracket opens → where each argument in it begins."""
        self.spread: dict[int, list[int]] = {}
        """Where an object begins → where it takes others in: `...base`."""
        self.followed = 0
        """How many names were followed for one tool."""
        self.named: dict[int, int] = {}
        """Where a value begins → where the name stands that it gets: `now = `."""
        self._names: dict[str, dict[int | None, list[int]]] = {}
        """Name → the brackets in which it is defined → where its values begin there."""
        self._starts: list[int] = []
        self._closes: dict[int, int] = {}
        """Where a bracket opens → where it closes."""
        self._closures: Closures | None = None
        self._bound: dict[int, int] = {}
        """Where a parameter stands → where the value begins that a call gives it."""
        if looked_at:
            self._look()

    def _look(self) -> None:
        self._starts = [token.start for token in self.row]
        types: set[int] = set()
        """Where what says a type opens: `interface Tool {`, `type Tool = {`."""
        opened: list[int] = []
        before = ""
        for at, token in enumerate(self.row):
            mark = token.text if token.kind == "mark" else ""
            if opened and mark in _CLOSES:
                self._closes[opened.pop()] = at
            inside = opened[-1] if opened else None
            self.inside.append(inside)
            if inside is not None and (before == "," or at - 1 == inside) and inside not in types:
                self._add(at, inside)
            if token.new_line or not at or token.text in _DECLARES:
                self._define(at, inside)
            if mark in _OPENS:
                if inside in types or self._says_type(at):
                    types.add(at)
                opened.append(at)
            before = mark

    def _define(self, at: int, inside: int | None) -> None:
        """Keep the name that is defined here, if one is: `const UNITS = [`, `UNITS = [`, `enum Level {`."""
        row, last = self.row, len(self.row) - 3
        declared = row[at].text in _DECLARES
        if at > last or row[at].kind != "word" or row[at + declared].kind != "word":
            return
        name, value = at + declared, at
        if row[at].text != "enum":
            if not declared and at and row[at - 1].is_mark(*_GOES_ON):
                return
            value = self._behind_type(name + 1) if declared else name + 1
            if not row[value].is_mark("=") or value > last + 1 or row[value + 1].is_mark("=", ">"):
                return
            value += 1
        self._names.setdefault(row[name].text, {}).setdefault(inside, []).append(value)
        self.named[value] = name

    def _behind_type(self, at: int) -> int:
        """Where the `=` stands behind a type: `: Tool[] =`."""
        if not self.row[at].is_mark(":"):
            return at
        tokens = self.tokens.seen_from(at + 1)
        while tokens.here.kind != "end" and not tokens.here.is_mark("=", ";", ")", "]", "}"):
            tokens.skip(angles=True)
        return tokens.at if tokens.here.kind != "end" else at

    def _says_type(self, at: int) -> bool:
        """Whether a bracket opens what says a type, and no value."""
        row = self.row
        if not row[at].is_mark("{") or at < 2:
            return False
        if row[at - 1].is_mark("="):
            named = at - 2 if not row[at - 2].is_mark(">") else self._opened_before(at - 2) - 1
            return named > 0 and row[named - 1].text == "type"
        for before in range(at - 1, max(at - 12, -1), -1):
            if row[before].kind != "word" and not row[before].is_mark(",", "<", ">", "."):
                return False
            if row[before].text == "interface":
                return True
        return False

    def _opened_before(self, at: int) -> int:
        """Where the bracket is that the one here closes, `>` or `)`; 0 where there is none near."""
        depth, opens, closes = 0, "<" if self.row[at].text == ">" else "(", self.row[at].text
        for before in range(at, max(at - 200, -1), -1):
            depth += self.row[before].is_mark(closes) - self.row[before].is_mark(opens)
            if depth == 0:
                return before
        return 0

    def _add(self, at: int, start: int) -> None:
        """Keep what begins here in a bracket: an argument, a key, or `inputSchema` alone, which is its own value."""
        row, token = self.row, self.row[at]
        if token.kind == "end":
            return
        following = row[at + 1]
        if row[start].text == "(":
            self.given.setdefault(start, []).append(at)
        if row[start].text != "{":
            return
        if token.is_mark("..."):
            self.spread.setdefault(start, []).append(at)
        elif following.is_mark(":"):
            name = key_of(token)
            self.keys.setdefault(start, {})[name] = at + 2
        elif token.kind == "word" and following.is_mark(",", "}"):
            self.keys.setdefault(start, {})[token.text] = at

    def find(self, name: Token) -> Tokens | None:
        """What a name stands for where it is used: the innermost definition, of several the last one before it.

        None for a parameter, but where `call` says what it is given.
        """
        if not self._starts:
            self._look()
        if name.kind != "word":
            return None
        known = self._names.get(name.text, {})
        if not known and not self._bound:
            return None
        at = bisect_left(self._starts, name.start)
        inside = self.inside[at]
        while inside is not None and (inside not in known or at in known[inside]):  # `schema = schema` in a class
            inside = self.inside[inside]
        closure = self.closures.of(name.text, at)
        if closure is not None and (inside not in known or inside is None or closure.start > inside):
            place = self._bound.get(closure.parameters[name.text])
        elif inside in known:
            place = known[inside][max(bisect_left(known[inside], at) - 1, 0)]
        else:
            place = None
        if place is None:
            return None
        self.followed += 1
        if self.followed > MAX_FOLLOWED:
            message = f"the types of this tool name others more than {MAX_FOLLOWED:,} times"
            raise self.tokens.error(message, name, "write the types out")
        return self.tokens.seen_from(place)

    @property
    def closures(self) -> Closures:
        """The program's functions, looked for when the first name is."""
        if self._closures is None:
            self._closures = Closures(self.row, self._closes, self.given)
        return self._closures

    def function(self, token: Token) -> Closure | None:
        """The function that a name calls where it stands: `str("the query")`."""
        at = bisect_left(self._starts, token.start)
        if token.kind != "word" or not self.row[at + 1].is_mark("(") or (at and self.row[at - 1].is_mark(".")):
            return None
        named, declared = self.find(token), self.closures.named.get(token.text)
        if named is not None:
            named.take("async")
            named.type_parameters()
            return self.closures.at.get(named.at)
        return declared[-1] if declared else None

    @contextmanager
    def call(self, function: Closure, name: Token) -> Iterator[Tokens | None]:
        """What a function gives that is called here; while it is read, its parameters stand for what they are given."""
        given, before = self.given.get(bisect_left(self._starts, name.start) + 1, []), dict(self._bound)
        for index, place in enumerate(function.parameters.values()):
            default = place + 2 if self.row[place + 1].is_mark("=") else None
            value = given[index] if index < len(given) else default
            self._bound.pop(place, None)
            self._bound |= {} if value is None else {place: value}
        returned = self.closures.returned(function)
        try:
            yield None if returned is None else self.tokens.seen_from(returned)
        finally:
            self._bound = before

    def field(self, name: str, inside: int | None) -> int | None:
        """Where the value begins that a name has in a bracket, such as a class's."""
        values = self._names.get(name, {}).get(inside)
        return values[0] if values else None

    def arguments(self, at: int) -> list[int]:
        """Where each argument begins of the function whose name is here: `tool(`, `tool<A>(`."""
        tokens = self.tokens.seen_from(at + 1)
        if tokens.here.is_mark("<"):
            tokens.type_parameters()
        return self.given.get(tokens.at, []) if tokens.here.is_mark("(") else []

    def is_function(self, at: int) -> bool:
        """Whether a function begins here: `async () =>`, `(a) =>`, `a =>`."""
        words = [token.text for token in self.row[at : at + 2]]
        return words[0] in ("async", "function", "(") or words[1:] == ["=>"]

    def called(self, opened: int) -> int:
        """Where the name is of the function whose bracket opens here."""
        return (self._opened_before(opened - 1) if self.row[opened - 1].is_mark(">") else opened) - 1

    def maker(self, at: int) -> int | None:
        """Where the name is of the function that gives what begins here: `now = (zone) => tool(`, `return tool(`."""
        body = self.inside[at] if at and self.row[at - 1].text == "return" else at
        if not body or (body == at and not self.row[at - 1].is_mark("=>")):
            return None
        head = body - 1 - self.row[body - 1].is_mark("=>")
        if head > 0 and self.row[head].is_mark(")"):
            head = self._opened_before(head)
            if head > 1 and self.row[head - 2].text == "function":
                return head - 1
            head -= head > 0 and self.row[head - 1].text == "async"
        return self.named.get(head)

    def values(self, start: int) -> dict[str, int]:
        """The keys of an object, those that it takes in too, each with the place of its value."""
        found: dict[str, int] = {}
        for at in self.spread.get(start, ()):
            base = self.object_of(at + 1)
            found |= self.values(base) if base not in (None, start) else {}
        return {**found, **self.keys.get(start, {})}

    def object_of(self, at: int) -> int | None:
        """Where the object begins that stands here, or that the name stands for which is here."""
        if self.row[at].kind == "word" and self.row[at + 1].is_mark(",", ")", "}"):
            found = self.tokens.find(self.row[at])
            at = at if found is None else found.at
        return at if self.row[at].is_mark("{") else None
