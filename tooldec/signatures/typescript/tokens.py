"""A row of TypeScript's tokens, read from the left: what is here, past brackets, lists and statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tooldec.errors import SignatureError
from tooldec.signatures.source import Source, quoted
from tooldec.signatures.typescript.lexer import Token, is_stray, key_of, stray, tokenised

_CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">"}
ENDS_VALUE = (")", "]", "}", ">", "!")
"""Marks behind which a line may end."""


Find = Callable[[Token], "Tokens | None"]
"""What a program's names stand for: name → the row, to be read from its value on."""


class Tokens:
    """A row of tokens that is read from the left; `here` is the one to be read next.

    >>> tokens = Tokens.of(Source.of("// where\\ncity: string"))
    >>> tokens.comment(), tokens.next().text, tokens.next().text, tokens.here.text
    ('where', 'city', ':', 'string')
    """

    def __init__(self, source: Source, tokens: Sequence[Token], find: Find = lambda name: None) -> None:
        self.source, self.tokens, self.at, self.find = source, tokens, 0, find
        last = tokens[-1].start + len(tokens[-1].text) if tokens else 0
        self.end = Token("end", "", last)

    @classmethod
    def of(cls, source: Source, any_mark: bool = False) -> Tokens:
        """The tokens of a text; with `any_mark` a sign that types don't have is a mark, too, as in a program."""
        return cls(source, tokenised(source, any_mark))

    def seen_from(self, place: int) -> Tokens:
        """The same row, to be read from another token on."""
        tokens = self.part(self.tokens)
        tokens.at = place
        return tokens

    def part(self, tokens: Sequence[Token]) -> Tokens:
        """Some tokens of this text as a row of their own."""
        return Tokens(self.source, tokens, self.find)

    @property
    def here(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else self.end

    def of_type(self) -> Token:
        """The token that is here, where a type begins; raises SignatureError for signs that types don't have."""
        if self.here.kind != "end" and is_stray(self.source, self.here.start):
            raise stray(self.source, self.here.start)
        return self.here

    def next(self) -> Token:
        token = self.here
        self.at += 1
        return token

    def take(self, mark: str) -> bool:
        """Go past a mark, if it is here."""
        if self.here.text == mark and self.here.kind != "text":
            self.at += 1
            return True
        return False

    def expect(self, mark: str) -> None:
        if not self.take(mark):
            shown = quoted(self.here.text) if self.here.text else "the end of the declaration"
            raise self.error(f"`{mark}` is expected here, not {shown}", self.here, f"write `{mark}`")

    def name(self) -> Token:
        if self.here.kind not in ("word", "text"):
            shown = quoted(self.here.text) if self.here.text else "the end"
            raise self.error(f"a name is expected here, not {shown}", self.here, "write it as `city: string`")
        return self.next()

    def comment(self) -> str:
        """The comments above the token that is here."""
        return "\n".join(self.here.comments).strip()

    def trailing(self) -> str:
        """The comments behind the token that was read last, on its line."""
        return " ".join(self.here.trailing).strip()

    def brackets(self) -> tuple[Token, ...]:
        """Go past a bracket and all that it holds; in other brackets than `<`, `a < b` may be a comparison."""
        start, depth = self.at, 0
        if not self.here.is_mark(*_CLOSES):
            self.expect("(")
        opens, closes = ("([{<", ")]}>") if self.here.text == "<" else ("([{", ")]}")
        while True:
            token = self.next()
            if token.kind == "end":
                opened = self.tokens[start]
                message = f"this `{opened.text}` is never closed"
                raise self.error(message, opened, f"close it with `{_CLOSES.get(opened.text, ')')}`")
            if token.kind == "mark":
                depth += (token.text in opens) - (token.text in closes)
            if depth == 0:
                return tuple(self.tokens[start : self.at])

    def argument(self) -> tuple[Token, ...]:
        """Go past a value, up to the `,` or the bracket behind it."""
        start = self.at
        while self.here.kind != "end" and not self.here.is_mark(",", ")", "]", "}"):
            self.skip()
        return tuple(self.tokens[start : self.at])

    def skip(self, angles: bool = False) -> None:
        """Go past a token, or past a bracket with all that it holds."""
        if self.here.is_mark("(", "[", "{", *("<" * angles)):
            self.brackets()
        else:
            self.next()

    def entries(self, close: str) -> Iterator[None]:
        """Stops at each entry up to the bracket that closes them, which whoever asks reads; goes past the commas.

        >>> tokens = Tokens.of(Source.of("a, b] c"))
        >>> [tokens.next().text for _ in tokens.entries("]")], tokens.here.text
        (['a', 'b'], 'c')
        """
        while not self.take(close):
            yield
            if not self.take(","):
                self.expect(close)
                return

    def member(self, name: str) -> bool:
        """Go to the value that an object, which is here, has under a name; False where it has none."""
        self.take("{")
        while self.here.kind != "end" and not self.take("}"):
            key = self.next()
            if key_of(key) == name and self.take(":"):
                return True
            self.argument()
            self.take(",")
        return False

    def decorators(self) -> None:
        """Go past `@tool({ name: "now" })`."""
        while self.take("@"):
            self.next()
            while self.take("."):
                self.next()
            if self.here.text == "(":
                self.brackets()

    def type_parameters(self) -> None:
        """Go past `<T>`: what stands for any type is no type."""
        if self.here.text == "<":
            self.brackets()

    def statement(self, braces: bool = False) -> tuple[Token, ...]:
        """The tokens up to the `;`, the line end or the closing brace that ends a declaration; goes past it."""
        start = self.at
        while self.here.kind != "end" and not self.here.is_mark(";", ")", "]", "}"):
            before, here = self.tokens[self.at - 1], self.here
            goes_on = before.text == "extends" or (before.kind == "mark" and not before.is_mark(*ENDS_VALUE))
            ended = here.new_line and self.at > start and not goes_on
            if ended and (here.kind != "mark" or here.is_mark("@", ",", "#")):
                break
            self.skip()
            if braces and here.is_mark("{"):
                break
        found = tuple(self.tokens[start : self.at])
        self.take(";")
        return found

    def error(self, message: str, token: Token, fix: str) -> SignatureError:
        return self.source.error(message, min(token.start, len(self.source.text)), fix)
