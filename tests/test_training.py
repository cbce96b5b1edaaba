"""The training of the model in the box: its documents, tokenizer, batches, steps and export."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

from tooldec import SCHEMES, Trace, Vocabulary, build_fsm, decode, load_model, parse_tools
from tooldec.training import export
from tooldec.training.attention import QUERIES
from tooldec.training.base import maths_document
from tooldec.training.base import texts as base_texts
from tooldec.training.batches import Batch, chunk_batches, encode, lay_out
from tooldec.training.documents.arithmetic import ARITHMETIC
from tooldec.training.documents.catalogues import PROBLEMS, REQUESTS
from tooldec.training.documents.chains import PROBLEMS as CHAINS
from tooldec.training.documents.chat import CHAT
from tooldec.training.documents.composed import GENERIC, HEADS, QUESTIONS
from tooldec.training.documents.draw import Split
from tooldec.training.documents.inflection import past, present
from tooldec.training.documents.knowledge import FORMS, relations
from tooldec.training.documents.mixture import FAMILIES, SHARES, UNLISTED, Document, document, documents
from tooldec.training.documents.objects import BARE, NOUN_ONLY, NOUN_TOO
from tooldec.training.documents.pools import pools
from tooldec.training.documents.rendering import EOS, MARKER, Scheme, render
from tooldec.training.documents.spoken import spoken_lists
from tooldec.training.documents.stories import CHAINS as STORY_CHAINS
from tooldec.training.documents.templates import WRAPPERS, read_catalogue
from tooldec.training.documents.words import MORE_VERBS, NOUNS, known
from tooldec.training.export import learned
from tooldec.training.looks import ARGUMENT, NAME, PARAMETER
from tooldec.training.losses import losses, pointers
from tooldec.training.model import WRITING, Layer, Network, beginnings, stored
from tooldec.training.recipe import AGAIN, AGAIN_TOKENS, Recipe
from tooldec.training.shape import Shape
from tooldec.training.team import ALONE
from tooldec.training.tokenizer import SIZE, train_tokenizer
from tooldec.training.trainer import Run, _train, corpus, train

TINY = Shape(width=32, layers=2, heads=2, head_dim=16, hidden=48)
SETS = ("fresh", "asked", "common", "trained", "older", "pasted")
WRITTEN = [Path(__file__).parent / f"{name}_tools.jsonl" for name in SETS]
UNSEEN = [json.loads(line) for path in WRITTEN[:2] for line in path.read_text().splitlines()]
"""Questions over tools whose names no training has."""


def sample(count: int, split: Split = "train") -> list[Document]:
    return list(islice(documents(11, split), count))


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer(corpus(0, 300))


# ---- documents


def test_documents_are_a_function_of_seed_and_number() -> None:
    assert sample(50) == sample(50)
    assert document(11, 7) == sample(8)[7]
    assert document(11, 7) != document(12, 7)
    assert document(11, 7) != document(11, 7, "names")


@pytest.mark.parametrize("split", ["train", "phrasing", "names"])
def test_every_call_satisfies_its_tool(split: Split) -> None:
    """Judged from outside: json reads the arguments and jsonschema checks them."""
    checked = 0
    for doc in sample(300, split):
        names = {tool.name for tool in doc.tools}
        assert len(names) == len(doc.tools)
        for turn in doc.turns:
            for call in turn.ask.calls:
                written = call.written()
                assert written.startswith(f"{call.tool.name}(") and written.endswith(")")
                values = json.loads("[" + written[len(call.tool.name) + 1 : -1] + "]")
                given = [v for p in call.tool.arguments if p.name in call.arguments for v in [call.arguments[p.name]]]
                flat = given[0] if call.tool.arguments and call.tool.arguments[0].variadic else given
                assert values == flat
                assert json.loads(call.as_json()) == {"name": call.tool.name, "arguments": dict(call.arguments)}
                jsonschema.validate(dict(call.arguments), dict(call.tool.parameters))
                assert call.tool.name in names
                checked += 1
    assert checked > 300


@pytest.mark.parametrize("scheme", ["special_token", "json_tags", "react"])
def test_answers_are_read_back_by_the_schemes(scheme: Scheme) -> None:
    for doc in sample(200):
        for ask in (turn.ask for turn in doc.turns):
            text = "".join(piece.text for piece in render(scheme, ask)).removesuffix(EOS)
            wanted = [(call.tool.name, dict(call.arguments)) for call in ask.calls]
            found = [(c.name, c.arguments) for c in SCHEMES[scheme].read_calls(text, doc.tools) if c.name != "Finish"]
            assert found == wanted


@pytest.mark.parametrize("scheme", ["special_token", "json_tags", "react"])
def test_what_is_taught_can_be_said_under_guidance(scheme: Scheme, tokenizer: Tokenizer) -> None:
    """The scheme's machine accepts the answers of the documents."""
    transformers = pytest.importorskip("transformers")
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=EOS)
    vocabulary = Vocabulary.from_tokenizer(fast)
    checked = 0
    for doc in sample(400):
        if doc.scheme != scheme or not doc.tools:
            continue
        for turn in doc.turns:
            fsm = build_fsm(SCHEMES[scheme].grammar(doc.tools), vocabulary)
            state: int | None = fsm.initial
            for piece in render(scheme, turn.ask, results=False)[:-1]:
                for token in tokenizer.encode(piece.text).ids:
                    state = fsm.step(state, token) if state is not None else None
            assert state is not None and fsm.is_accepting(state), turn
            checked += 1
    assert checked


