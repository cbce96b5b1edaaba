"""Word vectors and whole words: what lets the model in the box understand words that it was never trained on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from tooldec import Vocabulary
from tooldec.training.documents.vocabulary import everyday, vocabulary
from tooldec.training.model import Network
from tooldec.training.muon import Optimizer
from tooldec.training.recipe import Recipe
from tooldec.training.shape import Shape
from tooldec.training.tokenizer import MERGED, SIZE, train_tokenizer
from tooldec.training.trainer import Run, corpus
from tooldec.training.vectors import read_vectors, token_vectors

WORDS = ("weather", "forecast", "rain", "invoice", "bill", "Weather")
TINY = Shape(width=128, layers=1, heads=2, hidden=48, vocabulary=4400)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer(corpus(0, 100), 4400, words=WORDS)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of the package's form: vectors of 100 numbers, then two that aren't the word's."""
    random = np.random.default_rng(1)
    table = {word: [*random.normal(size=100).tolist(), 1.0, 0] for word in (*vocabulary()[:300], *WORDS[:-1], "the")}
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps({"words": [*table, ","], "vectors": {**table, ",": [0.0] * 102}}))
    return path


def test_every_word_of_the_vocabulary_is_one_token() -> None:
    tokenizer = train_tokenizer(corpus(0, 1500), words=vocabulary())
    entries = tokenizer.get_vocab(with_added_tokens=True)
    assert len(entries) == SIZE and sorted(entries.values()) == list(range(SIZE))
    missing = [word for word in vocabulary() if word not in entries]
    assert len(missing) < SIZE - MERGED - 9000 and not any(word.islower() for word in missing)
    for word in ("thermostat", "unsubscribe", "forecast"):
        assert tokenizer.encode(word).tokens == [word]
        assert word in tokenizer.encode(f"get_{word}(x) the {word}, {word}?").tokens
    text = "setLightLevel 7 çok güzel 漢字 Thermostat!"
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


def test_words_stand_once_each() -> None:
    assert len(set(vocabulary())) == len(vocabulary()) > 9000
    assert all(word.isascii() and word.isalpha() for word in vocabulary())
    assert set(everyday()) < set(vocabulary())


def test_a_tokenizer_with_words_lifts_to_tokens_as_any_other(tokenizer: Tokenizer) -> None:
    """Each token's text is its spelling, and texts are spelled as their tokens say."""
    from transformers import PreTrainedTokenizerFast

    read = Vocabulary.from_tokenizer(PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<eos>"))
    encoding = tokenizer.encode("weather forecast: 5")
    assert b"".join(read.spelling(token) or b"" for token in encoding.ids) == b"weather forecast: 5"
    assert encoding.tokens[0] == "weather"


def test_a_token_has_the_vector_of_its_word(tokenizer: Tokenizer, file: Path) -> None:
    rows = token_vectors(tokenizer, read_vectors(file))
    at = tokenizer.token_to_id
    assert rows.shape == (len(tokenizer.get_vocab(with_added_tokens=True)), 100)
    assert np.allclose(np.linalg.norm(rows[at("weather")]), 1, atol=1e-3)
    assert np.array_equal(rows[at("weather")], rows[at("Weather")])
    assert not np.allclose(rows[at("weather")], rows[at("rain")])
    the = tokenizer.encode("the cat").ids[0]
    assert tokenizer.decode([the]) == "the " and not np.isnan(rows[the]).any()
    assert np.isnan(rows[at("_")]).all() and np.isnan(rows[at("<eos>")]).all()


@pytest.mark.parametrize("text", ['{"words": 5}', "[]", "no JSON", '{"words": ["the"], "vectors": {}}'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="wink-embeddings"):
        read_vectors(path)


def test_the_embedding_begins_with_the_vectors(tokenizer: Tokenizer, file: Path, tmp_path: Path) -> None:
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    recipe = Recipe(steps=2, batch_tokens=1024, compiled=False, shape=TINY)
    run = Run(tmp_path, recipe, resume=True, vectors=file)
    rows = run.optimizer.masters["model.embed_tokens.weight"]
    weather, twin = tokenizer.token_to_id("weather"), tokenizer.token_to_id("Weather")
    want = torch.from_numpy(read_vectors(file)["weather"]) * 0.2
    assert torch.allclose(rows[weather, :100], want, atol=1e-6) and torch.equal(rows[weather, :100], rows[twin, :100])
    assert not torch.equal(rows[weather, 100:], rows[twin, 100:])
    plain = Network(TINY, recipe.seed).model.embed_tokens.weight
    assert torch.equal(rows[tokenizer.token_to_id("_")], plain[tokenizer.token_to_id("_")])
    assert 0.7 < rows[weather].norm() / plain[tokenizer.token_to_id("_")].norm() < 1.4
    run.step()
    run.save()
    again = Run(tmp_path, recipe, resume=True, vectors=file)
    assert torch.equal(again.optimizer.masters["model.embed_tokens.weight"], rows)


def test_rows_of_rare_tokens_hardly_move() -> None:
    network = Network(replace(TINY, vocabulary=50))
    optimizer = Optimizer(network, 1e-3, 1e-2, 0.0)
    before = optimizer.masters["model.embed_tokens.weight"].clone()
    for _ in range(20):
        for weight in network.parameters():
            weight.grad = torch.zeros_like(weight)
        gradient = network.model.embed_tokens.weight.grad
        assert gradient is not None
        gradient[:5], gradient[5:] = 1.0, 1e-4
        optimizer.step(1.0)
    moved = (optimizer.masters["model.embed_tokens.weight"] - before).norm(dim=1)
    assert moved[5:].max() < 0.01 * moved[:5].min()
