"""Lists and objects as JavaScript writes them → plain values; nothing is executed.

    {                                           {"name": "now", "strict": True}
      name: 'now', // the time            →
      strict: true,
    }

Keys with or without quotes, texts in any of the three quotes (also added up with `+`), numbers (also `0x1F`, `5n`),
`true`, `false`, `null`, `undefined`, comments, commas at the end, `as const` and `satisfies T`; Google's `Type.STRING`.
In a program (`program.py`) also names of such values, what they hold, `...base`, and enums.
"""

from __future__ import annotations

import math
import re
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.located import List, Object
from tooldec.signatures.source import MAX_DIGITS, Source, quoted
from tooldec.signatures.typescript.lexer import Token, key_of, text_of
from tooldec.signatures.typescript.tokens import Tokens

_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "undefined": None}
_TYPES = ("Type", "SchemaType", "FunctionDeclarationSchemaType")
"""What Google's libraries call the names of types: `Type.STRING` is "string" where the program says nothing else."""
_JOINS = ("as", "satisfies", "|", "&", ".", "=>")
_PART = re.compile(r"\$\{\s*([A-Za-z_$][\w$]*)\s*\}")
_OCTAL = re.compile(r"-?0\d+")
_FIX = "write plain values only: texts, numbers, true, false, null, lists and objects; nothing is executed"


def read(source: Source, start: int = 0) -> Any:
    """The value that begins at an offset; raises SignatureError where it isn't plain, or where something follows.

    >>> read(Source.of("const tools = [{ name: 'now', strict: true }];"), 14)
    [{'name': 'now', 'strict': True}]
    """
    tokens = Tokens.of(source)
    while tokens.here.kind != "end" and tokens.here.start < start:
        tokens.next()
    found = value(tokens)
    tokens.take(";")
    if tokens.here.kind != "end":
        raise tokens.error("something follows the list", tokens.here, "paste the list of tools alone")
    return found


def value(tokens: Tokens) -> Any:
    """The plain value that is here; goes past it, and past `as const` and `satisfies T` behind it."""
    return located(tokens)[0]


def located(tokens: Tokens) -> tuple[Any, int]:
    """The plain value that is here, and where it is written: behind a name, where that has it from."""
    found, place = _first(tokens)
    if tokens.here.text in (",", "}", "]"):
        return found, place
    if isinstance(found, List) and tokens.here.text == "." and tokens.seen_from(tokens.at + 1).here.text == "join":
        found = _joined(tokens, found)
    while isinstance(found, str) and tokens.here.is_mark("+"):
        tokens.next()
        token = tokens.here
        more = None if token.kind == "word" and tokens.find(token) is None else _first(tokens)[0]
        if not isinstance(more, str):
            raise _refused(tokens, token, "a text")
        found += more
    while tokens.here.kind == "word" and tokens.here.text in ("as", "satisfies"):
        _type(tokens)
    return found, place


def _first(tokens: Tokens) -> tuple[Any, int]:
    """The value that is here, without what is added to it."""
    token = tokens.next()
    if token.is_mark("["):
        return _list(tokens), token.start
    if token.is_mark("{"):
        return _object(tokens), token.start
    if token.kind == "text":
        return text_of(_put_together(tokens, token)), token.start
    if token.kind == "number":
        return _number(tokens, token), token.start
    if token.kind == "word" and token.text in _WORDS:
        return _WORDS[token.text], token.start
    if token.kind == "word" and token.text == "enum":
        tokens.name()
        return members(tokens), token.start
    if token.kind == "word":
        return _named(tokens, token)
    raise _refused(tokens, token, "a plain value")


def _type(tokens: Tokens) -> None:
    """Go past `as const`, `as [string, ...string[]]`, `satisfies Tool[]`."""
    tokens.next()
    while tokens.here.kind != "end" and tokens.here.text not in (",", ";", ")", "]", "}", "as", "satisfies"):
        goes_on = tokens.tokens[tokens.at - 1].text in _JOINS or tokens.here.text in _JOINS
        if tokens.here.new_line and not goes_on:
            break  # the next statement
        tokens.skip(angles=True)


def _put_together(tokens: Tokens, token: Token) -> Token:
    """A text in backquotes with the texts that its names stand for; raises SignatureError for more than names."""

    def part(found: re.Match[str]) -> str:
        named = tokens.find(Token("word", found[1], token.start))
        said = value(named) if named is not None else None
        if not isinstance(said, str | int):
            raise _refused(tokens, token, "a plain value")
        return re.sub(r"([\\`$])", r"\\\1", str(said))

    if token.text[0] != "`" or "${" not in token.text:
        return token
    left = _PART.sub(part, token.text)
    if "${" in left.replace("\\$", ""):
        raise _refused(tokens, token, "a plain value")
    return Token("text", left, token.start)


def _named(tokens: Tokens, token: Token) -> tuple[Any, int]:
    """What a name of the program stands for, or a part of it: `UNITS[0]`, `Level.Low`, `Object.keys(Level)`."""
    named = tokens.find(token)
    if named is None and token.text in _TYPES and tokens.take("."):
        return tokens.name().text.lower(), token.start
    if named is None and token.text == "Object" and tokens.take("."):
        function = tokens.name()
        inside = tokens.part(tokens.brackets()[1:-1])
        found, place = whole(inside), token.start
        if function.text not in ("keys", "values") or not isinstance(found, Object):
            raise _refused(tokens, function, "a plain value")
        return list(found if function.text == "keys" else found.values()), place
    if named is None:
        raise _refused(tokens, token, "a plain value")
    found, place = located(named)
    ended(named)
    while tokens.here.is_mark(".", "[") and not isinstance(found, str):
        if tokens.here.new_line or (isinstance(found, List) and tokens.here.text == "."):
            break
        found, place = _part(tokens, found, place)
    return found, place


