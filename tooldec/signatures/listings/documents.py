"""A whole document, in JSON or YAML, as plain values, and the place where each of its parts stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tooldec.signatures.listings.json_text import decode, parts, skip
from tooldec.signatures.listings.yaml_text import keys_of, yaml_value
from tooldec.signatures.source import Source

Path = tuple[str, ...]
Place = Callable[[Path], int]
"""path of keys → the offset where the last of them stands, or the nearest one above it that is found."""


def load(source: Source) -> tuple[dict[str, Any], Place]:
    """A document and its places; raises SignatureError.

    >>> document, place = load(Source.of("a:\\n  b: 1\\n"))
    >>> document, place(("a", "b"))
    ({'a': {'b': 1}}, 5)
    """
    start = skip(source, 0)
    if source.text.startswith("{", start):
        value, end = decode(source, start)
        if skip(source, end) != len(source.text):
            fix = "paste one document, and no other format with it"
            raise source.error("something follows the document", skip(source, end), fix)
        places = _Places(start, partial(parts, source))
    else:
        value, node = yaml_value(source)
        places = _Places(node, keys_of)
    if not isinstance(value, dict):
        raise source.error("this document isn't an object", 0, "paste a whole OpenAPI document")
    return value, places.of


class _Places:
    """Where the keys of a document stand.

    whole    what the document is: where its JSON begins, or its node of YAML
    keys     its keys, or those of a part of it, each with its place and what it is
    """

    def __init__(self, whole: Any, keys: Callable[[Any], Mapping[Any, tuple[int, Any]]]) -> None:
        self._whole, self._keys = whole, keys
        self._known: dict[Path, Mapping[Any, tuple[int, Any]]] = {}

    def of(self, path: Path) -> int:
        return self._found(path)[0]

    def _found(self, path: Path) -> tuple[int, Any]:
        if not path:
            return 0, self._whole
        above, key = path[:-1], path[-1]
        if above not in self._known:
            _, part = self._found(above)
            self._known[above] = {} if part is None else self._keys(part)
        return self._known[above].get(key) or (self._found(above)[0], None)
