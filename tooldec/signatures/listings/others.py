"""Documents that people take for lists of tools: what each one is, and what of it would work.

{"mcpServers": {"fs": {…}}}    a configuration of MCP servers: paste what a server answers to `tools/list`
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_WRITE = "write the calls that you need as JSON tools, or as signatures"

KINDS: Mapping[str, tuple[str, str]] = {
    "asyncapi": ("an AsyncAPI document", _WRITE),
    "openrpc": ("an OpenRPC document", "paste the list under its `methods`, with what their references lead to"),
    "arazzo": ("a workflow of Arazzo", "paste the OpenAPI document that it is made of"),
    "mcpServers": ("a configuration of MCP servers", "paste what a server answers to `tools/list`"),
    "name_for_model": ("the manifest of a plugin", "paste the OpenAPI document that its `api` leads to"),
    "shapes": ("a service model of botocore", _WRITE),
    "item": ("a collection of Postman", f"convert it to OpenAPI 3, for example with postman-to-openapi, or {_WRITE}"),
    "__schema": ("a schema of GraphQL", _WRITE),
}
"""A key that such a document has at its top → what it is, and what would work."""

_BESIDE = {"shapes": "operations", "item": "info"}
"""Keys that others use, too, and what has to stand beside them."""

_YAML = re.compile(r"(asyncapi|openrpc|arazzo|name_for_model)[ \t]*:")
_OTHER = (
    (re.compile(r"<\?xml|<(?:\w+:)?definitions\b"), "an XML document"),
    (re.compile(r"syntax[ \t]*=[ \t]*[\"']proto\d"), "a service of Protocol Buffers"),
    (
        re.compile(r"(?:type|input|extend[ \t]+type)[ \t]+\w+[^={(;]*\{\Z|schema[ \t]*\{|directive[ \t]+@"),
        KINDS["__schema"][0],
    ),
)


def of_keys(keys: Collection[str]) -> tuple[str, str] | None:
    """What a document with these keys is, and what would work; None where it may be anything.

    >>> of_keys({"info", "item"})[0], of_keys({"name", "item"})
    ('a collection of Postman', None)
    """
    return next((KINDS[key] for key in KINDS if key in keys and _BESIDE.get(key, key) in keys), None)


def of_line(line: str) -> tuple[str, str] | None:
    """The same by a line of a document that isn't JSON.

    >>> of_line('syntax = "proto3";')[0], of_line("square(side: int)")
    ('a service of Protocol Buffers', None)
    """
    if found := _YAML.match(line):
        return KINDS[found[1]]
    return next(((what, _WRITE) for pattern, what in _OTHER if pattern.match(line)), None)
