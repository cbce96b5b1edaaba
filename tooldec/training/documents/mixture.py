"""The training documents: a list of tools, questions that share it, and answers in one of two schemes.

Tools: add(a: int, b: int), square(side: int)          ← prefix
Q: what is the area of a square with side 5?           ← a turn's prompt
A: The area is <T>square(5)=25. So the answer is 25.   ← its pieces; those of the host aren't learned
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tooldec.tools import Tool
from tooldec.training.documents.asks import Ask
from tooldec.training.documents.catalogues import assistant_ask, maths_ask, suite
from tooldec.training.documents.chains import chain_ask
from tooldec.training.documents.chat import chat_ask
from tooldec.training.documents.composed import composed_ask, composed_tool
from tooldec.training.documents.draw import Draw, Split, synonyms
from tooldec.training.documents.knowledge import knowledge_ask
from tooldec.training.documents.lexicon import groups
from tooldec.training.documents.objects import object_ask
from tooldec.training.documents.rendering import Piece, Scheme, prefix, render
from tooldec.training.documents.spoken import Said, any_list, spoken_ask

SHARES: dict[Scheme, float] = {"special_token": 0.86, "json_tags": 0.05, "react": 0.04, "name_prompt": 0.05}
"""How many documents each scheme gets where a list is shown."""

UNLISTED: dict[Scheme, float] = {"special_token": 0.64, "json_tags": 0.27, "react": 0.04, "name_prompt": 0.05}
"""Where none is: the names of parameters that `json_tags` writes are all that the model sees of a tool."""


def _assistant(draw: Draw) -> Ask:
    return spoken_ask(draw) if draw.spoken else assistant_ask(draw)


FAMILIES: dict[str, tuple[Callable[[Draw], Ask], float]] = {
    "maths": (maths_ask, 0.09),
    "chain": (chain_ask, 0.05),
    "knowledge": (knowledge_ask, 0.04),
    "assistant": (_assistant, 0.72),
    "composed": (composed_ask, 0.03),
    "objects": (object_ask, 0.04),
    "chat": (chat_ask, 0.03),
}
"""Family of asks → how one is drawn, and its share."""

LISTED = 0.6
"""How many documents begin with the list of their tools."""
REVEALED = 0.1
"""How many of these lists hold one tool alone, as a prompt does that reveals the one that is called."""
SPOKEN = 0.7
"""How many documents with requests have them from a list with values that fit, not from the catalogues."""

_WORD = re.compile(r"[A-Z]?[a-z]+")


@dataclass(frozen=True, slots=True)
class Turn:
    """One question under a list of tools, with its answer in pieces."""

    family: str
    ask: Ask
    prompt: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """Tools and the turns that share them; no turn sees another one. The prefix is empty where no list is shown."""

    scheme: Scheme
    tools: tuple[Tool, ...]
    prefix: str
    turns: tuple[Turn, ...]


def document(
    seed: int,
    index: int,
    split: Split = "train",
    listed: bool | None = None,
    spoken: float = SPOKEN,
    drawn: Callable[[Draw], Sequence[Said]] = any_list,
) -> Document:
    """Document number `index` of an endless, seeded sequence.

    spoken   how many documents have their requests from a list of spoken/
    drawn    draws one of these lists
    """
    draw = Draw(random.Random(f"{split}-{seed}-{index}"), split)
    draw.listed = draw.chance(LISTED) if listed is None else listed
    shares = SHARES if draw.listed else UNLISTED
    scheme: Scheme = draw.rng.choices(list(shares), list(shares.values()))[0]
    families = _families(draw)
    if "assistant" in families and split == "train" and draw.chance(spoken):
        draw.spoken = drawn(draw)
    elif "assistant" in families and draw.chance(0.85):
        draw.suite = suite(draw)
    asks = _asks(draw, families, draw.number(5, 14) if draw.spoken else draw.number(3, 10))
    others = draw.number(10, 40) if draw.chance(0.06) else draw.pick((0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8))
    if draw.listed and len(asks[0][1].tools) == 1 and draw.chance(REVEALED):
        asks, others = [one for one in asks if one[1].tools == asks[0][1].tools], 0
    tools = list({tool.name: tool for _, ask in asks for tool in ask.tools}.values())
    tools += _distractors(draw, families, asks, others)
    draw.rng.shuffle(tools)
    before = prefix(scheme, tools, draw.listed)
    turns = tuple(turn(draw, scheme, family, ask, before) for family, ask in asks)
    return Document(scheme, tuple(tools), before, turns)


def documents(
    seed: int, split: Split = "train", listed: bool | None = None, spoken: float = SPOKEN
) -> Iterator[Document]:
    """The endless sequence of documents of a seed."""
    index = 0
    while True:
        yield document(seed, index, split, listed, spoken)
        index += 1


def turn(draw: Draw, scheme: Scheme, family: str, ask: Ask, before: str) -> Turn:
    """The ask as a question under a list of tools, which may be empty, and its answer in a scheme."""
    results = draw.chance(0.5)
    lead = draw.chance(0.94)
    newline = "\n" if before else ""
    question = ask.question.replace("\n", " ").strip()
    pieces = render(scheme, ask, results, lead, half=draw.chance(0.5))
    return Turn(family, ask, f"{newline}Q: {question}\nA:", pieces)


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
    """Different asks whose tools can stand in one list: no name and no topic twice, but for the same tools."""
    asks: list[tuple[str, Ask]] = []
    tools: dict[str, Tool] = {}
    topics: set[str] = set()
    for _ in range(count):
        family, ask = _one(draw, families)
        again = bool(ask.tools) and all(tools.get(tool.name) == tool for tool in ask.tools)
        new = not ask.topics & topics and not any(tool.name in tools for tool in ask.tools)
        if (new or again) and ask.question not in {other.question for _, other in asks}:
            asks.append((family, ask))
            tools |= {tool.name: tool for tool in ask.tools}
            topics |= ask.topics
    return asks


def _distractors(draw: Draw, families: list[str], asks: list[tuple[str, Ask]], count: int) -> list[Tool]:
    """Tools that no question asks for; a third of them share a word with one that is asked for."""
    right = [(tool, ask.unsaid) for _, ask in asks for tool in ask.tools]
    names = {tool.name for tool, _ in right}
    topics = {topic for _, ask in asks for topic in ask.topics}
    found: list[Tool] = []
    for _ in range(3 * count):
        if len(found) == count:
            break
        if right and draw.chance(0.3):
            tool, unsaid = draw.pick(right)
            tools: tuple[Tool, ...] = (_similar(draw, tool, unsaid),)
        else:
            ask = _one(draw, families)[1]
            tools = () if ask.topics & topics else ask.tools
            topics |= ask.topics
        for tool in tools:
            if tool.name not in names and len(found) < count:
                names.add(tool.name)
                found.append(tool)
    return found


def _similar(draw: Draw, tool: Tool, unsaid: frozenset[str]) -> Tool:
    """A tool whose name shares a word with this one's but means something else; often it takes the same arguments."""
    words = _WORD.findall(tool.name) or [tool.name]
    places = [place for place, word in enumerate(words) if word.lower() not in unsaid] or [0]
    place = draw.pick(places)
    word = words[place]
    other = draw.noun() if place else draw.verb()
    if len(words) == 1:
        name = f"{draw.verb()}_{word}" if draw.chance(0.5) and not unsaid else f"{word}_{draw.noun()}"
        return composed_tool(draw, name)
    if other in synonyms(word.lower()) or other in groups("verbs").get(word.lower(), ()):
        other = draw.invented()
    name = tool.name.replace(word, other.capitalize() if word[0].isupper() else other, 1)
    if draw.chance(0.5):
        return Tool(name, parameters=tool.parameters)
    return composed_tool(draw, name)
