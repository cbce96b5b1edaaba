"""The ways to decode: ToolDec, and what it is compared with; each gives the same kind of trace.

    guided      the machine of the tools: no invalid token, ever (ToolDec)
    weighed     guided, and names are weighed as wholes (see `weighing`)
    unguided    the machine with one state: everything allowed
    fuzzy       unguided, and a name that no tool has is replaced by one that ends with it, or is spelled alike
    backtrace   unguided, and where a call fails the answer is taken back to its name, for the next-ranked token

Where a host is given it also writes the results of unguided calls that can be read. A trace shows every token, those
that were taken back as well: the next step's text is then shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from tooldec.errors import CallError
from tooldec.grammar import TEXT, Grammar, Labelled, Special, sequence
from tooldec.models import Model
from tooldec.schemes import Edit, Host, Prompt, Scheme, Start
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.tools import Tool
from tooldec.trace import Step

RETRIES = 8
"""How often `backtrace` tries again at one place when it goes on until the call can be read."""


class Watch:
    """Reads an unguided answer after each token and lets the host write results."""

    def __init__(self, scheme: Scheme, tools: Sequence[Tool], host: Host | None = None) -> None:
        self.scheme, self.tools, self.host = scheme, tools, host

    def edit(self, text: str, ended: bool) -> Edit | None:
        try:
            calls = self.scheme.read_calls(text, self.tools)
        except CallError as error:
            return self.mend(text, error, ended)
        if self.host is None or not calls or ended or text[calls[-1].end :] != self.scheme.result_sign:
            return None
        written = self.host.write(text)
        return Edit(len(text), written) if isinstance(written, str) else None

    def mend(self, text: str, error: CallError, ended: bool) -> Edit | None:
        """What to change where a call is wrong; nothing, if nobody mends."""
        return None


class Fuzzy(Watch):
    """Puts a tool's name in the place of one that no tool has.

    published   the first tool whose name ends with what was written, so that an empty name is the first tool; otherwise
                the shortest such name, failing that the one that is spelled most alike, and nothing for an empty name
    """

    def __init__(
        self, scheme: Scheme, tools: Sequence[Tool], host: Host | None = None, published: bool = False
    ) -> None:
        super().__init__(scheme, tools, host)
        self.published = published

    def mend(self, text: str, error: CallError, ended: bool) -> Edit | None:
        if error.kind != "name" or error.name is None:
            return None
        start, end = error.name
        found = nearest(text[start:end].strip(), [tool.name for tool in self.tools], self.published)
        return None if found is None else Edit(start, found + text[end:])


def nearest(name: str, known: Sequence[str], published: bool = False) -> str | None:
    """The tool that a wrong name stands for.

    >>> nearest("gifs_from_memes", ["jokes", "search_gifs_from_memes"])
    'search_gifs_from_memes'
    """
    fitting = [tool for tool in known if tool.endswith(name)]
    if published:
        return fitting[0] if fitting else None
    if not name:
        return None
    return min(fitting, key=len) if fitting else next(iter(get_close_matches(name, known, 1)), None)


class Backtrace(Watch):
    """Takes the answer back to the token with which the failed call's name begins, and bars that token there.

    retries     how often at one place: 1 as published, more to go on until the call can be read
    """

    def __init__(self, scheme: Scheme, tools: Sequence[Tool], host: Host | None = None, retries: int = RETRIES) -> None:
        super().__init__(scheme, tools, host)
        self.retries = retries
        self._tried: dict[int, int] = {}

    def mend(self, text: str, error: CallError, ended: bool) -> Edit | None:
        if error.name is None or (error.kind == "cut_off" and not ended):
            return None
        place = error.name[0]
        self._tried[place] = self._tried.get(place, 0) + 1
        return Edit(place, retry=True) if self._tried[place] <= self.retries else None


@dataclass(frozen=True, slots=True)
class Method:
    """A row of METHODS: what it is called, and who watches an unguided run; nobody does in a guided one.

    weighed   whether names are weighed as wholes
    """

    label: str
    watch: Callable[..., Watch] | None
    weighed: bool = False

    @property
    def guided(self) -> bool:
        return self.watch is None

    def grammar(self, scheme: Scheme, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """What the machine is made of; unguided, a forced call still begins with the scheme's marker."""
        if self.guided:
            return scheme.grammar(tools, start, results)
        if start != "call":
            return scheme.unguided()
        return sequence(Labelled(TEXT, Special(scheme.marker)), scheme.unguided())

    def run(
        self,
        model: Model,
        scheme: Scheme,
        tools: Sequence[Tool],
        prompt: Prompt | str,
        start: Start = "text",
        results: bool = False,
        given: Mapping[str, Any] | None = None,
        fsm: TokenFSM | None = None,
        options: Mapping[str, Any] | None = None,
        host: Host | None = None,
        **settings: Any,
    ) -> Generator[Step]:
        """Decode one answer.

        results     whether the host writes results; `given` are those that the caller has (see `schemes.host`)
        fsm         the machine of `grammar`, where it has been built already
        options     the method's own: `published` of fuzzy, `retries` of backtrace
        host        who writes the results, where that isn't the scheme's own host
        settings    go to `decode`
        """
        from tooldec.decoder import decode  # the table of methods needs no torch

        machine = fsm or build_fsm(self.grammar(scheme, tools, start, results), model.vocabulary)
        host = host or scheme.host(tools, given)
        watcher = self.watch(scheme, tools, host if results else None, **(options or {})) if self.watch else None
        settings["weighed"] = self.weighed
        return decode(model, machine, prompt, host=host, watcher=watcher, **settings)


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "guided": Method("ToolDec", None),
        "weighed": Method("ToolDec, names weighed", None, weighed=True),
        "unguided": Method("unguided", Watch),
        "fuzzy": Method("fuzzy matching", Fuzzy),
        "backtrace": Method("backtrace", Backtrace),
    }
)
"""The methods by name."""

PUBLISHED: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {"fuzzy": {"published": True}, "backtrace": {"retries": 1}}
)
"""The options with which a method does what the paper's baselines did."""