def test_the_base_never_sees_the_marker(tmp_path: Path) -> None:
    """What `tune-token` is tried on: calls as plain text, in documents and in the batches of a run."""
    docs = [maths_document(3, index) for index in range(50)]
    assert docs[:5] == [maths_document(3, index) for index in range(5)]
    assert all(
        f"{call.written()}=" in "".join(p.text for p in t.pieces) for d in docs for t in d.turns for call in t.ask.calls
    )
    assert MARKER not in "".join(base_texts(3, 200))
    small = replace(TINY, vocabulary=600)
    train_tokenizer(base_texts(3, 200), 600).save(str(tmp_path / "tokenizer.json"))
    run = Run(tmp_path, replace(recipe(2), shape=small), resume=True, source=maths_document)
    (_, _, batch), marker = next(run.data), run.tokenizer.token_to_id(MARKER)
    assert batch.tokens.size and not (batch.tokens == marker).any()
    assert run.step() > 0


def test_answers_end_where_no_host_writes() -> None:
    """`<T>square(5)=` is the end of an answer without results, unless the next call doesn't need this one's."""
    for doc in sample(300):
        for ask in (turn.ask for turn in doc.turns if turn.ask.calls):
            pieces = render("special_token", ask, results=False)
            assert all(piece.learned for piece in pieces) and pieces[-1].text == EOS
            calls = "".join(piece.text for piece in pieces).count(MARKER)
            assert calls == (len(ask.calls) if ask.independent else 1) and pieces[-2].text.endswith(")=")


def test_prompts_are_those_of_the_schemes() -> None:
    for doc in sample(200):
        prompts = [SCHEMES[doc.scheme].prompt(doc.tools, "?", documentation=listed) for listed in (True, False)]
        assert doc.prefix in ["".join(m["content"] for m in p.messages if m["role"] == "system") for p in prompts]
        for turn in doc.turns:
            assert re.fullmatch(r"\n?Q: .+\nA:", turn.prompt)
            assert turn.prompt.startswith("\n") == bool(doc.prefix)
            assert turn.pieces[-1].text == EOS and turn.pieces[-1].learned


def test_what_the_host_writes_is_not_learned() -> None:
    for doc in sample(200):
        for turn in doc.turns:
            hosts = [piece.text for piece in turn.pieces if piece.instead]
            results = [call.result for call in turn.ask.calls]
            assert len(hosts) <= len(results) and all(a in b for a, b in zip(results, hosts, strict=False))
            assert all(not piece.learned for piece in turn.pieces if piece.instead)


