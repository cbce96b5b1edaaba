"""Checks 40x and 50x on descriptions: what only they say, and where there are none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tooldec.lint.finding import Check, Hit, Inventory, Part, tool_with
from tooldec.lint.places import Replacement

LONGEST = 20
"""Numbers of more characters are no bounds that somebody states."""
_NUMBER = r"-?\d[\d,]*(?:\.\d+)?"
_REMARK = r"(?:\s*\([^()]{1,40}\))?"  # "from 1 (low) to 5 (high)"
_UNITS = (
    r"(?!\s*(?:%|decimal|places|digits?\b|words?\b|px|pixels|days?\b|hours?\b|minutes?\b|times\b|years?\b|months?\b"
    r"|(?:less|more|fewer|greater|smaller|lower|higher) than\b))"
)
_LAST = r"(?!\s*(?:,|\||or\b|and\b)\s*-?\d)"  # of a list of choices, the first two are no range
_RANGE = re.compile(
    rf"(?:\bbetween|\b(?:in the )?range(?:s|d)?(?: is| of| from)?:?|\bfrom|\bvalues?:?)\s*[\[(]?(?P<low>{_NUMBER})"
    rf"{_REMARK}(?:\s*(?:and|to|-|–|\.\.\.?|~)\s*|,\s*)(?P<high>{_NUMBER})\b{_LAST}|[\[(](?P<low2>{_NUMBER})\s*(?:-|–|to|\.\.)\s*(?P<high2>{_NUMBER})[\])]",
    re.IGNORECASE,
)
_LOW = re.compile(
    r"(?:\bmin(?:imum|\.)?(?: value| allowed| length)?(?: is| of|:|=)?|\bat least|\bno less than|>=|≥)"
    rf"\s*(?P<low>{_NUMBER})\b",
    re.IGNORECASE,
)
_HIGH = re.compile(
    rf"(?:\bmax(?:imum|\.)?(?: value| allowed| length| limit)?(?: is| of|:|=)?|\bat most|\bup to|\bno more than|<=|≤"
    rf"|\b(?:cannot|can't|must not|may not) exceed)\s*(?P<high>{_NUMBER})\b",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"\s*(?:characters?|chars?|letters|symbols)\b", re.IGNORECASE)
_OTHER_UNIT = re.compile(_UNITS)
_CHOICE = re.compile(
    r"(?:\bone of(?: the following)?(?: values)?|\b(?:possible|allowed|valid|accepted|available|supported) "
    r"(?:values|options|choices)(?: are| include)?|\boptions(?: are)?|\bchoices"
    r"|\b(?:must|can) be(?: either| one of(?: the following)?(?: values)?)?|\beither)\s*:?\s*(?P<list>[^.;\n]{3,400})",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"\botherwise\b|\bunless\b|\bunlimited\b|\busually\b|\btypically\b|\bnormally\b|\bor (?:later|more|higher|older)\b",
    re.IGNORECASE,
)
"""Words of a description whose bounds aren't all that there is to say."""

_EXAMPLES = re.compile(
    r"\betc\b|\be\.?g\b|such as|for example|\.\.\.|…|\band (?:more|others)\b|\bany other\b|\bor other\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"\bcomma[- ]separated\b|\blist of\b", re.IGNORECASE)
_DEFAULT = re.compile(r"\s*\((?:the )?default[^()]{0,40}\)", re.IGNORECASE)
_QUOTED = re.compile(r"""(?<!\w)(["'`‘“])([\w .+/-]{1,30})["'`’”](?!\w)""")
_BETWEEN = re.compile(r", (?:or |and )|,|\|| or ")
_ITEM = re.compile(r"[\w.+/-]{1,30}")
_BOUNDED = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "const")


def bounds(description: str, kind: str) -> dict[str, Any]:
    """The bounds that a description states, as keywords of JSON Schema.

    >>> bounds("How many. Minimum: 1. Maximum: 50.", "integer")
    {'minimum': 1, 'maximum': 50}
    """
    found: dict[str, Any] = {}
    for pattern in (_RANGE, _LOW, _HIGH) if _EXCEPT.search(description) is None else ():
        match = pattern.search(description)
        if match is None or _half_open(description, match):
            continue
        letters = _LETTERS.match(description, match.end()) is not None
        if letters != (kind == "string") or _OTHER_UNIT.match(description, match.end()) is None:
            continue
        for group, text in match.groupdict().items():
            if text and len(text) <= LONGEST:
                side = "min" if group.startswith("low") else "max"
                keyword = {"min": "minLength", "max": "maxLength"} if letters else {"min": "minimum", "max": "maximum"}
                found.setdefault(keyword[side], _value(text))
    low, high = (
        found.get(key, found.get(other)) for key, other in (("minimum", "minLength"), ("maximum", "maxLength"))
    )
    return {} if low is not None and high is not None and low >= high else found


def _half_open(description: str, match: re.Match[str]) -> bool:
    """Whether a range leaves out one of its ends: `[1, 5)`."""
    written = description[match.start() : match.end() + 1]
    return ("[" in written and written.endswith(")")) or ("(" in written and written.endswith("]"))


def choices(description: str) -> list[str]:
    """The values of a choice that a description states.

    >>> choices("The unit, one of: c, f or k"), choices("Can be 'asc' or 'desc'.")
    (['c', 'f', 'k'], ['asc', 'desc'])
    """
    match = _CHOICE.search(description)
    if match is None:
        return []
    words = match["list"]
    if words.count("`") % 2 or words.count('"') % 2:
        return []  # the description is cut off inside of the list
    if _EXAMPLES.search(words + description[match.end() : match.end() + 5]) or _SEVERAL.search(description):
        return []  # not the whole choice, or not one of it
    quoted = [found[2] for found in _QUOTED.finditer(words)]
    if len(quoted) >= 2:
        return list(dict.fromkeys(quoted))
    if ":" in match[0] or "one of" in match[0].lower():
        listed = [item.strip() for item in _BETWEEN.split(" ".join(_DEFAULT.sub("", words).split()))]
        if len(listed) > 1 and all(map(_ITEM.fullmatch, listed)):
            return list(dict.fromkeys(listed))
    return []


