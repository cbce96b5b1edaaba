"""Text → token ids, for a Hugging Face fast tokenizer.

A tokenizer cuts out its special and added tokens before it merges, and SentencePiece puts a space first.
Neither may happen to what people or tools wrote: `<T>` in a result is three characters and switches nothing.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from tooldec.errors import ModelError
from tooldec.vocabulary import Vocabulary


class Encoder:
    """`usual` and `rendered` find special tokens in a text, `plain` and `continuation` don't."""

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary) -> None:
        self._tokenizer, self._backend, self._vocabulary = tokenizer, tokenizer.backend_tokenizer, vocabulary
        self._added = frozenset(self._backend.get_added_tokens_decoder())
        self._leads: dict[str, list[int]] = {}

    def usual(self, text: str) -> list[int]:
        """As transformers does it, with the tokens that begin a text, but not those that end it."""
        ids: list[int] = self._tokenizer(_whole(text), verbose=False).input_ids
        while ids and ids[-1] in self._vocabulary.eos and len(ids) > 1:
            ids = ids[:-1]
        return ids

    def rendered(self, text: str) -> list[int]:
        """What a chat template made: its special tokens are tokens."""
        ids: list[int] = self._backend.encode(_whole(text), add_special_tokens=False).ids
        return ids

    def plain(self, text: str) -> list[int]:
        """Without the tokens that the tokenizer cuts out before it merges, special or added."""
        ids = self.rendered(text)
        if self._added.isdisjoint(ids):
            return ids
        if self._backend.normalizer is not None:
            text = self._backend.normalizer.normalize_str(text)
        pieces = [text]
        if self._backend.pre_tokenizer is not None:
            pieces = [piece for piece, _ in self._backend.pre_tokenizer.pre_tokenize_str(text)]
        return [token.id for piece in pieces for token in self._backend.model.tokenize(piece)]

    def beginning(self) -> list[int]:
        """The token with which the tokenizer begins every text, where it has one."""
        first: list[int] = self._tokenizer("").input_ids[:1]
        return first if first == [self._tokenizer.bos_token_id] else []

    def continuation(self, text: str) -> list[int]:
        """Plain text that goes on behind other text.

        It is encoded behind an anchor, which is cut off again; ids count only if they spell exactly `text`.
        """
        if not text:
            return []
        for anchor in ("\n", "=", ""):
            if anchor not in self._leads:
                self._leads[anchor] = self.plain(anchor)
            lead = self._leads[anchor]
            ids = self.plain(anchor + text)
            if ids[: len(lead)] == lead and self._spells(ids[len(lead) :], text):
                return ids[len(lead) :]
        return [token for character in text for token in self._spell(character)]

    def _spells(self, ids: list[int], text: str) -> bool:
        if not self._added.isdisjoint(ids):
            return False
        spellings = [self._vocabulary.spelling(token) for token in ids]
        return b"".join(s if isinstance(s, bytes) else b"\xff" for s in spellings) == text.encode()

    def _spell(self, character: str) -> list[int]:
        """A character as one token, else byte by byte."""
        spelling = character.encode("utf-8", "replace")
        parts = [spelling] if spelling in self._short else [bytes([byte]) for byte in spelling]
        if not all(part in self._short for part in parts):
            raise ModelError(f"the tokenizer can't spell `{character}`", fix="write it in other characters")
        return [self._short[part] for part in parts]

    @cached_property
    def _short(self) -> dict[bytes, int]:
        """Ordinary tokens of at most one character: spelling -> lowest id."""
        known: dict[bytes, int] = {}
        for token in range(self._vocabulary.size):
            spelling = self._vocabulary.spelling(token)
            if isinstance(spelling, bytes) and 0 < len(spelling) <= 4 and token not in self._added:
                known.setdefault(spelling, token)
        return known


def _whole(text: str) -> str:
    """The text; raises ModelError where it holds half a character, which has no UTF-8."""
    if half := _HALF.search(text):
        raise ModelError(
            f"half a character (a lone surrogate), U+{ord(half[0]):04X}, is character {half.start() + 1} of the text",
            fix="remove it: tokenizers read whole characters",
        )
    return text


_HALF = re.compile(r"[\ud800-\udfff]")
