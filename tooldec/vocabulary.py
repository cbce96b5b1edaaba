"""A model's vocabulary V: what each token spells, in bytes, and which tokens are special.

Spellings are bytes, never decoded text: a token may hold half a character. Special tokens (`<T>`, `<EOS>`) spell
nothing; they are symbols of their own, known by name. Several ids may share a spelling. The model's logits may be
wider than its tokenizer: padding rows spell nothing and are never allowed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, overload
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tooldec import vocabulary_file
from tooldec.errors import VocabularyError
from tooldec.trie import Trie

Spelling = bytes | str | None


class Spellings(Sequence[Spelling]):
    """Many spellings in one piece of memory: their text end to end, where each ends, and what kind it is.

    A list of 152,000 small objects would cost more to load, and every pass of the garbage collector.
    """

    def __init__(self, text: bytes, ends: NDArray[np.int64], kinds: bytes) -> None:
        self.text, self.ends, self.kinds = text, ends, kinds
        self._ends: memoryview[int] = memoryview(ends)  # type: ignore[arg-type]  # an array is a buffer

    def __reduce__(self) -> tuple[Any, ...]:
        return Spellings, (self.text, self.ends, self.kinds)

    @classmethod
    def of(cls, spellings: Iterable[Spelling]) -> Spellings:
        """Bytes are of kind 0, names of special tokens 1, padding rows 2."""
        rows = list(spellings)
        parts = [s.encode() if isinstance(s, str) else s or b"" for s in rows]
        kinds = bytes(1 if isinstance(s, str) else 2 if s is None else 0 for s in rows)
        return cls(b"".join(parts), np.cumsum([len(part) for part in parts], dtype=np.int64), kinds)

    def __len__(self) -> int:
        return len(self.kinds)

    @overload
    def __getitem__(self, index: int) -> Spelling: ...
    @overload
    def __getitem__(self, index: slice) -> list[Spelling]: ...
    def __getitem__(self, index: int | slice) -> Spelling | list[Spelling]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        kind = self.kinds[index]
        if kind == 2:
            return None
        at = index % len(self.kinds)
        text = self.text[self._ends[at - 1] if at else 0 : self._ends[at]]
        return text.decode() if kind else text

    def where(self, kind: int) -> list[int]:
        """The ids of one kind."""
        return np.flatnonzero(np.frombuffer(self.kinds, dtype=np.uint8) == kind).tolist()


class Vocabulary:
    """Token id ↔ spelling.

    spellings   one for each column of the logits: bytes of an ordinary token, the name of a special token (str),
                None for a padding row
    eos         the ids that end the text
    added       ordinary tokens that the tokenizer cuts out before it merges, such as Qwen's `<tool_call>`:
                where a grammar names one as a marker, it is that symbol and no text

    >>> v = Vocabulary([b"sq", b"uare", "<T>", None, "<EOS>"], eos=[4])
    >>> v.size, v.spelling(1), v.ids("<T>"), v.text(0)
    (5, b'uare', (2,), 'sq')
    """

    def __init__(
        self, spellings: Iterable[Spelling], eos: Iterable[int] = (), added: Mapping[str, int] | None = None
    ) -> None:
        self.spellings = spellings if isinstance(spellings, Spellings) else Spellings.of(spellings)
        self.size = len(self.spellings)
        self.eos = tuple(dict.fromkeys(eos))
        self.added = dict(added or {})
        names: dict[str, list[int]] = {}
        for token in self.spellings.where(1):
            names.setdefault(str(self.spellings[token]), []).append(token)
        for name, token in self.added.items():
            if token not in names.get(name, ()):
                names.setdefault(name, []).append(token)
        self._names = {name: tuple(ids) for name, ids in names.items()}
        outside = [token for token in self.eos if not 0 <= token < self.size]
        if outside:
            raise VocabularyError(
                f"the end-of-text token {outside[0]} is outside of the vocabulary of {self.size} tokens",
                fix="give an id below the size",
            )

    def __reduce__(self) -> tuple[Any, ...]:
        return Vocabulary, (self.spellings, self.eos, self.added)  # tries and masks are made again where they are used

    def __len__(self) -> int:
        return self.size

    def spelling(self, token: int) -> Spelling:
        """What a token spells: bytes, the name of a special token, or None for a padding row."""
        return self.spellings[token]

    def ids(self, name: str) -> tuple[int, ...]:
        """The ids of a special or added token, by name; none where the vocabulary lacks it."""
        return self._names.get(name, ())

    @property
    def specials(self) -> Mapping[str, tuple[int, ...]]:
        """Special and added tokens: name to ids."""
        return self._names

    @cached_property
    def controls(self) -> frozenset[str]:
        """The special tokens that no text spells, those that end the text left out."""
        ends, spelled = set(self.eos), self.spellings.kinds
        return frozenset(name for name, ids in self._names.items() if spelled[ids[0]] == 1 and not ends.issuperset(ids))

    @cached_property
    def controls_by_id(self) -> Mapping[int, str]:
        """Their names by id."""
        return {token: name for name in self.controls for token in self._names[name]}

    def spelled(self, tokens: Iterable[int]) -> bytes:
        """What tokens spell, one behind the other."""
        spellings = map(self.spelling, tokens)
        return b"".join(one.encode() if isinstance(one, str) else one or b"" for one in spellings)

    def text(self, token: int) -> str:
        """A token's spelling for people; one that is no complete UTF-8 text as ⟨E2 82⟩."""
        spelling = self.spellings[token]
        if isinstance(spelling, bytes):
            try:
                return spelling.decode()
            except UnicodeDecodeError:
                return f"⟨{spelling.hex(' ').upper()}⟩"
        return spelling if spelling is not None else "⟨padding⟩"

    def decode(self, tokens: Iterable[int]) -> str:
        """The text of some tokens, up to one that ends it.

        >>> Vocabulary([b"5 ", b"\\xe2\\x82", b"\\xac", "<T>", "<EOS>"], eos=[4]).decode([3, 0, 1, 2, 4, 0])
        '<T>5 €'
        """
        written = bytearray()
        for token in map(int, tokens):
            if token in self.eos:
                break
            spelling = self.spellings[token]
            written += spelling if isinstance(spelling, bytes) else (spelling or "").encode()
        return written.decode("utf-8", "replace")

    @cached_property
    def trie(self) -> Trie:
        """The prefix trie of all ordinary tokens."""
        return Trie.build((s, token) for token, s in enumerate(self.spellings) if isinstance(s, bytes) and s)

    @cached_property
    def masks(self) -> WeakKeyDictionary[Any, dict[Any, Any]]:
        """What `vocabulary_masks` keeps, by submachine and state, as long as there is that submachine."""
        return WeakKeyDictionary()

    @classmethod
    def from_tokenizer(
        cls, tokenizer: Any, size: int | None = None, eos: Iterable[int] | None = None, cache: Path | None = None
    ) -> Vocabulary:
        """Spell out a Hugging Face fast tokenizer.

        size    width of the model's logits, where it is larger than the tokenizer
        eos     ids that end the text; the tokenizer's own where nothing is given
        cache   a folder in which spellings and trie are kept, by a hash of the tokenizer's file

        Raises VocabularyError for a slow tokenizer, one whose tokens cannot be told in bytes, and for an id of `eos`
        that it doesn't have.
        """
        given = None if eos is None else tuple(eos)

        def ends(count: int) -> tuple[int, ...]:
            own = tokenizer.eos_token_id
            return given if given is not None else () if own is None or own >= count else (own,)

        file = vocabulary_file.place(tokenizer, size, cache)
        kept = vocabulary_file.load(file) if file is not None else None
        if kept is None:
            spellings, added = _spell_out(tokenizer, size)
            vocabulary = cls(spellings, ends(len(spellings)), added)
            if file is not None:
                vocabulary_file.save(file, vocabulary.spellings, added, vocabulary.trie)
            return vocabulary
        text, all_ends, kinds, added, trie = kept
        vocabulary = cls(Spellings(text, all_ends, kinds), ends(len(kinds)), added)
        vocabulary.trie = trie
        return vocabulary


