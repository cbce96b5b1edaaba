from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import tiny
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from tooldec import SCHEMES, ToolDecLogitsProcessor, Trace, Vocabulary, build_fsm, decode, load_model, parse_tools
from tooldec.errors import CallError, HostError, SchemaError, UsageError

TOOLS = parse_tools(
    "def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef find(kind: Literal['a', 'b'])"
)
SCHEME = SCHEMES["special_token"]
PROMPTS = ["the side of a square is 5", "add", "what's its area? what's its area?"]


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load_model(str(tiny.save(tmp_path_factory.mktemp("model"), tiny.byte_level())), device="cpu")


@pytest.fixture(scope="module")
def fsm(model: Any) -> Any:
    return build_fsm(SCHEME.grammar(TOOLS, start="call"), model.vocabulary)


def generate(model: Any, fsm: Any, prompts: list[str], **options: Any) -> list[list[int]]:
    """The tokens after the prompt, rows by rows, without padding."""
    model.tokenizer.padding_side = "left"
    inputs = model.tokenizer(prompts, return_tensors="pt", padding=True, return_token_type_ids=False)
    length = inputs.input_ids.shape[1]
    processor = ToolDecLogitsProcessor(fsm, length)
    torch.manual_seed(0)
    output = model.network.generate(
        **inputs, logits_processor=[processor], max_new_tokens=40, **{"do_sample": False, **options}
    )
    rows = output[:, length:].tolist()
    return [row[: next((i for i, t in enumerate(row) if t in model.vocabulary.eos), len(row))] for row in rows]


def text(model: Any, ids: list[int]) -> str:
    spellings = [model.vocabulary.spelling(i) for i in ids]
    return b"".join(s.encode() if isinstance(s, str) else s for s in spellings).decode("utf-8", "replace")


def test_generate_writes_what_decode_writes(model: Any, fsm: Any) -> None:
    for prompt in PROMPTS:
        (ids,) = generate(model, fsm, [prompt])
        trace = Trace.collect(decode(model, fsm, prompt, max_tokens=40))
        assert ids == [step.token_id for step in trace.steps if step.token_id not in model.vocabulary.eos]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"do_sample": True, "temperature": 1.5, "top_k": 0},
        {"do_sample": True, "top_k": 5, "top_p": 0.8},
        {"num_beams": 4, "num_return_sequences": 3},
        {"num_beams": 3, "do_sample": True, "num_return_sequences": 3},
        {"do_sample": True, "num_return_sequences": 4},
    ],
    ids=["greedy", "sampled", "top_k", "beams", "sampled_beams", "many"],
)
def test_every_row_is_a_valid_call(options: dict[str, Any], model: Any, fsm: Any) -> None:
    rows = generate(model, fsm, PROMPTS, **options)
    assert len(rows) == len(PROMPTS) * options.get("num_return_sequences", 1)
    for ids in rows:
        state: int | None = fsm.initial
        for token in ids:
            state = fsm.step(state, token)
            assert state is not None
        if len(ids) < 40:  # it ended by itself
            assert fsm.is_accepting(state)
            assert len(SCHEME.read_calls(text(model, ids), TOOLS)) == 1


def test_a_batch_gives_each_row_what_it_gets_alone(model: Any, fsm: Any) -> None:
    together = generate(model, fsm, PROMPTS)
    assert together == [generate(model, fsm, [prompt])[0] for prompt in PROMPTS]


def test_without_it_the_calls_would_not_be_valid(model: Any) -> None:
    unguided = build_fsm(SCHEME.unguided(), model.vocabulary)
    for ids in generate(model, unguided, PROMPTS):
        with pytest.raises(CallError):
            SCHEME.read_calls(f"<T>{text(model, ids)}", TOOLS)


def test_masks_are_those_of_the_machine(model: Any, fsm: Any) -> None:
    size, eos = model.vocabulary.size, set(model.vocabulary.eos)
    call = [2, *model.tokenize("square(5)")]
    processor = ToolDecLogitsProcessor(fsm, 3)
    scores = torch.randn(3, size)

    def masked(*rows: list[int]) -> list[set[int]]:
        prompt = torch.zeros(len(rows), 3, dtype=torch.long)
        found = processor(torch.cat([prompt, torch.tensor(rows, dtype=torch.long)], 1), scores[: len(rows)])
        kept = torch.isfinite(found)
        assert torch.equal(found[kept], scores[: len(rows)][kept])
        return [set(torch.nonzero(row).flatten().tolist()) for row in kept]

    assert masked([], [])[0] == {2}
    assert masked([2])[0] == set(fsm.allowed(fsm.step(fsm.initial, 2)).nonzero()[0].tolist())
    # rows may be swapped, dropped or come from elsewhere; ended rows go on with the end of the text
    assert masked(call[:2], [2, 1]) != masked([2, 1], call[:2])
    assert masked(call) == [eos] and masked([*call, 1]) == [eos] and masked([*call, 1, 0, 0]) == [eos]
    assert masked(call[:3])[0] == masked([2, *model.tokenize("square(5)")][:3])[0]
    masked([2])
    assert masked([2, 5]) == [eos] == masked([2, 5, 6]), "what an assistant proposes in vain"
    assert scores.isfinite().all(), "the scores that were given are not changed"


