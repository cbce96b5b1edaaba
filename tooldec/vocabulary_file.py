"""A vocabulary kept on disk: spellings and trie of a tokenizer's file, found again by a hash of its content."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tooldec.trie import Trie

if TYPE_CHECKING:
    from tooldec.vocabulary import Spellings

FORMAT = 1
"""Counted up whenever what is written changes."""

Kept = tuple[bytes, NDArray[np.int64], bytes, dict[str, int], Trie]
"""Text, ends and kinds of the spellings, the added tokens, the trie."""


def place(tokenizer: Any, size: int | None, folder: Path | None) -> Path | None:
    """Where a tokenizer's vocabulary is kept, or None where it has no file or nobody wants it kept.

    The name is a hash of the file's content, of the tokens that were added since, and of the width.
    """
    if folder is None:
        return None
    source = Path(str(getattr(tokenizer, "name_or_path", ""))) / "tokenizer.json"
    try:
        content = source.read_bytes()
    except OSError:
        return None
    added = sorted((token, str(entry)) for token, entry in tokenizer.added_tokens_decoder.items())
    rest = json.dumps([FORMAT, size, len(tokenizer), added, sorted(tokenizer.all_special_ids)])
    return folder / f"{hashlib.sha1(content + rest.encode(), usedforsecurity=False).hexdigest()}.npz"


def save(file: Path, spellings: Spellings, added: dict[str, int], trie: Trie) -> None:
    """Write it whole or not at all; a folder that can't be written to is no error, only slower next time."""
    arrays = {
        "text": np.frombuffer(spellings.text, dtype=np.uint8),
        "ends": spellings.ends,
        "kinds": np.frombuffer(spellings.kinds, dtype=np.uint8),
        "added": np.frombuffer(json.dumps(added).encode(), dtype=np.uint8),
        "labels": np.frombuffer(trie.labels, dtype=np.uint8),
        "first": trie.first,
        "token_first": trie.token_first,
        "tokens": trie.tokens,
    }
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as part:
            try:
                np.savez(part, **arrays)  # type: ignore[arg-type]  # NumPy's own stub is too narrow
                os.replace(part.name, file)
            except BaseException:
                os.unlink(part.name)
                raise


def load(file: Path) -> Kept | None:
    """What `save` wrote, or None where there is nothing, or nothing whole."""
    try:
        with file.open("rb") as source, np.load(source) as kept:  # NumPy leaves a broken file open
            text, kinds, labels = (kept[name].tobytes() for name in ("text", "kinds", "labels"))
            added: dict[str, int] = json.loads(kept["added"].tobytes())
            trie = Trie(labels, kept["first"], kept["token_first"], kept["tokens"])
            return text, kept["ends"], kinds, added, trie
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None


def default_folder() -> Path:
    """`TOOLDEC_CACHE`, or the user's cache folder."""
    given = os.environ.get("TOOLDEC_CACHE")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tooldec"
