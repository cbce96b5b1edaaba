"""What stands behind a signature: a docstring, a comment, words, or code that is passed over.

def area(side: int): "of a square"       area(side: int) -> int: of a square
area(side: int)  # of a square           area(side: int) - of a square
"""

from __future__ import annotations

import ast
import inspect
import re

from tooldec.errors import SignatureError
from tooldec.signatures.python.scanner import STRING, line_end, past, stop
from tooldec.signatures.python.syntax import expression, statements
from tooldec.signatures.source import Source

DOCSTRING = re.compile(rf"[rRuU]?(?:{STRING})", re.DOTALL)
END = re.compile(r"[ \t]*+(?=[\n#,;]|\Z)")
_TRAILING = re.compile(r"[ \t]*+[,;]?[ \t]*+\#(?![ \t]*(?:noqa|type:|pylint:|pragma:))[ \t]*(?P<comment>[^\n]*)")
BLANK = re.compile(r"(?:[ \t]*+(?:#[^\n]*+)?\n)*")
_WORDS = re.compile(r"[^\W\d][\w'’-]*+(?:[ \t,;:]|[.!?]?[ \t]*+(?=\n|\Z))[^\n]*")
_DASH = re.compile(r"[ \t]*+[-–—]{1,2}[ \t]++(?P<words>[^\n]*?)(?:,[ \t]*args:[ \t]*\{[^\n]*\}[ \t]*)?(?=\n|\Z)")
SPACES = re.compile(r"[ \t]*+")


def body(source: Source, start: int, position: int) -> tuple[str, int]:
    """The description that the body after a colon gives, and the offset where the body ends."""
    text = source.text
    comment = comment_at(text, position)
    position = past(SPACES, text, position)
    if END.match(text, position):  # nothing more on this line: an indented block, or no body at all
        docstring, end = block(source, indent_of(text, text.rfind("\n", 0, start) + 1), position)
        return docstring or comment, end
    found = DOCSTRING.match(text, position)
    if found and END.match(text, found.end()):
        return _docstring(source, found), found.end()
    if words := _words(source, position):
        return words, position + len(words)
    end = stop(source, position, "\n#")
    return comment_at(text, end), end


def _words(source: Source, position: int) -> str:
    """The words on the line behind a colon, `add(a: int): Adds one.`; none where code stands there."""
    found = _WORDS.match(source.text, position)
    if found is None or _is_code(found[0]):
        return ""
    try:  # code may go on in the next line
        return "" if _is_code(source.text[position : stop(source, position, "\n#")]) else found[0].rstrip()
    except SignatureError:
        return found[0].rstrip()


def _is_code(text: str) -> bool:
    """Whether Python can read a text, and it is more than a word.

    >>> [_is_code(text) for text in ("return a", "pass", "Adds", "Adds one.")]
    [True, True, False, False]
    """
    if (found := statements(text)) is None:
        return False
    return not (found and isinstance(found[0], ast.Expr) and isinstance(found[0].value, ast.Name))


def block(source: Source, indent: int, position: int) -> tuple[str, int]:
    """The docstring of the lines that are indented by more than `indent`, and the offset where they end."""
    text, docstring, end, first = source.text, "", position, True
    while (newline := text.find("\n", end)) >= 0:
        line = past(BLANK, text, newline + 1)
        if line == len(text) or indent_of(text, line) <= indent:
            break
        statement = past(SPACES, text, line)
        if first and (found := DOCSTRING.match(text, statement)):
            docstring = _docstring(source, found)
        first = False
        end = line_end(source, statement)
    return docstring, end


def behind_dash(text: str, position: int) -> str:
    """The words behind a dash that follows at `position`: ` - Adds one.`, as LangChain lists tools in prompts."""
    found = _DASH.match(text, position)
    return found["words"].rstrip() if found else ""


def comment_at(text: str, position: int) -> str:
    """The comment that follows at `position` on the same line, if any."""
    found = _TRAILING.match(text, position)
    return found["comment"].strip() if found else ""


def _docstring(source: Source, found: re.Match[str]) -> str:
    try:
        text = str(ast.literal_eval(expression(found[0])))
        text.encode()
    except (SyntaxError, ValueError):
        fix = r"write backslashes twice, and characters as themselves or as `\U0001f600`"
        raise source.error("an escape in this text can't be read", found.start(), fix) from None
    return inspect.cleandoc(text).strip()


def indent_of(text: str, line: int) -> int:
    """How far the line that starts at `line` is indented, tabs as in Python."""
    return len(text[line : past(SPACES, text, line)].expandtabs())
