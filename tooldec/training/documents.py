"""The training documents: a list of tools, questions that share it, and answers in one of two schemes.

Tools: add(a: int, b: int), square(side: int)          ← prefix
Q: what is the area of a square with side 5?           ← a turn's prompt
A: The area is <T>square(5)=25. So the answer is 25.   ← its pieces; those of the host aren't learned
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from tooldec.tools import Tool, signatures
from tooldec.training.asks import Ask, Call
from tooldec.training.catalogues import assistant_ask, maths_ask
from tooldec.training.chains import chain_ask
from tooldec.training.chat import chat_ask
from tooldec.training.composed import composed_ask, composed_tool
from tooldec.training.draw import Draw, Split, synonyms
from tooldec.training.knowledge import knowledge_ask

EOS = "<eos>"
MARKER = "<T>"
Scheme = Literal["special_token", "json_tags"]

FAMILIES: dict[str, tuple[Callable[[Draw], Ask], float]] = {
    "maths": (maths_ask, 0.22),
    "chain": (chain_ask, 0.13),
    "knowledge": (knowledge_ask, 0.14),
    "assistant": (assistant_ask, 0.18),
    "composed": (composed_ask, 0.30),
    "chat": (chat_ask, 0.03),
}
"""Family of asks → how one is drawn, and its share."""

_WORD = re.compile(r"[A-Z]?[a-z]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of an answer; the loss counts it only when the model is to learn it."""

    text: str
    learned: bool = True