def test_shares() -> None:
    for listed, shares in ((True, SHARES), (False, UNLISTED)):
        some = [document(11, index, listed=listed) for index in range(1500)]
        for scheme, share in shares.items():
            assert sum(doc.scheme == scheme for doc in some) / len(some) == pytest.approx(share, abs=0.03)
    docs = sample(1500)
    turns = [(turn.family, doc.prefix in ("", "JSON tools:")) for doc in docs for turn in doc.turns]
    families = [family for family, _ in turns]
    assert 0.3 < sum(unlisted for _, unlisted in turns) / len(turns) < 0.6
    assert set(families) == set(FAMILIES)
    assert 0.005 < families.count("chat") / len(families) < 0.06


def test_words_and_wordings_are_held_out() -> None:
    for words in (NOUNS, MORE_VERBS):
        assert not set(known(words, "train")) & set(known(words, "unseen"))
        assert 0.05 < len(known(words, "unseen")) / len(words) < 0.2
    train = " ".join(turn.prompt for doc in sample(400) for turn in doc.turns)
    assert "Would you" in train or "would you" in train
    held_out = [wrapper for i, wrapper in enumerate(WRAPPERS) if i % 7 == 3 and wrapper.startswith("I'd")]
    assert all(wrapper.split("{")[0] not in train for wrapper in held_out)


def wordings() -> list[str]:
    """Every template that a question can come from."""
    texts = [wording for entry in REQUESTS + PROBLEMS for wording in entry.wordings + entry.direct]
    texts += [value for values in pools().values() for value in values]
    texts += [words for said in spoken_lists() for tool in said for words, _ in tool.sayings]
    texts += [line.split("=>")[0] for line in (CHAINS + STORY_CHAINS).strip().splitlines()]
    texts += [line.split("|")[0] for line in CHAT.strip().splitlines()]
    texts += [wording for _, _, _, more in relations() for wording in more]
    return [*texts, *FORMS, *GENERIC, *HEADS, *QUESTIONS, *WRAPPERS, *BARE, *NOUN_TOO, *NOUN_ONLY]


def test_catalogues_say_every_required_argument() -> None:
    entries = REQUESTS + PROBLEMS
    assert len({(entry.suite, entry.name, entry.parameters) for entry in entries}) == len(entries)
    assert len(read_catalogue(ARITHMETIC)) == 15
    for entry in entries:
        assert len(entry.wordings) >= 3, entry.name
        for wording in entry.wordings + entry.direct:
            always = re.sub(r"\[[^\]]*\]", "", wording)
            for name, _, optional in entry.parameters:
                said = re.search(r"\{" + name + r"[:}]", always) is not None
                assert said != optional or (optional and not said), (entry.name, wording)
                assert optional or said, (entry.name, wording)


def test_values_are_of_kinds_that_are_drawn() -> None:
    """A value is one line without a quotation mark; the catalogues' requests have it about as often as one made up."""
    assert set(pools()) == set("titles things foods tasks messages notes places organisations topics names".split())
    for values in pools().values():
        assert len(values) >= 300 and len(set(values)) == len(values)
        for value in values:
            assert value == value.strip() and not set(value) & set('"{}|\n') and len(value) <= 90
    drawn = {
        str(value)
        for doc in islice(documents(11, spoken=0), 400)
        for turn in doc.turns
        for call in turn.ask.calls
        for value in call.arguments.values()
    }
    known = {value for values in pools().values() for value in values}
    known |= {str(v) for part in spoken_lists() for said in part for _, given in said.sayings for v in given.values()}
    assert 0.3 < len(drawn & known) / len(drawn) < 0.7


def test_plain_wordings_share_words_with_the_names() -> None:
    """One in four, where two in five of `tests/older_tools.jsonl` do: other names for a tool say it in other words."""

    def words(text: str) -> set[str]:
        return {word.lower()[:5] for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text) if len(word) > 2}

    turns = [turn for doc in sample(400) for turn in doc.turns if turn.family == "assistant"]
    shared = [bool(words(turn.ask.question) & words(turn.ask.calls[0].tool.name)) for turn in turns]
    assert 0.2 < sum(shared) / len(shared) < 0.5


def grams(text: str, size: int) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z']+|[0-9.]+", text.lower())
    return {tuple(words[i : i + size]) for i in range(len(words) - size + 1)}


