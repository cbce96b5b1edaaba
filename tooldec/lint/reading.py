"""Checks 1xx and 2xx on what could not be read: the errors of the signatures, each with its code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tooldec.lint.finding import Check, Hit, Inventory
from tooldec.signatures import left_out
from tooldec.tools import Tool

NAMED = 8
"""How many functions that are left out one finding names."""
_FUNCTION = re.compile(r"^[ \t]*(?:async[ \t]+)?def\b", re.MULTILINE)


def _errors(*kinds: str) -> Callable[[Inventory], Iterator[Hit]]:
    def find(inventory: Inventory) -> Iterator[Hit]:
        for error in inventory.errors:
            if error.kind in kinds:
                place, places = (error.line or 1, error.column or 1), inventory.places
                yield Hit(
                    error.message,
                    error.fix or "correct it",
                    Tool(error.tool) if error.tool else None,
                    at=place,
                    word=error.word,
                    replacement=places.renamed(places.at(*place), error.word, error.replacement),
                )

    return find


def _left_out(inventory: Inventory) -> Iterator[Hit]:
    text = inventory.source.text
    if inventory.format != "python" or len(_FUNCTION.findall(text)) <= len(inventory.tools):
        return
    functions = left_out(text)
    if functions:
        (name, *at), number = functions[0], len(functions)
        names = ", ".join(f"`{one}`" for one, _, _ in functions[:NAMED])
        more = f" and {number - NAMED:,} more" if number > NAMED else ""
        count = "one function isn't a tool" if number == 1 else f"{number:,} functions aren't tools"
        message = f"{count}, since only others are marked or listed as tools: {names}{more}"
        yield Hit(message, "mark or list what the model may call as the others are", at=(at[0], at[1]), word=name)


CHECKS = (
    Check(
        "E100",
        "error",
        "The text can't be read",
        "A tool that can't be read is left out of the machine: the model can't call it.",
        "def add(a: int, b: int",
        "def add(a: int, b: int)",
        _errors("syntax", "nothing"),
    ),
    Check(
        "E101",
        "error",
        "Two tools have one name",
        "The paper assumes names of their own (section 3.2): a call couldn't say which tool it means. "
        "The second one is left out until it is renamed.",
        "def square(side: int)\ndef square(area: float)",
        "def square(side: int)\ndef square_root(area: float)",
        _errors("duplicate"),
    ),
    Check(
        "W102",
        "warning",
        "A tool that its provider runs",
        "Nothing says how a call of it is written, and it is the provider's server that decodes one: it isn't in the "
        "machine. The others are.",
        '[{"type": "web_search"}, {"name": "square", "parameters": {"properties": {"side": {"type": "integer"}}}}]',
        '[{"name": "square", "parameters": {"properties": {"side": {"type": "integer"}}}}]',
        _errors("provided"),
        refuses=True,
    ),
    Check(
        "H103",
        "hint",
        "Functions that aren't tools",
        "In a program that says which of its functions are tools, by a decorator, a wrapper or a list, the others help "
        "those: the model can't call them.",
        "@tool\ndef area(side: int): ...\n\ndef perimeter(side: int): ...",
        "@tool\ndef area(side: int): ...\n\n@tool\ndef perimeter(side: int): ...",
        _left_out,
    ),
    Check(
        "E204",
        "error",
        "An unknown type",
        "Without the type there is no machine for the argument; the tool is left out.",
        "def area(radius: flaot)",
        "def area(radius: float)",
        _errors("type"),
    ),
    Check(
        "E205",
        "error",
        "A required parameter that isn't declared",
        "No call could ever give it: nothing says how it is written.",
        '[{"name": "f", "parameters": {"type": "object", "properties": {"side": {"type": "integer"}}, '
        '"required": ["sides"]}}]',
        '[{"name": "f", "parameters": {"type": "object", "properties": {"side": {"type": "integer"}}, '
        '"required": ["side"]}}]',
        _errors("undeclared"),
    ),
)
