"""The machine for anyone who writes a decoding loop: where one answer stands, and which tokens may follow.

matcher = Matcher(fsm)
matcher.fill_mask(buffer)      # packed bits of the allowed tokens
matcher.accept(token)          # go on; False, and nothing changed, where the token isn't allowed
matcher.rollback(2)            # take two tokens back
branch = matcher.copy()        # beams share the machine, not the place
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tooldec.errors import UsageError
from tooldec.token_fsm import Mask, TokenFSM


class Matcher:
    """One answer's place in a machine; the machine itself is shared."""

    __slots__ = ("_path", "fsm", "state")

    def __init__(self, fsm: TokenFSM) -> None:
        self.fsm, self.state = fsm, fsm.initial
        self._path: list[int] = []

    def __len__(self) -> int:
        """How many tokens have been accepted."""
        return len(self._path)

    @property
    def width(self) -> int:
        """How many bytes a packed mask has: ceil(V / 8)."""
        return (self.fsm.vocabulary.size + 7) // 8

    @property
    def is_accepting(self) -> bool:
        """The answer may end here."""
        return self.fsm.is_accepting(self.state)

    def fill_mask(self, out: Mask) -> None:
        """Write the allowed tokens as packed bits, token t at bit t & 7 of byte t >> 3; what is behind them is 0.

        Raises UsageError for anything but a row of uint8 that has at least `width` of them.
        """
        row = self.fsm.mask(self.state)
        if not isinstance(out, np.ndarray) or out.dtype != np.uint8 or out.ndim != 1 or len(out) < len(row):
            raise UsageError(
                f"the mask is written into {len(row)} or more uint8, not into {_told(out)}",
                fix="use np.zeros(matcher.width, np.uint8), or give words of more bytes as .view(np.uint8)",
            )
        out[: len(row)] = row
        out[len(row) :] = 0

    def allowed(self) -> NDArray[np.bool_]:
        """The allowed tokens: bool, shape (V,)."""
        return self.fsm.allowed(self.state)

    def accept(self, token: int) -> bool:
        """Go on by a token; False, and nothing has changed, where it isn't allowed."""
        after = self.fsm.step(self.state, token)
        if after is None:
            return False
        self._path.append(self.state)
        self.state = after
        return True

    def resume(self) -> None:
        """Go on after the host has written; raises UsageError where it has nothing to write."""
        if not self.fsm.is_host(self.state):
            raise UsageError("the host has nothing to write here", fix="ask fsm.is_host(matcher.state) first")
        self._path.append(self.state)
        self.state = self.fsm.after_host(self.state)

    def rollback(self, count: int = 1) -> None:
        """Take back the last tokens; raises UsageError for more than there were."""
        if not 0 <= count <= len(self._path):
            raise UsageError(f"can't take back {count} of {len(self._path)} tokens", fix="take back fewer")
        if count:
            self.state = self._path[-count]
            del self._path[-count:]

    def reset(self) -> None:
        """Begin again."""
        self.state = self.fsm.initial
        self._path.clear()

    def copy(self) -> Matcher:
        """The same place, going on by itself."""
        other = Matcher(self.fsm)
        other.state, other._path = self.state, self._path.copy()
        return other


def _told(out: object) -> str:
    """What somebody took for a mask: `2000 int32`."""
    if not isinstance(out, np.ndarray):
        return f"a value of the type `{type(out).__name__}`"
    return f"{' × '.join(map(str, out.shape))} {out.dtype}"
