"""Functions of TypeScript, wherever they stand: what each is called, and its tokens from the parameters on.

const now = async (zone: string): Promise<string> => …     (zone: string): Promise<string> => …
type now = (zone: string) => string                     →  (zone: string) => string
interface Clock { now(zone: string): string }              (zone: string): string
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tooldec.signatures.source import Source
from tooldec.signatures.typescript.lexer import Token
from tooldec.signatures.typescript.tokens import Tokens

_MODIFIERS = frozenset("public static async override abstract declare readonly export default get set".split())
_HIDDEN = frozenset(("private", "protected", "get", "set", "#"))
"""What makes a member none that others call."""

_ENDS_NAME = ("(", "<", "?", "!", ":", "=", ";", ",", "}")


@dataclass(frozen=True, slots=True)
class Function:
    """A function that has been found, to be read once every type is known."""

    name: Token
    description: str
    tokens: tuple[Token, ...]


def function_of(source: Source, row: tuple[Token, ...]) -> tuple[Token, ...] | None:
    """The tokens of a function from its parameters on; None where a type or a value is none.

    >>> source = Source.of("async (a: string): Promise<void> => {}")
    >>> [token.text for token in function_of(source, tuple(Tokens.of(source).tokens))][:5]
    ['(', 'a', ':', 'string', ')']
    """
    tokens = Tokens(source, row)
    tokens.take("async")
    if tokens.take("function"):
        tokens.take("*")
        if tokens.here.text not in ("(", "<"):
            tokens.next()
    start, first = tokens.at, tokens.here
    if first.kind == "word" and [token.text for token in row[start + 1 : start + 2]] == ["=>"]:  # a => …
        return (Token("mark", "(", first.start), first, Token("mark", ")", first.start), *row[start + 1 :])
    tokens.type_parameters()
    if tokens.here.text != "(" or tokens.here.kind == "text":
        return None
    tokens.brackets()
    return row[start:] if tokens.here.text in ("=>", ":", "{") else None


def assigned(tokens: Tokens, description: str) -> Iterator[Function]:
    """The function that is assigned to the name that is here, `f = (a: string) => …`, if it is one; goes past it."""
    if tokens.here.text in ("{", "["):  # const { a } = …
        tokens.statement()
        return
    name, row = tokens.name(), tokens.statement()
    found = _assigned(tokens.source, row)
    if found is not None:
        yield Function(name, description, found)


def _assigned(source: Source, row: tuple[Token, ...]) -> tuple[Token, ...] | None:
    """The function in `: (a: string) => void = …` or `= (a: string) => …`: by its type, or else by its value."""
    tokens = Tokens(source, row)
    while tokens.here.kind != "end" and not tokens.here.is_mark("="):
        tokens.skip(angles=True)
    kind = row[1 : tokens.at] if row and row[0].text == ":" else ()
    return function_of(source, kind) or function_of(source, row[tokens.at + 1 :])


def methods(source: Source, body: tuple[Token, ...]) -> Iterator[Function]:
    """The methods of an interface or a class that others call; raises SignatureError.

    >>> source = Source.of("{ private key: string; constructor(k: string) {} get(a: string): void; put = (b) => {} }")
    >>> [method.name.text for method in methods(source, tuple(Tokens.of(source).tokens))]
    ['get', 'put']
    """
    tokens = Tokens(source, body)
    while tokens.here.kind != "end" and not tokens.take("{"):
        tokens.next()  # `<T> extends Base`
    while tokens.here.kind != "end" and not tokens.take("}"):
        description, hidden = tokens.comment(), False
        if tokens.here.is_mark("{", "["):  # the body of a method, or `[key: string]: T`
            tokens.brackets()
            continue
        tokens.decorators()
        while tokens.here.text in _MODIFIERS | _HIDDEN and not _is_name(tokens):
            hidden = tokens.next().text in _HIDDEN or hidden
        if tokens.here.kind not in ("word", "text"):
            tokens.next()
            continue
        name = tokens.next()
        hidden = hidden or name.text == "constructor" or name.text.startswith("_")
        tokens.take("?")
        row = tokens.statement(braces=tokens.here.text in ("(", "<"))
        found = row if row and row[0].text in ("(", "<") else _assigned(source, row)
        if found is not None and not hidden and name.kind == "word":
            yield Function(name, description, found)


def _is_name(tokens: Tokens) -> bool:
    """Whether a word that may be a modifier is a member's name here, `get(key: string)`."""
    after = tokens.seen_from(tokens.at + 1).here
    return tokens.here.kind == "word" and after.is_mark(*_ENDS_NAME)
