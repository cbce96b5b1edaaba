"""Checks 6xx on tokens: names that split badly, states that a vocabulary can't leave, and how large tools are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tooldec.arguments import POSITIONAL
from tooldec.automaton import table_of
from tooldec.errors import DeadEndError, ToolDecError
from tooldec.grammar import Choice, Grammar, Labelled, Literal, Names, Repeat, Submachine
from tooldec.grammar import Sequence as Terms
from tooldec.lint.finding import Check, Hit, Inventory
from tooldec.lint.names import words
from tooldec.lint.schemas import is_free_form
from tooldec.models import prompt_size
from tooldec.schemes import SCHEMES, positional
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.tools import Tool

if TYPE_CHECKING:
    from tooldec.models import Model

LONG_NAME = 20
"""From so many tokens on, a name is called long; in a small vocabulary five words and their `_` take a dozen."""

SPLIT = 2.5
"""From so many pieces a word on, a name is said to split badly."""

LARGE_MACHINE = 5_000
"""From so many states on, a tool's machine is called large."""

FEW = 40
"""Fewer arguments of plain types than that never make a large machine."""

MANY_STATES = 300
"""How many states of a tool are looked at for dead ends."""


@dataclass(frozen=True, slots=True)
class Size:
    """What a tool costs.

    states              of its own part of the machine, submachines counted at every place; None: too many to count
    signature           tokens of its line in a prompt, `add(a: int, b: int)`
    documented, bare    tokens of its JSON with and without descriptions, as chat templates list tools
    """

    tool: str
    states: int | None
    signature: int | None = None
    documented: int | None = None
    bare: int | None = None


def sizes(tools: Sequence[Tool], model: Model | None = None) -> tuple[Size, ...]:
    """The size of each tool; tokens only where a model is given.

    >>> sizes([Tool("now")])
    (Size(tool='now', states=5, signature=None, documented=None, bare=None),)
    """
    known: dict[Grammar, int] = {}
    return tuple(_size(tool, model, known) for tool in tools)


def _size(tool: Tool, model: Model | None, known: dict[Grammar, int]) -> Size:
    if model is None:
        return Size(tool.name, states(tool, known))
    texts = (tool.signature(), _json(tool.to_json()), _json(_bare(tool.to_json())))
    return Size(tool.name, states(tool, known), *(count(model, text) for text in texts))


def count(model: Model, text: str) -> int | None:
    """How many tokens a text takes; None where the vocabulary can't spell it."""
    try:
        return len(model.tokenize(text))
    except ToolDecError:
        return None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _bare(value: Any) -> Any:
    """A tool without the texts that are only for reading."""
    if isinstance(value, dict):
        return {
            key: _bare(inner)
            for key, inner in value.items()
            if not (key in ("description", "title", "example", "examples") and not isinstance(inner, dict))
        }
    return [_bare(inner) for inner in value] if isinstance(value, list) else value


def states(tool: Tool, known: dict[Grammar, int] | None = None) -> int | None:
    """How many states a tool's name and arguments have; None where it isn't in the machine, or is too large.

    known   what has been counted before: tools share the machines of their types
    """
    try:
        return len(tool.name.encode()) + 2 + _states(positional(tool, POSITIONAL), {} if known is None else known)
    except (ToolDecError, OverflowError, RecursionError):
        return None


def _states(term: Grammar, known: dict[Grammar, int]) -> int:
    """A term's states; terms are told apart by identity."""
    if isinstance(term, Literal):
        return len(term.text)
    if term not in known:
        known[term] = _count(term, known)
    return known[term]


def _count(term: Grammar, known: dict[Grammar, int]) -> int:
    if isinstance(term, Submachine):
        return len(table_of(term, 100_000))
    if isinstance(term, Labelled):
        return _states(term.body, known)
    if isinstance(term, Terms):
        return sum(_states(part, known) for part in term.parts)
    if isinstance(term, Choice):
        return sum(_states(option, known) for option in term.options)
    if isinstance(term, Repeat):
        return _states(term.body, known) * max(1, term.low, term.high or 0)
    if isinstance(term, Names):  # a trie: what a word shares with the one before it stands there once
        return sum(len(word) - _shared(before, word) for before, word in pairwise((b"", *term.words)))
    return 1


