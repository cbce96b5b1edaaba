"""The loop of finite-state decoding (section 3.1, Algorithm 1), as a generator of immutable steps.

s = s0; until the end: P = model(answer); P̃ = P masked by g(s, ·) and renormalised; a ~ P̃; s = g(s, a)
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tooldec.choosing.revealing import Reveal
from tooldec.choosing.search import Search
from tooldec.choosing.spelling import BEFORE, forced_tokens
from tooldec.choosing.wholes import Wholes
from tooldec.errors import HostError, ToolDecError, UsageError
from tooldec.models import Model
from tooldec.outline import Outline
from tooldec.sampling import Choice, Chooser, Settings
from tooldec.schemes.host import Edit, Watcher
from tooldec.token_fsm import TokenFSM
from tooldec.trace import End, Found, Step, Writer

if TYPE_CHECKING:
    from tooldec.schemes import Host, Prompt


def decode(
    model: Model,
    fsm: TokenFSM,
    prompt: Prompt | str,
    max_tokens: int = 256,
    *,
    temperature: float = 0.0,
    top_p: float = 1.0,
    top_k: int = 0,
    seed: int = 0,
    host: Host | None = None,
    fast_forward: bool = False,
    outline: Outline | None = None,
    watcher: Watcher | None = None,
    opening: Sequence[int] = (),
    candidates: bool = True,
    weighed: bool = False,
    reveal: Reveal | None = None,
    search: Search | None = None,
) -> Generator[Step]:
    """Steer the model through the machine; closing the generator keeps the steps so far.

    A step's `text` is the answer before its token. Where the host or the watcher rewrites the answer, the next step's
    text is another one; the model then reads it from the prompt on.

    max_tokens    counts every token of the answer, whoever writes it
    temperature   P is softmax(logits / temperature) before the mask; 0 takes the likeliest token of P̃ (of equal ones
                  the lowest id), and shows P at temperature 1
    top_k, top_p  tokens are drawn from so many of P̃'s likeliest (0: all), then from the fewest with this share (1: all)
    seed          of the generator that draws; the same settings, device and dtype draw the same answer
    host          writes where the machine waits for it; without one such a state raises HostError
    watcher       may take back tokens and write others; for machines with one state
    outline       names the states; a page hands in the one that it draws
    opening       the tokens that the answer takes first in the model's place, those of a run up to where another way
                  is gone; UsageError where the machine doesn't allow one. The same seed goes on as that run did
    fast_forward  where only one text can follow, its own tokens are taken without asking the model for logits; they
                  are read in one pass later. Not exact: among several tokenisations the usual one is taken
    candidates    False where nobody looks: quicker steps without tokens to show, `mass_kept` a little less exact
    weighed       names of tools are weighed as wholes before one begins, and P̂ takes the place of P̃ in them (see
                  `weighing`)
    reveal        what the model reads in the prompt's place in a call: `revealing.signatures_of(scheme, tools,
                  question)` shows its tool's signature; with `weighed`, those of a shortlist before one is chosen
    search        arguments are chosen as wholes: a beam search finds the likeliest valid calls of a tool, and P̂ takes
                  the place of P̃ in them (see `search`)

    Raises:
        UsageError: a setting is out of its range, the machine is of another vocabulary, or the opening isn't allowed.
        HostError: the machine waits for a text, and there is no host; or the host's own code failed.
        DeadEndError: the vocabulary can't spell what has to come.
        ModelError: the model can't read the prompt, or stopped.
    """
    settings = Settings(max_tokens, temperature, top_p, top_k, seed)
    if model.vocabulary.size != fsm.vocabulary.size:
        raise UsageError(
            f"the machine has {fsm.vocabulary.size} tokens, the model `{model.name}` {model.vocabulary.size}",
            fix="build the machine with model.vocabulary",
        )
    wholes = Wholes(model, fsm, prompt, temperature, weighed, reveal, search)
    run = _Run(model, fsm, wholes, settings, host, outline or Outline(fsm), list(opening), candidates)
    return _run(run, fast_forward, watcher)


def _run(run: _Run, fast_forward: bool, watcher: Watcher | None) -> Generator[Step]:
    fsm = run.fsm
    state, end = run.enter(fsm.initial)
    if end == "needs_result":
        raise HostError("the answer begins with the host's text, and the host has none", fix="give it a result")
    while end is None and run.failure is None:
        index, text, label = run.length, run.text(), fsm.label(state)
        taken = run.by_host(state) if run.host_tokens else run.by_model(state, fast_forward)
        next_state, end = run.enter(taken.next_state, taken.choice.token)
        edit = watcher.edit(run.text(), end == "eos") if watcher and not run.host_tokens and end != "limit" else None
        if edit is not None:
            next_state, end = (state if end == "eos" else next_state), None
        yield Step(
            index=index,
            text=text,
            state=run.number(state),
            state_name=run.outline.name(state),
            mode=label.mode,
            tool=label.tool,
            parameter=label.parameter,
            allowed_count=taken.allowed_count,
            mass_kept=taken.choice.mass_kept,
            candidates=taken.choice.candidates,
            token_id=taken.choice.token,
            token=fsm.vocabulary.text(taken.choice.token),
            next_state=run.number(next_state),
            next_state_name=run.outline.name(next_state),
            writer=taken.writer,
            accepting=fsm.is_accepting(state),
            model_ms=taken.model_ms,
            mask_ms=taken.mask_ms,
            end=end,
            answer=run.text() if end is not None else None,
            revealed=taken.revealed,
            found=taken.found,
        )
        state = next_state
        if edit is not None:
            run.rewrite(edit)
    if run.failure is not None:
        raise run.failure


@dataclass(frozen=True, slots=True)
class _Taken:
    """A token, who wrote it, and where it leads."""

    writer: Writer
    choice: Choice
    next_state: int
    allowed_count: int = 0
    model_ms: float = 0.0
    mask_ms: float = 0.0
    revealed: tuple[str, ...] = ()
    found: tuple[Found, ...] = ()


class _Run:
    """What one run keeps: the session, the answer so far, and the numbers of the states that it visited."""

    def __init__(
        self,
        model: Model,
        fsm: TokenFSM,
        wholes: Wholes,
        settings: Settings,
        host: Host | None,
        outline: Outline,
        opening: list[int],
        candidates: bool,
    ) -> None:
        self.fsm, self.outline, self.length = fsm, outline, 0
        self._opening = opening
        self.host_tokens: list[int] = []
        self.failure: ToolDecError | None = None
        self._model, self._host, self._settings = model, host, settings
        self._chooser = Chooser(settings, fsm.vocabulary, candidates)
        self._wholes, self._session = wholes, wholes.session
        self._answer = bytearray(self._session.prefix.encode())
        self._tokens: list[int] = []  # the answer's, with the length of the answer before each
        self._starts: list[int] = []
        self._barred: dict[int, set[int]] = {}  # length of the answer -> tokens that were tried there
        self._numbers: dict[int, int] = {}
        self._spelled: list[int] = []  # tokens of a forced spelling that are still to be taken

    def text(self) -> str:
        """The answer so far; half a character is shown as �."""
        return self._answer.decode("utf-8", "replace")

    def number(self, state: int) -> int:
        """States are numbered by the first visit of this run."""
        return self._numbers.setdefault(state, len(self._numbers))

    def by_model(self, state: int, fast_forward: bool) -> _Taken:
        """One step of Algorithm 1."""
        start = perf_counter()
        allowed = self.fsm.allowed(state)  # (V,)
        if tried := self._barred.get(len(self._answer)):
            allowed = allowed.copy()
            allowed[list(tried)] = False
        count, masked = int(np.count_nonzero(allowed)), perf_counter()
        wanted = self._wanted(state, allowed)
        forced = self._forced(state, allowed, count) if fast_forward else None
        if wanted not in (None, forced):  # the opening goes another way
            self._spelled.clear()
            forced = None
        if forced is None:
            logits, weighed = self._wholes.ask(state, self._tokens, allowed)  # (V,)
            asked = perf_counter()
            choice, found = self._chooser.choose(logits, allowed, wanted, weighed), weighed.found if weighed else ()
        else:
            asked = perf_counter()
            choice, found = self._chooser.only(forced), ()
        chosen = perf_counter()
        next_state = self.fsm.step(state, choice.token)
        assert next_state is not None, "an allowed token leads somewhere"
        mask_ms = 1000 * (masked - start + perf_counter() - chosen)
        self._session.append([choice.token])
        writer: Writer = "model" if forced is None else "forced"
        revealed = self._session.revealed if forced is None else ()
        return _Taken(writer, choice, next_state, count, 1000 * (asked - masked), mask_ms, revealed, found)

    def _wanted(self, state: int, allowed: NDArray[np.bool_]) -> int | None:
        """The next token of the opening, which must be allowed."""
        if not self._opening:
            return None
        token = self._opening.pop(0)
        if not 0 <= token < len(allowed):
            raise UsageError(f"there is no token {token}", fix=f"use 0 to {len(allowed) - 1}")
        if not allowed[token]:
            why = self.fsm.why_blocked(state, token) or "it has been tried here"
            shown = self.fsm.vocabulary.text(token)
            raise UsageError(f"`{shown}` can't be token {self.length + 1} of the answer: {why}", fix="take a valid one")
        return token

    def _forced(self, state: int, allowed: NDArray[np.bool_], count: int) -> int | None:
        """The next token where there is no choice: the only one, or the next of a forced spelling's own tokens."""
        if count == 1:
            self._spelled.clear()
            return int(allowed.argmax())
        if not self._spelled:
            self._spelled = forced_tokens(self.fsm, state, self._model.tokenize, self._tokens[-BEFORE:])
        return self._spelled.pop(0) if self._spelled else None

    def by_host(self, state: int) -> _Taken:
        """One token of what the host has written; the model isn't asked."""
        choice = Choice(self.host_tokens.pop(0), 1.0, ())
        over = not self.host_tokens and self.fsm.is_host(state)
        return _Taken("host", choice, self.fsm.after_host(state) if over else state)

    def enter(self, state: int, token: int | None = None) -> tuple[int, End | None]:
        """Arrive at a state by a token: where the run goes on, and why it ends if it does."""
        if token is not None:
            self.length += 1
            if token in self.fsm.vocabulary.eos:
                return state, "eos"
            self._tokens.append(token)
            self._starts.append(len(self._answer))
            self._answer += self.fsm.vocabulary.spelled((token,))
        try:
            while self.fsm.is_host(state) and not self.host_tokens:
                if not self._ask_host():
                    return state, "needs_result"
                if not self.host_tokens:  # an empty text
                    state = self.fsm.after_host(state)
        except ToolDecError as error:  # raised when this token's step has been handed out
            self.failure = error
            return state, None
        if self.fsm.is_complete(state):
            return state, "call"
        full = self._session.room <= 0 and not self.host_tokens
        return state, "limit" if full or self.length >= self._settings.max_tokens else None

    def _ask_host(self) -> bool:
        """Take what the host writes now, as plain text in one piece; False where it knows nothing."""
        if self._host is None:
            raise HostError(
                "the call waits for its result, and there is no host to write it",
                fix="pass host=scheme.host(tools), or, but for `name_prompt`, build the grammar with results=False",
            )
        written = self._host.write(self.text())
        if written is None:
            return False
        if isinstance(written, Edit):
            self.rewrite(written)
        else:
            self._write(written)
        return True

    def _write(self, text: str) -> None:
        self.host_tokens = self._model.tokenize(text)[: self._session.room]
        self._session.append(self.host_tokens)

    def rewrite(self, edit: Edit) -> None:
        """Take back tokens from `edit.keep` on, and write the edit's text; the session begins again."""
        text, keep = self.text(), edit.keep
        if keep == len(text) and not edit.retry:
            return self._write(edit.text)
        before = [len(self._answer[:start].decode("utf-8", "replace")) for start in self._starts]
        at = max((index for index, start in enumerate(before) if start <= keep), default=0)
        if edit.retry:
            self._barred.setdefault(self._starts[at], set()).add(self._tokens[at])
            keep = before[at]
        left = text[before[at] : keep]  # of a token that is cut in two
        del self._answer[self._starts[at] :], self._tokens[at:], self._starts[at:]
        self._session.restart(self._tokens)
        self._write(left + edit.text)