def test_rows_are_walked_once(model: Any, fsm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0
    step = fsm.step

    def count(state: int, token: int) -> int | None:
        nonlocal steps
        steps += 1
        return step(state, token)  # type: ignore[no-any-return]

    monkeypatch.setattr(fsm, "step", count)
    (ids,) = generate(model, fsm, PROMPTS[:1])
    assert len(ids) - 1 <= steps <= len(ids) + 1


def test_one_processor_serves_prompts_of_any_length(model: Any, fsm: Any) -> None:
    processor, texts = ToolDecLogitsProcessor(fsm), []
    for prompt in [*PROMPTS, PROMPTS[0], PROMPTS[0] + PROMPTS[2]]:
        for options in ({}, {"num_beams": 2}, {"prompt_lookup_num_tokens": 3}, {"assistant_model": model.network}):
            inputs = model.tokenizer(prompt, return_tensors="pt", return_token_type_ids=False)
            output = model.network.generate(**inputs, logits_processor=[processor], max_new_tokens=40, **options)
            texts.append(text(model, output[0, inputs.input_ids.shape[1] :].tolist()))
    assert all(one.startswith("<T>") and "<T>" not in one[3:] for one in texts)
    one = model.tokenizer(PROMPTS[0], return_tensors="pt", return_token_type_ids=False)
    embeds = model.network.get_input_embeddings()(one.input_ids)  # there are no columns of the prompt then
    output = model.network.generate(inputs_embeds=embeds, logits_processor=[processor], max_new_tokens=40)
    assert text(model, output[0].tolist()).startswith("<T>")


def test_an_answer_may_have_been_begun(model: Any, fsm: Any) -> None:
    length = len(model.tokenizer("add").input_ids)
    processor = ToolDecLogitsProcessor(fsm, length)

    def goes_on(begun: str) -> str:
        inputs = model.tokenizer("add" + begun, return_tensors="pt", return_token_type_ids=False)
        output = model.network.generate(**inputs, logits_processor=[processor], max_new_tokens=40)
        return text(model, output[0, length:].tolist())

    for begun in ("<T>square(", "", "<T>ad"):
        assert goes_on(begun).startswith(begun or "<T>")
    for begun, why in {
        "<T>cube": "token 2, `c`, on: no tool is called “c",
        " it is": "only `<T>` can follow",
        "<T>square(5))": "nothing but the end may follow",
        "<T>square(5)<eos>more": "the answer has ended there, and goes on; leave prompt_length out",
    }.items():
        with pytest.raises(UsageError, match=re.escape(why)):
            goes_on(begun)


def test_a_prompt_of_another_length_is_told(model: Any, fsm: Any) -> None:
    lengths = [model.tokenizer(prompt, return_tensors="pt").input_ids.shape[1] for prompt in PROMPTS]
    ids = [model.tokenizer(prompt, return_tensors="pt").input_ids for prompt in PROMPTS]
    assert lengths[1] < lengths[0] < lengths[2]
    processor, scores = ToolDecLogitsProcessor(fsm, lengths[0]), torch.zeros(1, model.vocabulary.size)
    processor(ids[0], scores)
    with pytest.raises(UsageError, match=f"rows have {lengths[1]} tokens, and prompt_length is {lengths[0]}; leave"):
        processor(ids[1], scores)
    with pytest.raises(UsageError, match=r"can't be read from token 1.*leave prompt_length out"):
        processor(ids[2], scores)
    for wrong in (0, lengths[0] - 1):
        with pytest.raises(UsageError, match=f"with prompt_length={wrong} the answer begins with"):
            ToolDecLogitsProcessor(fsm, wrong)(ids[0], scores)


def test_what_bars_every_token_is_told(model: Any, fsm: Any) -> None:
    with pytest.raises(UsageError, match="leave out what bars tokens, such as no_repeat_ngram_size"):
        generate(model, fsm, PROMPTS[:1], bad_words_ids=[[2]])


def test_what_cannot_be(model: Any, fsm: Any) -> None:
    with pytest.raises(UsageError, match=r"prompt_length can't be -1"):
        ToolDecLogitsProcessor(fsm, -1)
    with pytest.raises(UsageError, match="no token that ends the text"):
        ToolDecLogitsProcessor(build_fsm(SCHEME.unguided(), Vocabulary([b"a"])), 0)
    with pytest.raises(UsageError, match=rf"machine has {tiny.WIDTH} tokens, the scores 7; build .* size=7"):
        ToolDecLogitsProcessor(fsm, 0)(torch.zeros(1, 0, dtype=torch.long), torch.zeros(1, 7))
    results = build_fsm(SCHEME.grammar(TOOLS, "call", results=True), model.vocabulary)
    with pytest.raises(HostError, match="results=False"):
        ids = [2, *model.tokenize("square(5)=")]
        ToolDecLogitsProcessor(results, 0)(torch.tensor([ids]), torch.zeros(1, tiny.WIDTH))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA GPU")
def test_on_a_gpu(fsm: Any) -> None:
    scores = torch.randn(2, tiny.WIDTH, device="cuda")
    found = ToolDecLogitsProcessor(fsm, 0)(torch.tensor([[2], [2]], device="cuda"), scores)
    assert found.device.type == "cuda" and 0 < torch.isfinite(found).sum() < found.numel()


def test_a_prompt_with_one_more_token_is_a_prompt(fsm: Any) -> None:
    """A reused processor sees rows that look like the first answer going on."""
    processor, size = ToolDecLogitsProcessor(fsm), fsm.vocabulary.size

    def answer(prompt: list[int]) -> list[int]:
        rows, written = list(prompt), []
        for _ in range(12):
            scores = processor(torch.tensor([rows]), torch.arange(size, 0, -1.0).expand(1, size))
            written.append(int(scores[0].argmax()))
            rows.append(written[-1])
            if written[-1] in fsm.vocabulary.eos:
                break
        return written

    prompt = list(range(10, 30))
    first = answer(prompt)
    assert len(first) > 3
    assert answer([*prompt, 40]) == first == answer(prompt)


# ---- made for a model and its tools


DICTS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": "find",
            "parameters": {"type": "object", "properties": {"kind": {"enum": ["a", "b"]}}, "required": ["kind"]},
        },
    }
]
TEMPLATE = "{% for m in messages %}{{ m.content }}{% endfor %}{# SIGN #}{{ tools }}"


