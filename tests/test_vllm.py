"""The adapter to vLLM, driven through vLLM's documented interface; vLLM itself isn't needed."""

from dataclasses import dataclass, field
from enum import Enum, auto
from types import SimpleNamespace
from typing import Any

import pytest
import tiny
import torch
from transformers import AutoTokenizer

from tooldec import Vocabulary, automaton, build_fsm
from tooldec.errors import DeadEndError, SchemaError
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


WIDER = 5
"""Rows of the logits that no token has."""


def processor_of(folder):
    config = SimpleNamespace(tokenizer=str(folder), get_vocab_size=lambda: vocabulary_of(folder).size)
    return ToolDecProcessor(SimpleNamespace(model_config=config), torch.device("cpu"), False)


def vocabulary_of(folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    return Vocabulary.from_tokenizer(tokenizer, size=len(tokenizer) + WIDER, eos=[tokenizer.eos_token_id])


@pytest.fixture
def processor(folder):
    return processor_of(folder)


@pytest.fixture(scope="module")
def vocabulary(folder):
    return vocabulary_of(folder)


def allowed(processor, rows, vocabulary):
    """For each row the tokens that may come, or None where all may."""
    logits = processor.apply(torch.zeros(rows, vocabulary.size))
    return [None if torch.isfinite(row).all() else set(row.isfinite().nonzero().flatten().tolist()) for row in logits]


def takes(processor, row, rows, output, text, vocabulary):
    """Whether a row admits a text, one byte at a time, behind `<T>`."""
    for symbol in ("<T>", *(bytes([byte]) for byte in text)):
        token = next(t for t in range(vocabulary.size) if vocabulary.spelling(t) == symbol)
        if token not in allowed(processor, rows, vocabulary)[row]:
            return False
        output.append(token)
    return True


def test_rows_without_tools_are_left_alone(processor, vocabulary):
    processor.update_state(BatchUpdate(2, added=[(0, params(), None, []), (1, params(TOOLS), None, [])]))
    logits = processor.apply(torch.zeros(2, vocabulary.size))
    assert torch.isfinite(logits[0]).all()
    assert not torch.isfinite(logits[1]).all() and torch.isfinite(logits[1]).any()
    assert not processor.is_argmax_invariant()


def test_a_greedy_run_writes_a_call(processor, vocabulary):
    output: list[int] = []
    processor.update_state(BatchUpdate(1, added=[(0, params(TOOLS), [1, 2], output)]))
    generator = torch.Generator().manual_seed(1)
    for _ in range(60):
        processor.update_state(None)
        logits = processor.apply(torch.randn(1, vocabulary.size, generator=generator))
        token = int(logits[0].argmax())
        output.append(token)
        if token in vocabulary.eos:
            break
    text = vocabulary.spelled(output[:-1]).decode()
    name, argument = text.removesuffix(")").split("(")
    assert name == "<T>square" and isinstance(int(argument), int)
    assert torch.isfinite(processor.apply(torch.zeros(1, vocabulary.size))).all(), "after the end nothing is masked"


def test_strings_are_quoted_from_the_text_of_a_request(processor, vocabulary):
    texts = ["Rain in Turku", "Snow in Oslo", None]
    tools = {"tools": "def weather(city: str)", "scheme": "special_token", "start": "call"}
    wanted = [params(tools | ({} if text is None else {"quote": text})) for text in texts]
    outputs: list[list[int]] = [[], [], []]
    processor.update_state(BatchUpdate(3, added=[(i, wanted[i], None, outputs[i]) for i in range(3)]))
    written = [takes(processor, i, 3, outputs[i], b'weather("Turku"', vocabulary) for i in range(3)]
    assert written == [True, False, True]


def test_rows_move_and_go(processor, vocabulary):
    (marker,) = vocabulary.ids("<T>")
    lists: list[list[int]] = [[], [], [marker]]
    added = [(i, params(TOOLS if i else None), None, lists[i]) for i in range(3)]
    processor.update_state(BatchUpdate(3, added=added))
    none, begun, inside = allowed(processor, 3, vocabulary)
    assert none is None and begun == {marker} and inside is not None and marker not in inside
    processor.update_state(BatchUpdate(3, moved=[(1, 0, MoveDirectionality.SWAP)]))
    assert allowed(processor, 3, vocabulary) == [begun, None, inside]
    processor.update_state(BatchUpdate(2, removed=[0], moved=[(2, 0, MoveDirectionality.UNIDIRECTIONAL)]))
    assert allowed(processor, 3, vocabulary) == [inside, None, None]


def test_the_same_tools_share_a_machine(processor, vocabulary, monkeypatch):
    built = []
    monkeypatch.setattr("tooldec.vllm.build_fsm", lambda *given: (built.append(given), build_fsm(*given))[1])
    processor.update_state(BatchUpdate(2, added=[(i, params(TOOLS), None, []) for i in range(2)]))
    assert len(built) == 1
    assert allowed(processor, 2, vocabulary)[0] == allowed(processor, 2, vocabulary)[1] is not None


LOTS = '[{"name": "buy", "parameters": {"properties": {"count": {"type": "integer", "multipleOf": 4999}}}}]'


def test_a_request_may_leave_unchecked_what_cannot_be_enforced():
    ToolDecProcessor.validate_params(params({"tools": LOTS, "relax": True}))


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
        ({"tools": "def f(x: int)", "relax": 1}, "true or false"),
        ({"tools": LOTS}, "too many states"),
    ],
)
def test_wrong_arguments_are_refused_before_the_run(extra, phrase):
    with pytest.raises(ValueError, match=phrase):
        ToolDecProcessor.validate_params(params(extra))