@pytest.mark.data
def test_no_wording_holds_a_question_of_the_data_sets(data_folder: Path) -> None:
    """No template shares eight words in a row with a question of the data sets."""
    ours = set().union(*(grams(re.sub(r"[\[\]]", "", wording), 8) for wording in wordings()))
    assert ours
    for path in sorted(data_folder.glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            question = str(row.get("question") or row.get("query") or "")
            assert not grams(question, 8) & ours, (path.name, question)


def test_no_wording_holds_a_question_that_measures() -> None:
    """No template shares six words in a row with one of the 300 questions that a finished model is measured on."""
    ours = set().union(*(grams(re.sub(r"[\[\]]", "", wording), 6) for wording in wordings()))
    for row in UNSEEN:
        assert not grams(row["question"], 6) & ours


def test_no_tool_that_is_asked_for_is_trained_on() -> None:
    """Names are compared without their style: `setTimer` is `set_timer`."""
    names = [name for entry in REQUESTS + PROBLEMS for name in entry.names]
    names += [tool.name for part in spoken_lists() for said in part for tool in (said.tool, *said.others)]
    ours = {re.sub(r"[\W_]", "", name).lower() for name in names}
    for row in UNSEEN:
        assert re.sub(r"[\W_]", "", row["call"]["name"]).lower() not in ours


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_no_question_written_by_hand_is_drawn(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    asked = {row["question"].lower().rstrip(".?!") for row in rows}
    drawn = {turn.ask.question.lower().rstrip(".?!") for doc in sample(1000) for turn in doc.turns}
    drawn |= {words.lower().rstrip(".?!") for part in spoken_lists() for said in part for words, _ in said.sayings}
    assert len(asked) == len(rows) >= 60 and not asked & drawn
    for row in rows:
        tools = {tool.name: tool for tool in parse_tools(row["tools"])}
        jsonschema.validate(row["call"]["arguments"], dict(tools[row["call"]["name"]].parameters))


@pytest.mark.parametrize(
    ("verb", "participles"),
    [
        ("zip up", ("zipped up", "zipping up")),
        ("cut back", ("cut back", "cutting back")),
        ("tidy", ("tidied", "tidying")),
        ("order", ("ordered", "ordering")),
        ("clean", ("cleaned", "cleaning")),
        ("write", ("written", "writing")),
        ("transfer", ("transferred", "transferring")),
        ("reset", ("reset", "resetting")),
    ],
)
def test_participles(verb: str, participles: tuple[str, str]) -> None:
    assert (past(verb), present(verb)) == participles


# ---- tokenizer and batches


def test_tokenizer_covers_every_byte(tokenizer: Tokenizer) -> None:
    for text in ("Zoë's café €5", "🪴 плод 鉢", "\t\x00\x7f\n", "".join(map(chr, range(1, 300)))):
        assert tokenizer.decode(tokenizer.encode(text).ids, skip_special_tokens=False) == text
    assert [tokenizer.token_to_id(t) for t in ("<pad>", "<eos>", "<T>")] == [0, 1, 2]
    for tag in ("<tool_call>", "</tool_call>", MARKER):
        assert len(tokenizer.encode(tag).ids) == 1


def test_a_word_has_the_same_tokens_in_a_question_and_in_a_name(tokenizer: Tokenizer) -> None:
    def inner(text: str, word: str) -> list[str]:
        encoding = tokenizer.encode(text)
        start = text.index(word)
        pairs = zip(encoding.tokens, encoding.offsets, strict=True)
        return [t for t, (a, b) in pairs if start <= a and b <= start + len(word)]

    alone = tokenizer.encode("zantic").tokens
    assert inner("please flurb the zantic, now", "zantic") == alone
    assert inner("Tools: flurb_zantic(n: int)", "zantic") == alone
    assert inner('<T>flurb("zantic")', "zantic") == alone


def test_turns_do_not_see_each_other(tokenizer: Tokenizer) -> None:
    """The loss of a packed row is that of its turns alone."""
    docs = [doc for doc in sample(60) if len(doc.turns) > 1][:3]
    network = Network(TINY, seed=1)
    row = lay_out([[encode(tokenizer, doc, 2048) for doc in docs]], 4096)
    together = losses(network, row, torch.float32, CPU).written
    total, count = 0.0, 0
    for doc in docs:
        for turn in doc.turns:
            alone = Document(doc.scheme, doc.tools, doc.prefix, (turn,))
            batch = lay_out([[encode(tokenizer, alone)]], 1024)
            learned = int((batch.targets >= 0).sum())
            total += float(losses(network, batch, torch.float32, CPU).written.detach()) * learned
            count += learned
    assert float(together.detach()) == pytest.approx(total / count, rel=1e-4)


def test_chunks_are_full_and_repeatable(tokenizer: Tokenizer) -> None:
    one, two = chunk_batches(tokenizer, 0, 0, 3072), chunk_batches(tokenizer, 0, 0, 3072)
    assert len(one) == len(two) and all((a.tokens == b.tokens).all() for a, b in zip(one, two, strict=True))
    assert all(len(batch.tokens) == 3072 // batch.tokens.shape[1] for batch in one)  # as many rows as 3,072 tokens fill
    assert np.mean([(batch.documents >= 0).mean() for batch in one]) > 0.9


# ---- network, steps, export

CPU = torch.device("cpu")


def recipe(steps: int) -> Recipe:
    return Recipe(steps=steps, batch_tokens=1024, rounding=0.3, compiled=False, shape=TINY)


def weights(run: Run) -> dict[str, torch.Tensor]:
    return {name: master.clone() for name, master in run.optimizer.masters.items()}


def test_training_resumes_exactly(tmp_path: Path, tokenizer: Tokenizer) -> None:
    for folder in ("whole", "parts"):
        (tmp_path / folder).mkdir()
        tokenizer.save(str(tmp_path / folder / "tokenizer.json"))
    whole = Run(tmp_path / "whole", recipe(6), resume=True)
    losses = [whole.step() for _ in range(6)]
    first = Run(tmp_path / "parts", recipe(6), resume=True)
    for _ in range(3):
        first.step()
    first.save()
    second = Run(tmp_path / "parts", recipe(6), resume=True)
    assert [second.step() for _ in range(3)] == losses[3:]
    assert second.finished and whole.finished
    assert all(torch.equal(a, b) for a, b in zip(weights(whole).values(), weights(second).values(), strict=True))
    assert losses[-1] < losses[0]


def test_at_last_a_network_computes_with_what_will_be_stored(tmp_path: Path, tokenizer: Tokenizer) -> None:
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    run = Run(tmp_path, recipe(4), resume=True)
    for rounded in (False, False, True, True):
        run.step()
        kept = {name: stored(master).to(run.dtype) for name, master in weights(run).items()}
        same = [torch.equal(weight, kept[name]) for name, weight in run.network.named_parameters()]
        assert all(same) == rounded
    run.save()
    state = load_file(export(run.checkpoint, tmp_path / "model", TINY) / "model.safetensors")
    for name, weight in run.network.named_parameters():
        assert torch.equal(state[name].to(run.dtype), weight)


def test_a_run_that_goes_on_is_the_mean_of_its_steps(tmp_path: Path, tokenizer: Tokenizer) -> None:
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    averaged = replace(recipe(8), level=1.0, averaging=0.5)
    run, kept = Run(tmp_path, averaged, resume=True), []
    for _ in range(6):
        run.step()
        kept.append(weights(run))
    run.save()
    run = Run(tmp_path, averaged, resume=True)
    while not run.finished:
        assert averaged.scale(run.progress) == averaged.peak
        run.step()
        kept.append(weights(run))
    run.save()
    for name, mean in learned(run.checkpoint).items():
        torch.testing.assert_close(mean, torch.stack([each[name] for each in kept[4:]]).mean(0))
    assert not torch.equal(mean, kept[-1][name])


def test_a_larger_network_begins_as_the_same_function(tmp_path: Path, tokenizer: Tokenizer) -> None:
    """More layers, heads and a wider feed-forward part write nothing at first, and learn from the first step on."""
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    small = Run(tmp_path, recipe(2), resume=True)
    small.save()
    folder = export(small.checkpoint, tmp_path / "model", TINY)
    same, larger = (Network(shape) for shape in (TINY, replace(TINY, layers=4, heads=3, hidden=64)))
    same.adopt(folder, tokenizer)
    larger.adopt(folder, tokenizer)
    ids = torch.tensor([tokenizer.encode("Q: what is 2 plus 3?").ids])
    places, mask = torch.arange(ids.shape[1])[None], torch.full((ids.shape[1],) * 2, -torch.inf).triu(1)[None, None]
    with torch.no_grad():
        assert torch.equal(same(ids, places, mask), larger(ids, places, mask))

    grown = Run(tmp_path / "grown", replace(recipe(3), shape=larger.shape), start=folder)
    assert grown.tokenizer.get_vocab() == small.tokenizer.get_vocab(), "it is learned once"
    old = weights(grown)
    for _ in range(3):
        grown.step()
    sizes = {name.split(".layers.0.")[-1]: weight.shape for name, weight in same.named_parameters() if ".0." in name}
    for name, new in weights(grown).items():
        if "layers" in name and new.dim() == 2:
            before = sizes[name.split(".", 3)[3]]
            part = new[:, before[1] :] if name.endswith(WRITING) else new[before[0] :]
            was = old[name][:, before[1] :] if name.endswith(WRITING) else old[name][before[0] :]
            assert part.numel() and (part - was).abs().mean() > 1e-5, name
    with pytest.raises(ValueError, match="not \\(16, 32\\) or less"):
        Network(replace(TINY, heads=1)).adopt(folder, tokenizer)
    with pytest.raises(ValueError, match="a model of 2 layers can't be one of 1"):
        Network(replace(TINY, layers=1)).adopt(folder, tokenizer)


def test_layers_are_added_where_heads_keep_what_they_were_taught() -> None:
    grown = beginnings(6, 8)
    assert [place for place, _ in grown] == [0, 1, 2, 2, 3, 4, 5, 5]
    assert [place for place, (_, added) in enumerate(grown) if added] == [2, 7]
    for head in (NAME, ARGUMENT, PARAMETER):
        taught = pointers(replace(Shape(), layers=6), head)
        assert [grown[place] for place in pointers(Shape(), head)] == [(place, False) for place in taught]


def test_resuming_with_another_seed_is_refused(tmp_path: Path, tokenizer: Tokenizer) -> None:
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    run = Run(tmp_path, recipe(2), resume=True)
    run.save()
    with pytest.raises(ValueError, match="seed"):
        Run(tmp_path, Recipe(seed=5, steps=2, compiled=False, shape=TINY), resume=True)


def test_export_is_an_ordinary_llama(tmp_path: Path) -> None:
    """transformers loads the folder and computes the same logits as our network."""
    transformers = pytest.importorskip("transformers")
    small = Recipe(steps=2, batch_tokens=1024, compiled=False)
    tokenizer = train_tokenizer(corpus(0, 3000))
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    run = Run(tmp_path, small, resume=True)
    run.step()
    run.save()
    folder = export(run.checkpoint, tmp_path / "model")
    sizes = [path.stat().st_size for path in folder.iterdir()]
    assert sum(sizes) <= 12 * 2**20

    fast = transformers.AutoTokenizer.from_pretrained(folder)
    assert len(fast) == SIZE and fast.eos_token == EOS and fast.pad_token == "<pad>"
    messages = [{"role": "system", "content": "Tools: f(a: int)"}, {"role": "user", "content": "f of 5?"}]
    assert fast.apply_chat_template(messages, tokenize=False, add_generation_prompt=True) == (
        "Tools: f(a: int)\nQ: f of 5?\nA:"
    )
    assert fast.apply_chat_template(messages[1:], tokenize=False, add_generation_prompt=True) == "Q: f of 5?\nA:"

    llama = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    assert type(llama).__name__ == "LlamaForCausalLM" and llama.config.max_position_embeddings >= 2048
    text = "Tools: f(a: int)\nQ: f of 5?\nA: <T>f(5)" * 12
    ids = torch.tensor([fast.encode(text, add_special_tokens=False)])
    assert ids.shape[1] > 2 * QUERIES and ids.shape[1] % QUERIES
    network = Network(small.shape)
    network.load_state_dict({name: stored(value).float() for name, value in weights(run).items()})
    length = ids.shape[1]
    mask = torch.zeros(1, 1, length, length).masked_fill(
        ~torch.ones(length, length, dtype=torch.bool).tril(), -torch.inf
    )
    with torch.no_grad():
        ours = network.logits(network(ids, torch.arange(length)[None], mask))
        theirs = llama(ids).logits
    assert torch.allclose(ours, theirs, atol=1e-4)


@pytest.mark.parametrize(("dtype", "compiled"), [(torch.float32, 2), (torch.bfloat16, 0)])
def test_layers_are_compiled_where_their_gradients_are_numbers(
    tmp_path: Path, tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch, dtype: torch.dtype, compiled: int
) -> None:
    """On a CPU in bf16 those of the full network were NaN; those of a tiny one aren't."""
    found: list[Layer] = []
    monkeypatch.setattr("tooldec.training.trainer.faster_dtype", lambda device: dtype)
    monkeypatch.setattr(Layer, "compile", lambda layer, dynamic: found.append(layer))
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    run = Run(tmp_path, replace(recipe(2), compiled=True), resume=True)
    assert run.dtype is dtype and len(found) == compiled
    assert run.step().isfinite() and all(weight.isfinite().all() for weight in run.network.parameters())


def test_a_loss_that_is_no_number_ends_the_training(
    tmp_path: Path, tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def step(run: Run) -> torch.Tensor:
        run.optimizer.steps += 1
        return torch.tensor(torch.nan)

    tokenizer.save(str(tmp_path / "tokenizer.json"))
    monkeypatch.setattr(Run, "step", step)
    monkeypatch.setattr(torch, "set_num_threads", lambda number: None)  # the other tests keep theirs
    with pytest.raises(RuntimeError, match="at step 1: nothing more is learned"):
        _train(ALONE, tmp_path, recipe(1), "cpu", True, None, None, None, None)
    assert not (tmp_path / "checkpoint.pt").exists()


def test_batch_shapes() -> None:
    batch = lay_out([[], []], 256)
    assert isinstance(batch, Batch) and batch.tokens.shape == (2, 256) and (batch.documents == -1).all()


# ---- the model that ships

EMBEDDED = Path(__file__).parents[1] / "tooldec" / "models" / "embedded"
PAPER = "def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)"


def test_the_shipped_model_is_small_and_has_its_card() -> None:
    files = {path.name: path.stat().st_size for path in EMBEDDED.iterdir()}
    assert {"config.json", "generation_config.json", "model.safetensors", "README.md"} <= set(files)
    assert {"tokenizer.json", "tokenizer_config.json"} <= set(files)
    assert sum(files.values()) <= 12 * 2**20


def test_the_shipped_model_answers_the_example_of_the_paper() -> None:
    tools, model, scheme = parse_tools(PAPER), load_model("embedded", device="cpu"), SCHEMES["special_token"]
    fsm = build_fsm(scheme.grammar(tools, results=True), model.vocabulary)
    prompt = scheme.prompt(tools, "the side of a square is 5, what's its area?")
    trace = Trace.collect(decode(model, fsm, prompt, host=scheme.host(tools), max_tokens=64))
    assert "<T>square(5)=25" in trace.text and trace.end == "eos"


def test_rates_are_lower_where_a_trained_model_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipes: list[Recipe] = []
    monkeypatch.setattr("tooldec.training.trainer.gather", lambda *given: recipes.append(given[3]))
    train(tmp_path)
    train(tmp_path, start=tmp_path)
    train(tmp_path, start=tmp_path, peak=0.05)
    train(tmp_path, start=tmp_path, peak=1.0)  # as far as a new one goes, and down again at the end
    assert [each.peak for each in recipes] == [1.0, AGAIN, 0.05, 1.0]
    down, mean = (True, False), (False, True)
    assert [(each.level < 1, each.averaging < 1) for each in recipes] == [down, mean, mean, down]
    usual = Recipe().batch_tokens
    assert [each.batch_tokens for each in recipes] == [usual, AGAIN_TOKENS, AGAIN_TOKENS, usual]
    with pytest.raises(ValueError, match="is no share of the rates"):
        train(tmp_path, peak=0.0)