@pytest.mark.parametrize("start", ["call", "text"])
@pytest.mark.parametrize(
    ("sign", "begins"),
    [("<tool_call>", "<tool_call>\n{"), ("[TOOL_CALLS] [ARGS]", "[TOOL_CALLS]find["), ("<arg_key>", "<tool_call>find")],
)
def test_it_is_made_for_a_model_and_its_tools(tmp_path: Path, sign: str, begins: str, start: Any) -> None:
    """Calls take the form of the chat template; they are read from the tokens that `generate` gives."""
    folder = tiny.save(tmp_path, tiny.byte_level(), template=TEMPLATE.replace("SIGN", sign), context=400)
    network, tokenizer = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    for tools in (DICTS, "def find(kind: Literal['a', 'b'])"):
        processor = ToolDecLogitsProcessor.for_tools(tools, network, tokenizer, start=start)
        prompt = "what?" if start == "call" else f"what?{begins}"
        inputs = tokenizer(prompt, return_tensors="pt", return_token_type_ids=False)
        length = len(tokenizer("what?").input_ids)
        processor.prompt_length = length
        written = network.generate(
            **inputs, logits_processor=[processor], max_new_tokens=200, do_sample=False, pad_token_id=0
        )
        answer = written[0, length:]
        text = processor.machines[0].vocabulary.decode(answer)
        assert text.startswith(begins), text
        if start == "call":
            assert [call.name for call in processor.read_calls(answer)] == ["find"] and processor.read_calls(text)
            assert processor.read_calls(answer)[0].arguments["kind"] in ("a", "b")


def test_it_reads_calls_of_its_own_scheme_only(model: Any, fsm: Any) -> None:
    with pytest.raises(UsageError, match="for_tools"):
        ToolDecLogitsProcessor(fsm).read_calls("<T>square(5)")
    processor = ToolDecLogitsProcessor.for_tools("def square(side: int)", model.network, model.tokenizer)
    with pytest.raises(CallError):
        processor.read_calls("<tool_call>square</tool_call>")
    none = ToolDecLogitsProcessor.for_tools("def f()", model.network, model.tokenizer, "special_token", "none")
    assert none.machines[0].step(none.machines[0].initial, model.vocabulary.ids("<T>")[0]) is None


def test_what_cannot_be_enforced_is_left_unchecked_where_that_is_asked_for(model: Any) -> None:
    count = {"type": "integer", "enum": ["1", "2", "dontcare"]}
    tools = [{"name": "book", "parameters": {"type": "object", "properties": {"n": count}, "required": ["n"]}}]
    with pytest.raises(SchemaError, match="in `book`: no value of `enum` satisfies `type`"):
        ToolDecLogitsProcessor.for_tools(tools, model.network, model.tokenizer)
    processor = ToolDecLogitsProcessor.for_tools(tools, model.network, model.tokenizer, "special_token", relax=True)
    assert processor.machines[0].warnings[0].startswith("$.n: in `book`: `type` is left unchecked")
    assert processor.read_calls('<T>book("dontcare")')[0].arguments == {"n": "dontcare"}
