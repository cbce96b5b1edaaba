"""Which tool would be called: the exact probability of every tool's name under the machine.

P(t) is the probability that guided decoding, from the start of a call on, goes on to call t: the sum, over all token
paths after which only t is possible, of the product of their P̃ (the model's probabilities, masked and renormalised
at every step). Every tokenisation of a name counts, and so do tokens that cross its border, such as `("`.

    rank(model, tools, "the side of a square is 5, what's its area?").entries[0]
    → Entry(tool="square", probability=0.74, path=(Piece("sq", 0.80), Piece("uare", 0.92)))

Paths are followed best first, in batches. The search stops when what is left weighs less than `cutoff`: that mass is
`lost`, an upper bound of the error of every probability. With `weighed=True` the names are weighed as wholes instead,
as `decode(…, weighed=True)` would (see `weighing`).
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tooldec.choosing.naming import unwritten
from tooldec.choosing.revealing import Reveal, signatures_of
from tooldec.choosing.spelling import BEFORE, forced_tokens
from tooldec.choosing.weighing import Weigher, Weight
from tooldec.errors import UsageError
from tooldec.models.branches import Branches
from tooldec.schemes import SCHEMES
from tooldec.token_fsm import TokenFSM, build_fsm

if TYPE_CHECKING:
    from tooldec.models import Model
    from tooldec.schemes import Host, Prompt, Scheme
    from tooldec.tools import Tool

CUTOFF = 1e-3
"""How much probability may be left unfollowed."""

BATCH = 256
"""How many paths the model reads at once."""

MAX_PATHS = 4_096
"""After so many paths the search stops, whatever is left."""

_TINY = 1e-12
_MOST_LIFT = 700.0  # what a float's exponent can hold


@dataclass(frozen=True, slots=True)
class Piece:
    """A token on a path, and its P̃."""

    token: str
    probability: float


@dataclass(frozen=True, slots=True)
class Entry:
    """One tool: its probability, and the most probable path up to where nothing else can be meant.

    weight   P̃(t), Λ(t) and P(t | heat), where names are weighed as wholes (see `weighing`): there is no path then
    """

    tool: str
    probability: float
    path: tuple[Piece, ...] = ()
    weight: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """All tools, the most probable first; `lost` is the mass that wasn't followed, `paths` how often the model ran.

    shortlist   the tools whose signatures stood before the model, the likeliest last
    """

    entries: tuple[Entry, ...]
    lost: float
    paths: int
    seconds: float
    shortlist: tuple[str, ...] = ()

    def probability(self, tool: str) -> float:
        return next((entry.probability for entry in self.entries if entry.tool == tool), 0.0)


@dataclass(order=True, slots=True)
class _Path:
    """A path that may still lead to several tools; the heap gives the most probable first."""

    weight: float  # minus the probability
    tokens: tuple[int, ...]
    state: int = field(compare=False)
    pieces: tuple[Piece, ...] = field(compare=False, default=())


def rank(
    model: Model,
    tools: Sequence[Tool],
    question: str,
    scheme: Scheme | None = None,
    documentation: bool = True,
    cutoff: float = CUTOFF,
    weighed: bool = False,
    reveal: bool = False,
) -> Ranking:
    """The probability of each tool for a question, once a call begins.

    reveal   without documentation, `weighed`: a shortlist is shown; with it one takes the list's place anyway
    """
    scheme = (scheme or SCHEMES["special_token"]).for_model(model)
    fsm = build_fsm(scheme.grammar(tools, start="call"), model.vocabulary)
    prompt = scheme.prompt(tools, question, documentation=documentation)
    names, host = [tool.name for tool in tools], scheme.host(tools)
    shown = signatures_of(scheme, tools, question) if weighed and (documentation or reveal) else None
    return ranking(model, fsm, prompt, names, scheme.marker, cutoff, host, weighed, shown)


def ranking(
    model: Model,
    fsm: TokenFSM,
    prompt: Prompt | str,
    tools: Sequence[str],
    marker: str = "",
    cutoff: float = CUTOFF,
    host: Host | None = None,
    weighed: bool = False,
    reveal: Reveal | None = None,
) -> Ranking:
    """The same for a machine that begins with a call; `marker`, which opens it, is written and not chosen.

    host     writes what comes between the marker and the name, where the scheme has such a text
    weighed  names are weighed as wholes; UsageError where the prompt is a text, or there are too many tools
    reveal   what shows the shortlist of names that are weighed
    """
    started = perf_counter()
    opening, state = _opened(model, fsm, marker, host)
    if weighed:
        opening, state = _up_to_names(model, fsm, prompt, opening, state)
        weights, shortlist = Weigher(model, fsm, prompt, reveal=reveal).weigh(state, opening, model.context)
        entries = _weighed(weights)
        return Ranking(entries, 0.0, len(entries), perf_counter() - started, shortlist)
    search = _Search(fsm, Branches(model, prompt, opening), tools)
    search.run(state, cutoff)
    entries = tuple(sorted(search.entries(), key=lambda entry: -entry.probability))
    return Ranking(entries, max(search.left, 0.0), search.paths, perf_counter() - started)


def _weighed(weights: Mapping[str, Weight]) -> tuple[Entry, ...]:
    """P̂ of each tool."""
    most = max(weight.total for weight in weights.values())
    shares = {name: exp(weight.total - most) for name, weight in weights.items()}
    total = sum(shares.values())
    order = sorted(shares, key=lambda name: shares[name], reverse=True)
    return tuple(Entry(name, shares[name] / total, weight=_told(weights[name])) for name in order)


def _told(weight: Weight) -> tuple[float, float, float]:
    return exp(weight.masked), exp(min(weight.lift, _MOST_LIFT)), exp(weight.heat)


def _opened(model: Model, fsm: TokenFSM, marker: str, host: Host | None) -> tuple[tuple[int, ...], int]:
    """The tokens with which a call begins, and the state behind them, in which a name does."""
    ids = model.vocabulary.ids(marker)
    opening = ids[:1] or tuple(model.tokenize(marker) if marker else ())
    state: int | None = fsm.initial
    for token in opening:
        state = None if state is None else fsm.step(state, token)
    if state is None:
        raise UsageError(f"the machine doesn't begin with `{marker}`", fix='build it with start="call"')
    if fsm.is_host(state):
        written = host.write(marker) if host is not None else None
        if not isinstance(written, str):
            raise UsageError("the host writes between the marker and the name", fix="pass host=scheme.host(tools)")
        opening, state = (*opening, *model.tokenize(written)), fsm.after_host(state)
    return opening, state


def _up_to_names(
    model: Model, fsm: TokenFSM, prompt: Prompt | str, opening: tuple[int, ...], state: int
) -> tuple[tuple[int, ...], int]:
    """The same behind what must be written before a name can begin, such as `{"name": "`."""
    while not unwritten(fsm, state):
        forced = forced_tokens(fsm, state, model.tokenize, opening[-BEFORE:])
        token = forced[0] if forced else _likeliest(model, fsm, prompt, opening, state)
        after = fsm.step(state, token)
        assert after is not None, "an allowed token leads somewhere"
        opening, state = (*opening, token), after
    return opening, state


def _likeliest(model: Model, fsm: TokenFSM, prompt: Prompt | str, opening: tuple[int, ...], state: int) -> int:
    """The allowed token that the model would take."""
    (logits,) = Branches(model, prompt, opening).logits([()])
    return int(np.where(fsm.allowed(state), logits, -np.inf).argmax())


class _Search:
    """Best first over the token paths of one machine."""

    def __init__(self, fsm: TokenFSM, branches: Branches, tools: Sequence[str]) -> None:
        self.fsm, self.branches, self.tools = fsm, branches, tools
        self.mass = dict.fromkeys(tools, 0.0)
        self.best: dict[str, tuple[float, tuple[Piece, ...]]] = {}
        self.left, self.paths = 1.0, 0
        self._meant: dict[int, str | None] = {}

    def run(self, state: int, cutoff: float) -> None:
        heap = [_Path(-1.0, (), state)]
        if (only := self._only(state)) is not None:
            self._settle(only, 1.0, ())
            heap = []
        while heap and self.left > cutoff and self.paths < MAX_PATHS:
            batch, waiting = list[_Path](), self.left
            while heap and len(batch) < BATCH and waiting > cutoff / 2:  # no more than what has to be followed
                batch.append(heapq.heappop(heap))
                waiting += batch[-1].weight
            self.paths += len(batch)
            for path, logits in zip(batch, self.branches.logits([path.tokens for path in batch]), strict=True):
                self._extend(path, logits, heap)

    def _extend(self, path: _Path, logits: NDArray[np.float32], heap: list[_Path]) -> None:
        ids = self.fsm.allowed(path.state).nonzero()[0]
        scores = logits[ids].astype(np.float64)
        shares = np.exp(scores - scores.max())
        after = shares / shares.sum()  # P̃
        for token, share in zip(ids.tolist(), after.tolist(), strict=True):
            weight = -path.weight * share
            if weight < _TINY:
                continue
            state = self.fsm.step(path.state, token)
            assert state is not None
            pieces = (*path.pieces, Piece(self.fsm.vocabulary.text(token), share))
            only = self._only(state)
            if only is not None:
                self._settle(only, weight, pieces)
            else:
                heapq.heappush(heap, _Path(-weight, (*path.tokens, token), state, pieces))

    def _only(self, state: int) -> str | None:
        """The one tool that can still be meant."""
        if state not in self._meant:
            found = self.fsm.dfa.tools(state)
            self._meant[state] = found[0] if len(found) == 1 else None
        return self._meant[state]

    def _settle(self, tool: str, weight: float, pieces: tuple[Piece, ...]) -> None:
        self.mass[tool] = self.mass.get(tool, 0.0) + weight
        self.left -= weight
        if weight > self.best.get(tool, (0.0, ()))[0]:
            self.best[tool] = (weight, pieces)

    def entries(self) -> list[Entry]:
        return [Entry(tool, mass, self.best.get(tool, (0.0, ()))[1]) for tool, mass in self.mass.items()]
