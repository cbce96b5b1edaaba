"""Where the model in the box learns to look, and which names it learns to tell apart."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import islice

import pytest
import torch
from tokenizers import Tokenizer
from torch.nn import functional

from tooldec.tools import Tool
from tooldec.training.attention import attention_mask, rotate, rotation
from tooldec.training.batches import Batch, chunk_batches, encode, lay_out
from tooldec.training.documents.asks import Ask, Call, compact
from tooldec.training.documents.mixture import Turn, document, documents
from tooldec.training.documents.rendering import render
from tooldec.training.frequency import UNSEEN, name_frequencies
from tooldec.training.looks import ARGUMENT, NAME, PARAMETER, Scene, swaps
from tooldec.training.losses import CrossEntropy, guided_losses, looked_away, losses, pointers
from tooldec.training.model import Network
from tooldec.training.shape import Shape
from tooldec.training.tokenizer import train_tokenizer
from tooldec.training.trainer import corpus

SHAPE = Shape(width=48, layers=4, heads=3, head_dim=16, hidden=48, vocabulary=900)
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer(corpus(0, 200), 900)


@pytest.fixture(scope="module")
def batch(tokenizer: Tokenizer) -> Batch:
    found = chunk_batches(tokenizer, 3, 0, 2048)
    return next(batch for batch in found if set(batch.looks[:, 1]) == {NAME, ARGUMENT, PARAMETER})


def test_names_look_at_their_entry_and_arguments_at_their_words(tokenizer: Tokenizer) -> None:
    names = arguments = copied = ends = 0
    for index in range(300):
        doc = document(5, index)
        item = encode(tokenizer, doc)
        entries = [f"{tool.name}(" for tool in doc.tools]
        for kind, place, first, last in item.looks:
            seen = tokenizer.decode(item.tokens[first:last], skip_special_tokens=False)
            assert 0 <= first < last <= place + 1 and (item.targets[place] >= 0 or kind == PARAMETER)
            if kind == NAME:
                names += 1
                assert item.turns[first] == 0 and any(seen.startswith(entry) for entry in entries)
                assert tokenizer.decode([item.targets[place]]) in seen
            elif kind == PARAMETER:
                assert item.turns[first] == 0 and re.match(r"\w+(:|$)", seen)
            else:
                arguments += 1
                assert kind == ARGUMENT and item.turns[first] == item.turns[place] > 0
                copied += item.tokens[first:last] == [item.targets[place]]
                ends += tokenizer.decode([item.targets[place]])[0] in '",)]\n}'
    assert names > 500 and arguments > 2000 and ends > 500 and copied > 0.9 * (arguments - ends)


def test_arguments_look_at_their_parameters_in_turn(tokenizer: Tokenizer) -> None:
    """Each argument that a turn writes at its own, all of its tokens, also where the list has another order.

    The words of the question that say it look there, too.
    """
    turned = whole = 0
    for index in range(120):
        doc = document(5, index, listed=True)
        if doc.scheme != "special_token":
            continue
        item = encode(tokenizer, doc)
        for number, turn in enumerate(doc.turns, 1):
            if len(turn.ask.calls) != 1 or number not in item.turns:
                continue
            (call,) = turn.ask.calls
            mine = [look for look in item.looks if look[0] == PARAMETER and item.turns[look[1]] == number]
            said = {look for look in mine if item.targets[look[1]] < 0}
            for place, first, last in {(place, first, last) for _, place, first, last in said}:
                name = tokenizer.decode(item.tokens[first:last]).split(":")[0]
                word, value = tokenizer.decode([item.tokens[place]]).strip(" \ufffd"), f"{call.given[name]}"
                begun = [word[:size] for size in range(1, len(word))]  # "es", of which "coffee" has the first letter
                assert word in value or any(map(value.endswith, begun))
            whole += bool(said)
            mine = [look for look in mine if look not in said]
            seen = [tokenizer.decode(item.tokens[first:last]).split(":")[0] for _, _, first, last in mine]
            assert list(dict.fromkeys(seen)) == list(call.given)
            written = tokenizer.decode([item.targets[place] for _, place, _, _ in mine])
            values = [compact(value) for value in call.given.values()]
            variadic = any(parameter.variadic for parameter in call.tool.arguments)
            assert written == (values[0][1:-1] if variadic else "".join(values))
            turned += list(call.given) != list(call.arguments)
    assert turned > 10 and whole > 100


def test_documents_without_a_list_have_no_names_to_look_at(tokenizer: Tokenizer) -> None:
    looks = [look for index in range(60) for look in encode(tokenizer, document(5, index, listed=False)).looks]
    assert looks and all(kind == ARGUMENT for kind, *_ in looks)


def test_rows_keep_where_to_look(tokenizer: Tokenizer, batch: Batch) -> None:
    for row, kind, place, first, _ in batch.looks.tolist():
        assert batch.documents[row, first] == batch.documents[row, place] >= 0
        assert kind != ARGUMENT or batch.turns[row, first] == batch.turns[row, place]
    for row, place, *others in batch.rivals.tolist():
        assert batch.targets[row, place] >= 0 and batch.targets[row, place] not in others


def test_looking_away_is_what_the_head_gives_to_other_places(batch: Batch) -> None:
    """The same as with the whole attention of the layer, computed plainly."""
    network = Network(SHAPE, 1)
    for layer in network.model.layers:
        layer.self_attn.q_proj.weight.data *= 20
    positions, mask = torch.from_numpy(batch.positions), attention_mask(batch, torch.float32, CPU)
    x = network.model.embed_tokens(torch.from_numpy(batch.tokens)) * 30
    looks = torch.from_numpy(batch.looks).long()
    for kind in (NAME, ARGUMENT, PARAMETER):
        mine = looks[looks[:, 1] == kind]
        layer, number = network.model.layers[2], 2
        h = layer.input_layernorm(x)
        q, k = (
            part(h).view(*h.shape[:2], 3, 16).transpose(1, 2)
            for part in (layer.self_attn.q_proj, layer.self_attn.k_proj)
        )
        cos, sin = rotation(SHAPE, positions, h.dtype)
        attention = (rotate(q, cos, sin) @ rotate(k, cos, sin).mT / 4 + mask).softmax(-1)  # (B, H, T, T)
        given = [attention[row, kind, place, first:last].sum() for row, _, place, first, last in mine.tolist()]
        want = -torch.stack(given).log().mean()
        assert want > 0.5
        each = [looks[looks[:, 1] == head] for head in (NAME, ARGUMENT, PARAMETER)]
        assert torch.allclose(looked_away(network, number, x, (cos, sin), mask, each)[kind], want, rtol=1e-4)


def test_pointing_is_a_loss_beside_the_other(batch: Batch) -> None:
    network = Network(SHAPE, 1)
    lost = losses(network, batch, torch.float32, CPU)
    assert pointers(SHAPE, NAME) == range(2, 4) and pointers(SHAPE, PARAMETER) == range(1, 3)
    assert pointers(Shape(), ARGUMENT) == range(4, 7)
    assert torch.equal(lost.written, losses(network, batch, torch.float32, CPU).written)
    lost.pointed.backward()
    assert math.isfinite(lost.written.item()) and 1 < lost.pointed.item() < 8
    assert network.model.layers[2].self_attn.q_proj.weight.grad.abs().sum() > 0


def test_arguments_are_all_of_a_call_behind_its_name(tokenizer: Tokenizer) -> None:
    """In each scheme, token for token; nothing else that is learned is among them."""
    seen: Counter[str] = Counter()
    for index in range(300):
        doc = document(5, index)
        item = encode(tokenizer, doc, 100_000)
        for number, turn in enumerate(doc.turns, 1):
            marked = [
                t for t, f, owner in zip(item.targets, item.filled, item.turns, strict=True) if f and owner == number
            ]
            want = ""
            for piece in turn.pieces:
                if not piece.learned:
                    continue
                for call in turn.ask.calls:
                    written, named = call.written().removeprefix(call.tool.name), f'"name": "{call.tool.name}'
                    if piece.text in (f"{call.tool.name}{written}=", f"{written[1:]}="):
                        want += piece.text.removeprefix(call.tool.name)
                    elif named in piece.text:
                        want += piece.text.split(named)[1]
                    elif f"Action: {call.tool.name}\n" in piece.text:
                        want += piece.text.split(f"Action: {call.tool.name}")[1]
            assert tokenizer.decode(marked, skip_special_tokens=False) == want
            seen[doc.scheme] += bool(want)
    assert len(seen) == 4 and min(seen.values()) > 20


def test_the_loss_of_arguments_is_their_cross_entropy(tokenizer: Tokenizer, batch: Batch) -> None:
    network = Network(SHAPE, 1)
    given = losses(network, batch, torch.float32, CPU).filled
    mask = attention_mask(batch, torch.float32, CPU)
    scores = network.logits(network(torch.from_numpy(batch.tokens), torch.from_numpy(batch.positions), mask))
    goals = torch.from_numpy(batch.targets).long().masked_fill(torch.from_numpy(batch.filled) == 0, -1)
    assert (goals >= 0).sum() == batch.filled.sum() > 30
    assert torch.allclose(given, functional.cross_entropy(scores.flatten(0, 1), goals.flatten(), ignore_index=-1))


def test_a_few_steps_teach_to_look(tokenizer: Tokenizer) -> None:
    encoded = (encode(tokenizer, document(5, index), longest=384) for index in range(40))
    small = lay_out(
        [[item] for item in encoded if 250 < len(item.tokens) and NAME in {look[0] for look in item.looks}][:4], 384
    )
    network = Network(SHAPE, 1)
    optimizer = torch.optim.AdamW(network.parameters(), 5e-3)
    totals = []
    for _ in range(12):
        total = losses(network, small, torch.float32, CPU).pointed
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        totals.append(float(total.detach()))
    assert totals[-1] < 0.7 * totals[0]


def _spellings(tokenizer: Tokenizer) -> list[str]:
    return [tokenizer.decode([token], skip_special_tokens=False) for token in range(tokenizer.get_vocab_size())]


@pytest.mark.parametrize("listed", [True, False])
def test_rivals_of_a_name_are_all_other_tokens_that_the_machine_admits(tokenizer: Tokenizer, listed: bool) -> None:
    """Computed anew by reading every token behind what stands there: `l` begins `log` as well as `log` does."""
    spellings = _spellings(tokenizer)
    seen = inside = 0
    for index in range(80):
        doc = document(5, index, listed=listed)
        item = encode(tokenizer, doc)
        found = dict(item.rivals)
        for place in range(len(item.tokens) - 1):
            written = tokenizer.decode(item.tokens[: place + 1], skip_special_tokens=False)
            begun = re.search(r"<T>([\w.-]*)$", written)
            if begun is None or item.targets[place] < 0:
                continue
            right = spellings[item.targets[place]]
            names = {f"{tool.name}(" for tool in doc.tools if f"{tool.name}(".startswith(begun[1])}
            rests = [name[len(begun[1]) :] for name in names]
            ways = {token for token, text in enumerate(spellings) if text and any(r.startswith(text) for r in rests)}
            if len(rests) > 1 and right != "(obtained" and not begun[1].endswith(")"):
                assert set(found.get(place, ())) == ways - {item.targets[place]}, (written, right)
                seen += 1
                inside += begun[1] != ""
    assert seen > 150 and inside > 20


def test_rivals_of_a_value_are_the_other_values_and_choices(tokenizer: Tokenizer) -> None:
    """`Rome` is neither to be given twice nor to change places; an enum and a boolean have other choices."""
    text = 'f("Rome","fast",true)'
    part, spellings = tokenizer.encode(text), _spellings(tokenizer)
    spans = []
    for value, choices in (("Rome", ()), ("fast", ("fast", "slow")), ("true", ("true", "false"))):
        at = text.index(value)
        spans.append((part.char_to_token(at), part.char_to_token(at + len(value) - 1) + 1, choices))
    found = dict(swaps(part, spans, tokenizer.get_vocab(), 100))
    others = [["fast", "true"], ["Rome", "true", "slow"], ["Rome", "fast", "false"]]
    for (begin, _, _), wrong in zip(spans, others, strict=True):
        own = text[part.offsets[begin][0] :].split('"')[0].split(")")[0]
        rivals = {spellings[token] for token in found[100 + begin - 1]}
        assert spellings[part.ids[begin]] not in rivals
        for value in (*wrong, own):
            starts = {value[:size] for size in range(1, len(value) + 1)} & set(spellings)
            assert starts - {spellings[part.ids[begin]]} <= rivals
        assert all(any(value.startswith(rival[:-1] or rival) for value in (*wrong, own)) for rival in rivals)


def test_a_value_that_ends_with_a_quoted_word_is_found_whole(tokenizer: Tokenizer) -> None:
    """Only the quotes around a text are left out, not those in it."""
    tool = Tool("say", parameters={"type": "object", "properties": {"words": {"type": "string"}, "to": {}}})
    call = Call(tool, {"words": 'he said "go"', "to": 5}, "ok")
    (piece,) = (piece for piece in render("special_token", Ask("?", ("", call)), False, False) if "say" in piece.text)
    part = tokenizer.encode(piece.text)
    scene = Scene(Turn("", Ask("?", (call,)), "", ()), "", tokenizer.encode(""), tokenizer.encode(""), 0)
    ((words, to),) = scene.values(part, piece.text)
    told = [piece.text[part.offsets[begin][0] : part.offsets[end - 1][1]] for begin, end, _ in (words, to)]
    assert told == ['he said \\"go\\"', "5"]


def test_values_are_found_where_each_scheme_writes_them(tokenizer: Tokenizer) -> None:
    seen = choices = 0
    for index in range(120):
        doc = document(5, index)
        for turn in doc.turns:
            for piece in turn.pieces:
                if piece.learned:
                    part = tokenizer.encode(piece.text)
                    scene = Scene(turn, doc.prefix, tokenizer.encode(doc.prefix), tokenizer.encode(turn.prompt), 0)
                    given = [str(value) for call in turn.ask.calls for value in call.given.values()]
                    for values in scene.values(part, piece.text):
                        for begin, end, others in values:
                            said = piece.text[part.offsets[begin][0] : part.offsets[end - 1][1]]
                            assert said in given or said in ("true", "false") or "\\" in said
                            assert not others or said in others
                            seen += 1
                            choices += len(others) > 0
    assert seen > 500 and choices > 30


def test_guided_choices_count_among_their_rivals_only() -> None:
    """-log of P(a) / sum of P(a'), by hand, with two and with one rival."""
    scores = torch.tensor([[1.0, 2.0, 3.0, 9.0], [0.5, 0.0, 0.0, 0.0]])
    lost = guided_losses(scores, torch.eye(4), torch.tensor([0, 0]), torch.tensor([[1, 2], [1, -1]])).mean()
    first = -math.log(math.e / (math.e + math.e**2 + math.e**3))
    second = -math.log(math.e**0.5 / (math.e**0.5 + 1))
    assert lost.item() == pytest.approx((first + second) / 2, rel=1e-5)


def test_cross_entropy_and_its_gradients_are_those_of_torch() -> None:
    """Over several stretches, the last one shorter, with a weight before it, and with scores added to some."""
    generator = torch.Generator().manual_seed(3)
    hidden, rows = torch.randn(150, 12, generator=generator), torch.randn(90, 12, generator=generator)
    goals, usual = torch.randint(90, (150,), generator=generator), torch.randn(90, generator=generator)
    leaning = (torch.arange(150) % 3 == 0).float()
    found = []
    for cross_entropy in (
        lambda h, r: CrossEntropy.apply(h, r, goals, leaning, usual),
        lambda h, r: functional.cross_entropy(h @ r.T + leaning[:, None] * usual, goals, reduction="none"),
    ):
        h, r = hidden.clone().requires_grad_(), rows.clone().requires_grad_()
        value = cross_entropy(h, r)
        (value * torch.arange(150)).sum().backward()
        found.append((value.detach(), h.grad, r.grad))
    for ours, theirs in zip(*found, strict=True):
        assert torch.allclose(ours, theirs, rtol=1e-4, atol=1e-6)


def test_names_that_no_list_shows_are_marked(tokenizer: Tokenizer) -> None:
    """Token for token the names of the called tools, in batches too; none where a list is shown."""
    for index in range(60):
        assert not encode(tokenizer, document(5, index, listed=True)).named
        doc = document(5, index, listed=False)
        item = encode(tokenizer, doc)
        assert item.named or doc.scheme != "special_token" or not doc.turns
        called = {call.tool.name for turn in doc.turns for call in turn.ask.calls}
        name = ""
        for place in item.named:
            name += tokenizer.decode([item.targets[place]])
            assert any(each.startswith(name) for each in called)
            name = "" if place + 1 not in item.named else name


def test_frequencies_are_those_of_the_names_that_documents_call(tokenizer: Tokenizer) -> None:
    usual = name_frequencies(tokenizer, 1, 900, 100)
    assert usual.shape == (900,) and usual.exp().sum().item() == pytest.approx(1, rel=1e-4)
    names = [
        call.tool.name for doc in islice(documents(2_000_001), 100) for turn in doc.turns for call in turn.ask.calls
    ]
    times = Counter(token for name in names for token in tokenizer.encode(name).ids)
    (often, most), (once, _) = times.most_common()[0], times.most_common()[-1]
    never = next(token for token in range(900) if token not in times)
    assert (usual[often] - usual[never]).exp().item() == pytest.approx((most + UNSEEN) / UNSEEN, rel=1e-3)
    assert usual[often] > usual[once] > usual[never] == usual.min()


def test_how_often_names_are_called_is_not_learned_where_no_list_shows_them(tokenizer: Tokenizer) -> None:
    """A name that is asked for ten times as often isn't preferred by a network that learned with the frequencies."""
    often, seldom = tokenizer.encode("add").ids[0], tokenizer.encode("zip").ids[0]
    goals = torch.tensor([often] * 10 + [seldom])
    usual = torch.full((900,), -9.0)
    usual[often], usual[seldom] = math.log(10 / 11), math.log(1 / 11)
    preferred = []
    for added in (usual, torch.zeros(900)):
        rows, hidden = torch.eye(900), torch.zeros(1, 900, requires_grad=True)
        optimizer = torch.optim.Adam([hidden], 0.1)
        for _ in range(200):
            optimizer.zero_grad()
            CrossEntropy.apply(hidden.expand(11, -1), rows, goals, torch.ones(11), added).mean().backward()
            optimizer.step()
        preferred.append((hidden[0, often] - hidden[0, seldom]).item())
    assert preferred == [pytest.approx(0, abs=0.05), pytest.approx(math.log(10), abs=0.05)]