def _shared(one: bytes, other: bytes) -> int:
    """How many bytes two words begin with together."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _splits(inventory: Inventory) -> tuple[tuple[Tool, list[int]], ...]:
    return inventory.kept("splits", lambda: _split(inventory))


def _split(inventory: Inventory) -> Iterator[tuple[Tool, list[int]]]:
    model = inventory.model
    assert model is not None
    for tool in inventory.tools:
        try:
            yield tool, model.tokenize(tool.name)
        except ToolDecError:
            continue  # a dead end, told by its own check


def _long_names(inventory: Inventory) -> Iterator[Hit]:
    for tool, tokens in _splits(inventory):
        if len(tokens) >= LONG_NAME:
            message = f"`{tool.name}` takes {len(tokens)} tokens: {_row(inventory, tokens)}"
            yield Hit(message, "a shorter name is written faster, and has fewer places to go wrong", tool)


def _bad_splits(inventory: Inventory) -> Iterator[Hit]:
    for tool, tokens in _splits(inventory):
        known = max(len(words(tool.name)), 1)
        if len(tokens) >= LONG_NAME or len(tokens) < max(4, SPLIT * known):
            continue
        pieces = sum(not _separates(inventory, token) for token in tokens)
        if pieces >= max(4, SPLIT * known):
            counted = "1 word" if known == 1 else f"{known} words"
            message = f"`{tool.name}` has {counted} in {pieces} pieces: {_row(inventory, tokens)}"
            yield Hit(message, "use words that this vocabulary knows", tool)


def _separates(inventory: Inventory, token: int) -> bool:
    """Whether a token is nothing but `_`, `.` or the like."""
    assert inventory.model is not None
    return not inventory.model.vocabulary.text(token).strip("_-./ ")


def _row(inventory: Inventory, tokens: list[int]) -> str:
    assert inventory.model is not None
    shown = " ".join(map(inventory.model.vocabulary.text, tokens[:16]))
    return f"{shown} …" if len(tokens) > 16 else shown


def _dead_ends(inventory: Inventory) -> Iterator[Hit]:
    model = inventory.model
    assert model is not None
    vocabulary = model.vocabulary
    single = {spelling for spelling in map(vocabulary.spelling, range(vocabulary.size)) if isinstance(spelling, bytes)}
    if all(bytes([byte]) in single for byte in range(256)):
        return  # every byte is a token: nothing is a dead end
    scheme = SCHEMES["special_token"]
    for tool in inventory.tools[:500]:
        try:
            error = _dead_end(build_fsm(scheme.grammar([tool], start="call"), model.vocabulary))
        except ToolDecError:
            continue  # refused by the machine, told by its own check
        if error is not None:
            yield Hit(f"`{tool.name}`: {error.message}", error.fix or "use another model", tool)


def _dead_end(fsm: TokenFSM) -> DeadEndError | None:
    """The first dead end among a machine's states."""
    seen, stack = {fsm.initial}, [fsm.initial]
    while stack and len(seen) < MANY_STATES:
        state = stack.pop()
        try:
            allowed = fsm.allowed(state).nonzero()[0].tolist()
        except DeadEndError as error:
            return error
        for token in allowed:
            after = fsm.step(state, token)
            if after is not None and after not in seen:
                seen.add(after)
                stack.append(after)
    return None


def _large(inventory: Inventory) -> Iterator[Hit]:
    free = {part.tool.name for part in inventory.parts if is_free_form(part)}  # told by a check of its own
    special = {part.tool.name for part in inventory.constrained}
    known: dict[Grammar, int] = {}
    for tool in inventory.tools:
        plain = tool.name not in special and len(tool.parameters.get("properties", ())) < FEW
        size = None if tool.name in free or plain else states(tool, known)
        if size is not None and size >= LARGE_MACHINE:
            message = f"`{tool.name}` has {size:,} states"
            yield Hit(message, "shorten its enums and bounded texts; first visits take longer in large machines", tool)


def _context(inventory: Inventory) -> Iterator[Hit]:
    model = inventory.model
    assert model is not None
    if not inventory.tools or not inventory.listed:
        return
    prompt = SCHEMES["special_token"].prompt(inventory.tools, "")
    total, counted = prompt_size(model, prompt, model.context)
    if total > model.context // 2:
        takes = f"{'' if counted else 'at least '}{total:,} tokens of the context's {model.context:,}"
        message = f"the list of {len(inventory.tools):,} tools takes {takes}, more than half"
        fix = "leave the list out of the prompt: the machine knows every tool all the same"
        yield Hit(message, fix, inventory.tools[0], at=(1, 1))


CHECKS = (
    Check(
        "W601",
        "warning",
        "A name of many tokens",
        "Every token is a step of the model.",
        "def bcdghilmnoptvbcdghilmn()",
        "def add()",
        _long_names,
        needs_model=True,
    ),
    Check(
        "H602",
        "hint",
        "A name that splits badly",
        "A name whose tokens aren't its words is rare to the model, and less likely to be chosen.",
        "def bcdghi()",
        "def add()",
        _bad_splits,
        needs_model=True,
    ),
    Check(
        "E610",
        "error",
        "A state that this vocabulary can't leave",
        "No token begins with what must follow: the run would stop inside of the call.",
        "def utter(a: int)",
        "def add(a: int)",
        _dead_ends,
        needs_model=True,
    ),
    Check(
        "H620",
        "hint",
        "A large machine",
        "Nothing is built before it is visited; still, large enums and long bounded texts are slow to visit first.",
        '[{"name": "f", "parameters": {"properties": {"a": {"type": "array", "maxItems": 500, '
        '"items": {"type": "string", "format": "date-time"}}}}}]',
        '[{"name": "f", "parameters": {"properties": {"a": {"type": "array", "maxItems": 5, '
        '"items": {"type": "string", "format": "date-time"}}}}}]',
        _large,
    ),
    Check(
        "W621",
        "warning",
        "A list of tools that doesn't fit",
        "What doesn't fit into the context is left out of the prompt; then the model chooses by names alone.",
        "\n".join(f"def tool_with_number_{i}(first: int, second: str, third: float)" for i in range(2_000)),
        "def add(a: int)",
        _context,
        needs_model=True,
    ),
)
