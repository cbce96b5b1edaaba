"""Grammar terms: what may be written, as frozen values that are joined by `+` and `|`.

A symbol is a byte (`int`, 0–255) or a special token (`str`); a grammar describes sequences of symbols.

>>> digit = SymbolClass.of(b"0123456789")
>>> number = Literal(b"-").optional() + digit.repeat(1)
>>> print(number)
Sequence(Repeat(Literal(b'-'), 0, 1), Repeat(SymbolClass([0-9]), 1, ...))
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tooldec.symbols import symbols_text

if TYPE_CHECKING:
    from tooldec.submachine import Table


@dataclass(frozen=True, slots=True)
class Label:
    """What a part of the machine stands for; views colour by it.

    mode is "text", "name", "argument", "result" or "end" (section 3.2's modes, the tool mode split in its parts).
    `schema` is that of the parameter's value; it tells no labels apart.
    `answers` where the call is the answer itself, and looks nothing up (ReAct's `Finish`).
    """

    mode: str
    tool: str | None = None
    parameter: str | None = None
    schema: object = field(default=None, compare=False, repr=False)
    answers: bool = False


TEXT = Label("text")


class Grammar:
    """Base of all terms. Terms are compared by identity where speed matters: share them."""

    __slots__ = ()

    def __add__(self, other: Grammar) -> Grammar:
        return Sequence((*parts_of(self, Sequence), *parts_of(other, Sequence)))

    def __or__(self, other: Grammar) -> Grammar:
        return Choice((*parts_of(self, Choice), *parts_of(other, Choice)))

    def optional(self) -> Repeat:
        return Repeat(self, 0, 1)

    def repeat(self, low: int = 0, high: int | None = None) -> Repeat:
        return Repeat(self, low, high)


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Grammar):
    """Exactly these bytes."""

    text: bytes

    def __str__(self) -> str:
        return f"Literal({self.text!r})"


@dataclass(frozen=True, slots=True, eq=False)
class SymbolClass(Grammar):
    """One byte out of a set."""

    symbols: frozenset[int]

    @classmethod
    def of(cls, *parts: bytes | tuple[int, int] | int) -> SymbolClass:
        """`SymbolClass.of(b"+-", (0x30, 0x39))`: bytes, inclusive ranges and single values."""
        symbols: set[int] = set()
        for part in parts:
            symbols.update(
                part if isinstance(part, bytes) else [part] if isinstance(part, int) else range(part[0], part[1] + 1)
            )
        return cls(frozenset(symbols))

    def __str__(self) -> str:
        return f"SymbolClass({symbols_text(self.symbols)})"


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(Grammar):
    """One after the other; the empty sequence is the empty text."""

    parts: tuple[Grammar, ...]

    def __str__(self) -> str:
        return f"Sequence({', '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Grammar):
    """One of several; the empty choice is nothing at all."""

    options: tuple[Grammar, ...]

    def __str__(self) -> str:
        return f"Choice({', '.join(map(str, self.options))})"


class Wrapper(Grammar):
    """A term with one other inside."""

    __slots__ = ()
    body: Grammar

    def __str__(self) -> str:
        return f"{type(self).__name__}({self.body})"


@dataclass(frozen=True, slots=True, eq=False)
class Repeat(Wrapper):
    """`low` to `high` times (`None`: without bound)."""

    body: Grammar
    low: int = 0
    high: int | None = None

    def __str__(self) -> str:
        return f"Repeat({self.body}, {self.low}, {'...' if self.high is None else self.high})"


@dataclass(frozen=True, slots=True, eq=False)
class Rounds(Repeat):
    """A Repeat that is drawn as one loop: the steps of ReAct."""


@dataclass(frozen=True, slots=True, eq=False)
class Forever(Wrapper):
    """The body again and again; the text ends where the body lets it (in `Until`)."""

    body: Grammar


@dataclass(frozen=True, slots=True, eq=False)
class Special(Grammar):
    """A special token, such as `<T>`; a vocabulary without it spells it out."""

    name: str

    def __str__(self) -> str:
        return f"Special({self.name})"


@dataclass(frozen=True, slots=True, eq=False)
class Until(Grammar):
    """Text mode: anything up to and including a marker; the answer may also end in it (s0 of the paper).

    Where the vocabulary has the marker as a token only that token counts, otherwise its spelling, tokens in it or not.

    barred  markers that may not be written here; the marker itself always may
    ends    whether the answer may end in it
    """

    marker: str
    barred: Collection[str] = ()
    ends: bool = True

    def __str__(self) -> str:
        return f"Until({self.marker})"


@dataclass(frozen=True, slots=True, eq=False)
class HostText(Grammar):
    """Text that the host writes (a tool's result): no token of the model crosses it."""


@dataclass(frozen=True, slots=True, eq=False)
class Names(Grammar):
    """One of many words, each followed by a tail of its own: `tail(i)` follows `words[i]`.

    The words are distinct and sorted; `ranks` is their order for people. Tails are asked for when a word is
    complete: nothing is built for the other 15,999 tools.
    """

    words: tuple[bytes, ...]
    tail: Callable[[int], Grammar] = field(repr=False)
    ranks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.ranks:
            object.__setattr__(self, "ranks", tuple(range(len(self.words))))

    def __str__(self) -> str:
        return f"Names({', '.join(word.decode('utf-8', 'replace') for word in self.words)})"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Submachine(Grammar):
    """A regular language that is drawn as one box with a name, such as IntFSM (Figure 2).

    Its own small automaton is complete before it is used and shared by all places that mention this value.
    It is made from `body`, or given as `ready`.
    """

    name: str
    body: Grammar
    ready: Table | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"Submachine({self.name})"


@dataclass(frozen=True, slots=True, eq=False)
class Counted(Grammar):
    """A submachine of strings, quoted or bare, with `low` to `high` characters (`None`: no bound); see `counting`.

    `characters` accepts any of the strings, and tells where a character begins.
    """

    body: Submachine
    characters: Submachine
    low: int
    high: int | None

    def __str__(self) -> str:
        return f"Counted({self.body}, {self.low}, {'...' if self.high is None else self.high})"


@dataclass(frozen=True, slots=True, eq=False)
class Noted(Wrapper):
    """`body`, with notes for people about what it leaves unchecked; see TokenFSM.warnings."""

    notes: tuple[str, ...]
    body: Grammar

    def __str__(self) -> str:
        return str(self.body)


@dataclass(frozen=True, slots=True, eq=False)
class Deferred(Grammar):
    """A grammar that is made when it is reached: what would be endless, or far too large, if it were written out.

    `make()` gives the same value each time it is asked; share terms, so that equal states are found again.
    """

    name: str
    make: Callable[[], Grammar] = field(repr=False)

    def __str__(self) -> str:
        return f"Deferred({self.name})"


@dataclass(frozen=True, slots=True, eq=False)
class Labelled(Wrapper):
    """`body`, whose states carry `label`."""

    label: Label
    body: Grammar

    def __str__(self) -> str:
        return f"Labelled({self.label}, {self.body})"


EMPTY = Sequence(())
NOTHING = Choice(())


def sequence(*parts: Grammar | bytes) -> Grammar:
    """Join parts, bytes standing for literals; neighbouring literals become one.

    >>> print(sequence(b"(", b"x", EMPTY, b")"))
    Literal(b'(x)')
    """
    flat: list[Grammar] = []
    for part in parts:
        for term in (Literal(part),) if isinstance(part, bytes) else parts_of(part, Sequence):
            if isinstance(term, Literal) and flat and isinstance(flat[-1], Literal):
                flat[-1] = Literal(flat[-1].text + term.text)
            else:
                flat.append(term)
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def choice(options: Iterable[Grammar]) -> Grammar:
    """One of the options; a single option is itself."""
    flat = tuple(options)
    return flat[0] if len(flat) == 1 else Choice(flat)


def parts_of(term: Grammar, kind: type[Grammar]) -> tuple[Grammar, ...]:
    if isinstance(term, kind) and isinstance(term, Sequence):
        return term.parts
    return term.options if isinstance(term, kind) and isinstance(term, Choice) else (term,)


def inside(term: Grammar) -> tuple[Grammar, ...]:
    """The terms of which a term is made, but for those that are made when they are reached."""
    several = isinstance(term, Sequence | Choice)
    return parts_of(term, type(term)) if several else (term.body,) if isinstance(term, Wrapper) else ()
