"""What tools are called in a program of TypeScript, and what is said of them in texts.

{ name: "now", … }              the text, or the constant that stands there
const now = tool({ … })         the name that gets the tool; also `now: tool({ … })`, `registerTool("now", { … })`
[createTool({ id: "now" })]     an id, where there is no other name
"""

from __future__ import annotations

from tooldec.errors import SignatureError
from tooldec.signatures.typescript import js_values
from tooldec.signatures.typescript.lexer import Token, text_of
from tooldec.signatures.typescript.program import Program


class Names:
    """Reads the names of a program's tools.

    >>> from tooldec.signatures.source import Source
    >>> from tooldec.signatures.typescript.tokens import Tokens
    >>> names = Names(Program(Tokens.of(Source.of('const a = "now"; f(a);'), any_mark=True)))
    >>> names.text(7)
    ('now', 11)
    """

    def __init__(self, program: Program) -> None:
        self.program, self.row = program, program.row

    def of(self, values: dict[str, int], at: int, place: int, before: str) -> tuple[str, int]:
        """The name of the tool that an object says, or what stands before `at`; raises SignatureError at `place`.

        before    the key or the name whose value the object is
        """
        if "name" in values:
            found = self.text(values["name"])
        elif before == "function":  # `{ function: now, parameters: … }`
            found = self._said(self.row[values["function"]]) if "function" in values else None
        else:
            found = self._outside(at) or (self.text(values["id"]) if "id" in values else None)
        if found is None:
            fix = 'write `name: "…"` beside its type'
            raise self.program.tokens.error("this tool has no name in quotes", self.row[place], fix)
        return found

    def _outside(self, start: int) -> tuple[str, int] | None:
        """The name that an object without one has: `registerTool("now", {`, `const now = tool({`, `now: {`."""
        row, at, opened = self.row, start, self.program.inside[start]
        if opened is not None and row[opened].is_mark("("):
            given = self.program.given[opened]
            index = given.index(start) if start in given else 0
            if index:
                return self.text(given[index - 1])
            at = self.program.called(opened)
            while at > 1 and row[at - 1].is_mark("."):
                at -= 2
        if at > 1 and row[at - 1].is_mark(":"):
            return self._said(row[at - 2])
        named = self.program.named.get(at, self.program.maker(at))
        if named is not None:
            return self._said(row[named])
        return self._said(row[at - 2]) if at > 1 and row[at - 1].is_mark("=") else None

    def _said(self, token: Token) -> tuple[str, int] | None:
        if token.kind not in ("word", "text"):
            return None
        return (text_of(token), token.start + 1) if token.kind == "text" else (token.text, token.start)

    def text(self, at: int) -> tuple[str, int] | None:
        """The text that stands here, or that a name stands for, and its offset; none where it is something else."""
        if self.row[at].kind not in ("word", "text") and not self.row[at].is_mark("["):
            return None
        tokens = self.program.tokens.seen_from(at)
        try:
            said, place = js_values.located(tokens)
            js_values.ended(tokens)
        except SignatureError:  # put together by the program
            return None
        if not isinstance(said, str):
            return None
        return said, place + (tokens.source.text[place] in "\"'`")

    def words(self, at: int | None) -> str:
        """A description, where it is a plain text."""
        said = None if at is None else self.text(at)
        return said[0] if said else ""
