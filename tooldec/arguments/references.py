"""References inside of a document: `$ref` to a place, an `$id` or an `$anchor`; nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from tooldec.errors import SchemaError
from tooldec.tools import SCHEMA_MAPS

_DATA = frozenset({"enum", "const", "default", "examples", "example"})
"""Keywords whose values are no schemas."""

_DEFINITIONS = frozenset({"$defs", "definitions"})


class References:
    """The schemas of a document by their addresses."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self._base: dict[int, str] = {}  # id of a schema with `$ref` -> the address that it is relative to
        self._by_address: dict[str, Any] = {"": root}
        self._referring: list[Mapping[str, Any]] = []
        self._targets: dict[int, Mapping[str, Any]] = {}  # what references point to, by id
        self._recursive: frozenset[int] = frozenset()  # those of them that contain themselves
        self._walk(root, "", set())

    def _walk(self, schema: Any, base: str, seen: set[int]) -> None:
        if id(schema) in seen or not isinstance(schema, Mapping | list):
            return
        seen.add(id(schema))
        if isinstance(schema, list):
            for item in schema:
                self._walk(item, base, seen)
            return
        for keyword in ("$id", "id"):
            address = schema.get(keyword)
            if isinstance(address, str):
                base = urljoin(base, address)
                self._by_address.setdefault(base.rstrip("#"), schema)
        if isinstance(schema.get("$anchor"), str):
            self._by_address.setdefault(f"{urldefrag(base).url}#{schema['$anchor']}", schema)
        if isinstance(schema.get("$ref"), str):
            self._base[id(schema)] = base
            self._referring.append(schema)
        for inner in _inner(schema):
            self._walk(inner, base, seen)

    @cached_property
    def recursive(self) -> bool:
        """Whether some schema of the document contains itself."""
        return any(self._leads_back(found) for found in self._found())

    def target(self, schema: Mapping[str, Any], path: str) -> tuple[Any, bool]:
        """What a schema's `$ref` points to, and whether it leads back to itself."""
        reference = schema["$ref"]
        if not isinstance(reference, str):
            raise SchemaError("`$ref` is a text", path=path, keyword="$ref")
        base = self._base.get(id(schema), "")
        found = self._find(urljoin(base, reference) if reference else base, reference)
        if found is _MISSING:
            raise SchemaError(
                f"`{reference}` isn't in this document",
                path=path,
                keyword="$ref",
                fix="write the schema under `$defs` and point to it by `#/$defs/name`",
            )
        return found, self._leads_back(found)

    def _find(self, address: str, reference: str) -> Any:
        if address.rstrip("#") in self._by_address:
            return self._by_address[address.rstrip("#")]
        start, fragment = urldefrag(address)
        for whole in (start, "") if reference.startswith("#") else (start,):
            if whole in self._by_address and (not fragment or fragment.startswith("/")):
                found = _inside(self._by_address[whole], fragment)
                if found is not _MISSING:
                    return found
        return _MISSING

    def _found(self) -> Iterator[Any]:
        """What the document's references point to."""
        return (self._find(urljoin(self._base[id(one)], one["$ref"]), one["$ref"]) for one in self._referring)

    def _leads_back(self, start: Any) -> bool:
        """Whether some chain of references from inside a schema comes back to it."""
        if not isinstance(start, Mapping):
            return False
        if id(start) not in self._targets:  # at the first question, and for what only a copied reference names
            self._targets.update({id(one): one for one in (start, *self._found()) if isinstance(one, Mapping)})
            self._recursive = _on_cycles(self._graph())
        return id(start) in self._recursive

    def _graph(self) -> Iterator[tuple[int, int]]:
        """(a target, one that it refers to or that stands inside of it), by their ids; each part is read once."""
        for start in self._targets.values():
            stack, seen = _inner(start), set[int]()
            if isinstance(start.get("$ref"), str):
                stack.append(start)
            while stack:
                at = stack.pop()
                if isinstance(at, list):
                    stack += at
                if not isinstance(at, Mapping) or id(at) in seen:
                    continue
                seen.add(id(at))
                if at is not start and id(at) in self._targets:
                    yield id(start), id(at)
                    continue
                if isinstance(at.get("$ref"), str):
                    found = self._find(urljoin(self._base.get(id(at), ""), at["$ref"]), at["$ref"])
                    if isinstance(found, Mapping):
                        yield id(start), id(found)
                if at is not start:
                    stack += _inner(at)


_MISSING = object()


def _inner(schema: Mapping[str, Any]) -> list[Any]:
    """The values in which further schemas may stand."""
    parts: list[Any] = []
    for keyword, value in schema.items():
        if keyword in SCHEMA_MAPS and isinstance(value, Mapping):  # a property may be called `default`
            parts += value.values()
        elif keyword not in _DATA:
            parts.append(value)
    return parts


def _on_cycles(edges: Iterable[tuple[int, int]]) -> frozenset[int]:
    """The nodes of a graph from which some way leads back to them."""
    import networkx as nx  # most schemas have no references

    graph = nx.DiGraph(edges)
    rounds = (part for part in nx.strongly_connected_components(graph) if len(part) > 1)
    return frozenset(nx.nodes_with_selfloops(graph)).union(*rounds)


def _inside(schema: Any, pointer: str) -> Any:
    """What a JSON pointer leads to."""
    at = schema
    for step in pointer.split("/")[1:]:
        step = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(at, Mapping) and step in at:
            at = at[step]
        elif isinstance(at, list) and step.isdecimal() and int(step) < len(at):
            at = at[int(step)]
        else:
            return _MISSING
    return at
