"""The adapter to vLLM, driven through vLLM's documented interface; vLLM itself isn't needed."""

from dataclasses import dataclass, field
from enum import Enum, auto
from types import SimpleNamespace
from typing import Any

import pytest
import tiny
import torch
from transformers import AutoTokenizer

from tooldec.vllm import ToolDecProcessor

TOOLS = {"tools": "def square(side: int)", "scheme": "special_token", "start": "call"}


class MoveDirectionality(Enum):
    UNIDIRECTIONAL = auto()
    SWAP = auto()


@dataclass(frozen=True)
class BatchUpdate:
    batch_size: int
    removed: list[int] = field(default_factory=list)
    added: list[tuple[int, Any, list[int] | None, list[int]]] = field(default_factory=list)
    moved: list[tuple[int, int, MoveDirectionality]] = field(default_factory=list)


def params(extra=None):
    return SimpleNamespace(extra_args=None if extra is None else {"tooldec": extra})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.save(tmp_path_factory.mktemp("model"), tiny.byte_level())


@pytest.fixture
def processor(folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    config = SimpleNamespace(tokenizer=str(folder), get_vocab_size=lambda: len(tokenizer) + 5)
    return ToolDecProcessor(SimpleNamespace(model_config=config), torch.device("cpu"), False)


def width(processor):
    return processor._traits.vocabulary.size


def test_rows_without_tools_are_left_alone(processor):
    processor.update_state(BatchUpdate(2, added=[(0, params(), None, []), (1, params(TOOLS), None, [])]))
    logits = processor.apply(torch.zeros(2, width(processor)))
    assert torch.isfinite(logits[0]).all()
    assert not torch.isfinite(logits[1]).all() and torch.isfinite(logits[1]).any()
    assert not processor.is_argmax_invariant()


def test_a_greedy_run_writes_a_call(processor):
    output: list[int] = []
    processor.update_state(BatchUpdate(1, added=[(0, params(TOOLS), [1, 2], output)]))
    generator = torch.Generator().manual_seed(1)
    for _ in range(60):
        processor.update_state(None)
        logits = processor.apply(torch.randn(1, width(processor), generator=generator))
        token = int(logits[0].argmax())
        output.append(token)
        if token in processor._traits.vocabulary.eos:
            break
    text = b"".join(
        s.encode() if isinstance(s, str) else s for s in map(processor._traits.vocabulary.spelling, output[:-1])
    ).decode()
    name, argument = text.removesuffix(")").split("(")
    assert name == "<T>square" and isinstance(int(argument), int)
    assert torch.isfinite(processor.apply(torch.zeros(1, width(processor)))).all(), "after the end nothing is masked"


def test_strings_are_quoted_from_the_text_of_a_request(processor):
    texts = ["Rain in Turku", "Snow in Oslo", None]
    tools = {"tools": "def weather(city: str)", "scheme": "special_token", "start": "call"}
    wanted = [params(tools | ({} if text is None else {"quote": text})) for text in texts]
    processor.update_state(BatchUpdate(3, added=[(i, wanted[i], None, []) for i in range(3)]))
    machines = [processor._rows[i].fsm.dfa for i in range(3)]
    begun = [machine.step(machine.initial, "<T>") for machine in machines]
    written = [machine.read(b'weather("Turku"', at) is not None for machine, at in zip(machines, begun, strict=True)]
    assert written == [True, False, True]


def test_rows_move_and_go(processor):
    lists: list[list[int]] = [[], [], []]
    added = [(i, params(TOOLS if i else None), None, lists[i]) for i in range(3)]
    processor.update_state(BatchUpdate(3, added=added))
    first = processor._rows[1]
    processor.update_state(BatchUpdate(3, moved=[(1, 0, MoveDirectionality.SWAP)]))
    assert processor._rows[0] is first and 1 not in processor._rows
    last = processor._rows[2]
    processor.update_state(BatchUpdate(2, removed=[0], moved=[(2, 0, MoveDirectionality.UNIDIRECTIONAL)]))
    assert processor._rows == {0: last}


def test_the_same_tools_share_a_machine(processor):
    processor.update_state(BatchUpdate(2, added=[(i, params(TOOLS), None, []) for i in range(2)]))
    assert processor._rows[0].fsm is processor._rows[1].fsm


@pytest.mark.parametrize(
    ("extra", "phrase"),
    [
        ({"tools": "def f(x: strng)"}, "unknown type"),
        ({"tools": 5}, "signatures as text"),
        ({"tools": "def f(x: int)", "scheme": "xml"}, "scheme `xml` is unknown"),
        ({"tools": "def f(x: int)", "start": "now"}, "start `now` is unknown"),
        ({"tools": "def f(x: int)", "quote": True}, "the user's message"),
        ({"tools": "def f(x: str)", "quote": "a " * 10_000}, "can't be quoted"),
        ({"tools": "def f(x: int)", "tool": 1}, "no setting `tool`"),
    ],
)
def test_wrong_arguments_are_refused_before_the_run(extra, phrase):
    with pytest.raises(ValueError, match=phrase):
        ToolDecProcessor.validate_params(params(extra))


def test_right_arguments_pass():
    ToolDecProcessor.validate_params(params(TOOLS))
    ToolDecProcessor.validate_params(params())


def test_calls_take_the_form_of_the_chat_template(tmp_path):
    """Without a word from the request: what the model was trained to write."""
    mistral = "{% for m in messages %}[INST]{{ m.content }}[/INST]{% endfor %}[AVAILABLE_TOOLS]{{ tools }}[TOOL_CALLS]"
    folder = tiny.save(tmp_path, tiny.byte_level(), template=mistral)
    config = SimpleNamespace(tokenizer=str(folder), get_vocab_size=lambda: len(AutoTokenizer.from_pretrained(folder)))
    processor = ToolDecProcessor(SimpleNamespace(model_config=config), torch.device("cpu"), False)
    request = params({"tools": "def square(side: int)", "start": "call"})
    processor.update_state(BatchUpdate(1, added=[(0, request, None, output := [])]))
    vocabulary, text = processor._traits.vocabulary, b""
    while len(output) < 60 and b"}" not in text:
        row = processor.apply(torch.zeros(1, vocabulary.size))[0]
        output.append(int(row.argmax()))
        spelling = vocabulary.spelling(output[-1])
        text += spelling.encode() if isinstance(spelling, str) else spelling
    assert text.startswith(b'[TOOL_CALLS][{"name": "square", "arguments": {"side": '), text
