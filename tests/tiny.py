"""Tiny random models in the format of transformers, made in a folder for tests; no network."""

from __future__ import annotations

import json
from pathlib import Path

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

TEXTS = [
    "the side of a square is 5, what's its area?",
    "def square(side: int), def sqrt(x: int), def add(a: int, b: int), def exp(x: int)",
    "Its area is square(5)=25. So the answer is 25.",
    '{"name": "square", "arguments": {"side": 5}}',
] * 3

WIDTH = 480
"""Columns of the logits: more than any of the tokenizers has tokens."""

CHATML = (
    "{% if tools %}<tools>{% for t in tools %}{{ t | tojson }}{% endfor %}</tools>\n{% endif %}"
    "{% for m in messages %}<eos>{{ m.role }}\n{{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}<eos>assistant\n{% endif %}"
)
NO_SYSTEM = (
    "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    "[{{ m.role }}] {{ m.content }}\n{% endfor %}"
)


def byte_level() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<pad>", "<eos>", "<T>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.add_tokens([AddedToken("<tool_call>", special=False, normalized=False)])
    return tokenizer


def sentence_piece() -> Tokenizer:
    """As Llama 2 has it: a space before every text, and byte fallback."""
    pieces = ["<pad>", "<eos>", "<T>", *(f"<0x{byte:02X}>" for byte in range(256))]
    letters = sorted({c for text in TEXTS for c in text.replace(" ", "▁")} | {"▁"})
    vocabulary = {piece: number for number, piece in enumerate([*pieces, *letters])}
    merges = [("▁", letter) for letter in "ais5"] + [("i", "s"), ("▁i", "s")]
    for one, two in merges:
        vocabulary.setdefault(one + two, len(vocabulary))
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.add_special_tokens(["<pad>", "<eos>", "<T>"])
    return tokenizer


def save(
    folder: Path, tokenizer: Tokenizer, template: str | None = None, context: int = 128, tied: bool = False
) -> Path:
    """A folder that `from_pretrained` reads: a random Llama with two layers."""
    config = transformers.LlamaConfig(
        vocab_size=WIDTH,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=context,
        initializer_range=0.4,
        bos_token_id=None,
        eos_token_id=1,
        pad_token_id=0,
        tie_word_embeddings=tied,
    )
    torch.manual_seed(1)
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<eos>", pad_token="<pad>", chat_template=template
    )
    fast.save_pretrained(folder)
    path = folder / "generation_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "eos_token_id": [1, 0]}))
    return folder
