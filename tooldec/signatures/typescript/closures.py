"""Functions of a program of TypeScript: what their parameters are called, how far those reach, and what is returned.

const str = (d: string) => z.string().describe(d);      str: `d`, from `(` to `;`, returns `z.string()…`
function num(min = 0) { return z.number().min(min); }   num: `min`, `0` if none is given, returns `z.number()…`
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tooldec.signatures.typescript.lexer import Token
from tooldec.signatures.typescript.tokens import ENDS_VALUE

_NO_FUNCTION = frozenset("if for while switch catch with".split())
"""Words behind which brackets hold no parameters."""
_MODIFIERS = frozenset("public private protected readonly override".split())
_FARTHEST = 5_000
"""How many tokens a function's type or its value may have to be followed."""
_NEAR = 50
"""How many functions that have a parameter of one name are looked at for the one that a place is in."""


@dataclass(frozen=True, slots=True)
class Closure:
    """A function, by the places of its tokens.

    start         of its parameters: the bracket, or the only one's name
    body          of what follows `=>`, or of the brace
    end           behind it all
    parameters    name → where it stands
    """

    start: int
    body: int
    end: int
    parameters: Mapping[str, int]


class Closures:
    """The functions of a row of tokens.

    closes    where a bracket opens → where it closes
    given     where a round bracket opens → where each thing in it begins

    >>> from tooldec.signatures.source import Source
    >>> from tooldec.signatures.typescript.tokens import Tokens
    >>> row = Tokens.of(Source.of("(a, b) => a;"), any_mark=True).tokens
    >>> Closures(row, {0: 4}, {0: [1, 3]}).of("b", 6)
    Closure(start=0, body=6, end=7, parameters={'a': 1, 'b': 3})
    """

    def __init__(self, row: Sequence[Token], closes: Mapping[int, int], given: Mapping[int, list[int]]) -> None:
        self._row, self._closes, self._given = row, closes, given
        self.at: dict[int, Closure] = {}
        """Where a function begins, at its parameters or at `function` → the function."""
        self.named: dict[str, list[Closure]] = {}
        """The functions that are declared with a name."""
        self._having: dict[str, list[Closure]] = {}
        for start, token in enumerate(row):
            if token.is_mark("(") and start in closes:
                self._bracket(start)
            elif token.kind == "word" and self._is(start + 1, "=>"):
                self._add(Closure(start, start + 2, self._end(start + 2), {token.text: start}))

    def of(self, name: str, at: int) -> Closure | None:
        """The innermost function around a place that has a parameter of this name."""
        having = self._having.get(name, [])
        last = bisect_left(having, at + 1, key=lambda one: one.start)
        return next((one for one in reversed(having[max(last - _NEAR, 0) : last]) if at < one.end), None)

    def returned(self, closure: Closure) -> int | None:
        """Where what a function gives begins; None where several things may be it, or nothing is."""
        if self._is(closure.body, "("):  # `() => ({ a: z.string() })`
            return closure.body + 1
        if not self._is(closure.body, "{"):
            return closure.body
        found, at = list[int](), closure.body + 1
        while at < closure.end - 1:
            found += [at + 1] if self._row[at].text == "return" and self._row[at].kind == "word" else []
            at = self._closes.get(at, at) + 1 if not self._is_branch(at) else at + 1
        return found[0] if len(found) == 1 else None

    def _is_branch(self, at: int) -> bool:
        """Whether a brace opens what may be run instead of something else: `if (…) {`, `else {`."""
        before = self._row[at - 1]
        return self._is(at, "{") and (before.text in (")", "else", "try") and before.kind != "text")

    def _is(self, at: int, *marks: str) -> bool:
        return at < len(self._row) and self._row[at].is_mark(*marks)

    def _add(self, closure: Closure) -> None:
        self.at[closure.start] = closure
        for name in closure.parameters:
            self._having.setdefault(name, []).append(closure)

    def _bracket(self, start: int) -> None:
        """Keep the function whose parameters these are, if they are some."""
        row, before = self._row, start - 1
        if before >= 0 and row[before].text in _NO_FUNCTION:
            return
        body = self._body(self._closes[start] + 1)
        if body is None or (
            self._is(body, "{") and not self._is(body - 1, "=>") and row[max(before, 0)].kind != "word"
        ):
            return
        closure = Closure(start, body, self._end(body), self._names(start))
        self._add(closure)
        if before > 0 and row[before - 1].text == "function":
            self.named.setdefault(row[before].text, []).append(closure)

    def _body(self, at: int) -> int | None:
        """Where the body of a function begins whose parameters end here, behind the type that it gives."""
        if self._is(at, "=>"):
            return at + 1
        if self._is(at, "{"):
            return at
        if not self._is(at, ":"):
            return None
        at, last, angles = at + 1, min(at + _FARTHEST, len(self._row)), 0
        first = at
        while at < last:
            token = self._row[at]
            if self._is(at, "=>") and not angles:
                return at + 1
            if self._is(at, "{") and at > first and not angles and not self._is(at - 1, "|", "&", ":"):
                return at
            if token.is_mark(*")]};,=?") and not angles:
                return None
            angles += self._is(at, "<") - self._is(at, ">")
            at = self._closes.get(at, at) + 1
        return None

    def _end(self, body: int) -> int:
        """Behind the body that begins here: a block, or a value."""
        if self._is(body, "{"):
            return self._closes.get(body, body) + 1
        at, last = body, min(body + _FARTHEST, len(self._row))
        while at < last and not self._is(at, ",", ";", ")", "]", "}"):
            before = self._row[at - 1]
            ended = before.kind != "mark" or before.is_mark(*ENDS_VALUE)
            if at > body and self._row[at].new_line and ended and self._row[at].kind == "word":
                break
            at = self._closes.get(at, at) + 1
        return at

    def _names(self, start: int) -> dict[str, int]:
        found: dict[str, int] = {}
        for at in self._given.get(start, ()):
            while self._is(at, "...") or self._row[at].text in _MODIFIERS:
                at += 1
            if self._is(at, "{"):  # `({ city, unit: u })`
                found |= self._taken_apart(at)
            elif self._row[at].kind == "word":
                found[self._row[at].text] = at
        return found

    def _taken_apart(self, start: int) -> dict[str, int]:
        """The names in `{ city, unit: u, days = 3 }`."""
        found: dict[str, int] = {}
        at, last = start + 1, self._closes.get(start, start)
        while at < last:
            if self._is(at - 1, "{", ",") and self._row[at].kind == "word":
                name = at + 2 * self._is(at + 1, ":")
                found[self._row[name].text] = name
            at = self._closes.get(at, at) + 1
        return found
