from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import tiny
import torch
import transformers
from huggingface_hub import errors
from hypothesis import given, settings
from hypothesis import strategies as st

from tooldec import Prompt, parse_tools
from tooldec.errors import ModelError, UsageError
from tooldec.models import BACKENDS, LONGEST_TOKEN, hub, load_model, plain_text, prompt_size, threads
from tooldec.models.session import HuggingFaceSession
from tooldec.models.toy import RULES, TOKENS

QUESTION = "the side of a square is 5, what's its area?"
PROMPT = Prompt(({"role": "system", "content": "Tools: f(a: int)"}, {"role": "user", "content": QUESTION}))


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def test_a_large_model_has_its_threads_while_another_thread_runs_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "USUAL", 2)
    found: list[int] = []

    def large() -> None:
        with threads.threads(False):
            found.append(torch.get_num_threads())

    with threads.threads(True):
        assert torch.get_num_threads() == 1
        other = threading.Thread(target=large)
        other.start()
        other.join()
    assert found == [2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.save(tmp_path_factory.mktemp("byte_level"), tiny.byte_level())


@pytest.fixture(scope="module")
def model(folder: Path) -> Any:
    return load_model(str(folder))


@pytest.fixture(scope="module")
def llama2(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load_model(str(tiny.save(tmp_path_factory.mktemp("sentence_piece"), tiny.sentence_piece())))


# ---- the toy


def toy_row(answer: str) -> dict[str, float]:
    """The toy's distribution once it has written `answer` behind `Its`."""
    model = load_model("toy")
    session = model.start(QUESTION)
    assert session.prefix == "Its"
    ids = {token: i for i, token in enumerate(TOKENS)}
    session.append([ids[piece] for piece in answer.split("|") if piece])
    return dict(zip(TOKENS, session.logits().softmax(0).tolist(), strict=True))


@pytest.mark.parametrize("name", ["toy", "own"])
def test_nothing_appended_changes_nothing(name: str, model: Any) -> None:
    session = (load_model("toy") if name == "toy" else model).start(PROMPT)
    before = session.logits()
    session.append([])
    assert torch.equal(session.logits(), before)


def test_the_toy_has_64_different_tokens() -> None:
    vocabulary = load_model("toy").vocabulary
    assert vocabulary.size == len(set(TOKENS)) == 64
    assert vocabulary.eos == (0,) and vocabulary.ids("<T>") == (1,)
    assert [vocabulary.text(i) for i in range(64)] == list(TOKENS)


@pytest.mark.parametrize(("pattern", "row"), RULES, ids=[pattern for pattern, _ in RULES])
def test_every_row_of_the_toy_is_a_distribution_over_its_tokens(pattern: str, row: dict[str, float]) -> None:
    assert row.keys() <= set(TOKENS)
    assert 0.5 < sum(row.values()) < 1
    assert min(row.values()) > (1 - sum(row.values())) / (64 - len(row))


def test_the_toy_says_at_s4_what_the_picture_shows() -> None:
    row = toy_row(" area| is |<T>|sq")
    shown = {"uared": 0.412, "uare": 0.274, "(": 0.121, ".": 0.083, "uares": 0.061, "rt": 0.023, "\n": 0.018}
    assert {token: round(row[token], 3) for token in shown} == shown
    assert sum(p for token, p in row.items() if token not in shown) == pytest.approx(0.008)


@given(st.lists(st.sampled_from(range(64)), max_size=30), st.text(max_size=40))
@settings(max_examples=60, deadline=None)
def test_the_toy_answers_anything_with_a_distribution(ids: list[int], question: str) -> None:
    session = load_model("toy").start(question)
    session.append(ids)
    probabilities = session.logits().exp()
    assert session.logits().dtype == torch.float32
    assert probabilities.sum() == pytest.approx(1, abs=1e-5) and bool((probabilities > 0).all())


def test_the_toy_reads_digits_and_refuses_what_it_cannot_spell() -> None:
    model = load_model("toy")
    assert "".join(TOKENS[i] for i in model.tokenize("25.5")) == "25.5"
    assert all(i > 1 for i in model.tokenize("-1 + 2"))
    for text in ("Paris", "<T>", "<EOS>"):
        with pytest.raises(ModelError, match="no token that begins"):
            model.tokenize(text)


def test_the_toy_counts_the_prompt_of_the_picture() -> None:
    model = load_model("toy")
    assert model.prompt_tokens(Prompt(({"role": "user", "content": QUESTION},))) == 14
    with pytest.raises(ModelError, match=r"3,000 tokens and the toy model's context 2,048"):
        model.start("word " * 3000)


# ---- names


@pytest.mark.parametrize(
    "name",
    [
        "no such!",
        "./nowhere",
        "/nowhere/at/all",
        "a/b/c",
        "../x",
        "",
        " ",
        "toy ",
        "org/",
        "-x",
        "x" * 999,
        "a\nb",
        "a\0b",
    ],
)
def test_a_name_that_is_no_name_is_told_at_once(name: str) -> None:
    with pytest.raises(ModelError, match="is no folder") as caught:
        load_model(name)
    assert all(known in str(caught.value) for known in BACKENDS)


def test_an_unknown_hub_id_is_told_within_seconds_without_a_traceback() -> None:
    code = (
        "import sys, time\nfrom tooldec import load_model, ToolDecError\n"
        "try: load_model('tooldec-tests/no-such-model')\nexcept ToolDecError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"HF_HUB_OFFLINE": "1", "HF_HOME": "/nonexistent", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(__file__).parent.parent,
    )
    assert done.stderr == "" and done.returncode == 0
    assert "HF_HUB_OFFLINE forbids to ask the hub; unset HF_HUB_OFFLINE" in done.stdout
    assert len(done.stdout.splitlines()) == 1


def test_importing_tooldec_needs_neither_torch_nor_transformers() -> None:
    code = (
        "import sys, tooldec; from tooldec import Vocabulary, build_fsm, SCHEMES, parse_tools, Trace\n"
        "import tooldec.models\n"
        "print([name for name in ('torch', 'transformers', 'gradio', 'networkx') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def _keep(folder: Path, *names: str) -> None:
    for file in folder.iterdir():
        if file.name not in names:
            file.unlink()


def _cut(file: Path, size: int) -> None:
    file.write_bytes(file.read_bytes()[:size])


def _change(file: Path, **changes: object) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda f: _keep(f), "holds no config.json"),
        (lambda f: _keep(f, "config.json"), "holds no model.safetensors; save"),
        (
            lambda f: (f / "model.safetensors").rename(f / "pytorch_model.bin"),
            r"but pytorch_model\.bin, and only safetensors",
        ),
        (lambda f: _cut(f / "model.safetensors", 3000), "is no safetensors file"),
        (lambda f: _cut(f / "model.safetensors", 90000), "the file is cut off"),
        (lambda f: (f / "config.json").write_text("{"), "can't be loaded"),
        (lambda f: _change(f / "config.json", model_type="nonsense"), "can't be loaded"),
        (lambda f: _change(f / "config.json", model_type="t5"), "can't be loaded"),
        (lambda f: (f / "tokenizer.json").write_text("no json"), "tokenizer of .* can't be loaded"),
        (
            lambda f: (f / "model.safetensors.index.json").write_text('{"weight_map": {"a": "model-2.safetensors"}}'),
            "lacks model-2.safetensors",
        ),
        (lambda f: (f / "model.safetensors.index.json").write_text("{"), "can't be read"),
    ],
)
def test_a_folder_that_cannot_be_loaded(spoil: Any, told: str, folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    for file in folder.iterdir():
        (broken / file.name).write_bytes(file.read_bytes())
    spoil(broken)
    with pytest.raises(ModelError, match=told) as caught:
        load_model(str(broken))
    assert "\n" not in str(caught.value)


def test_a_model_that_is_too_large_is_told_before_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "free_memory", lambda: 1000)
    with pytest.raises(ModelError, match=r"needs 0.0 GiB as float32 on cpu, and 0.0 GiB are free"):
        load_model(str(folder), device="cpu")


