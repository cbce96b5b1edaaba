"""Checks 30x and 31x on values that a schema names: defaults, examples, enums."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from itertools import pairwise
from typing import Any

from tooldec.arguments import DUMPS, argument
from tooldec.arguments.judging import validator
from tooldec.automaton import DFA
from tooldec.errors import SchemaError
from tooldec.lint.finding import Check, Hit, Inventory, Part, tool_with
from tooldec.lint.names import alike
from tooldec.lint.places import Replacement
from tooldec.tools import type_name

_SIMPLE: Mapping[str, tuple[type, ...]] = {
    **{"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)},
    **{"array": (list,), "object": (dict,), "null": (type(None),)},
}
_TYPES = frozenset(("type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "nullable"))
_WORDS = frozenset(("type", "description", "title", "default", "example", "examples", "format", "x-in", "x-name"))


def fits(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    """Whether a value satisfies a schema; formats aren't looked at, and a schema that is no schema admits all.

    >>> fits(5, {"type": "integer"}, {}), fits("5", {"type": "integer"}, {})
    (True, False)
    """
    kind = schema.get("type")
    if schema.keys() <= _WORDS and isinstance(kind, str) and kind in _SIMPLE:
        whole = kind == "integer" and isinstance(value, float) and value.is_integer()
        return whole or (isinstance(value, _SIMPLE[kind]) and isinstance(value, bool) == (kind == "boolean"))
    document = root if '"$ref"' in json.dumps(schema, default=str) else None  # long ones are looked at once only
    try:
        return bool(validator(schema, document).evolve(format_checker=None).is_valid(value))
    except Exception:  # a reference that leads nowhere, a pattern that is none: other checks speak of them
        return True


def _defaults(inventory: Inventory) -> Iterator[Hit]:
    for part in inventory.constrained:
        default, listed = part.schema.get("default"), part.schema.get("enum")
        if default is None or (isinstance(listed, list) and default in listed):  # W314 and E320 speak of enums
            continue
        wrong = _misfit(default, part)
        if wrong:
            message = f"the default {_shown(default)} of {part.name} isn't {wrong}"
            meant = _meant(default, listed)
            fix = (
                f"did you mean {_shown(meant)}?" if meant else "give a default that the schema admits, or leave it out"
            )
            yield part.hit(message, fix, _instead(inventory, part, str(default), meant) if meant else None)


def _meant(value: Any, values: Any) -> str | None:
    """The one value of an enum that a text may stand for: its beginning, or but for case or a slip of the pen."""
    if not isinstance(value, str) or not value or not isinstance(values, list):
        return None
    texts = {one.lower(): one for one in values if isinstance(one, str)}
    begun = [text for text in texts if text.startswith(value.lower())]
    close = begun if len(begun) == 1 else get_close_matches(value.lower(), texts, n=1, cutoff=0.75)
    return texts[close[0]] if close else None


def _instead(inventory: Inventory, part: Part, default: str, meant: str) -> Replacement | None:
    """The change of a default in the text, at its own place or behind its parameter's name."""
    places, name = inventory.places, str(part.pointer[-1])
    at = places.value(part.tool, (*part.pointer, "default"))
    if at is not None:
        return places.renamed(at, default, meant)
    word = re.escape(default)
    written = rf"""(?:["']?\bdefault["']?\s*:|=)\s*(?:(["']){word}\1|{word}(?=\s*(?:[,}}]|\n|\Z)))"""
    found = places.find(part.tool, rf"""(?s)(?<!\w){re.escape(name)}\b["']?\s*:.*?{written}""")
    if found is None:
        return None
    last = found.end() - len(found[1] or "")
    return places.replaced(last - len(default), last, meant)


def _examples(inventory: Inventory) -> Iterator[Hit]:
    for part in inventory.constrained:
        examples = part.schema.get("examples", ())
        examples = list(examples) if isinstance(examples, list) else []
        if part.schema.get("example") not in (None, ""):
            examples.append(part.schema["example"])
        wrong = next(((value, reason) for value in examples if (reason := _misfit(value, part))), None)
        if wrong is not None:
            yield part.hit(
                f"the example {_shown(wrong[0])} of {part.name} isn't {wrong[1]}",
                "give an example that the schema admits, or change the type",
            )


def _enum_check(look: Callable[[list[Any]], tuple[str, str] | None]) -> Callable[[Inventory], Iterator[Hit]]:
    def find(inventory: Inventory) -> Iterator[Hit]:
        for part in inventory.constrained:
            values = part.schema.get("enum")
            found = look(values) if isinstance(values, list) else None
            if found is not None:
                yield part.hit(f"{part.name}: {found[0]}", found[1])

    return find


def _doubled(values: list[Any]) -> tuple[str, str] | None:
    counts = Counter(json.dumps(value, sort_keys=True, ensure_ascii=False) for value in values)
    doubled = [value for value, count in counts.items() if count > 1]
    return (f"the value {doubled[0][:60]} stands twice", "name each value once") if doubled else None


