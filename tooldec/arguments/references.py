"""References inside of a document: `$ref` to a place, an `$id` or an `$anchor`; nothing is fetched.

`$dynamicRef` leads to what the outermost of the resources has under that name that were come through (`Spot.scope`);
a resource is the document, or a part of it that has an `$id`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from tooldec.errors import SchemaError
from tooldec.tools import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_ONES

REFERRING = ("$ref", "$dynamicRef", "$recursiveRef")
"""The keywords that point to a schema."""

DYNAMIC = frozenset(REFERRING) - {"$ref"}
"""Those of them that ask for the way to it."""

_DATA = frozenset({"enum", "const", "default", "examples", "example"})
"""Keywords whose values are no schemas."""

_SCHEMAS = frozenset({*SCHEMA_MAPS, *SCHEMA_LISTS, *SCHEMA_ONES, "dependencies"})
"""Keywords whose values are schemas; under others they may stand as well, but less surely."""


class References:
    """The schemas of a document by their addresses."""

    def __init__(self, root: Any, draft: int = 2020) -> None:
        self.root, self._draft = root, draft
        self._base: dict[int, str] = {}  # id of a schema -> the address of its resource
        self._by_address: dict[str, Any] = {"": root}
        self._known: dict[tuple[str, str], Any] = {}  # an address and what is relative to it -> what that is
        self._dynamic: dict[str, dict[str, Any]] = {}  # a `$dynamicAnchor` -> its schemas, by resource
        self._referring: list[tuple[Mapping[str, Any], str]] = []  # schemas, and by which keyword they refer
        self._targets: dict[int, Mapping[str, Any]] = {}  # what references point to, by id
        self._recursive: frozenset[int] = frozenset()  # those of them that contain themselves
        later: list[tuple[Any, str]] = []
        self._walk(root, "", later)
        for part, base in later:  # grows while it is read
            self._walk(part, base, later)

    def _walk(self, schema: Any, base: str, later: list[tuple[Any, str]]) -> None:
        """Note what a schema and those inside of it are called; what stands under unknown keywords comes later."""
        if isinstance(schema, list):
            for item in schema:
                self._walk(item, base, later)
        if not isinstance(schema, Mapping) or id(schema) in self._base:
            return
        if "$ref" not in schema or self._draft > 7:  # what stands beside it doesn't count there
            base = self._named(schema, base)
        self._base[id(schema)] = base
        self._referring += [(schema, keyword) for keyword in REFERRING if isinstance(schema.get(keyword), str)]
        for keyword, value in schema.items():
            parts = value.values() if keyword in SCHEMA_MAPS and isinstance(value, Mapping) else [value]
            if keyword in _SCHEMAS:
                for part in parts:
                    self._walk(part, base, later)
            elif keyword not in _DATA:
                later += [(part, base) for part in parts]

    def _named(self, schema: Mapping[str, Any], base: str) -> str:
        """The address of a schema's resource, under which its own names are noted."""
        for keyword in ("$id", "id"):
            address = schema.get(keyword)
            if isinstance(address, str):
                base = _joined(base, address)
                self._by_address.setdefault(base.rstrip("#"), schema)
        for keyword in ("$anchor", "$dynamicAnchor"):
            if isinstance(anchor := schema.get(keyword), str):
                self._by_address.setdefault(f"{urldefrag(base).url}#{anchor}", schema)
                if keyword == "$dynamicAnchor":
                    self._dynamic.setdefault(anchor, {}).setdefault(base, schema)
        if schema.get("$recursiveAnchor") is True:
            self._dynamic.setdefault("", {}).setdefault(base, schema)
        return base

    @cached_property
    def recursive(self) -> bool:
        """Whether some schema of the document contains itself."""
        return any(self._leads_back(found) for found in self._found())

    @cached_property
    def is_dynamic(self) -> bool:
        """Whether what some reference leads to depends on the way to it."""
        return any(len(found) > 1 for found in self._dynamic.values())

    def entered(self, schema: Any, scope: tuple[str, ...]) -> tuple[str, ...]:
        """The resources that were come through, with that of a schema, the outermost first."""
        base = self._base.get(id(schema))
        return scope if base is None or base in scope else (*scope, base)

    def target(
        self, schema: Mapping[str, Any], path: str, keyword: str = "$ref", scope: tuple[str, ...] = ()
    ) -> tuple[Any, bool]:
        """What a schema's reference points to, and whether it leads back to itself."""
        reference = schema[keyword]
        if not isinstance(reference, str):
            raise SchemaError(f"`{keyword}` is a text", path=path, keyword=keyword)
        found = self._pointed(schema, keyword)
        if found is _MISSING:
            raise SchemaError(
                f"`{reference}` isn't in this document",
                path=path,
                keyword=keyword,
                fix="write the schema under `$defs` and point to it by `#/$defs/name`",
            )
        others = self._by_way(found, reference, keyword)
        found = next((others[base] for base in scope if base in others), found)
        return found, self._leads_back(found)

    def _pointed(self, schema: Mapping[str, Any], keyword: str) -> Any:
        """What a schema's reference points to, whatever the way to it."""
        base, reference = self._base.get(id(schema), ""), schema[keyword]
        key = base, reference
        if key not in self._known:
            self._known[key] = self._find(_joined(base, reference), reference)
        return self._known[key]

    def _by_way(self, found: Any, reference: str, keyword: str) -> Mapping[str, Any]:
        """What a dynamic reference may lead to in the place of what it points to, by resource."""
        name = "" if keyword == "$recursiveRef" else urldefrag(reference).fragment
        if keyword == "$ref" or not any(found is one for one in self._dynamic.get(name, {}).values()):
            return {}
        return self._dynamic[name]

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
        """What the document's references may lead to."""
        for schema, keyword in self._referring:
            yield from self._led(schema, keyword)

    def _led(self, schema: Mapping[str, Any], keyword: str) -> Iterator[Any]:
        """What one reference may lead to."""
        found = self._pointed(schema, keyword)
        if found is not _MISSING:
            yield found
            yield from self._by_way(found, schema[keyword], keyword).values()

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
            stack, seen = [*_inner(start), start], set[int]()
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
                for keyword in REFERRING:
                    if isinstance(at.get(keyword), str):
                        yield from ((id(start), id(found)) for found in self._led(at, keyword))
                if at is not start:
                    stack += _inner(at)


_MISSING = object()


def _joined(base: str, reference: str) -> str:
    """A reference as an address; of `urn:` and other addresses without a path only the fragment is another."""
    return urldefrag(base).url + reference if reference[:1] in ("", "#") else urljoin(base, reference)


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
