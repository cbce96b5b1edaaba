"""A signature's parameter list as ast has it, and where each part of it stands in the text.

Types may stand in comments, as before Python 3.5: `# type: (int, str) -> None` below the head, `# type: int` behind
a parameter.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from keyword import kwlist

from tooldec.errors import SignatureError
from tooldec.signatures.python.annotations import ANNOTATIONS
from tooldec.signatures.python.fields import called
from tooldec.signatures.python.header import Header
from tooldec.signatures.python.literals import Unreadable, is_dots
from tooldec.signatures.python.scanner import STRING
from tooldec.signatures.python.syntax import argument_types, expression, module, placed
from tooldec.signatures.source import Source, quoted

_PREFIX = "def _"  # stands before the parameter list of every signature that is parsed
# A parameter called `from` or `class` is fine for a tool, but not for ast.
_KEYWORDS = "|".join(word for word in kwlist if word not in ("None", "True", "False"))
_KEYWORD = re.compile(rf"(?:{STRING}|#[^\n]*+)|(?P<before>[(,][\s*]*+)(?P<word>{_KEYWORDS})\b(?=\s*+[:=,)])", re.DOTALL)
_SPACED = re.compile(
    rf"(?:{STRING}|#[^\n]*+)|(?P<before>[(,]\s*+)(?P<words>[^\W\d]\w*+(?:[ \t]++\w++)+)(?=\s*+[:=,)])", re.DOTALL
)
_TYPES = re.compile(r"[ \t]*+:[ \t]*+(?:\n[ \t]*+)?#[ \t]*+type:[ \t]*+(?P<types>\([^\n]*+)")
_FIXES = (
    ("default", "give it a default too, move it forward, or write `*,` before it"),
    ("forgot a comma", "write a comma between two parameters"),
    ("non-printable", "retype it: it looks like a space, but isn't one"),
    ("invalid character", "retype it: signatures are written with plain quotes, brackets and commas"),
    ("", "write each parameter as `name: type = default`, with commas between them"),
)


def parsed(source: Source, header: Header) -> ast.arguments:
    """The parameters of a signature, with their types in comments as annotations; raises SignatureError.

    >>> ast.unparse(parsed(Source.of("f(a, from)"), Header("f", 0, 1, 10, "")))
    'a, ____'
    """
    found = _read(source, header)
    every = [*found.posonlyargs, *found.args, found.vararg, *found.kwonlyargs, found.kwarg]
    arguments = [argument for argument in every if argument is not None]
    types: dict[str, ast.expr] = {}
    for argument in arguments:
        with suppress(SyntaxError, ValueError):  # words about the parameter
            types |= {argument.arg: expression(argument.type_comment)} if argument.type_comment else {}
    if comment := _TYPES.match(source.text, header.end):
        types |= _types(source, comment, [argument.arg for argument in arguments])
    for argument in arguments:
        if argument.annotation is None and argument.arg in types:
            argument.annotation = placed(types[argument.arg], argument)
    return found


def _types(source: Source, comment: re.Match[str], names: list[str]) -> dict[str, ast.expr]:
    """The types of the comment below a head, by the names of the parameters; raises SignatureError."""
    start = comment.start("types")
    try:
        types = argument_types(comment["types"].partition("#")[0])
    except (SyntaxError, ValueError):
        fix = "write it as `# type: (int, str) -> None`"
        raise source.error("this type comment can't be read", start, fix) from None
    if len(types) == 1 and is_dots(types[0]):
        return {}  # each one stands behind its parameter
    names = names[1:] if len(types) < len(names) and names[0] in ("self", "cls") else names
    if len(types) != len(names):
        counts = f"{len(types)} type{'s' if len(types) != 1 else ''} for {len(names)} parameters"
        raise source.error(f"this comment has {counts}", start, "write one type for each parameter")
    return dict(zip(names, types, strict=True))


def _read(source: Source, header: Header) -> ast.arguments:
    written = source.text[header.parameters : header.end]
    try:
        return _ast(written)
    except SyntaxError as error:
        problem = error
    for changed in (_KEYWORD.sub(_without_keyword, written), _SPACED.sub(_without_spaces, written)):
        if changed != written:
            try:
                return _ast(changed)
            except SyntaxError as error:
                problem = error
    raise _syntax_error(source, header, problem)


def _ast(written: str) -> ast.arguments:
    text = f"{_PREFIX}{written}: ..."
    function = module(text).body[0]
    if "type:" in written:
        with suppress(SyntaxError):  # at a comment where Python wants none
            function = module(text, type_comments=True).body[0]
    assert isinstance(function, ast.FunctionDef)
    return function.args


def _without_keyword(found: re.Match[str]) -> str:
    """`(from` → `(____`: the same length, so that every place stays where it was."""
    return found[0] if found["word"] is None else found["before"] + "_" * len(found["word"])


def _without_spaces(found: re.Match[str]) -> str:
    """`(event name` → `(event_name`: the same length here, too."""
    words = found["words"]
    if words is None or any(word in ANNOTATIONS or len(word) < 2 for word in words.split()):
        return found[0]
    return found["before"] + re.sub(r"[ \t]", "_", words)


def _syntax_error(source: Source, header: Header, error: SyntaxError) -> SignatureError:
    start, column = _line_start(source, header, error.lineno or 1)
    offset = min(max(start + (error.offset or 1) - 1 - column, header.parameters), header.end - 1)
    fix = next(fix for phrase, fix in _FIXES if phrase in error.msg)
    here = re.compile(r"\w+|\W").match(source.text, offset)
    message = f"{quoted(here[0])} can't stand here" if here and error.msg == "invalid syntax" else error.msg
    return source.error(message, offset, fix)


def in_order(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """Each argument in order, with its default; raises Unreadable."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    for index, (argument, default) in enumerate(zip(positional, [*missing, *arguments.defaults], strict=True)):
        if index > 0 or default is not None or not _is_bound(argument):
            yield argument, default
    if arguments.vararg is not None:
        yield arguments.vararg, None
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    if arguments.kwarg is not None and unpacked(arguments) is None:
        raise Unreadable(
            arguments.kwarg,
            f"`**{arguments.kwarg.arg}`: the names of these arguments aren't known before the call",
            f"name each argument, or take one object: `{arguments.kwarg.arg}: dict`",
        )


