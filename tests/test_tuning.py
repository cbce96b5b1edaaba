"""`tooldec tune-token`: one new row, and nothing else, is learned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tiny
import torch

from tooldec import SCHEMES, ToolDecError, build_fsm, load_model, parse_tools
from tooldec.__main__ import main
from tooldec.models.huggingface import HuggingFaceModel
from tooldec.training import tuning

TOOLS = "def add(a: int, b: int)\ndef square(side: int)"
ROWS = [
    {"tools": TOOLS, "question": "what's 2 and 3?", "answer": " The sum is <T>add(2,3)=5. So the answer is 5."},
    {"tools": TOOLS, "question": "the area of a square of side 5?", "answer": " Its area is <T>square(5)=25."},
]
EXAMPLES = "\n".join(map(json.dumps, ROWS))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny.save(tmp_path / "model", tiny.byte_level())


def loaded(folder: Path) -> HuggingFaceModel:
    model = load_model(str(folder), device="cpu")
    assert isinstance(model, HuggingFaceModel)
    return model


def weights(model: HuggingFaceModel) -> dict[str, torch.Tensor]:
    return {name: weight.detach().clone() for name, weight in model.network.state_dict().items()}


@pytest.mark.parametrize("names", [(), ("add", "square", "sqrt")], ids=["one token", "per tool"])
def test_only_the_new_rows_change(folder: Path, names: tuple[str, ...]) -> None:
    model = loaded(folder)
    before = weights(model)
    losses = tuning.tune(model, tuning.read_examples(EXAMPLES), names, steps=30, rate=0.1, batch=2)
    ids = set(model.tokenizer.convert_tokens_to_ids([f"<{name}>" for name in names] or ["<T>"]))
    assert sum(losses[-5:]) < 0.98 * sum(losses[:5])
    for name, weight in weights(model).items():
        changed = {row for row in range(len(weight)) if not torch.equal(weight[row], before[name][row])}
        assert changed == (ids if "embed_tokens" in name or "lm_head" in name else set()), name


@pytest.mark.parametrize("tied", [False, True])
def test_the_tuned_model_loads_and_knows_the_tokens(tied: bool, tmp_path: Path) -> None:
    model = loaded(tiny.save(tmp_path / "model", tiny.byte_level(), tied=tied))
    tuning.tune(model, tuning.read_examples(EXAMPLES), ["add", "square"], steps=2, batch=2)
    again = loaded(tuning.save(model, tmp_path / "tuned"))
    assert {"<T>", "<add>", "<square>"} <= set(again.vocabulary.specials)
    assert all(torch.equal(a, b) for a, b in zip(weights(model).values(), weights(again).values(), strict=True))
    scheme = SCHEMES["toolken"].for_model(again)
    fsm = build_fsm(scheme.grammar(parse_tools(TOOLS), start="call"), again.vocabulary)
    assert set(fsm.allowed(fsm.initial).nonzero()[0]) == set(
        again.tokenizer.convert_tokens_to_ids(["<add>", "<square>"])
    )


def test_tokens_beyond_the_last_row_make_the_model_wider(folder: Path) -> None:
    model = loaded(folder)
    names = [f"tool{number}" for number in range(tiny.WIDTH)]
    tuning.tune(model, tuning.read_examples(EXAMPLES), names, steps=1, batch=1)
    assert model.network.get_input_embeddings().weight.shape[0] > tiny.WIDTH


def test_what_the_host_writes_is_not_learned(folder: Path) -> None:
    model = loaded(folder)
    example = tuning.read_examples(EXAMPLES)[0]
    for per_tool, begin in ((False, "<T>add(2,3)"), (True, "<add>(2,3)")):
        encoded = tuning.encode(model, example, per_tool)
        pairs = zip(encoded.tokens, encoded.learned, strict=True)
        learned = model.tokenizer.decode([token for token, learn in pairs if learn])
        assert learned == f" The sum is {begin}=. So the answer is 5."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "there are no examples"),
        ("{}", "line 1 isn't an example"),
        (f"{EXAMPLES}\nsquare", "line 3 isn't an example"),
        (json.dumps({**ROWS[0], "answer": "5"}), "the answer of line 1 has no call"),
        (json.dumps({**ROWS[0], "tools": "def ("}), "line 1"),
    ],
)
def test_bad_examples_are_told(text: str, told: str) -> None:
    with pytest.raises(ToolDecError, match=told):
        tuning.read_examples(text)


def test_the_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "examples.jsonl").write_text(EXAMPLES)
    asked = ["tune-token", "--model", str(folder), "--examples", str(tmp_path / "examples.jsonl"), "--device", "cpu"]
    assert main([*asked, "--out", str(tmp_path / "tuned"), "--steps", "2"]) == 0
    out, err = capsys.readouterr()
    assert "after 2 steps" in out and "learned anew" in err
    assert load_model(str(tmp_path / "tuned"), device="cpu").vocabulary.ids("<T>")
    assert main([*asked[:2], "toy", *asked[3:], "--out", "x"]) == 2
    assert "has no weights" in capsys.readouterr().err
