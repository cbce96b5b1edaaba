"""What the page asks for: a request, checked field by field."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, get_args

from tooldec.errors import UsageError
from tooldec.methods import METHODS
from tooldec.schemes import SCHEMES, Start
from tooldec.signatures import FORMATS

LONGEST_QUESTION = 20_000
"""Characters; a longer question fits no model that runs here."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the page sends; every field has the page's default.

    opening, opening_text   the tokens that an answer takes first, and then a text: a branch of another run
    tools_format    the row of FORMATS in which the tools are written; auto finds it
    replaced        results in the place of the host's, of a branch: (characters of the answer before it, text)
    reveal          without documentation: signatures are shown where a tool is called (see `revealing`)
    quote           strings of calls are spans of the question, of a value or of a default (see `schemes.quoting`)
    search          arguments are chosen as wholes (see `search`); nothing where no machine guides
    base            older tools, whose states keep their names; what is new is marked (Figure 3)
    opened          argument boxes of the graph that somebody opened, or closed: (tool, parameter, open)
    unfolded        subtrees of the name trie that somebody unfolded, by what has been written of the name there
    """

    tools: str = ""
    tools_format: str = "auto"
    base: str = ""
    question: str = ""
    scheme: str = "special_token"
    start: Start = "text"
    model: str = "embedded"
    documentation: bool = True
    reveal: bool = False
    quote: bool = False
    search: bool = False
    results: bool = True
    values: Mapping[str, Any] = field(default_factory=dict)
    method: str = "guided"
    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int = 0
    max_tokens: int = 256
    direction: str = "LR"
    opening: tuple[int, ...] = ()
    opening_text: str = ""
    replaced: tuple[tuple[int, str], ...] = ()
    opened: tuple[tuple[str, str, bool], ...] = ()
    unfolded: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Request:
        """Check a request's fields; raises UsageError naming the one that is wrong."""
        kinds = cls.__dataclass_fields__
        values: dict[str, Any] = {}
        for name, value in data.items():
            if name not in kinds or value is None:
                continue
            if name in _LISTS:
                values[name] = _list(name, value)
                continue
            default = getattr(_DEFAULTS, name) if name != "values" else {}
            if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
                if abs(value) > sys.float_info.max:
                    raise UsageError(f"`{name}` can't be as far from 0 as that", fix="use a number below 1e308")
                value = float(value)
            if not isinstance(value, Mapping if name == "values" else type(default)) or (
                isinstance(value, bool) != isinstance(default, bool)
            ):
                raise UsageError(f"`{name}` can't be {json.dumps(value)[:80]}", fix=f"use a {type(default).__name__}")
            values[name] = value
        request = cls(**values)
        for name, allowed in (
            ("tools_format", ("auto", *FORMATS)), ("scheme", tuple(SCHEMES)), ("start", get_args(Start)),
            ("method", tuple(METHODS)), ("direction", ("LR", "TB")),
        ):  # fmt: skip
            if getattr(request, name) not in allowed:
                given = str(getattr(request, name))[:80]
                raise UsageError(f"the {name} `{given}` is unknown", fix=f"use {' or '.join(allowed)}")
        return request

    def check_question(self) -> None:
        """Raises UsageError where there is none, or one that no model could read."""
        if not self.question.strip():
            raise UsageError(
                "there is no question", fix="type one, such as: the side of a square is 5, what's its area?"
            )
        if len(self.question) > LONGEST_QUESTION:
            length = f"{len(self.question):,}"
            raise UsageError(f"the question has {length} characters", fix=f"use at most {LONGEST_QUESTION:,}")
        if "\0" in self.question:
            raise UsageError("the question holds a NUL byte", fix="remove it")


def _is_list(value: Any, *types: type) -> bool:
    return isinstance(value, list | tuple) and [*map(type, value)] == [*types]


_LISTS: Mapping[str, tuple[str, Callable[[Any], bool]]] = MappingProxyType(
    {
        "opening": ("token numbers", lambda token: type(token) is int),
        "replaced": ('lists like [12, "Paris"]', lambda one: _is_list(one, int, str)),
        "opened": (
            "lists like [tool, parameter, true]",
            lambda box: _is_list(box, str, str, bool),
        ),
        "unfolded": ("texts", lambda entered: type(entered) is str),
    }
)
"""Fields that are lists: what of, in words, and whether something is one of these."""


def _list(name: str, value: Any) -> tuple[Any, ...]:
    what, fits = _LISTS[name]
    if not isinstance(value, list | tuple) or not all(map(fits, value)):
        raise UsageError(f"`{name}` can't be {json.dumps(value)[:80]}", fix=f"use a list of {what}")
    return tuple(tuple(one) if isinstance(one, list) else one for one in value)


_DEFAULTS = Request()


def field_of(data: Mapping[str, Any], name: str, default: Any) -> Any:
    """A field that only one question has, of the type of its default."""
    value = data.get(name)
    if value is None:
        return default
    if type(value) is not type(default):
        raise UsageError(f"`{name}` can't be {json.dumps(value)[:80]}", fix=f"use a {type(default).__name__}")
    return value