def unpacked(arguments: ast.arguments) -> ast.expr | None:
    """The type whose fields are further arguments: `Options` of `**more: Unpack[Options]`."""
    annotation = None if arguments.kwarg is None else arguments.kwarg.annotation
    return annotation.slice if isinstance(annotation, ast.Subscript) and called(annotation) == "Unpack" else None


def _is_bound(argument: ast.arg) -> bool:
    """Whether a first parameter is what a method belongs to: `self`, `self: "Shop"`, `cls`, `cls: type[Shop]`."""
    of_class = argument.annotation is None or called(argument.annotation) in ("type", "Type")
    return argument.arg == "self" or (argument.arg == "cls" and of_class)


def offset(source: Source, header: Header, node: ast.AST) -> int:
    """Where a part of a parsed signature stands in the text; ast counts columns in bytes.

    >>> source, header = Source.of("f(ä: int)"), Header("f", 0, 1, 9, "")
    >>> offset(source, header, parsed(source, header).args[0].annotation)
    5
    """
    start, column = _line_start(source, header, getattr(node, "lineno", 1))
    count = getattr(node, "col_offset", column) - column
    piece = source.text[start : start + count]
    return start + (count if piece.isascii() else len(piece.encode()[:count].decode(errors="ignore")))


def _line_start(source: Source, header: Header, line: int) -> tuple[int, int]:
    """The offset at which a line of the parsed signature starts in the text, and the column that ast gives it."""
    if line == 1:
        return header.parameters, len(_PREFIX)
    first, _ = source.place(header.parameters)
    return source.lines[min(first + line - 2, len(source.lines) - 1)], 0