def test_the_parameters_are_counted_from_the_headers(folder: Path, model: Any) -> None:
    assert hub.parameters(folder) == sum(p.numel() for p in model.network.parameters())


@pytest.mark.parametrize("device", ["tpu", "cuda:99", "", "gpu"])
def test_a_device_that_is_not_there(device: str, folder: Path) -> None:
    with pytest.raises(UsageError, match="isn't there"):
        load_model(str(folder), device)


def test_the_toy_has_no_gpu() -> None:
    with pytest.raises(UsageError, match="runs on the CPU"):
        load_model("toy", "cuda")


# ---- the hub


def _answer(size: int, *names: str) -> Any:
    return SimpleNamespace(siblings=[SimpleNamespace(rfilename=name, size=size) for name in names])


def _refuse(kind: type[Exception]) -> Any:
    def raise_it(*_: object, **__: object) -> None:
        raise kind.__new__(kind, "no")

    return raise_it


@pytest.mark.parametrize(
    ("info", "told"),
    [
        (lambda *_, **__: _answer(10, "pytorch_model.bin", "sub/model.safetensors"), "has no model.safetensors"),
        (lambda *_, **__: _answer(10**15, "model.safetensors"), r"take 931,322.6 GiB, and .* GiB are free"),
        (_refuse(errors.GatedRepoError), "accept conditions"),
        (_refuse(errors.RepositoryNotFoundError), "the hub has no model of that name"),
        (_refuse(errors.HfHubHTTPError), "the hub refused"),
        (_refuse(ConnectionError), "the hub can't be reached"),
    ],
)
def test_what_the_hub_may_say(info: Any, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.is_offline_mode", lambda: False)
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", info)
    with pytest.raises(ModelError, match=told) as caught:
        load_model("tooldec-tests/some-model", device="cpu")
    assert "tooldec-tests/some-model" in str(caught.value)


def test_only_what_is_needed_is_fetched(monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path) -> None:
    asked: dict[str, Any] = {}

    def fetch(name: str, **options: Any) -> str:
        asked.update(options)
        if options.get("local_files_only"):
            raise errors.LocalEntryNotFoundError("not in the cache")
        return str(folder)

    monkeypatch.setattr("huggingface_hub.constants.is_offline_mode", lambda: False)
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", lambda *_, **__: _answer(10, "model.safetensors"))
    monkeypatch.setattr("huggingface_hub.snapshot_download", fetch)
    assert load_model("tooldec-tests/some-model", device="cpu").name == "tooldec-tests/some-model"
    assert not any(pattern.endswith((".bin", ".py", ".pt")) for pattern in asked["allow_patterns"])


def test_the_cache_comes_before_the_hub(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, local_files_only: str(folder))
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", _refuse(AssertionError))
    assert hub.fetch("tooldec-tests/some-model") == folder


# ---- transformers


def test_what_a_model_tells_of_itself(model: Any, folder: Path) -> None:
    assert model.name == str(folder)
    assert model.vocabulary.size == tiny.WIDTH
    assert set(model.vocabulary.eos) == {0, 1}
    assert model.context == 128
    if not torch.cuda.is_available() and not torch.backends.mps.is_available():
        assert (model.device, model.dtype) == ("cpu", "float32")
    assert not model.has_tool_template


def test_cached_logits_equal_those_of_reading_everything_again(model: Any) -> None:
    session = model.start("the side of a square")
    ids = model.tokenizer("the side of a square").input_ids
    for new in ([7], [8, 9, 10], [11], [12], [13, 14]):
        session.append(new)
        ids += new
        if new == [11]:
            continue  # nobody asks: read with the next ones
        with torch.no_grad():
            full = model.network(torch.tensor([ids], device=model.network.device)).logits[0, -1]
        logits = session.logits()
        assert logits.shape == (tiny.WIDTH,) and logits.dtype == torch.float32 and logits.device.type == "cpu"
        torch.testing.assert_close(logits, full.float().cpu(), rtol=1e-4, atol=1e-4)
    assert session.room == model.context - len(ids)


@pytest.mark.parametrize("architecture", ["Mamba", "Mamba2", "GPTNeoX", "Llama"])
def test_a_cache_is_given_by_its_name_of_today_and_is_right(architecture: str, recwarn: Any) -> None:
    sizes = {"vocab_size": 50, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "state_size": 8}
    if architecture == "Mamba2":
        sizes |= {"num_heads": 4, "head_dim": 16, "n_groups": 1}
    config = getattr(transformers, f"{architecture}Config")(**sizes, initializer_range=0.4)
    torch.manual_seed(0)
    network = getattr(transformers, f"{architecture}ForCausalLM")(config).eval()
    ids = [3, 4, 5, 6, 7]
    session = HuggingFaceSession(network, list(ids), "", 128)
    session.logits()
    for new in ([7], [8, 9, 10], [11], [12, 13]):
        session.append(new)
        ids = [*ids, *new]
        with torch.no_grad():
            full = network(torch.tensor([ids])).logits[0, -1]
        torch.testing.assert_close(session.logits(), full, rtol=1e-3, atol=1e-3)
    assert session._cache is not None
    every, cache = session.read_but_last()
    assert every == ids and (cache is None) == architecture.startswith("Mamba"), "a state can't be cut"
    assert not [warning for warning in recwarn if "deprecated" in str(warning.message)]


def test_sessions_do_not_mix(model: Any) -> None:
    alone = model.start(PROMPT)
    alone.append([5])
    expected = alone.logits()
    one, two = model.start(PROMPT), model.start("something else")
    one.append([5])
    two.append([6, 7])
    two.logits()
    assert torch.equal(one.logits(), expected)


@pytest.mark.parametrize("prompt", ["bad \ud800", Prompt(({"role": "user", "content": "bad \ud800"},))])
def test_half_a_character_in_a_prompt_is_told(model: Any, prompt: Any) -> None:
    with pytest.raises(
        ModelError, match=r"half a character \(a lone surrogate\), U\+D800, is character \d+ of the text"
    ):
        model.start(prompt)


def test_a_prompt_that_does_not_fit_is_told_with_sizes(model: Any) -> None:
    with pytest.raises(ModelError, match=r"the prompt has \d+ tokens and the context .* is 128; leave out"):
        model.start(QUESTION * 20)


def test_the_tokens_of_a_prompt_are_counted_where_it_may_fit(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    room = 100
    long = Prompt(({"role": "user", "content": "word " * room},))
    assert prompt_size(model, long, room) == (model.prompt_tokens(long), True)
    monkeypatch.setattr(model, "prompt_tokens", lambda prompt: pytest.fail("this takes seconds"))
    longer = Prompt(({"role": "user", "content": "x" * LONGEST_TOKEN * (room + 1)},))
    assert prompt_size(model, longer, room) == (room + 1, False)


def test_the_plain_form() -> None:
    assert plain_text(PROMPT) == f"Tools: f(a: int)\nQ: {QUESTION}\nA:"
    assert plain_text(Prompt(({"role": "user", "content": "Hm?"},), answer_prefix=" Well")) == "Q: Hm?\nA: Well"
    tools = parse_tools("def f(a: int)")
    assert plain_text(Prompt(({"role": "user", "content": "Hm?"},), tools)) == "Tools: f(a: int)\nQ: Hm?\nA:"
    assert plain_text("as it is") == "as it is"


def test_the_plain_form_holds_no_special_tokens(model: Any) -> None:
    prompt = Prompt(({"role": "user", "content": "what is <T> and <eos>?"},))
    ids = model.prompt_ids(prompt)
    assert not {0, 1, 2} & set(ids)
    assert b"".join(model.vocabulary.spelling(i) for i in ids).decode() == model.render(prompt)


@pytest.mark.parametrize(
    "text",
    ["25", " 25", "2.5e-3", "", "Paris", "é", "日本", "🙂", "a\nb", "\n", "<T>", "<eos>", "x<T>y", "<tool_call>", "is"],
)
def test_host_text_is_ordinary_tokens_that_spell_exactly_it(text: str, model: Any, llama2: Any) -> None:
    for one in (model, llama2):
        ids = one.tokenize(text)
        assert b"".join(one.vocabulary.spelling(i) for i in ids) == text.encode()
        added = {i for ids in one.vocabulary.specials.values() for i in ids}
        assert not added & set(ids)
    assert model.tokenize("square") == model.tokenizer("square").input_ids


@pytest.mark.parametrize("template", [tiny.CHATML, tiny.NO_SYSTEM])
def test_chat_templates(template: str, tmp_path: Path) -> None:
    model: Any = load_model(str(tiny.save(tmp_path, tiny.byte_level(), template)))
    takes_tools = template == tiny.CHATML
    assert model.has_tool_template is takes_tools and model.has_chat_template
    tools = parse_tools("def square(side: int)")
    text = model.render(Prompt(({"role": "user", "content": "Hm?"},), tools, answer_prefix="So"))
    if takes_tools:
        listed = text[len("<tools>") : text.index("</tools>")]
        assert json.loads(listed)["function"]["name"] == "square"
        assert text.endswith("<eos>user\nHm?\n<eos>assistant\nSo")
        assert model.prompt_ids(Prompt(({"role": "user", "content": "Hm?"},)))[0] == 1
    else:
        assert text == "[user] Tools: square(side: int)\nHm?\nSo"
    assert model.start(Prompt(PROMPT.messages, answer_prefix="So")).prefix == "So"


def test_a_template_that_fails_is_told(tmp_path: Path) -> None:
    template = "{{ raise_exception('never') }}"
    model = load_model(str(tiny.save(tmp_path, tiny.byte_level(), template)))
    with pytest.raises(ModelError, match=r"chat template of .* failed: never"):
        model.render(PROMPT)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA GPU")
def test_on_a_gpu_in_bfloat16(folder: Path) -> None:
    model = load_model(str(folder))
    assert model.device.startswith("cuda") and model.dtype == "bfloat16"
    session, reference = model.start(QUESTION), load_model(str(folder), "cpu").start(QUESTION)
    for token in (5, 6, 7):
        logits = session.logits()
        assert logits.device.type == "cpu" and logits.dtype == torch.float32
        expected = reference.logits()
        assert torch.cosine_similarity(logits, expected, dim=0) > 0.99
        session.append([token])
        reference.append([token])


@pytest.mark.skipif(not any(Path(hub.__file__).parent.glob("embedded/*.safetensors")), reason="not trained yet")
def test_the_model_in_the_box_loads() -> None:
    model = load_model()
    assert model.name == "embedded" and model.context >= 2048
    assert model.vocabulary.ids("<T>")
