"""YAML texts as plain values: what JSON has of YAML 1.2, each value with its place, and errors where it stands.

a: [1, no]                  {"a": [1, "no"]}
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.located import List, Object
from tooldec.signatures.source import MAX_DEPTH, Source, quoted

MAX_ALIASED = 1_000_000
"""How many values a document may have once its aliases are written out."""

_CORE = (
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("float", r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", "-+."),
    ("merge", r"<<", "<"),
)
"""The words of YAML 1.2 that aren't texts: tag, how they are written, first characters. In YAML 1.1 (PyYAML's) `NO`
and `on` are booleans, `12:30` is 750, `010` is 8, and `2024-02-30` is no date."""


def yaml_value(source: Source) -> tuple[Any, Any]:
    """A YAML document as JSON has its values, and its node; raises SignatureError.

    >>> yaml_value(Source.of("a: [1, no]"))[0]
    {'a': [1, 'no']}
    """
    import yaml  # signatures and JSON are read without it

    try:
        value, root = _construct(source)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = min(mark.index, len(source.text)) if mark else 0  # libyaml ends a text with a line end of its own
        message = f"this isn't YAML: {error.problem or error.context or 'it cannot be read'}"
        raise source.error(message, at, "correct the line, or paste JSON") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        message = f"this isn't YAML: {str(error).splitlines()[0][:80]}"
        raise SignatureError(message, line=1, column=1, fix="correct it, or paste JSON") from None
    _check(value, source)
    return _plain(value, root), root


def _construct(source: Source) -> tuple[Any, Any]:
    """The value of a YAML text, of whose keys none stands twice, and its node."""
    import yaml

    try:
        _check_depth(source, _loader())
    except yaml.MarkedYAMLError as error:
        if "nesting" in (error.problem or ""):  # libyaml 0.2.6 refuses 1,000 levels, ahead of its events
            _check_depth(source, yaml.SafeLoader)
        raise
    loader = _loader()(source.text)
    try:
        root = loader.get_single_node()
        _keys(root)
        return root and loader.construct_document(root), root
    finally:
        loader.dispose()


def _check_depth(source: Source, loader: Any) -> None:
    """Raises SignatureError where collections nest too deep: libyaml composes by recursion in C, before 0.2.6 without
    a limit."""
    import yaml

    depth = 0
    for event in yaml.parse(source.text, Loader=loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise source.nested_too_deep(event.start_mark.index if event.start_mark else 0)


@cache
def _loader() -> Any:
    """PyYAML's safe loader with the words of YAML 1.2."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    def flatten_mapping(loader: Any, node: Any) -> None:
        """Merged keys (`<<`) in place, each once: those of mappings that merge each other twice would double."""
        base.flatten_mapping(loader, node)
        once = {key.value if isinstance(key, yaml.ScalarNode) else id(key): (key, value) for key, value in node.value}
        node.value = list(once.values())

    given = {"yaml_implicit_resolvers": {}, "flatten_mapping": flatten_mapping}
    loader: Any = type("_Loader", (base,), given)
    for tag, written, first in _CORE:
        starts = [*first, ""] if tag == "null" else list(first)
        loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(rf"(?:{written})\Z"), starts)
    for tag, read in (("int", _integer), ("float", _finite), ("timestamp", _text), ("binary", _text)):
        loader.add_constructor(f"tag:yaml.org,2002:{tag}", read)
    return loader


def keys_of(node: Any) -> dict[str, tuple[int, Any]]:
    """The keys of a mapping's node, each with its place and the node of its value; none where it is no mapping."""
    import yaml

    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return {key.value: (key.start_mark.index, value) for key, value in pairs if isinstance(key, yaml.ScalarNode)}


def _text(loader: Any, node: Any) -> str:
    return str(loader.construct_scalar(node))


def _integer(loader: Any, node: Any) -> int:
    written = _text(loader, node)
    return int(written, {"0o": 8, "0x": 16}.get(written[:2], 10))


def _finite(loader: Any, node: Any) -> float:
    """A number that JSON has; raises SignatureError with its place for `.nan`, `.inf` and `1e999`."""
    number = float(loader.construct_yaml_float(node))
    if not math.isfinite(number):
        line, column = node.start_mark.line + 1, node.start_mark.column + 1
        message = f"{quoted(str(node.value))} is no number that JSON has"
        raise SignatureError(message, line=line, column=column, fix="leave it out, or write a smaller number")
    return number


def _keys(root: Any) -> None:
    """Keys are texts, as they are written (`1.10:`); one that stands twice in a mapping is refused.

    Of a key that is merged (`<<`) the mapping's own value counts.

    Raises:
        SignatureError: at the second of them.
    """
    import yaml

    stack, seen = [root], set()
    while stack:
        node = stack.pop()
        if not isinstance(node, yaml.CollectionNode) or id(node) in seen:
            continue
        seen.add(id(node))
        if not isinstance(node, yaml.MappingNode):
            stack += node.value
            continue
        keys = set()
        for place, (key, value) in enumerate(node.value):
            stack.append(value)
            if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
                continue
            if key.value in keys:
                line, column = key.start_mark.line + 1, key.start_mark.column + 1
                message = f"the key {quoted(key.value)} stands twice in one mapping"
                raise SignatureError(message, line=line, column=column, fix="remove one of them")
            keys.add(key.value)
            text = yaml.ScalarNode("tag:yaml.org,2002:str", key.value, key.start_mark, key.end_mark)
            node.value[place] = text, value


def _check(value: Any, source: Source) -> None:
    """Aliases may make a small text endless, or far too large."""
    stack, count = [(value, 0)], 0
    while stack:
        part, depth = stack.pop()
        count += 1
        if depth > 4 * MAX_DEPTH or count > MAX_ALIASED:
            raise source.error("the aliases of this document make it too large", 0, "write the values out")
        if isinstance(part, dict | list):
            stack += [(inner, depth + 1) for inner in (part.values() if isinstance(part, dict) else part)]


def _plain(value: Any, node: Any) -> Any:
    """YAML's values as JSON has them, with their places; merged keys are among those of the node by now."""
    if isinstance(value, dict):
        found = Object()
        for (key, inner), (_, part) in zip(value.items(), node.value, strict=True):
            found.add(key, _plain(inner, part), part.start_mark.index)
        return found
    if isinstance(value, list) and not any(isinstance(inner, tuple) for inner in value):
        parts = zip(value, node.value, strict=True)
        return List([(_plain(inner, part), part.start_mark.index) for inner, part in parts])
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