def _spell_out(tokenizer: Any, size: int | None) -> tuple[list[Spelling], dict[str, int]]:
    """The spelling of every token, and the added ordinary tokens."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise VocabularyError(f"{type(tokenizer).__name__} is not a fast tokenizer", fix="load it with use_fast=True")
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    width = max(vocabulary.values(), default=-1) + 1
    if size is not None and size < width:
        beyond = sum(token >= size for token in vocabulary.values())
        vocabulary = {text: token for text, token in vocabulary.items() if token < size}
        if beyond > width // 2:
            raise VocabularyError(f"the tokenizer has {width} tokens, the model only {size} rows")
    decode = _speller(backend)
    added, special = {}, set(tokenizer.all_special_ids)
    for token, entry in backend.get_added_tokens_decoder().items():
        if entry.special:
            special.add(token)
        elif size is None or token < size:
            added[entry.content] = token
    spellings: list[Spelling] = [None] * (size if size is not None else width)
    for text, token in vocabulary.items():
        if token in special:
            spellings[token] = text
        else:
            spellings[token] = text.encode() if text in added else decode(text)
    return spellings, added


_FALLBACK = re.compile(r"<0x([0-9A-Fa-f]{2})>")


def _speller(backend: Any) -> Any:
    """A function from a token's text in the tokenizer's table to its bytes, read off the tokenizer's decoder."""
    decoder = json.loads(backend.decoder.__getstate__()) if backend.decoder else {}
    steps: Sequence[dict[str, Any]] = decoder.get("decoders", [decoder])
    kinds = [step.get("type") for step in steps]
    if "ByteLevel" in kinds:
        table = {ord(c): b for c, b in _byte_characters().items()}

        def byte_level(text: str) -> bytes:
            try:
                return text.translate(table).encode("latin-1")
            except UnicodeEncodeError:
                return text.encode()

        return byte_level
    replaced = [
        (step["pattern"]["String"], step["content"])
        for step in steps
        if step.get("type") == "Replace" and "String" in step.get("pattern", {})
    ]
    if "Metaspace" in kinds:
        replaced.append((next(s.get("replacement", "▁") for s in steps if s["type"] == "Metaspace"), " "))
    if not replaced and "ByteFallback" not in kinds:
        known = ", ".join(str(kind) for kind in kinds) or "none"
        raise VocabularyError(
            f"the tokenizer's decoder ({known}) doesn't say how tokens spell bytes",
            fix="byte-level BPE, and SentencePiece with byte fallback, are understood",
        )

    def with_fallback(text: str) -> bytes:
        match = _FALLBACK.fullmatch(text)
        if match:
            return bytes([int(match[1], 16)])
        for old, new in replaced:
            text = text.replace(old, new)
        return text.encode()

    return with_fallback


def _byte_characters() -> dict[str, str]:
    """GPT-2's printable character for each byte, as a map to the character with the byte's value."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    table = {chr(byte): chr(byte) for byte in printable}
    return table | {chr(256 + n): chr(byte) for n, byte in enumerate(others)}
