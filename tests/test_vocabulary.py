from __future__ import annotations

import json
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tooldec.errors import VocabularyError
from tooldec.vocabulary import Vocabulary


def test_spellings_ids_and_texts() -> None:
    vocabulary = Vocabulary(
        [b"sq", b"uare", "<T>", None, "<EOS>", b"\xe2\x82", b"<x>", b"sq"], eos=[4, 4], added={"<x>": 6}
    )
    assert vocabulary.size == len(vocabulary) == 8 and vocabulary.eos == (4,)
    assert [vocabulary.spelling(token) for token in (1, 2, 3)] == [b"uare", "<T>", None]
    assert (
        vocabulary.ids("<T>") == (2,)
        and vocabulary.ids("<x>") == (6,)
        and vocabulary.ids("sq") == () == vocabulary.ids("")
    )
    assert dict(vocabulary.specials) == {"<T>": (2,), "<EOS>": (4,), "<x>": (6,)}
    assert [vocabulary.text(token) for token in range(6)] == ["sq", "uare", "<T>", "⟨padding⟩", "<EOS>", "⟨E2 82⟩"]
    assert sorted(vocabulary.trie.below(0)) == [(b"<x>", 6), (b"sq", 0), (b"sq", 7), (b"uare", 1), (b"\xe2\x82", 5)]


def test_an_empty_spelling_is_no_way_through_the_trie() -> None:
    assert Vocabulary([b"", b"a"]).trie.below(0) == [(b"a", 1)]


def test_it_goes_to_another_process_without_what_it_has_made() -> None:
    vocabulary = Vocabulary([b"sq", b"uare", "<T>", None, b"<tool>", "<EOS>"], eos=[5], added={"<tool>": 4})
    again = pickle.loads(pickle.dumps(vocabulary))
    assert [*again.spellings] == [*vocabulary.spellings] and again.trie is not vocabulary.trie
    assert (again.eos, again.specials) == (vocabulary.eos, vocabulary.specials)


@pytest.mark.parametrize("eos", [[5], [-1], [0, 99]])
def test_an_end_outside_of_the_vocabulary_is_refused(eos: list[int]) -> None:
    with pytest.raises(VocabularyError, match="outside of the vocabulary of 5 tokens"):
        Vocabulary([b"a"] * 5, eos=eos)


def test_one_special_name_may_have_several_ids() -> None:
    assert Vocabulary(["<s>", b"a", "<s>"]).ids("<s>") == (0, 2)


# ---- tokenizers, made here

TEXT = 'It is square(5). "né€🙂" 1 22  x\n\t'


def fast(backend: Any, **settings: Any) -> Any:
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(tokenizer_object=backend, **settings)


def byte_level() -> Any:
    import tiny

    return fast(tiny.byte_level(), eos_token="<eos>", pad_token="<pad>")


def sentence_piece() -> Any:
    import tiny

    return fast(tiny.sentence_piece(), eos_token="<eos>", pad_token="<pad>")


def spelled(vocabulary: Vocabulary, ids: list[int]) -> bytes:
    return b"".join(s if isinstance(s, bytes) else (s or "").encode() for s in map(vocabulary.spelling, ids))


@pytest.mark.parametrize("make", [byte_level, sentence_piece])
def test_a_tokenizer_s_tokens_spell_what_it_was_given(make: Any) -> None:
    tokenizer = make()
    vocabulary = Vocabulary.from_tokenizer(tokenizer, size=500)
    assert vocabulary.size == 500 and vocabulary.eos == (tokenizer.eos_token_id,)
    assert all(vocabulary.spelling(token) is None for token in range(len(tokenizer), 500))
    for text in (TEXT, "", "a", "  two  spaces ", "Ω≈ç", "\x00\x7f"):
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        assert spelled(vocabulary, ids).decode() in (text, f" {text}")  # SentencePiece puts a space before
    assert vocabulary.ids("<T>") == (tokenizer.convert_tokens_to_ids("<T>"),)
    assert {vocabulary.spelling(t) for t in range(vocabulary.size)} >= {bytes([byte]) for byte in range(256)}


