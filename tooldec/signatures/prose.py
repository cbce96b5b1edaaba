"""Sentences around bare code, as an assistant's whole answer has them; they are passed over.

Sure! Here's a tool that adds:
                                     the first two lines, and
def add(a: int, b: int): ...    →    `You can … now!`
You can call `add(1, 2)` now!
"""

from __future__ import annotations

import re

_LIST = r"(?:[-*+•]|\d{1,4}[.)])[ \t]++"
_FIRST = re.compile(
    rf"[ \t]*+(?P<mark>[#>]++[ \t]*+|{_LIST})?"
    r"(?!\"{3}|'{3})(?:[\"“'‘(*_]{0,3}[A-Z][\w'’-]*+[\"”'’,.!?:;*_)]{0,4}(?=\s|\Z)|(?:\*\*)?`[^`\n]+`|\*\*[A-Za-z])"
)
"""How a sentence begins: with a capital letter, or marked as code or bold, behind the sign of a heading or list."""
_LAST = re.compile(r"(?:[\w%\"”'’)*_`])[.:!?…]{1,3}[\"”'’)*_]*+[^\w\n.:;,(){}\[\]=]{0,6}\Z|\w\*\*\Z")
"""How its last line ends; an emoji may follow."""
_WORD = re.compile(r"[A-Za-z][a-z'’-]*+(?=[\s,.:;!?)*_]|\Z)")
_LEAST = 3
"""How many plain words an entry of a list has that doesn't end as a sentence does."""
_CODE = re.compile(
    r"[ \t]*+(?:[@{}\[]|\Z|(?:(?:async[ \t]++)?def|class|from|import|export|function|const|let|type|interface)[ \t]++\w"
    rf"|[\w.]++[ \t]*+[=(]|/[/*]|{_LIST})"
)
"""How a line begins that goes on with no sentence: a program's, an empty one, the next of a list."""
_TYPED = re.compile(r"[^\W\d][\w'. \t-]*+\([^()\n]*\w[ \t]*:[ \t]*\w")
"""What begins as a signature with types does, whatever follows it."""
_MARKS = " \t-*+•>#.)0123456789`"
"""What may stand before a place in its line that sentences are looked for at."""
_MOST = 20
"""How many lines one sentence may have."""


def past_sentence(text: str, position: int) -> int:
    """The offset behind the sentences that begin here and fill their lines, or `position` where none do.

    >>> past_sentence("Here is\\nthe code:\\ndef f()", 0), past_sentence("Add(a, b): Adds one.", 0)
    (17, 0)
    """
    line = text.rfind("\n", 0, position) + 1
    first = _FIRST.match(text, line)
    if first is None or text[line:position].strip(_MARKS) or _TYPED.match(text, position):
        return position
    end = line
    for _ in range(_MOST):
        newline = text.find("\n", end)
        end = newline if newline >= 0 else len(text)
        if newline < 0 or _CODE.match(text[end + 1 : end + 300].partition("\n")[0]):
            break
        end += 1
    written = text[line:end].rstrip()
    if not _LAST.search(written[-40:]) and not (first["mark"] and len(_WORD.findall(written[:2_000])) >= _LEAST):
        return position
    return end
