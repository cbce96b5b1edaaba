"""A small language for questions: a tool's line, then the wordings of questions that it answers.

    # clocks
    set_alarm/wakeUp(time: clock, label?: title) -> ok
    set an alarm for {time}[ called {label}]
    get me out of bed at {time}[, it is my {label} alarm]

A line that begins with # opens a suite: tools that are pasted together. A tool may have several names; only one of them
stands in a list.
`{time}` stands for an argument, any other `{kind}` for a value that the call leaves out, `[…]` for a part that is there
only when its optional argument is given, `{loud:loudly/quietly}` for a boolean. A kind may be `a|b|c`, an enum, said as
it is or as `{size:tiny/medium/huge}`.
A wording behind `* ` is a plain one, as most people would say it; the others hardly ever share a word with the names.
A wording that begins with a small letter is a request and is wrapped: "Please set …", "could you set …?"
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tooldec.training.documents.draw import Draw
from tooldec.training.documents.phrases import PHRASES
from tooldec.training.documents.values import KINDS, STRING, Value

_HEAD = re.compile(r"^(?P<names>[\w./]+)\((?P<parameters>.*)\) -> (?P<result>\w+)$")
_SLOT = re.compile(r"\{(\w+)(?::([^}]*/[^}]*))?\}")
_TIMES = re.compile(r"\b(1|2|one|two) times(?! \d)")
_NO_REQUEST = re.compile(
    r"(can|could|what|how|is|are|has|which|any|it's|we|i|i'm|i'd|there's|my|the|who|when|where|does|do|did|will|a|an|no"
    r"|on|in|at|into|for|from|one|nobody|somebody|another|there|next|not|after|first|gold|if|anything|everything|don't)\b"
)
"""How a text begins that isn't a request, although its first letter is small."""
_OPTIONAL = re.compile(r"\[([^\[\]]*\{(\w+)(?::[^}]*)?\}[^\[\]]*)\]")

WRAPPERS = (
    "{x}|{x}.|Please {x}.|Could you {x}?|Can you {x}?|can you {x} please|{x} please|{x}, please.|I want you to {x}."
    "|Hey, {x}!|I need to {x}.|I'd like to {x}.|Would you {x}?|{X}|{X}.|{X}.|{X}.|{X}!|{X}, thanks.|please {x}|pls {x}"
    "|Go ahead and {x}.|I would like you to {x}.|Let's {x}.|Hi, can you {x}?|{X} for me.|Help me {x}.|You should {x}."
    "|Could you please {x}?|We have to {x}.|It's time to {x}.|Okay, {x}.|{X} now.|Now {x}.|Hello! Please {x}."
    "|Don't forget to {x}.|Can you {x} for me?|I want to {x}|My boss asked me to {x}.|Quick: {x}|Sorry, could you {x}?"
).split("|")
GREETINGS = (
    "Hi, ",
    "Hey, ",
    "Hello! ",
    "Quick question: ",
    "Tell me: ",
    "I wonder: ",
    "So, ",
    "Okay, ",
    "One more thing: ",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One tool of a catalogue: its names, parameters (name, kind, optional), kind of result, wordings and suite."""

    names: tuple[str, ...]
    parameters: tuple[tuple[str, str, bool], ...]
    result: str
    wordings: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()
    """Plain wordings."""
    suite: str = ""

    @property
    def name(self) -> str:
        """The first of the names."""
        return self.names[0]


@cache
def read_catalogue(text: str) -> tuple[Entry, ...]:
    """Entries of a catalogue: paragraphs of a head and one wording a line; a line with # names the suite from there."""
    entries, suite = [], ""
    for paragraph in text.strip().split("\n\n"):
        head, *wordings = paragraph.split("\n")
        if head.startswith("# "):
            suite, head, *wordings = head[2:], *wordings
        match = _HEAD.match(head)
        assert match is not None, head
        parameters = []
        for part in filter(None, match["parameters"].split(", ")):
            name, kind = part.split(": ")
            parameters.append((name.rstrip("?"), kind, name.endswith("?")))
        names = tuple(match["names"].split("/"))
        direct = tuple(wording[2:] for wording in wordings if wording.startswith("* "))
        oblique = tuple(wording for wording in wordings if not wording.startswith("* "))
        entries.append(Entry(names, tuple(parameters), match["result"], oblique, direct, suite))
    return tuple(entries)


def sample(draw: Draw, kind: str) -> Value:
    """A value of a kind; `a|b` is an enum, a digit at the end of a kind only tells two slots apart."""
    if "|" in kind:
        value = draw.pick(options := kind.split("|"))
        return Value(value.replace("_", " "), value, {**STRING, "enum": options})
    if kind == "bool":
        flag = draw.chance(0.5)
        return Value("yes" if flag else "no", flag, {"type": "boolean"})
    kind = kind.rstrip("0123456789")
    return (KINDS.get(kind) or PHRASES[kind])(draw)


def given(draw: Draw, entry: Entry, wording: str) -> dict[str, Value]:
    """Values for the required arguments, and for optional ones from the left as long as the wording says them."""
    values: dict[str, Value] = {}
    open_end = True
    for name, kind, optional in entry.parameters:
        if optional:
            said = re.search(r"\{" + name + r"[:}]", wording) is not None
            open_end = open_end and said and (draw.chance(0.6) or f"[{name}]" in wording)
        if not optional or open_end:
            values[name] = sample(draw, kind)
    return values


def _options(value: Value) -> Sequence[Any]:
    """What a slot's words stand for, in their order: {loud:loudly/quietly}, {size:tiny/huge}."""
    options: Sequence[Any] = value.schema.get("enum", (True, False))
    return options


def fill(draw: Draw, wording: str, values: Mapping[str, Value]) -> str:
    """The wording with its values: optional parts first, then slots."""
    extra: dict[str, Value] = {}

    def keep(match: re.Match[str]) -> str:
        return match[1] if match[2] in values else ""

    def say(match: re.Match[str]) -> str:
        name, ways = match[1], match[2]
        if ways is not None:
            return str(ways.split("/")[_options(values[name]).index(values[name].value)])
        if name in values:
            return values[name].spoken
        if name not in extra:
            extra[name] = sample(draw, name)
        return extra[name].spoken

    return _SLOT.sub(say, _OPTIONAL.sub(keep, wording))


def plain(draw: Draw, text: str, capital: bool = True) -> str:
    """The text as it is, or with a capital letter where that is right, a full stop, or both."""
    if capital and draw.chance(0.55):
        text = text[0].upper() + text[1:]
    return text + draw.pick(("", "", ".", ".", "!")) if text[-1] not in "?.!" else text


def wrap(draw: Draw, text: str) -> str:
    """A request in one of many manners; a question mostly as it is."""
    text = _TIMES.sub(lambda match: "twice" if match[1] in ("2", "two") else "once", text) if draw.chance(0.5) else text
    if _NO_REQUEST.match(text):
        return plain(draw, text)
    if text[0].islower():
        wrapper = draw.template(WRAPPERS)
        question = wrapper.format(x=text, X=text[0].upper() + text[1:])
        return question.replace("?.", "?").replace("??", "?").replace("!.", "!")
    if draw.chance(0.08):
        greeting = draw.pick(GREETINGS)
        text = greeting + (text if greeting[-2] in "!:" else text[0].lower() + text[1:])
    if draw.chance(0.08):
        text = text.rstrip("?.")
    return text[0].lower() + text[1:] if draw.chance(0.08) else text
