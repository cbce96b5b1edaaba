"""The mean of several models, as a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from tooldec import load_model
from tooldec.training.export import write_model
from tooldec.training.model import Network, stored
from tooldec.training.shape import Shape
from tooldec.training.soup import main, soup, weights
from tooldec.training.tokenizer import train_tokenizer
from tooldec.training.trainer import corpus

SHAPE = Shape(width=48, layers=2, heads=3, head_dim=16, hidden=48, vocabulary=700)


def model(folder: Path, seed: int, shape: Shape = SHAPE) -> Path:
    """A random model as a run writes it: a checkpoint beside its tokenizer, and a folder."""
    folder.mkdir()
    train_tokenizer(corpus(0, 50), 700).save(str(folder / "tokenizer.json"))
    masters = {name: weight.detach().clone() for name, weight in Network(shape, seed).named_parameters()}
    torch.save({"optimizer": {"masters": masters}}, folder / "checkpoint.pt")
    return write_model(masters, folder / "tokenizer.json", folder / "model", shape)


def test_a_soup_is_the_mean_of_its_models(tmp_path: Path) -> None:
    """Of a checkpoint and of a folder whose weights are already short, with shares."""
    one, two = model(tmp_path / "one", 1), model(tmp_path / "two", 2)
    mixed = soup([tmp_path / "one" / "checkpoint.pt", two], tmp_path / "mixed", (3, 1), SHAPE)
    first = torch.load(tmp_path / "one" / "checkpoint.pt", weights_only=True)["optimizer"]["masters"]
    second, found = load_file(two / "model.safetensors"), load_file(mixed / "model.safetensors")
    assert set(found) == set(first)
    for name, weight in found.items():
        mean = stored(0.75 * first[name] + 0.25 * second[name].float())
        assert torch.allclose(weight.float(), mean.float(), rtol=0.13, atol=1e-3)
        assert weight.dtype == mean.dtype == load_file(one / "model.safetensors")[name].dtype
    alone = soup([tmp_path / "one" / "checkpoint.pt"], tmp_path / "alone", shape=SHAPE)
    assert (alone / "model.safetensors").read_bytes() == (one / "model.safetensors").read_bytes()
    loaded = load_model(str(mixed), device="cpu")
    assert loaded.vocabulary.size >= 700


def test_models_that_differ_are_no_soup(tmp_path: Path) -> None:
    one, wide = model(tmp_path / "one", 1), model(tmp_path / "wide", 1, replace(SHAPE, hidden=64))
    with pytest.raises(ValueError, match="differ in shape"):
        soup([one, wide], tmp_path / "mixed")
    other = model(tmp_path / "other", 1)
    train_tokenizer(corpus(1, 50), 700).save(str(other / "tokenizer.json"))
    with pytest.raises(ValueError, match="in their tokens"):
        soup([one, other], tmp_path / "mixed")


def test_the_command_line_writes_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = model(tmp_path / "one", 1)
    main([str(tmp_path / "mixed"), str(one), str(one), "--shares", "1", "2"])
    assert capsys.readouterr().out.strip() == str(tmp_path / "mixed")
    assert Shape.read(tmp_path / "mixed") == SHAPE
    assert load_model(str(tmp_path / "mixed"), device="cpu").vocabulary.size >= 700
    for name, weight in weights(tmp_path / "mixed").items():
        assert torch.allclose(weight, weights(one)[name], rtol=0.13, atol=1e-3)
