"""What a run asks of the model: the next token's logits, and where names or arguments are chosen as wholes, P̂."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tooldec.choosing.revealing import Reveal, RevealingSession
from tooldec.choosing.search import Search, Searcher
from tooldec.choosing.weighing import Weighed, Weigher

if TYPE_CHECKING:
    import torch

    from tooldec.models import Model
    from tooldec.schemes import Prompt
    from tooldec.token_fsm import TokenFSM


class Wholes:
    """The session of a run, and P̂ where it takes the place of P̃.

    weighed   names are weighed (see `weighing`), with `reveal` behind a shortlist
    search    how arguments are searched for (see `search`); None: they aren't
    """

    def __init__(
        self,
        model: Model,
        fsm: TokenFSM,
        prompt: Prompt | str,
        temperature: float = 0.0,
        weighed: bool = False,
        reveal: Reveal | None = None,
        search: Search | None = None,
    ) -> None:
        self._weigher = Weigher(model, fsm, prompt, temperature, reveal) if weighed else None
        self._searcher = Searcher(model, fsm, search, temperature) if search else None
        self.session = RevealingSession(model, fsm, prompt, reveal)

    def ask(self, state: int, tokens: Sequence[int], allowed: NDArray[np.bool_]) -> tuple[torch.Tensor, Weighed | None]:
        """The model's logits of the next token, (V,), and P̂ of the allowed ones; None where P̃ stays as it is.

        tokens   the answer so far
        allowed  what the machine admits, (V,)
        """
        session, weigher, searcher = self.session, self._weigher, self._searcher
        session.at(state, weigher.begin(state, tokens, session.room) if weigher else ())
        logits = session.logits()
        found = weigher.weighed(state, logits.numpy(), allowed) if weigher else None
        if found is None and searcher and np.count_nonzero(allowed) > 1:
            searcher.begin(state, tokens, session.prompt, session.room)
            found = searcher.weighed(tokens, logits.numpy(), allowed)
        return logits, found
