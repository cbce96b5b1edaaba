"""What a sentence encoder teaches the model in the box about names that no list shows."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tokenizers import Tokenizer
from tokenizers import models as bpe

from tooldec.training.attention import attention_mask
from tooldec.training.batches import chunk_batches, encode
from tooldec.training.documents.mixture import document
from tooldec.training.documents.spoken import read_list, spoken_lists
from tooldec.training.losses import losses
from tooldec.training.model import Network, faster_dtype
from tooldec.training.recipe import Recipe
from tooldec.training.shape import Shape
from tooldec.training.teacher import NEAREST, TRUST, Teacher, ask_encoder, encoded, signature_words
from tooldec.training.tokenizer import train_tokenizer
from tooldec.training.trainer import Run, corpus, train

SHAPE = Shape(width=48, layers=4, heads=3, head_dim=16, hidden=48, vocabulary=900)
GARDEN = read_list(
    "# garden\nwater_bed(bed: str)\nwater_lawn()\nmow_lawn()\n"
    'give bed 3 a drink => water_bed("3")\nthe grass is dry => water_lawn()\nit grows too high => mow_lawn()'
)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer(corpus(0, 200), 900)


@pytest.fixture
def teacher(tokenizer: Tokenizer) -> Teacher:
    """Sure of its first name, less of the others."""
    names = ["water_bed", "water_lawn", "sprinkle", "mow_lawn"]
    made = Teacher(
        ["the grass is dry"], names, torch.tensor([[1, 2, 0, 3]]).int().numpy(), torch.tensor([[4, 3, 2, 1]]) / 10
    )
    made.tokenize(tokenizer)
    return made


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A random BERT, as small as one can be."""
    folder = str(tmp_path_factory.mktemp("encoder"))
    letters = {
        letter: place for place, letter in enumerate(["[PAD]", "[UNK]", *"abcdefghijklmnopqrstuvwxyz 0123456789,"])
    }
    backend = Tokenizer(bpe.BPE(letters, [], unk_token="[UNK]"))
    transformers.PreTrainedTokenizerFast(tokenizer_object=backend, pad_token="[PAD]").save_pretrained(folder)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    torch.manual_seed(1)
    transformers.BertModel(transformers.BertConfig(vocab_size=64, **sizes)).save_pretrained(folder)
    return folder


def test_wishes_share_the_right_name_and_what_else_would_do(teacher: Teacher, tokenizer: Tokenizer) -> None:
    written = tokenizer.encode("water_lawn").ids
    wishes = list(teacher.wishes("the grass is dry", written, {"mow_lawn"}, 7))
    place, tokens, shares = wishes[0]
    known = dict(zip(tokens, shares, strict=True))
    sprinkled, mown = (tokenizer.encode(name).ids[0] for name in ("sprinkle", "mow_lawn"))
    assert place == 7 and math.isclose(sum(shares), 1) and mown not in known
    assert known[sprinkled] == pytest.approx(TRUST * 3 / 9)
    assert known[written[0]] == pytest.approx(TRUST * 6 / 9 + 1 - TRUST)
    split = [wish for wish in wishes if wish[0] > 7]  # behind `water_`, the bed is left
    assert len(split) == 1 and math.isclose(sum(split[0][2]), 1) and len(split[0][1]) == 2


def test_nothing_is_wished_where_nothing_is_known(teacher: Teacher, tokenizer: Tokenizer) -> None:
    written = tokenizer.encode("water_lawn").ids
    assert not list(teacher.wishes("never said", written, (), 0))
    assert not list(teacher.wishes("the grass is dry", written, {"water_bed", "sprinkle", "mow_lawn"}, 0))


def test_a_teacher_is_read_as_it_was_saved(teacher: Teacher, tokenizer: Tokenizer, tmp_path: Path) -> None:
    teacher.save(tmp_path / "teacher.npz")
    read = Teacher.read(tmp_path / "teacher.npz")
    read.tokenize(tokenizer)
    ask = ("the grass is dry", tokenizer.encode("water_lawn").ids, (), 0)
    for (_, tokens, shares), (_, same, near) in zip(read.wishes(*ask), teacher.wishes(*ask), strict=True):
        assert tokens == same and shares == pytest.approx(near, rel=1e-3)


def test_texts_are_encoded_alone_or_together(encoder: str) -> None:
    texts = ["water the lawn", "a", "mow it before the sun is up"]
    together = encoded(encoder, texts)
    assert torch.allclose(together.norm(dim=1), torch.ones(3))
    for text, row in zip(texts, together, strict=True):
        assert torch.allclose(encoded(encoder, [text])[0], row, atol=1e-5)


def test_an_encoder_compares_sayings_with_signatures(encoder: str) -> None:
    """The nearest of a saying, computed anew: halfway between it and its tool."""
    asked = ask_encoder(encoder, [GARDEN])
    assert asked.said == ["give bed 3 a drink", "it grows too high", "the grass is dry"]
    texts = [signature_words(said.tool) for said in GARDEN]
    assert texts == ["water bed, bed", "water lawn, ", "mow lawn, "]
    names, said = encoded(encoder, texts), encoded(encoder, asked.said)
    for row, meant in enumerate((0, 2, 1)):
        halfway = said[row] + names[meant]
        cosines = names @ halfway / halfway.norm()
        assert asked.nearest[row].tolist() == cosines.argsort(descending=True).tolist()
    assert asked.shares.shape == (3, 3) and NEAREST > 3
    assert torch.allclose(asked.shares.sum(1), torch.ones(3))


