"""Sayings that a model finds hard, and documents that draw those more often."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from tooldec.training.batches import encode, lay_out
from tooldec.training.difficulty import CEILING, FLOOR, Difficulty, ask_model
from tooldec.training.documents.asks import Ask, Call
from tooldec.training.documents.catalogues import tail
from tooldec.training.documents.draw import Draw
from tooldec.training.documents.mixture import Document, document, turn
from tooldec.training.documents.rendering import prefix
from tooldec.training.documents.spoken import read_list, spoken_lists
from tooldec.training.export import write_model
from tooldec.training.losses import losses
from tooldec.training.model import Network
from tooldec.training.shape import Shape
from tooldec.training.tokenizer import train_tokenizer
from tooldec.training.trainer import corpus, train

SHAPE = Shape(width=48, layers=4, heads=3, head_dim=16, hidden=48, vocabulary=900)
LISTS = (
    read_list(
        "# garden\nwater_bed(bed: str, litres: int = 5)\nmow_lawn()\n"
        'give bed 3 a drink => water_bed("3")\nbed 7, 12 litres => water_bed("7", 12)\nit grows too high => mow_lawn()'
    ),
    read_list("# bell\nring_bell(times: int)\nring it 3 times => ring_bell(3)\nring_bell 12 => ring_bell(12)"),
)
SAYINGS = sum(len(said.sayings) for part in spoken_lists() for said in part)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model, exported."""
    folder = tmp_path_factory.mktemp("model")
    train_tokenizer(corpus(0, 200), 900).save(str(folder / "tokenizer.json"))
    weights = {name: weight.detach() * 6 for name, weight in Network(SHAPE, 3).named_parameters()}
    return write_model(weights, folder / "tokenizer.json", folder / "model", SHAPE)


def test_what_a_saying_costs_is_what_training_would_lose_on_it_alone(folder: Path) -> None:
    lost = ask_model(folder, LISTS, dtype=torch.float32)
    tokenizer, network, cpu = Tokenizer.from_file(str(folder / "tokenizer.json")), Network(SHAPE), torch.device("cpu")
    network.adopt(folder, tokenizer)
    wanted = []
    for part in LISTS:
        tools = tuple(said.tool for said in part)
        for said in part:
            for words, given in said.sayings:
                ask = Ask(words, ("Done: ", Call(said.tool, given, "ok"), tail("ok")))
                row = []
                for shown in (False, True):
                    before = prefix("special_token", tools, shown)
                    alone = turn(Draw(random.Random(0)), "special_token", "assistant", ask, before)
                    item = encode(tokenizer, Document("special_token", tools, before, (alone,)))
                    batch = lay_out([[item]], len(item.tokens))
                    found = losses(network, batch, torch.float32, cpu)
                    cost = float(found.filled.detach()) * batch.filled.sum() * (1 if shown else 0.5)
                    row.append(cost + float(found.chosen.detach()) * len(batch.rivals))
                wanted.append(row)
    assert lost.shape == (5, 2) and lost == pytest.approx(np.array(wanted), rel=1e-3) and (lost > 1).all()


def test_several_processes_ask_for_the_same(folder: Path) -> None:
    alone = ask_model(folder, LISTS)
    assert np.array_equal(ask_model(folder, LISTS, processes=2), alone)
    assert ask_model(folder, LISTS, dtype=torch.float32) == pytest.approx(alone, rel=0.05)


def test_hard_sayings_are_drawn_more_often() -> None:
    """Each tool as often as its sayings on average, each list as its tools; what is too hard, or unknown, counts 1."""
    lost = np.zeros((5, 2), np.float32)
    lost[:, 1] = 0.75, 99, 0.75, CEILING + 1, np.nan
    difficulty = Difficulty(lost, LISTS)
    garden, bell = difficulty.lists
    assert [said.weight(True) for said in garden] == [1, 1]
    assert bell[0].weights[True] == [FLOOR + CEILING, 1]
    assert difficulty.weights == [[FLOOR, FLOOR], [1, (FLOOR + CEILING + 1) / 2]]
    draw = Draw(random.Random(4))
    shares = Counter(difficulty(draw)[0].tool.name for _ in range(4000))
    assert shares["ring_bell"] / 4000 == pytest.approx(2.125 / 3.125, abs=0.03)
    draw.listed = False
    shares = Counter(difficulty(draw)[0].tool.name for _ in range(4000))
    assert shares["ring_bell"] / 4000 == pytest.approx(0.5, abs=0.03)


def test_documents_are_the_same_where_all_is_as_hard() -> None:
    same = partial(document, drawn=Difficulty(np.full((SAYINGS, 2), 1 - FLOOR, np.float32)))
    assert all(document(3, index) == same(3, index) for index in range(40))


def test_documents_say_what_is_hard() -> None:
    """With one hard saying in each list, those are said at least twice as often."""
    lost = np.zeros((SAYINGS, 2), np.float32)
    starts = np.cumsum([0, *(sum(len(said.sayings) for said in part) for part in spoken_lists())])[:-1]
    lost[starts] = CEILING
    hard = {part[0].sayings[0][0] for part in spoken_lists()}
    often, seldom = (
        [turn.ask.said in hard for index in range(60) for turn in drawn(5, index).turns if turn.ask.said]
        for drawn in (partial(document, drawn=Difficulty(lost)), document)
    )
    assert len(seldom) > 100 and sum(often) / len(often) > 2 * sum(seldom) / len(seldom)


def test_other_lists_are_refused() -> None:
    with pytest.raises(ValueError, match=r"those of 4 sayings, not of the 5"):
        Difficulty(np.zeros((4, 2), np.float32), LISTS)


def test_training_asks_its_model_once(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the sayings cost stands beside the checkpoint, and is read from there when the run goes on."""
    begun: list[Any] = []
    monkeypatch.setattr("tooldec.training.difficulty.spoken_lists", lambda: LISTS)
    monkeypatch.setattr("tooldec.training.trainer.gather", lambda *given: begun.append(given[-1]))
    train(tmp_path, start=folder, hard=True)
    costs = np.load(begun[0])
    train(tmp_path, start=tmp_path / "nowhere", hard=True, resume=True)
    train(tmp_path, start=folder)
    assert begun == [tmp_path / "difficulty.npy", tmp_path / "difficulty.npy", None] and costs.shape == (5, 2)
    with pytest.raises(ValueError, match="name one to begin with"):
        train(tmp_path / "other", hard=True)
