"""What a training document asks and how it is answered, before any scheme writes it down."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tooldec.tools import Tool


@dataclass(frozen=True, slots=True)
class Call:
    """One call in an answer; `result` is what the host writes after it."""

    tool: Tool
    arguments: Mapping[str, Any]
    result: str

    @property
    def given(self) -> dict[str, Any]:
        """The arguments in the order of the schema, in which they are written."""
        names = self.tool.parameters.get("properties", {})
        return {name: self.arguments[name] for name in names if name in self.arguments}

    def written(self) -> str:
        """Positional form: `find("Oslo",3)`; arguments in schema order, strings and lists as JSON."""
        values: list[Any] = []
        for parameter in self.tool.arguments:
            if parameter.name in self.arguments:
                value = self.arguments[parameter.name]
                values.extend(value) if parameter.variadic else values.append(value)
        return f"{self.tool.name}({','.join(map(compact, values))})"

    def as_json(self) -> str:
        """JSON form: `{"name": "find", "arguments": {"city": "Oslo", "n": 3}}`."""
        return spaced({"name": self.tool.name, "arguments": self.given})


@dataclass(frozen=True, slots=True)
class Ask:
    """A question and its answer: text and calls in turn, `("The area is ", Call(…), ". So …")`.

    topics       what the question is about: two tools of one topic must not stand in one list
    unsaid       words of the tool's name that the question leaves out: no other tool may differ in these alone
    independent  no call needs an earlier one's result
    said         the saying of spoken/ that the question is
    """

    question: str
    answer: tuple[str | Call, ...]
    topics: frozenset[str] = frozenset()
    unsaid: frozenset[str] = frozenset()
    independent: bool = False
    said: str = ""

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls of the answer, in order."""
        return tuple(part for part in self.answer if isinstance(part, Call))

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that the answer calls, each once."""
        return tuple({call.tool.name: call.tool for call in self.calls}.values())


def compact(value: Any) -> str:
    """The value as JSON without spaces."""
    return _COMPACT(value)


def spaced(value: Any) -> str:
    """The value as JSON with a space behind each comma and colon."""
    return _SPACED(value)


def occurrences(what: str, text: str, start: int = 0, stop: int | None = None) -> Iterator[int]:
    """All places of a text in another one; asked so often that patterns would cost half of the time."""
    at = text.find(what, start, stop)
    while at >= 0:
        yield at
        at = text.find(what, at + 1, stop)


_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_SPACED = json.JSONEncoder(ensure_ascii=False).encode
