"""What the model reads while it answers: its prompt, and in a call a prompt with the signatures that matter there.

A list of thousands of tools fits no prompt, and none has to stand there: the machine knows the names. Their parameters
are another matter, for a value is hard to find without knowing what it is for. So the signature of a tool may be shown
once its name is chosen, and until the call has ended, as ToolkenGPT's tool mode shows demonstrations (Hao and others
2023, section 3.1). Where names are weighed (see `weighing`) the likeliest ones are shown before that, to choose from,
and stay until the call has ended. The prompt of the rest of the answer stays as short as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from tooldec.errors import UsageError
from tooldec.token_fsm import TokenFSM

if TYPE_CHECKING:
    import torch

    from tooldec.models import Model
    from tooldec.models import Session as ModelSession
    from tooldec.schemes import Prompt, Scheme
    from tooldec.tools import Tool

Reveal = Callable[[Sequence[str]], "Prompt | str"]
"""The prompt that shows these tools, in this order; of none, a prompt without any list."""


def signatures_of(scheme: Scheme, tools: Sequence[Tool], question: str) -> Reveal:
    """The scheme's prompt with no other tools than these.

    >>> from tooldec import SCHEMES, parse_tools
    >>> tools = parse_tools("add(a: int, b: int), square(side: int), sqrt(x: float)")
    >>> signatures_of(SCHEMES["special_token"], tools, "5 squared?")(["sqrt", "square"]).messages[0]["content"]
    'Tools: sqrt(x: float), square(side: int)'
    """
    by_name = {tool.name: tool for tool in tools}

    def reveal(names: Sequence[str]) -> Prompt:
        shown = [by_name[name] for name in names if name in by_name]  # ReAct's `Finish` is a name of no tool
        return scheme.prompt(shown or tools, question, documentation=bool(shown))

    return reveal


class RevealingSession:
    """A session that reads another prompt where `at` says so; the answer is the same behind both.

    revealed   the tools whose signatures the model reads now; none where it reads the usual prompt
    prompt     what it reads now before the answer
    """

    def __init__(self, model: Model, fsm: TokenFSM, prompt: Prompt | str, reveal: Reveal | None) -> None:
        self.revealed: tuple[str, ...] = ()
        self.prompt = prompt
        self._model, self._fsm, self._prompt, self._reveal = model, fsm, prompt, reveal
        self._usual: ModelSession = model.start(prompt)
        self._now = self._usual
        self._written: list[int] = []

    @property
    def prefix(self) -> str:
        return self._usual.prefix

    @property
    def room(self) -> int:
        return min(self._usual.room, self._now.room)

    def logits(self) -> torch.Tensor:
        return self._now.logits()

    def append(self, ids: Iterable[int]) -> None:
        new = list(ids)
        self._written += new
        self._usual.append(new)
        if self._now is not self._usual:
            self._now.append(new)

    def restart(self, tokens: Sequence[int]) -> None:
        """Take these tokens for the answer so far."""
        self._usual = self._now = self._model.start(self._prompt)
        self.prompt, self.revealed, self._written = self._prompt, (), []
        self.append(tokens)

    def at(self, state: int, shortlist: tuple[str, ...] = ()) -> None:
        """Read what is to be read at a state of the machine; raises UsageError where that doesn't fit the model.

        shortlist   the tools to be shown where a name is chosen
        """
        if self._reveal is None:
            return
        name = self._fsm.label(state).tool
        certain = name is not None and self._fsm.dfa.tools(state) == (name,)
        wanted = shortlist
        if certain and name is not None:
            wanted = self.revealed if name in self.revealed else (name,)
        if wanted != self.revealed:
            prompt = self._reveal(wanted) if wanted else self._prompt
            self._now = self._behind(prompt, wanted) if wanted else self._usual
            self.prompt, self.revealed = prompt, wanted

    def _behind(self, prompt: Prompt | str, names: Sequence[str]) -> ModelSession:
        """The answer so far behind another prompt."""
        session = self._model.start(prompt)
        session.append(self._written)
        if session.room < 1:
            raise UsageError(
                "the answer so far doesn't fit the model's context behind a prompt with the signature of "
                f"`{'`, `'.join(names)}`",
                fix="shorten the question or the tool's description, or don't reveal signatures",
            )
        return session
