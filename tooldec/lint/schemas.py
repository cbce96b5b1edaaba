"""Checks 32x and 43x on schemas: what no value satisfies, what the machine can't enforce, what says too little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tooldec.arguments import DUMPS, POSITIONAL, Writing, argument
from tooldec.arguments.facts import kind_of
from tooldec.errors import SchemaError, ToolDecError
from tooldec.lint.finding import PLAIN, Check, Hit, Inventory, Part, tool_with
from tooldec.lint.places import Replacement
from tooldec.lint.unions import overlapping
from tooldec.lint.values import fits
from tooldec.schemes.calls import positional
from tooldec.tools import Tool

_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
_OF_TOOLS = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "title",
    "description",
    "$defs",
    "x-name",
    "$schema",
}
_CHANGE = "change the keywords, so that they admit a value"
_TELLS = frozenset(("anyOf", "oneOf", "allOf", "enum", "const", "$ref"))
_SAYS = _TELLS | {"type", "properties", "items", "format", "pattern"}


def empty(schema: object, root: Mapping[str, Any]) -> str:
    """Why no value satisfies a schema, as far as its own keywords tell; nothing where one may.

    >>> empty({"type": "integer", "minimum": 3, "maximum": 1}, {})
    '`minimum` 3 is above `maximum` 1'
    """
    if schema is False:
        return "the schema is `false`"
    if not isinstance(schema, Mapping):
        return ""
    for low, high in _BOUNDS:
        least: Any = schema.get(low)
        most: Any = schema.get(high)
        if _is_number(least) and _is_number(most) and least > most:
            return f"`{low}` {least} is above `{high}` {most}"
    least, most = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum", schema.get("maximum"))
    if _is_number(least) and _is_number(most) and least >= most:
        return f"nothing lies above {least} and below {most}"
    values = schema.get("enum")
    if isinstance(values, list) and not values:
        return "`enum` is empty"
    others = {key: value for key, value in schema.items() if key != "enum"}
    if isinstance(values, list) and not any(fits(value, others, root) for value in values):
        kind = schema.get("type")
        typed = kind is None or any(fits(value, {"type": kind}, root) for value in values)
        return "other keywords refuse every value of `enum`" if typed else f"no value of `enum` is of the type {kind}"
    missing = set(schema.get("required") or ()) - (schema.get("properties") or {}).keys()
    if missing and schema.get("additionalProperties") is False and "patternProperties" not in schema:
        return f"`required` asks for `{min(missing)}`, and only what `properties` declares is admitted"
    if "const" in schema and not fits(schema["const"], schema, root):
        return "`const` isn't of the type beside it"
    for keyword in ("anyOf", "oneOf"):
        options = schema.get(keyword)
        if isinstance(options, list) and options and all(empty(option, root) for option in options):
            return f"no option of `{keyword}` admits a value: {empty(options[0], root)}"
    return ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unsatisfiable(inventory: Inventory) -> Iterator[Hit]:
    told: set[tuple[str, str | None]] = set()
    for part in inventory.constrained:
        reason = "" if part.aside else empty(part.schema, part.tool.parameters)
        if reason:
            told.add((part.tool.name, part.parameter))
            left_out = "; no call is possible" if part.required else ""
            fix, replacement = _retyped(inventory, part)
            yield part.hit(f"{part.name} admits no value: {reason}{left_out}", fix, replacement)
    for hit in inventory.kept("refusals", lambda: tuple(_refusals(inventory))):
        if hit.empty and hit.tool is not None and (hit.tool.name, hit.parameter) not in told:
            yield Hit(hit.message, hit.fix, hit.tool, hit.parameter)


def _retyped(inventory: Inventory, part: Part) -> tuple[str, Replacement | None]:
    """What would work where no value of an `enum` is of the type beside it; with the change, if that is one word."""
    kind, values = part.schema.get("type"), part.schema.get("enum")
    if not isinstance(values, list) or not values or not isinstance(kind, str):
        return _CHANGE, None
    found = {"number" if (one := kind_of(value)) == "fraction" else one for value in values}
    if kind in found or (kind == "number" and "integer" in found):  # it's another keyword that refuses them
        return _CHANGE, None
    meant = found.pop() if len(found) == 1 else "number" if found == {"integer", "number"} else "null"
    if meant == "null":
        return f"leave `type` out, or list values of the type {kind}", None
    if kind == "array":
        return f'write the `enum` into its `items`: `"items": {{"type": "{meant}", "enum": […]}}`', None
    at = inventory.places.value(part.tool, (*part.pointer, "type"))
    change = None if at is None else inventory.places.renamed(at, f'"{kind}"', f'"{meant}"')
    return f'the values are of the type {meant}: write `"type": "{meant}"`, or list values of the type {kind}', change


def _unenforced(inventory: Inventory) -> Iterator[Hit]:
    bare = {(part.tool.name, part.parameter) for part in inventory.constrained if part.schema.get("enum") == []}
    for hit in inventory.kept("refusals", lambda: tuple(_refusals(inventory))):
        told = hit.tool is not None and (hit.tool.name, hit.parameter) in bare and "`enum`" in hit.message
        if not hit.empty and not told:
            yield hit


def _refusals(inventory: Inventory) -> Iterator[Hit]:
    """One refusal for each parameter, as the machine itself tells it."""
    for tool in inventory.tools:
        for parameter in tool.arguments:
            schema: object = parameter.schema.get("items", True) if parameter.variadic else parameter.schema
            hit = _refusal(inventory, tool, parameter.name, schema, f"$.{parameter.name}", POSITIONAL)
            if hit is not None:
                yield hit
        if not tool.parameters.keys() <= _OF_TOOLS:
            hit = _refusal(inventory, tool, None, tool.parameters, "$", DUMPS)
            names = tuple(f"`{parameter.name}{end}" for parameter in tool.arguments for end in ("`", ".", "["))
            if hit is not None and not hit.message.startswith(names):  # those were asked above
                yield hit


def _refusal(
    inventory: Inventory, tool: Tool, parameter: str | None, schema: object, path: str, writing: Writing
) -> Hit | None:
    try:
        argument(schema, writing, path, tool.parameters)
    except SchemaError as error:
        keyword = f"`{error.keyword}`: " if error.keyword else ""
        message = f"`{error.path}`: {keyword}{error.message}".replace("`$.", "`", 1)
        fix = _CHANGE if error.empty else error.fix or "leave it out or say it in the description"
        part = inventory.part(tool, error.path)
        return Hit(message, fix, tool, parameter, part.pointer if part else (), empty=error.empty)
    except (ToolDecError, RecursionError, OverflowError) as refused:
        reason = str(refused) or "it nests without end"
        return Hit(f"`{parameter or tool.name}`: {reason}", "make the schema smaller", tool, parameter)
    return None


def _as_object_only(inventory: Inventory) -> Iterator[Hit]:
    refused = {hit.tool.name for hit in inventory.kept("refusals", lambda: tuple(_refusals(inventory))) if hit.tool}
    for tool in inventory.tools:
        followed = any(parameter.variadic for parameter in tool.arguments[:-1])
        if tool.name in refused or (tool.parameters.keys() <= _OF_TOOLS and not followed):
            continue
        try:
            positional(tool, POSITIONAL)
        except SchemaError as error:
            keyword = f"`{error.keyword}`: " if error.keyword else ""
            message = error.message.removeprefix(f"in `{tool.name}`: ")
            told = f"`{tool.name}` is left out where arguments go by position: {keyword}{message}"
            yield Hit(told, error.fix or "use `json_tags` or `react`", tool)


def is_free_form(part: Part) -> str:
    """Whether a schema admits values of any shape, and in which way; nothing where it doesn't."""
    schema, kind = part.schema, part.schema.get("type")
    if part.aside or (part.option and not schema.keys() <= PLAIN):  # it may only ask for more than what is around it
        return ""
    told = not _TELLS.isdisjoint(schema)
    if kind == "object":
        others = schema.get("additionalProperties", True)
        return "is an object of any shape" if others is True and not told and not schema.get("properties") else ""
    if kind == "array" and not told and "items" not in schema and "prefixItems" not in schema:
        return "is a list of values of any type"
    return "" if not _SAYS.isdisjoint(schema) else "has no type: any JSON value will do"


