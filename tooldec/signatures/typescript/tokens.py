"""TypeScript as a row of tokens: words, texts, numbers and marks, with the comments that stand before each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tooldec.errors import SignatureError
from tooldec.signatures.source import MAX_DEPTH, Source, quoted

_TOKEN = re.compile(
    r"(?P<space>\s++)|(?P<comment>//[^\n]*+|/\*(?:[^*]|\*(?!/))*\*/)|(?P<word>[^\W\d][\w$]*+|\$[\w$]*+)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`)"
    r"|(?P<number>-?(?:0[xX][\da-fA-F_]++n?|0[oO][0-7_]++n?|0[bB][01_]++n?|\d[\d_]*+(?:n|(?:\.\d++)?(?:[eE][+-]?\d++)?)))"
    r"|(?P<mark>=>|\.\.\.|[(){}\[\]<>:;,?|&=.@!*+-])",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\n)|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_PATTERN = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_OPERATORS = frozenset("( [ { , ; : ? = & | ! => + - * > .".split())
"""Marks behind which a value begins."""
_IN_TEXT = re.compile(r"\\.|`|\$\{", re.DOTALL)
_IN_CODE = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[`{}]", re.DOTALL)
_LONGEST = 20_000
"""How many characters of a text in backquotes are looked at for its end, where code stands in it."""
_TEMPLATE = re.compile(r"`(?:[^`\\]|\\.)*`", re.DOTALL)
_CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">"}
_OPENS = frozenset("({[<,;")


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind, its text, its offset, the comments before it, and whether a line ends before it."""

    kind: str
    text: str
    start: int
    comments: tuple[str, ...] = ()
    trailing: tuple[str, ...] = ()
    new_line: bool = False


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
        found: list[Token] = []
        comments: list[str] = []
        trailing: list[str] = []  # those on the line of the token before
        position, new_line, depth = 0, False, 0
        while position < len(source.text):
            match, start = _TOKEN.match(source.text, position), position
            if match is not None:
                kind, written, position = match.lastgroup, match[0], match.end()
            elif any_mark:
                kind, position = _sign(source.text, start, found[-1] if found else None)
                written = source.text[start:position]
            else:
                raise _stray(source, position)
            if kind == "space":
                new_line = new_line or "\n" in written
            elif kind == "comment":
                (comments if new_line or not found else trailing).append(_words(written))
            else:
                depth += (written in ("(", "[", "{")) - (written in (")", "]", "}"))
                if depth > MAX_DEPTH:
                    raise source.nested_too_deep(start)
                if not new_line and found and found[-1].text in _OPENS:  # `(/** where */ city: string`
                    comments, trailing = [*comments, *trailing], []
                found.append(Token(str(kind), written, start, tuple(comments), tuple(trailing), new_line))
                comments, trailing, new_line = [], [], False
        return cls(source, found)

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
        if self.here.kind != "end" and _TOKEN.match(self.source.text, self.here.start) is None:
            raise _stray(self.source, self.here.start)
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
        if self.here.kind != "mark" or self.here.text not in _CLOSES:
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
        while self.here.kind != "end" and not (self.here.kind == "mark" and self.here.text in (",", ")", "]", "}")):
            if self.here.kind == "mark" and self.here.text in ("(", "[", "{"):
                self.brackets()
            else:
                self.next()
        return tuple(self.tokens[start : self.at])

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
        while self.here.kind != "end" and not (self.here.text == ";" and self.here.kind == "mark"):
            before, here = self.tokens[self.at - 1], self.here
            if here.kind == "mark" and here.text in ")]}":
                break
            goes_on = before.text == "extends" or (
                before.kind == "mark" and before.text not in (")", "]", "}", ">", "!")
            )
            ended = here.new_line and self.at > start and not goes_on
            if ended and (here.kind != "mark" or here.text in ("@", ",", "#")):
                break
            if here.kind == "mark" and here.text in ("(", "[", "{"):
                opened = here.text
                self.brackets()
                if braces and opened == "{":
                    break
            else:
                self.next()
        found = tuple(self.tokens[start : self.at])
        self.take(";")
        return found

    def error(self, message: str, token: Token, fix: str) -> SignatureError:
        return self.source.error(message, min(token.start, len(self.source.text)), fix)


def _sign(text: str, start: int, before: Token | None) -> tuple[str, int]:
    """What a sign begins that types don't have, and its end: `/[a-z]/` for a value, a text with code in it, a mark."""
    if text[start] == "`" and (end := _template_end(text, start)):
        return "text", end
    ends_value = before is not None and before.text not in ("return", "case") and before.text not in _OPERATORS
    if text[start] == "/" and not ends_value and (found := _PATTERN.match(text, start)):
        return "pattern", found.end()
    return "mark", start + 1


def _template_end(text: str, position: int) -> int | None:
    """Where a text in backquotes ends, past the code in it: `` `a ${b.map((c) => `${c}`)}` ``; None where it doesn't.

    >>> _template_end("`a ${b(`c`)}` + d", 0)
    13
    """
    opened, at = ["`"], position + 1
    while opened:
        found = (_IN_TEXT if opened[-1] == "`" else _IN_CODE).search(text, at, position + _LONGEST)
        if found is None:
            return None
        at = found.end()
        if found[0] in ("${", "{") or (found[0] == "`" and opened[-1] == "{"):
            opened.append("`" if found[0] == "`" else "{")
        elif found[0] in ("`", "}"):
            opened.pop()
    return at


def _stray(source: Source, position: int) -> SignatureError:
    """The error for a sign that types don't have."""
    word = source.text[position]
    if template := _TEMPLATE.match(source.text, position):
        fix = "write `string` for such a type, and a text as a whole; nothing is executed"
        return source.error(f"{quoted(template[0])} is put together from parts", position, fix)
    fix = "close it with the same sign" if word in "\"'`/" else "remove it"
    return source.error(f"{quoted(word)} can't stand here", position, fix)


def text_of(token: Token) -> str:
    """What a text in quotes says.

    >>> text_of(Token("text", r"'it\\'s'", 0))
    "it's"
    """

    def said(escape: re.Match[str]) -> str:
        braced, four, two, line, other = escape.groups()
        if code := braced or four or two:
            return chr(min(int(code, 16), 0x10FFFF))
        return "" if line else _ESCAPED.get(other, other)

    text = _ESCAPE.sub(said, token.text[1:-1])
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # \ud83d\ude00 is one character


def key_of(token: Token) -> str:
    """What a key or a name is, with quotes or without."""
    return text_of(token) if token.kind == "text" else token.text


def _words(comment: str) -> str:
    r"""`/** a\n * b */` → `a\nb`"""
    if comment.startswith("//"):
        return comment.lstrip("/").strip()
    lines = (line.strip().lstrip("*").strip() for line in comment[2:-2].split("\n"))
    return "\n".join(lines).strip()
