"""Lines among Python signatures that are none: what each one is taken for, and what would work."""

from __future__ import annotations

import re
from keyword import iskeyword

from tooldec.errors import SignatureError
from tooldec.signatures.listings.others import of_line
from tooldec.signatures.source import Source, quoted

_BEFORE = re.compile(r"(\d+[ \t]*[|:]?[ \t]+|[+>|-][ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]")
_GENERIC = re.compile(r"([^\W\d][\w.]*)(\[.*\])")


def not_a_signature(source: Source, position: int) -> SignatureError:
    """The error for a line that isn't a signature; to be raised by the caller.

    >>> print(not_a_signature(Source.of("def 2x(a)"), 0))
    line 1, column 5: `2x` isn't an identifier; write `_2x`
    """
    line = rest_of_line(source.text, position)
    if line.startswith("```"):
        return source.error("a Markdown fence among Python signatures", position, "paste what is inside the fence")
    if line.startswith((">>>", "...")):
        fix = "remove the prompts, and what the shell answers"
        return source.error("a prompt of Python's shell among signatures", position, fix)
    if before := _BEFORE.match(line):
        fix = "paste the code without what stands before each of its lines: numbers, or the signs of a diff or a mail"
        return source.error(f"{quoted(before[1].strip())} stands before this signature", position, fix)
    if other := of_line(line):
        return source.error(f"this is {other[0]}, not a list of tools", position, other[1])
    if line[0] in "{[":
        fix = "paste one format at a time: JSON tools alone, or Python signatures alone"
        return source.error("JSON among Python signatures", position, fix)
    if re.match(r"(?:export |declare )?(?:interface|namespace|function|enum|type)\b.*[{(]", line):
        fix = "paste one format at a time: TypeScript declarations alone, or Python signatures alone"
        return source.error("TypeScript among Python signatures", position, fix)
    if line.startswith("class ") or line.startswith("import ") or line.startswith("from "):
        word = line.split()[0]
        return source.error(f"`{word}` isn't a signature", position, "remove this line; keep the functions only")
    written = re.match(r"((?:async[ \t]+)?def\b[ \t]*)?([^(:=]*?)[ \t]*\(", line)
    if written and not iskeyword(written[2].split(" ")[0]):
        at = position + written.start(2)
        if generic := _GENERIC.fullmatch(written[2]):
            fix = f"write `{generic[1]}(…)`, with a type in place of each of them"
            return source.error(f"the type parameters {quoted(generic[2])} aren't read", at + len(generic[1]), fix)
        name = re.sub(r"\W+", "_", written[2]).strip("_")
        proposed = f"_{name}" if name[:1].isdigit() else name
        if not name:
            return source.error("a signature without a name", at, "write it as `square(side: int)`")
        told = f"{quoted(written[2])} isn't an identifier"
        return source.error(told, at, f"write `{proposed}`", word=written[2], replacement=proposed)
    if re.match(r"(?:async[ \t]+)?def\b", line):
        fix = "write the parameters in parentheses, as in `def square(side: int)`"
        return source.error(f"{quoted(line)} has no parameter list", position, fix)
    return source.error(f"{quoted(line)} isn't a signature", position, "write it as `square(side: int)`")


def rest_of_line(text: str, position: int) -> str:
    """The text from a place to the end of its line, cut where it is long."""
    end = text.find("\n", position, position + 200)
    return text[position : end if end >= 0 else position + 200].rstrip()
