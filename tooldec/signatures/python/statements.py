"""A Python module around its tools: which of its lines are statements to be passed over.

    load_dotenv()                      a call
    TOOLS = [search]                   an assignment
    if __name__ == "__main__":         the head of a block; the lines inside of it are looked at like all others

`load_dotenv()` may be a signature, too: it is a call in a text that as a whole is a module. A line that Python can't
read as a statement, such as `square(side: int)`, is a signature there as well.
"""

from __future__ import annotations

import re

from tooldec.signatures.python.scanner import stop
from tooldec.signatures.python.syntax import statements
from tooldec.signatures.source import Source

_DEFINES = re.compile(r"^[ \t]*+(?:(?:async[ \t]++)?def|class)[ \t]++\w", re.MULTILINE)
_BODY = re.compile(  # a function with a body, where its head ends; a text alone describes a signature
    r"^[ \t]*+(?:(?:async[ \t]++)?def\b[^\n]*|[^\n(]*)\)[ \t]*+(?:->[^\n:)]*+)?:(?![ \t]*+[rRuU]?[\"'])", re.MULTILINE
)
_CLASS = re.compile(r"^[ \t]*+class[ \t]++\w[^\n]*:", re.MULTILINE)
_AROUND = re.compile(
    r"^(?:@[^\W\d]|from[ \t]++[\w.]++[ \t]++import\b|import[ \t]++\w|[^\W\d]\w*+[ \t]*+(?::[^=\n]*+)?=(?!=))",
    re.MULTILINE,
)
_MADE = re.compile(r"^[^\W\d]\w*+[ \t]*+=[ \t]*+(?:[\w.]*?[A-Z]\w*+\(|\[)", re.MULTILINE)
"""What stands in a program that makes its tools of others': `search = WebSearch()`, `tools = [search]`."""
_BLOCK = re.compile(r"(?:async[ \t]++)?(?:if|elif|else|for|while|try|except|finally|with)\b|(?:match|case)[ \t]")
_OTHERS = re.compile(r"(?:async[ \t]++)?def\b|class\b|[\[{@]")


def is_module(text: str) -> bool:
    """Whether a text is Python as it stands in files, and not a list of signatures.

    >>> is_module("def add(a: int): return a\\nadd(3)"), is_module("def add(a: int)\\nsub(a, b)"), is_module("add(a)")
    (True, False, False)
    >>> is_module("search = Search()\\ntools = [search]")
    True
    """
    if not _DEFINES.search(text):
        return _MADE.search(text) is not None
    return _BODY.search(text) is not None or (_AROUND.search(text) is not None and _CLASS.search(text) is not None)


def passed_over(source: Source, position: int) -> int:
    """The offset after the statement that begins here, or `position` where none does; raises SignatureError.

    >>> passed_over(Source.of("if x: add(3)"), 0), passed_over(Source.of("add(a: int)"), 0)
    (5, 0)
    """
    text = source.text
    if _OTHERS.match(text, position):  # read elsewhere
        return position
    if _BLOCK.match(text, position):
        colon = stop(source, position, ":\n")
        if text.startswith(":", colon):
            return colon + 1
    end = stop(source, position, "\n;")
    return position if statements(text[position:end]) is None else end