def _free_form(inventory: Inventory) -> Iterator[Hit]:
    for part in inventory.parts:
        what = is_free_form(part)
        if what:
            fix = "declare its properties, or the type of its values" if "type:" not in what else "give it a type"
            yield part.hit(f"{part.name} {what}", fix)


def _endless(inventory: Inventory) -> Iterator[Hit]:
    for tool in inventory.tools:
        for parameter in tool.arguments:
            if parameter.variadic and "maxItems" not in parameter.schema:
                yield Hit(
                    f"`*{parameter.name}` has no upper bound: a run can end by the token limit, inside the call",
                    'give it `"maxItems"` in JSON, or take a list with a known length',
                    tool,
                    parameter.name,
                )


def _tool_asking(more: str) -> str:
    return tool_with('{"type": "string"}').replace('"parameters": {', f'"parameters": {{{more}, ')


CHECKS = (
    Check(
        "E320",
        "error",
        "A schema that no value satisfies",
        "The machine has a state that nothing leaves: the tool can't be called.",
        tool_with('{"type": "integer", "minimum": 5, "maximum": 1}'),
        tool_with('{"type": "integer", "minimum": 1, "maximum": 5}'),
        _unsatisfiable,
        refuses=True,
    ),
    Check(
        "E321",
        "error",
        "A keyword that isn't enforced",
        "Every keyword is enforced or refused, never ignored in silence; a tool that is refused isn't in the machine.",
        tool_with('{"type": "integer", "divisibleBy": 5}'),
        tool_with('{"type": "integer", "multipleOf": 5}'),
        _unenforced,
        refuses=True,
    ),
    Check(
        "W322",
        "warning",
        "Options of a union that can't be told apart",
        "The same text is a value of both: neither the model nor the program behind the tool knows which is meant.",
        tool_with('{"anyOf": [{"type": "string"}, {"type": "string", "format": "date"}]}'),
        tool_with('{"anyOf": [{"type": "integer"}, {"type": "string", "format": "date"}]}'),
        overlapping,
    ),
    Check(
        "W326",
        "warning",
        "Arguments that only an object can keep",
        "`<T>name(values)` has a place for each argument and none for what they have to be together.",
        _tool_asking('"minProperties": 1, "maxProperties": 1'),
        _tool_asking('"required": ["a"]'),
        _as_object_only,
    ),
    Check(
        "H323",
        "hint",
        "A free-form value",
        "The machine can only see to it that it is JSON; the keys are left to the model.",
        tool_with('{"type": "object"}'),
        tool_with('{"type": "object", "properties": {"b": {"type": "string"}}}'),
        _free_form,
    ),
    Check(
        "H430",
        "hint",
        "Any number of arguments",
        "Nothing but the model ends the list.",
        "def lcm(*numbers: int)",
        "def lcm(a: int, b: int)",
        _endless,
    ),
)
