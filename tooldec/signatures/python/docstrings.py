"""Docstrings in Google, NumPy and Sphinx style → a tool's description and those of its parameters.

Area of a square.                 "Area of a square.", and the description of `side`

Args:                         →
    side: in metres
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping
from functools import lru_cache
from typing import Any

from tooldec.signatures.python.annotations import schema_of
from tooldec.signatures.python.literals import Unreadable
from tooldec.signatures.python.syntax import expression
from tooldec.signatures.schemas import KINDS, JSONSchema, choice

_SECTIONS = re.compile(
    r"^[ \t]*(?:(?:Args|Arguments|Parameters|Params|Attributes|Keyword Args|Keyword Arguments|Other Parameters)[ \t]*:?"
    r"[ \t]*$|:(?:param|parameter|arg|argument|key|keyword|attr|ivar)\b|@param\b)",
    re.MULTILINE,
)
_STYLES = {
    "GOOGLE": re.compile(r"^[ \t]*(?:[A-Z]\w+)(?: [A-Z]\w+)?:[ \t]*$", re.MULTILINE),
    "NUMPYDOC": re.compile(r"^[ \t]*-{3,}[ \t]*$", re.MULTILINE),
    "REST": re.compile(r"^[ \t]*:\w", re.MULTILINE),
    "EPYDOC": re.compile(r"^[ \t]*@\w", re.MULTILINE),
}
"""Style of `docstring_parser` → a line that no other style has; to try all four takes much longer."""
_CHOICES = re.compile(r"[ \t\n]*\(choices:[ \t]*(?P<values>\[[^\[\]]*\])[ \t]*\)[ \t\n]*\Z")
_OPTIONAL = re.compile(r"(?:,\s*optional)?,?\s*\b(?:optional|default\b.*)$", re.IGNORECASE)
_OR = re.compile(r"\s+or\s+(?=\w)")
_OF = re.compile(r"\b(list|set|tuple|sequence|iterable) of (\w+)\b", re.IGNORECASE)
"""Types in words: `str or None`, `list of str`."""


def described(
    docstring: str, properties: Mapping[str, JSONSchema], left_out: Container[str] = ()
) -> tuple[str, dict[str, JSONSchema]]:
    """The description without its parameter section, and the properties with their descriptions.

    A docstring whose parameters aren't the tool's stays as it is; what it says of those that are left out goes.

    >>> described("Area.\\n\\nArgs:\\n    side: in metres", {"side": {"type": "integer"}})
    ('Area.', {'side': {'type': 'integer', 'description': 'in metres'}})
    """
    if not _SECTIONS.search(docstring):
        return docstring, dict(properties)
    parsed = _parsed(docstring)
    if parsed is None:
        return docstring, dict(properties)
    words = {name: _flat(_without_choices(entry.description)) for entry in parsed.params for name in _names(entry)}
    words = {name: text for name, text in words.items() if name not in left_out}
    if not words.keys() & properties.keys():
        return docstring, dict(properties)
    found = {
        name: {**schema, "description": words[name]} if words.get(name) and "description" not in schema else schema
        for name, schema in properties.items()
    }
    unknown = [f"{name}: {text}" for name, text in words.items() if name not in properties and text]
    parts = [parsed.short_description, parsed.long_description, *unknown]
    if parsed.returns is not None and parsed.returns.description:
        parts.append(f"Returns: {_flat(parsed.returns.description)}")
    return "\n\n".join(part.strip() for part in parts if part and part.strip()), found


def types(docstring: str) -> dict[str, JSONSchema]:
    """The types that a docstring gives to parameters; one that can't be read is any.

    >>> types("Weather.\\n\\nArgs:\\n    city (str, optional): where\\n    by (Person): who")
    {'city': {'type': 'string'}, 'by': {}}
    """
    if not _SECTIONS.search(docstring):
        return {}
    parsed = _parsed(docstring)
    if parsed is None:
        return {}
    found: dict[str, Any] = {}
    for entry in parsed.params:
        if values := _choices(entry.description):
            found |= dict.fromkeys(_names(entry), choice(values))
            continue
        written = _OPTIONAL.sub("", entry.type_name or "").strip()
        if not written:
            continue
        try:
            schema = schema_of(expression(_OF.sub(r"\1[\2]", _OR.sub("|", written))))
        except (SyntaxError, ValueError, RecursionError, Unreadable):
            schema = {}
        found |= dict.fromkeys(_names(entry), schema)
    return found


def _choices(description: str | None) -> list[Any]:
    """The values that a description ends with, as transformers reads them: `the unit (choices: ["c", "f"])`."""
    found = _CHOICES.search(description or "")
    try:
        values = json.loads(found["values"]) if found else []
    except (ValueError, RecursionError):
        return []
    return values if all(type(value) in KINDS for value in values) else []


def _names(entry: Any) -> list[str]:
    """The parameters that one entry is about: `rate, method : float` is about two."""
    return [name.strip().lstrip("*") for name in entry.arg_name.split(",")]


def _without_choices(description: str | None) -> str | None:
    return _CHOICES.sub("", description or "") if _choices(description) else description


@lru_cache(maxsize=1)
def _parsed(docstring: str) -> Any:
    """The docstring's parts, or None where the parser can't make them out."""
    import docstring_parser  # only where a docstring has sections

    styles = [name for name, line in _STYLES.items() if line.search(docstring)]
    style = docstring_parser.DocstringStyle[styles[0] if len(styles) == 1 else "AUTO"]
    try:
        return docstring_parser.parse(docstring, style)
    except Exception:  # it raises what it likes on broken sections: the text is kept as it is
        return None


def _flat(text: str | None) -> str:
    return " ".join((text or "").split())
