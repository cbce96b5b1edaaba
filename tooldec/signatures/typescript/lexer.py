"""TypeScript cut into tokens: words, texts, numbers and marks, with the comments that stand before each.

city: "a" // where        Token("word", "city", 0), Token("mark", ":", 4), Token("text", '"a"', 6)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tooldec.errors import SignatureError
from tooldec.signatures.source import MAX_DEPTH, Source, quoted

_TOKEN = re.compile(
    r"(?P<space>\s++)|(?P<comment>//[^\n]*+)|(?P<word>[^\W\d][\w$]*+|\$[\w$]*+)"
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

    def is_mark(self, *marks: str) -> bool:
        return self.kind == "mark" and self.text in marks


def tokenised(source: Source, any_mark: bool = False) -> list[Token]:
    """The tokens of a text; with `any_mark` a sign that types don't have is a mark, too, as in a program."""
    found: list[Token] = []
    comments: list[str] = []
    trailing: list[str] = []  # those on the line of the token before
    position, new_line, depth = 0, False, 0
    last_end = source.text.rfind("*/")  # behind which no comment ends: each would be looked through for nothing
    while position < len(source.text):
        match, start = _TOKEN.match(source.text, position), position
        if match is not None:
            kind, written, position = str(match.lastgroup), match[0], match.end()
        elif position + 2 <= last_end and source.text.startswith("/*", position):
            kind, position = "comment", source.text.index("*/", position + 2) + 2
            written = source.text[start:position]
        elif any_mark:
            kind, position = _sign(source.text, start, found[-1] if found else None)
            written = source.text[start:position]
        else:
            raise stray(source, position)
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
            found.append(Token(kind, written, start, tuple(comments), tuple(trailing), new_line))
            comments, trailing, new_line = [], [], False
    return found


def is_stray(source: Source, position: int) -> bool:
    """Whether no token of a type begins here."""
    return _TOKEN.match(source.text, position) is None


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


def stray(source: Source, position: int) -> SignatureError:
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