FAR = '[{"name":"f","parameters":{"type":"object","properties":{"x":{"type":"string","%s":%d}},"required":["x"]}}]'


def test_what_is_accepted_does_not_fail_later(processor, vocabulary):
    """An exception in `apply` would end vLLM's engine, with the requests of everybody."""
    far = {"tools": FAR % ("maxLength", 2**64 - 1), "start": "call"}
    ToolDecProcessor.validate_params(params(far))
    output: list[int] = []
    processor.update_state(BatchUpdate(1, added=[(0, params(far), None, output)]))
    generator = torch.Generator().manual_seed(1)
    for _ in range(60):
        output.append(int(processor.apply(torch.randn(1, vocabulary.size, generator=generator))[0].argmax()))
    with pytest.raises(ValueError, match="nobody can write"):
        ToolDecProcessor.validate_params(params({"tools": FAR % ("minLength", 2**63)}))


def test_submachines_are_made_when_a_request_is_accepted(monkeypatch):
    def fail(term):
        raise SchemaError("it can't be counted")

    monkeypatch.setattr(automaton, "tally_of", fail)
    with pytest.raises(ValueError, match="it can't be counted"):
        ToolDecProcessor.validate_params(params({"tools": FAR % ("maxLength", 77)}))


def test_a_machine_that_is_stuck_ends_its_own_request(processor, vocabulary, monkeypatch, caplog):
    def build(*given):
        fsm = build_fsm(*given)
        if fsm.dfa.tools(fsm.dfa.read(["<T>"])) == ("cube",):
            monkeypatch.setattr(fsm, "allowed", stuck)
        return fsm

    def stuck(state):
        raise DeadEndError("no token can leave state 3")

    monkeypatch.setattr("tooldec.vllm.build_fsm", build)
    cube = {**TOOLS, "tools": "def cube(x: int)"}
    processor.update_state(
        BatchUpdate(2, added=[(i, params(extra), None, []) for i, extra in enumerate((TOOLS, cube))])
    )
    square, ended = allowed(processor, 2, vocabulary)
    assert ended == set(vocabulary.eos) and not ended & square
    assert "no token can leave state 3" in caplog.text


def test_right_arguments_pass():
    ToolDecProcessor.validate_params(params(TOOLS))
    ToolDecProcessor.validate_params(params())


def test_calls_take_the_form_of_the_chat_template(tmp_path):
    """Without a word from the request: what the model was trained to write."""
    mistral = "{% for m in messages %}[INST]{{ m.content }}[/INST]{% endfor %}[AVAILABLE_TOOLS]{{ tools }}[TOOL_CALLS]"
    folder = tiny.save(tmp_path, tiny.byte_level(), template=mistral)
    processor, vocabulary = processor_of(folder), vocabulary_of(folder)
    request = params({"tools": "def square(side: int)", "start": "call"})
    processor.update_state(BatchUpdate(1, added=[(0, request, None, output := [])]))
    text = b""
    while len(output) < 60 and b"}" not in text:
        row = processor.apply(torch.zeros(1, vocabulary.size))[0]
        output.append(int(row.argmax()))
        spelling = vocabulary.spelling(output[-1])
        text += spelling.encode() if isinstance(spelling, str) else spelling
    assert text.startswith(b'[TOOL_CALLS][{"name": "square", "arguments": {"side": '), text