def _begun(values: list[Any]) -> tuple[str, str] | None:
    texts = sorted({value for value in values if isinstance(value, str) and value})
    for one, other in pairwise(texts):
        if other.startswith(one):
            fix = "fine: the closing quote decides; use words that part early where the model takes the wrong one"
            return f"the value {_shown(one)} begins {_shown(other)}", fix
    return None


def _near(values: list[Any]) -> tuple[str, str] | None:
    first: dict[str, str] = {}
    for value in dict.fromkeys(value for value in values if isinstance(value, str) and value):
        key = alike(value)
        if key and key in first and len(value) > 2:  # symbols of one or two letters are told apart by case
            message = f"{_shown(first[key])} and {_shown(value)} differ only by case, separator or plural"
            return message, "keep one of them, or say how they differ"
        first.setdefault(key, value)
    return None


def _refused(inventory: Inventory) -> Iterator[Hit]:
    for part in inventory.constrained:
        values = part.schema.get("enum")
        values = values if isinstance(values, list) else []
        others = {key: value for key, value in part.schema.items() if key != "enum"}
        wrong = [value for value in values if not fits(value, others, part.tool.parameters)]
        if wrong and len(wrong) < len(values):  # E320 speaks of an enum that admits nothing
            kind = part.schema.get("type")
            typed = kind is None or fits(wrong[0], {"type": kind}, {})
            quoted = kind == "string" and isinstance(wrong[0], int | float)
            yield part.hit(
                f"{part.name}: {_shown(wrong[0])} of its `enum` can't be written: "
                + ("other keywords refuse it" if typed else f"it isn't of the type {kind}"),
                "write it in quotes, so that it is text" if quoted else "leave the value out, or admit it",
            )


def _misfit(value: Any, part: Part) -> str:
    """What a value isn't, of what its own schema asks for; nothing where it is all of that."""
    schema, root = part.schema, part.tool.parameters
    if not fits(value, schema, root):
        others = (key for key in schema if key not in _TYPES)
        keyword = next((key for key in others if not fits(value, {key: schema[key]}, root)), None)
        if keyword is None and "$ref" in schema:
            return f"what `{schema['$ref']}` admits"
        return f"what its own `{keyword}` admits" if keyword else f"of its own type, {type_name(schema)[:60]}"
    form = schema.get("format")
    if isinstance(value, str) and isinstance(form, str) and not _is_written(value, form):
        return f"of its own format, {form}"
    return ""


@lru_cache(maxsize=256)
def _is_written(value: str, form: str) -> bool:
    """Whether the machine lets a text of this format be written; formats that it doesn't know say nothing."""
    try:
        dfa = DFA(argument({"type": "string", "format": form}, DUMPS, "$", {}))
    except SchemaError:
        return True
    end = dfa.read(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return end is not None and dfa.is_accepting(end)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return f"`{text if len(text) <= 60 else text[:60] + '…'}`"


CHECKS = (
    Check(
        "W301",
        "warning",
        "A default outside of its own type",
        "The model is told a value that the machine would never let it write.",
        'def f(unit: Literal["c", "f"] = "k")',
        'def f(unit: Literal["c", "f"] = "c")',
        _defaults,
    ),
    Check(
        "W302",
        "warning",
        "An example outside of its own type",
        "The model imitates examples, and the machine blocks what it imitates.",
        tool_with('{"type": "integer", "example": "five"}'),
        tool_with('{"type": "integer", "example": 5}'),
        _examples,
    ),
    Check(
        "W311",
        "warning",
        "An enum value that stands twice",
        "It adds nothing; mostly another value was meant.",
        tool_with('{"enum": ["c", "f", "c"]}'),
        tool_with('{"enum": ["c", "f", "k"]}'),
        _enum_check(_doubled),
    ),
    Check(
        "H312",
        "hint",
        "An enum value that begins another one",
        "After the shorter one the model still has to decide between the quote and the rest.",
        tool_with('{"enum": ["day", "daytime"]}'),
        tool_with('{"enum": ["day", "night"]}'),
        _enum_check(_begun),
    ),
    Check(
        "W313",
        "warning",
        "Enum values that differ only by case, separator or plural",
        "The model can't know which spelling the program behind the tool wants.",
        tool_with('{"enum": ["USD", "usd"]}'),
        tool_with('{"enum": ["USD", "EUR"]}'),
        _enum_check(_near),
    ),
    Check(
        "W314",
        "warning",
        "An enum value that its own type refuses",
        "The machine never lets it be written, because both keywords count; 1.10 without quotes is a number in YAML.",
        tool_with('{"type": "string", "enum": [1.1, "latest"]}'),
        tool_with('{"type": "string", "enum": ["1.1", "latest"]}'),
        _refused,
    ),
)