@dataclass(frozen=True, slots=True)
class Turn:
    """One question under a list of tools, with its answer in pieces."""

    family: str
    ask: Ask
    prompt: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A list of tools (empty when the prompt leaves it out) and the turns that share it; no turn sees another one."""

    scheme: Scheme
    tools: tuple[Tool, ...]
    prefix: str
    turns: tuple[Turn, ...]


def document(seed: int, index: int, split: Split = "train", listed: bool | None = None) -> Document:
    """Document number `index` of an endless, seeded sequence."""
    draw = Draw(random.Random(f"{split}-{seed}-{index}"), split)
    draw.listed = draw.chance(0.7) if listed is None else listed
    scheme: Scheme = "json_tags" if draw.chance(0.15) else "special_token"
    families = _families(draw)
    if not draw.listed:
        family, ask = _one(draw, families)
        prefix = "JSON tools:" if scheme == "json_tags" else ""
        return Document(scheme, ask.tools, prefix, (_turn(draw, scheme, family, ask, prefix),))
    long = draw.chance(0.03)
    asks = _asks(draw, families, draw.pick((1, 2, 2, 3, 3, 4)))
    others = draw.number(10, 40) if long else draw.pick((0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11))
    tools = list({tool.name: tool for _, ask in asks for tool in ask.tools}.values())
    tools += _distractors(draw, families, asks, others)
    draw.rng.shuffle(tools)
    prefix = f"{'JSON tools' if scheme == 'json_tags' else 'Tools'}: {signatures(tools)}"
    turns = tuple(_turn(draw, scheme, family, ask, prefix) for family, ask in asks)
    return Document(scheme, tuple(tools), prefix, turns)


def documents(seed: int, split: Split = "train", listed: bool | None = None) -> Iterator[Document]:
    """The endless sequence of documents of a seed."""
    index = 0
    while True:
        yield document(seed, index, split, listed)
        index += 1


def render(scheme: Scheme, ask: Ask, results: bool = True, lead: bool = True) -> tuple[Piece, ...]:
    """The answer as a scheme writes it; without `lead` a call comes first, as where a call is forced."""
    return _json_tags(ask, results) if scheme == "json_tags" else _special_token(ask, results, lead)


def _special_token(ask: Ask, results: bool, lead: bool) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for position, part in enumerate(ask.answer):
        if isinstance(part, Call):
            pieces.append(Piece(MARKER))
            pieces.append(Piece(part.written() + ("=" if results else "")))
            if results:
                pieces.append(Piece(part.result, learned=False))
        elif position == 0:
            pieces.append(Piece(f" {part}" if lead or not ask.calls else " "))
        elif results or position < len(ask.answer) - 1:
            pieces.append(Piece(part))
        else:
            pieces.append(Piece("."))
    return (*pieces, Piece(EOS))


def _json_tags(ask: Ask, results: bool) -> tuple[Piece, ...]:
    if not ask.calls:
        return (Piece(f" {ask.answer[0]}"), Piece(EOS))
    pieces: list[Piece] = []
    for call in ask.calls:
        pieces.append(Piece(f" <tool_call>\n{call.as_json()}\n</tool_call>"))
        if results:
            pieces.append(Piece(f"\n<tool_response>\n{call.result}\n</tool_response>\n", learned=False))
    told = results and ask.answer[-1] != "."
    return (*pieces, Piece(f" The answer is {ask.calls[-1].result}." if told else " Done."), Piece(EOS))


def _turn(draw: Draw, scheme: Scheme, family: str, ask: Ask, prefix: str) -> Turn:
    results = draw.chance(0.9)
    lead = draw.chance(0.94)
    newline = "\n" if prefix else ""
    question = ask.question.replace("\n", " ").strip()
    return Turn(family, ask, f"{newline}Q: {question}\nA:", render(scheme, ask, results, lead))


def _families(draw: Draw) -> list[str]:
    """One family for the whole document, or all of them."""
    names = list(FAMILIES)
    if draw.chance(0.5):
        return names
    return draw.rng.choices(names[:-1], [FAMILIES[name][1] for name in names[:-1]])


def _one(draw: Draw, families: list[str]) -> tuple[str, Ask]:
    names = ["chat"] if draw.chance(0.02) else families
    family = draw.rng.choices(names, [FAMILIES[name][1] for name in names])[0]
    return family, FAMILIES[family][0](draw)


def _asks(draw: Draw, families: list[str], count: int) -> list[tuple[str, Ask]]:
    """Asks whose tools can stand in one list: no name twice, no topic twice."""
    asks: list[tuple[str, Ask]] = []
    names: set[str] = set()
    topics: set[str] = set()
    for _ in range(count):
        family, ask = _one(draw, families)
        new = {tool.name for tool in ask.tools}
        if new & names or ask.topics & topics:
            continue
        asks.append((family, ask))
        names |= new
        topics |= ask.topics
    return asks


def _distractors(draw: Draw, families: list[str], asks: list[tuple[str, Ask]], count: int) -> list[Tool]:
    """Tools that no question asks for; half of them share a word with one that is asked for."""
    right = [tool for _, ask in asks for tool in ask.tools]
    names = {tool.name for tool in right}
    topics = {topic for _, ask in asks for topic in ask.topics}
    found: list[Tool] = []
    for _ in range(3 * count):
        if len(found) == count:
            break
        if right and draw.chance(0.5):
            tools: tuple[Tool, ...] = (_similar(draw, draw.pick(right)),)
        else:
            ask = _one(draw, families)[1]
            tools = () if ask.topics & topics else ask.tools
            topics |= ask.topics
        for tool in tools:
            if tool.name not in names and len(found) < count:
                names.add(tool.name)
                found.append(tool)
    return found


def _similar(draw: Draw, tool: Tool) -> Tool:
    """A tool whose name shares a word with this one's but means something else."""
    words = _WORD.findall(tool.name) or [tool.name]
    position = draw.number(0, len(words) - 1)
    word = words[position]
    other = draw.noun() if position else draw.verb()
    if len(words) == 1:
        return composed_tool(draw, f"{draw.verb()}_{word}" if draw.chance(0.5) else f"{word}_{draw.noun()}")
    if other in synonyms(word.lower()):
        other = draw.invented()
    name = tool.name.replace(word, other.capitalize() if word[0].isupper() else other, 1)
    return composed_tool(draw, name)