def _joined(tokens: Tokens, texts: List) -> str:
    """`["a", "b"].join("\\n")` of texts."""
    tokens.next()
    name = tokens.next()
    between = whole(tokens.part(tokens.brackets()[1:-1]))
    if not isinstance(between, str) or not all(isinstance(text, str) for text in texts):
        raise _refused(tokens, name, "a plain value")
    return between.join(texts)


def _part(tokens: Tokens, whole: Any, place: int) -> tuple[Any, int]:
    """`.Low`, `[0]` or `["Low"]`: a part of an object or a list, and where it is written."""
    bracket = tokens.next().text == "["
    key = tokens.next()
    of = key_of(key)
    found: Any = None
    if isinstance(whole, Object) and of in whole:
        found, place = whole[of], whole.places[of]
    elif isinstance(whole, List) and bracket and of.isdecimal() and int(of) < len(whole):
        found, place = whole[int(of)], whole.places[int(of)]
    else:
        raise _refused(tokens, key, "a plain value")
    if bracket:
        tokens.expect("]")
    return found, place


def members(tokens: Tokens) -> Object:
    """The names of an enum → their values; one without a value is the number after the one before.

    >>> members(Tokens.of(Source.of("{ A, B = 4, C, D = 'd' }")))
    {'A': 0, 'B': 4, 'C': 5, 'D': 'd'}
    """
    opened = tokens.here
    tokens.expect("{")
    found = Object()
    last: str | int | float = -1
    for _ in tokens.entries("}"):
        name = place = tokens.name()
        if tokens.take("="):
            place = tokens.here
            said = value(tokens) if place.kind in ("number", "text") else None
        else:
            said = None if isinstance(last, str) else last + 1
        if said is None or tokens.here.text not in (",", "}"):
            fix = f"write it as `{name.text} = 1`, or as a text in quotes"
            raise tokens.error(f"the value of {quoted(name.text)} is no plain number or text", place, fix)
        last = said
        found.add(key_of(name), said, place.start)
    if not found:
        raise tokens.error("this enum has no values", opened, "write them as `{ A, B }`")
    return found


def whole(tokens: Tokens) -> Any:
    """The plain value that is here, where nothing else makes another one of it: `60 * 60` is code, and refused."""
    found = value(tokens)
    ended(tokens)
    return found


def ended(tokens: Tokens) -> None:
    """Refuse what goes on behind a value; raises SignatureError at `*` in `60 * 60`, at `.` in `["a"].concat(more)`."""
    here = tokens.here
    ends = here.kind == "end" or here.is_mark(",", ";", ")", "]", "}")
    if not ends and not (here.kind == "word" and (here.new_line or here.text in ("as", "satisfies"))):
        raise tokens.error(f"{quoted(here.text)} makes another value of the one before it", here, _FIX)


def _number(tokens: Tokens, token: Token) -> int | float:
    digits = token.text.replace("_", "").removesuffix("n")
    if len(digits) > MAX_DIGITS:
        raise tokens.error(f"a number has {len(digits):,} digits", token, f"write at most {MAX_DIGITS:,}")
    if digits.lstrip("-")[:2].lower() in ("0x", "0o", "0b"):
        return int(digits, 0)
    if _OCTAL.fullmatch(digits):
        raise tokens.error(
            f"readers disagree on the number {quoted(digits)}", token, "write it without the 0, or as `0o17`"
        )
    if digits.lstrip("-").isdigit():
        return int(digits)
    if math.isinf(float(digits)):
        raise tokens.error(f"the number {quoted(digits)} is too large", token, "write a smaller one")
    return float(digits)


def _list(tokens: Tokens) -> List:
    values = []
    for _ in tokens.entries("]"):
        place, dots = tokens.here.start, tokens.here
        if tokens.take("..."):
            values += [(one, place) for one in _spread(tokens, dots, list)]
        else:
            values.append((value(tokens), place))
    return List(values)


def _object(tokens: Tokens) -> Object:
    found, own = Object(), set[str]()
    for _ in tokens.entries("}"):
        dots = tokens.here
        if tokens.take("..."):
            place = tokens.here.start
            for key, one in _spread(tokens, dots, dict).items():
                found.add(key, one, place)
        else:
            token = _of_kind(tokens, "a key", "word", "text", "number")
            key = key_of(token)
            if key in own:
                raise tokens.error(f"the key {quoted(key)} stands twice in one object", token, "remove one of them")
            own.add(key)
            if token.kind == "word" and tokens.here.text in (",", "}") and tokens.find(token) is not None:
                tokens.at -= 1  # `{ unit }`: a value of that name
            else:
                tokens.expect(":")
            place = tokens.here.start
            found.add(key, value(tokens), place)
    return found


def _spread(tokens: Tokens, dots: Token, kind: type) -> Any:
    """What `...base` takes in: the values of a list, or the keys of an object."""
    known = tokens.here.kind != "word" or tokens.find(tokens.here) is not None
    found = value(tokens) if known else None
    if not isinstance(found, kind):
        raise _refused(tokens, dots, "a plain value" if kind is list else "a key")
    return found


def _of_kind(tokens: Tokens, what: str, *kinds: str) -> Token:
    token = tokens.next()
    if token.kind not in kinds:
        raise _refused(tokens, token, what)
    return token


def _refused(tokens: Tokens, token: Token, what: str) -> SignatureError:
    shown = quoted(token.text) if token.text else "the end of the text"
    return tokens.error(f"{what} is expected here, not {shown}", token, _FIX)