def test_byte_fallback_has_twins() -> None:
    vocabulary = Vocabulary.from_tokenizer(sentence_piece())
    assert len([t for t in range(vocabulary.size) if vocabulary.spelling(t) == b"a"]) == 2


def test_an_added_token_that_is_not_special_keeps_its_spelling_and_its_name() -> None:
    vocabulary = Vocabulary.from_tokenizer(byte_level())
    (token,) = vocabulary.ids("<tool_call>")
    assert vocabulary.spelling(token) == b"<tool_call>"


def test_ends_may_be_given() -> None:
    tokenizer = byte_level()
    assert Vocabulary.from_tokenizer(tokenizer, eos=[0, 1]).eos == (0, 1)
    assert Vocabulary.from_tokenizer(tokenizer, eos=[]).eos == ()
    for wrong in (99999, -1):
        with pytest.raises(VocabularyError, match=f"end-of-text token {wrong} is outside"):
            Vocabulary.from_tokenizer(tokenizer, eos=[wrong])


def test_what_is_no_fast_tokenizer_is_refused() -> None:
    with pytest.raises(VocabularyError, match="use_fast"):
        Vocabulary.from_tokenizer(SimpleNamespace(backend_tokenizer=None, eos_token_id=None))


def test_a_decoder_that_does_not_spell_bytes_is_refused() -> None:
    from tokenizers import Tokenizer, decoders, models

    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1, "##b": 2}, unk_token="[UNK]"))
    tokenizer.decoder = decoders.WordPiece()
    with pytest.raises(VocabularyError, match=r"decoder \(WordPiece\)"):
        Vocabulary.from_tokenizer(fast(tokenizer))


def test_a_model_far_narrower_than_the_tokenizer_is_refused() -> None:
    with pytest.raises(VocabularyError, match="only 10 rows"):
        Vocabulary.from_tokenizer(byte_level(), size=10)


# ---- real tokenizers

SAMPLES = [TEXT, "def f(a, b):\n    return [1.5, None]", "Grüße aus Zürich — 你好, мир! 👩‍👩‍👧", '{"name": "get", "arguments": {"a": "\\u00e9"}}', " leading", "tabs\t\tand\r\nlines"]  # fmt: skip


@pytest.mark.data
@pytest.mark.parametrize("name", ["gpt2-50k", "mistral-v1-32k", "qwen-152k"])
def test_real_tokenizers_are_spelled_in_bytes(name: str, tokenizer_folder: Path) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tokenizer_folder / name)
    vocabulary = Vocabulary.from_tokenizer(tokenizer, size=len(tokenizer) + 100)
    for text in SAMPLES:
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        assert spelled(vocabulary, ids).decode() in (text, f" {text}")  # SentencePiece puts a space before
    rows = [vocabulary.spelling(token) for token in range(vocabulary.size)]
    singles = {row for row in rows if isinstance(row, bytes) and len(row) == 1}
    assert len(singles) == 256 or (name == "gpt2-50k" and len(singles) > 250)
    assert rows[-100:] == [None] * 100 and not any(row is None for row in rows[: len(tokenizer)])
    specials = {token for token, row in enumerate(rows) if isinstance(row, str)}
    added = json.loads((tokenizer_folder / name / "tokenizer.json").read_text("utf-8"))["added_tokens"]
    assert specials == {entry["id"] for entry in added if entry["special"]} | set(tokenizer.all_special_ids)
    plain = [entry for entry in added if not entry["special"]]
    assert all(vocabulary.ids(entry["content"]) == (entry["id"],) for entry in plain)
    assert np.array_equal(
        np.sort(vocabulary.trie.tokens), [t for t, row in enumerate(rows) if isinstance(row, bytes) and row]
    )