def _sure(words: str, name: str, tokenizer: Tokenizer) -> Teacher:
    teacher = Teacher([words], [name], torch.zeros(1, 1).int().numpy(), torch.ones(1, 1))
    teacher.tokenize(tokenizer)
    return teacher


def test_only_names_that_no_list_shows_are_taught(tokenizer: Tokenizer) -> None:
    taught = {True: 0, False: 0}
    for listed in taught:
        for index in range(60):
            doc = document(5, index, listed=listed)
            for turn in doc.turns:
                if turn.ask.said:
                    item = encode(tokenizer, doc, teacher=_sure(turn.ask.said, "zzz", tokenizer))
                    taught[listed] += len(item.wishes)
                    for place, tokens, _ in item.wishes:
                        assert item.targets[place] in tokens
    assert taught[True] == 0 < taught[False]


def test_the_loss_is_the_cross_entropy_with_the_shares(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last loss, by hand; the others are the same without a teacher."""
    monkeypatch.setattr("tooldec.training.batches.CHUNK", 100)
    teacher = _everything("sprinkle", 3)
    teacher.tokenize(tokenizer)
    plain, taught = (chunk_batches(tokenizer, 3, 0, 2048, teacher=each) for each in (None, teacher))
    place = next(place for place, batch in enumerate(taught) if len(batch.wishes) > 3)
    network, cpu = Network(SHAPE, 1), torch.device("cpu")
    alone, all_five = (losses(network, batches[place], torch.float32, cpu) for batches in (plain, taught))
    for name in ("written", "filled", "chosen", "pointed"):
        assert torch.equal(getattr(alone, name), getattr(all_five, name))
    assert alone.wished == 0
    batch = taught[place]
    mask = attention_mask(batch, torch.float32, cpu)
    hidden = network(torch.from_numpy(batch.tokens), torch.from_numpy(batch.positions), mask)
    scores = network.logits(hidden).log_softmax(-1)
    lost = [
        -sum(share * scores[row, at, token] for token, share in zip(tokens, shares[2:], strict=True) if token >= 0)
        for (row, at, *tokens), shares in zip(batch.wishes.tolist(), batch.shares.tolist(), strict=True)
    ]
    assert all_five.wished.item() == pytest.approx(torch.stack(lost).mean().item(), rel=1e-4)


def test_a_run_learns_from_its_teacher(tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same steps with and without one end in other weights."""
    monkeypatch.setattr("tooldec.training.batches.CHUNK", 60)
    recipe = Recipe(steps=8, shape=SHAPE, compiled=False, batch_tokens=2048)
    ends = []
    for number, teacher in enumerate((None, _everything("sprinkle", 0))):
        folder = tmp_path / str(number)
        folder.mkdir()
        tokenizer.save(str(folder / "tokenizer.json"))
        run = Run(folder, recipe, resume=True, teacher=teacher)
        while not run.finished:
            run.step()
        ends.append(run.network.model.embed_tokens.weight.detach().float())
    assert not torch.equal(*ends)


def _everything(name: str, seed: int) -> Teacher:
    """One who wants the same for all that the first documents say."""
    said = sorted({turn.ask.said for index in range(100) for turn in document(seed, index).turns if turn.ask.said})
    return Teacher(said, [name], torch.zeros(len(said), 1).int().numpy(), torch.ones(len(said), 1))


def test_training_asks_its_teacher_once(encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it thinks stands beside the checkpoint, and is read from there when the run goes on."""
    begun: list[Any] = []
    monkeypatch.setattr("tooldec.training.teacher.spoken_lists", lambda: (GARDEN,))
    monkeypatch.setattr("tooldec.training.trainer.gather", lambda *given: begun.append(given[-2]))
    train(tmp_path, teacher=encoder)
    train(tmp_path, teacher="nowhere", resume=True)
    train(tmp_path)
    assert begun == [tmp_path / "teacher.npz", tmp_path / "teacher.npz", None]
    assert Teacher.read(begun[0]).names == ["water_bed", "water_lawn", "mow_lawn"]
    with pytest.raises(OSError):
        train(tmp_path, teacher=str(tmp_path / "nowhere"))


def test_training_computes_in_a_type_that_the_processor_has() -> None:
    assert faster_dtype(torch.device("cuda")) is torch.bfloat16
    assert faster_dtype(torch.device("cpu")) in (torch.bfloat16, torch.float32)


@pytest.mark.parametrize("introduced", [0, 1])
def test_sayings_are_known_by_their_own_words(introduced: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question may lack a capital letter or its full stop, or name what a value is; `said` is as spoken/ has it."""
    monkeypatch.setattr("tooldec.training.documents.nouns.INTRODUCED", introduced)
    for setting in ("spoken.VARIED", "hasty.SHORT", "hasty.MISSPELT"):
        monkeypatch.setattr(f"tooldec.training.documents.{setting}", 0)
    sayings = {words for part in spoken_lists() for said in part for words, _ in said.sayings}
    turns = [turn for index in range(80) for turn in document(9, index).turns if turn.ask.said]
    assert len(turns) > 50
    for turn in turns:
        assert turn.ask.said in sayings
    changed = [turn for turn in turns if not turn.ask.said.lower().startswith(turn.ask.question.lower())]
    assert bool(changed) == bool(introduced)
    for turn in changed:
        assert set(re.findall(r"\w+", turn.ask.said.lower())) <= set(re.findall(r"\w+", turn.ask.question.lower()))
