"""Texts that the machine asks for, spelled as the model itself would cut them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tooldec.token_fsm import TokenFSM

BEFORE = 4
"""So many tokens before a text may say how its words are cut: behind `Al`, `pine` may be `p` and `ine`."""


def forced_tokens(
    fsm: TokenFSM, state: int, tokenize: Callable[[str], list[int]], before: Sequence[int] = ()
) -> list[int]:
    """The tokens of the text that must follow a state, as the model's tokenizer cuts it behind the tokens `before`.

    The last one is left to the model where a longer token could take its place and go on with what isn't forced.
    """
    text = fsm.forced(state).decode("utf-8", "ignore")
    taken: list[int] = []
    at: int | None = state
    for token in _cut(fsm, text, tokenize, before) if len(text) > 1 else []:
        if at is None or (after := fsm.step(at, token)) is None:
            break
        taken.append(token)
        last, at = at, after
    if taken and at is not None:
        spelling, allowed = fsm.vocabulary.spelling(taken[-1]), fsm.allowed(last)
        trie, node = fsm.vocabulary.trie, 0
        for byte in spelling if isinstance(spelling, bytes) else b"":
            node = trie.child(node, byte)
        if any(allowed[longer] for _, longer in trie.below(node)):
            taken.pop()
    return taken


def _cut(fsm: TokenFSM, text: str, tokenize: Callable[[str], list[int]], before: Sequence[int]) -> list[int]:
    """The tokens of a text; behind others as it is cut together with them, where these stay as they are."""
    for count in range(min(BEFORE, len(before)), 0, -1):
        last = list(before[-count:])
        spellings = [spelling for token in last if isinstance(spelling := fsm.vocabulary.spelling(token), bytes)]
        if len(spellings) == count:
            together = tokenize(b"".join(spellings).decode("utf-8", "replace") + text)
            if together[:count] == last:
                return together[count:]
    return tokenize(text)


def spelled(fsm: TokenFSM, state: int, text: bytes, tokenize: Callable[[str], list[int]]) -> list[tuple[int, int]]:
    """The tokens of a text that the machine admits at a state, as the tokenizer cuts it, and the state after each."""
    taken: list[tuple[int, int]] = []
    for token in tokenize(text.decode("utf-8", "ignore")) if text else []:
        after = fsm.step(state, token)
        if after is None:
            break
        taken.append((token, after))
        state = after
    return taken