def _value(text: str) -> int | float:
    plain = text.replace(",", "")
    return float(plain) if "." in plain else int(plain)


def _stated_bounds(inventory: Inventory) -> Iterator[Hit]:
    for part in inventory.parts:
        kind, words = part.schema.get("type"), part.schema.get("description")
        if kind not in ("integer", "number", "string") or not isinstance(words, str):
            continue
        have = ("minLength", "maxLength", "enum", "const", "pattern", "format") if kind == "string" else _BOUNDED
        if any(key in part.schema for key in have):
            continue
        stated = bounds(words, str(kind))
        if stated:
            written = ", ".join(f'"{key}": {value}' for key, value in stated.items())
            yield part.hit(
                f"{part.name}: only the description says {_in_words(stated)}",
                f"write it as `{written}`, and the machine sees to it",
                _enforced(inventory, part, written, _field(stated)),
            )


def _stated_choices(inventory: Inventory) -> Iterator[Hit]:
    for part in inventory.parts:
        words = part.schema.get("description")
        if part.schema.get("type") != "string" or not isinstance(words, str):
            continue
        if any(key in part.schema for key in ("enum", "const", "pattern", "format")):
            continue
        values = choices(words)
        if len(values) >= 2:
            listed = ", ".join(f'"{value}"' for value in values)
            yield part.hit(
                f"{part.name}: only the description says that it is one of {listed[:120]}",
                f'write it as `"enum": [{listed}]`, and the machine sees to it',
                _enforced(inventory, part, f'"enum": [{listed}]', f"Literal[{listed}]"),
            )


def _in_words(stated: Mapping[str, Any]) -> str:
    low, high = (stated.get(a, stated.get(b)) for a, b in (("minimum", "minLength"), ("maximum", "maxLength")))
    unit = " characters" if "minLength" in stated or "maxLength" in stated else ""
    if low is not None and high is not None:
        return f"that it lies between {low} and {high}{unit}"
    return f"that it is at least {low}{unit}" if low is not None else f"that it is at most {high}{unit}"


def _field(stated: Mapping[str, Any]) -> str:
    names = {"minimum": "ge", "maximum": "le", "minLength": "min_length", "maxLength": "max_length"}
    return f"Field({', '.join(f'{names[key]}={value}' for key, value in stated.items())})"


def _enforced(inventory: Inventory, part: Part, keywords: str, python: str) -> Replacement | None:
    """The change that puts a bound into the schema of a parameter, in JSON or in a Python signature."""
    places = inventory.places
    at = places.value(part.tool, part.pointer)
    if at is not None:
        return places.replaced(at + 1, at + 1, f"{keywords}, ")
    if inventory.format == "python" and part.parameter and len(part.pointer) == 2:
        name = re.escape(part.parameter)
        found = places.find(part.tool, rf"(?<=[(,\s*]){name}\s*:\s*(?P<type>int|float|str)(?=\s*[,)=])")
        if found:
            text = python if python.startswith("Literal") else f"Annotated[{found['type']}, {python}]"
            return places.replaced(found.start("type"), found.end("type"), text)
    return None


def _no_description(inventory: Inventory) -> Iterator[Hit]:
    for tool in inventory.tools:
        if not tool.description.strip():
            fix = "say in a sentence what it does: as a docstring, a comment, or `description`"
            yield Hit(f"`{tool.name}` has no description: harmless when guided, but a weaker choice of tool", fix, tool)


def _no_parameter_descriptions(inventory: Inventory) -> Iterator[Hit]:
    """For tools that are documented, and still leave parameters out."""
    for tool in inventory.tools:
        bare = [p.name for p in tool.arguments if not p.schema.get("description") and not p.schema.get("title")]
        if bare and tool.description.strip():
            more = f" and {len(bare) - 1} more have" if len(bare) > 1 else " has"
            yield Hit(
                f"`{tool.name}.{bare[0]}`{more} no description", "say what it is, and in which unit", tool, bare[0]
            )


CHECKS = (
    Check(
        "W401",
        "warning",
        "A bound that only the description states",
        "The model may forget it; the machine never does, once the schema says it.",
        tool_with('{"type": "integer", "description": "How many, between 1 and 50"}'),
        tool_with('{"type": "integer", "minimum": 1, "maximum": 50, "description": "How many, between 1 and 50"}'),
        _stated_bounds,
    ),
    Check(
        "W402",
        "warning",
        "A choice that only the description states",
        "As an enum the machine admits these values and no others.",
        tool_with('{"type": "string", "description": "The unit, one of: c, f"}'),
        tool_with('{"type": "string", "enum": ["c", "f"], "description": "The unit, one of: c, f"}'),
        _stated_choices,
    ),
    Check(
        "H502",
        "hint",
        "A tool without description",
        "The machine doesn't need it, but the model chooses better with it.",
        "def add(a: int, b: int)",
        "def add(a: int, b: int)  # the sum of both",
        _no_description,
    ),
    Check(
        "H503",
        "hint",
        "Parameters without description",
        "The tool is described and the parameter isn't: the model guesses its meaning from the name.",
        '[{"name": "f", "description": "F.", "parameters": {"properties": {"a": {"type": "string"}}}}]',
        tool_with('{"type": "string", "description": "the city"}'),
        _no_parameter_descriptions,
    ),
)
