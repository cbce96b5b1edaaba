from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from tooldec.models.one_token import OneToken, follows, lay_out
from tooldec.models.session import cache_name

CACHE = cache_name(transformers.LlamaForCausalLM)
SIZES: dict[str, Any] = {
    "vocab_size": 50,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "initializer_range": 0.4,
    "max_position_embeddings": 64,
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 10_000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}
SHAPES: dict[str, dict[str, Any]] = {
    "plain": {},
    "grouped": {"num_key_value_heads": 2},
    "wide heads": {"head_dim": 16},
    "biases": {"attention_bias": True, "mlp_bias": True},
    "llama3": {"rope_parameters": LLAMA3},
    "linear": {"rope_parameters": {"rope_type": "linear", "rope_theta": 10_000.0, "factor": 4.0}},
    "tied": {"tie_word_embeddings": True},
    "gelu": {"hidden_act": "gelu"},
}


def network(**settings: Any) -> Any:
    torch.manual_seed(3)
    made = transformers.LlamaForCausalLM(transformers.LlamaConfig(**{**SIZES, **settings})).eval()
    for name, weight in made.named_parameters():
        if name.endswith("bias"):
            torch.nn.init.normal_(weight)
    lay_out(made)
    return made


@pytest.mark.parametrize("shape", SHAPES)
def test_it_says_what_transformers_says_and_they_can_take_turns(shape: str) -> None:
    net = network(**SHAPES[shape])
    assert follows(net)
    one, ids = OneToken(net), [7, 3, 11, 4, 20]
    with torch.inference_mode():
        cache = net(torch.tensor([ids]), use_cache=True)[CACHE]
        for turn, token in enumerate((9, 30, 2, 41, 8, 8)):
            ids.append(token)
            if turn % 3 == 2:
                found = net(torch.tensor([[token]]), **{CACHE: cache}).logits[0, -1]
            else:
                found = one(token, len(ids) - 1, cache)
            expected = net(torch.tensor([ids])).logits[0, -1]
            assert found.shape == (50,)
            torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)
        cache.crop(-2)
        del ids[-2:]
        found = one(5, len(ids), cache)
        torch.testing.assert_close(found, net(torch.tensor([[*ids, 5]])).logits[0, -1], rtol=1e-4, atol=1e-4)


def test_caches_grow_beyond_their_room_and_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two texts read in turns by one reader, and a copy that goes on elsewhere than the text that it was copied from."""
    monkeypatch.setattr("tooldec.models.one_token.ROOM", 2)
    net = network()
    one = OneToken(net)
    with torch.inference_mode():
        texts = [[3, 9, 4], [11, 2]]
        caches = [net(torch.tensor([ids]), use_cache=True)[CACHE] for ids in texts]
        for token in range(20, 34):
            if token == 27:
                texts.append(list(texts[0]))
                caches.append(deepcopy(caches[0]))
            for place, (ids, cache) in enumerate(zip(texts, caches, strict=True)):
                ids.append(token + place)
                expected = net(torch.tensor([ids])).logits[0, -1]
                torch.testing.assert_close(one(ids[-1], len(ids) - 1, cache), expected, rtol=1e-4, atol=1e-4)
                assert cache.get_seq_length() == len(ids)


def test_a_token_more_copies_no_cache() -> None:
    net = network()
    one = OneToken(net)
    with torch.inference_mode():
        cache = net(torch.tensor([[1, 2, 3]]), use_cache=True)[CACHE]
        places = set()
        for step in range(40):
            one(step, 3 + step, cache)
            places.add(cache.layers[1].values.data_ptr())
    assert len(places) == 1


def test_it_sees_weights_that_are_trained_on() -> None:
    net = network()
    one = OneToken(net)
    with torch.inference_mode():
        cache = net(torch.tensor([[1, 2]]), use_cache=True)[CACHE]
    with torch.no_grad():
        net.model.layers[1].mlp.up_proj.weight.mul_(2.0)
    with torch.inference_mode():
        found = one(3, 2, cache)
        cache.crop(-1)
        torch.testing.assert_close(found, net(torch.tensor([[3]]), **{CACHE: cache}).logits[0, -1])


@pytest.mark.parametrize("shape", ["plain", "grouped", "biases"])
def test_what_is_laid_out_is_the_same_network_and_can_be_saved(shape: str, tmp_path: Path) -> None:
    net = network(**SHAPES[shape])
    before = {name: weight.clone() for name, weight in net.state_dict().items()}
    lay_out(net)
    net.save_pretrained(tmp_path)
    again = transformers.LlamaForCausalLM.from_pretrained(tmp_path).state_dict()
    for name, weight in net.state_dict().items():
        assert torch.equal(weight, before[name]) and torch.equal(weight, again[name]), name


def hooked(net: Any) -> Any:
    net.model.layers[1].register_forward_hook(lambda *_: None)
    return net


def adapted(net: Any) -> Any:
    class Adapted(torch.nn.Linear):
        pass

    net.model.layers[0].self_attn.q_proj = Adapted(32, 32, bias=False)
    return net


def another(_: Any) -> Any:
    return transformers.Qwen2ForCausalLM(transformers.Qwen2Config(**SIZES)).eval()


def lengthening(_: Any) -> Any:
    return network(rope_parameters={"rope_type": "dynamic", "rope_theta": 10_000.0, "factor": 2.0})


def eager(net: Any) -> Any:
    net.set_attn_implementation("eager")
    return net


def laid_out_otherwise(net: Any) -> Any:
    weight = net.model.layers[1].mlp.up_proj.weight
    weight.data = weight.data.clone()
    return net


CHANGES = [
    hooked,
    adapted,
    another,
    lengthening,
    eager,
    laid_out_otherwise,
    deepcopy,
    lambda net: net.to(torch.bfloat16),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_does_more_than_this_arithmetic_is_left_to_transformers(change: Any) -> None:
    assert follows(network())
    assert not follows(change(network()))
