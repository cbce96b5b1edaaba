"""The tokenizer of the model in the box: byte-level BPE, and the words of vocabulary.txt as tokens of their own.

A word has the same tokens in a question and inside a snake_case name: spaces, digits and signs stand alone. Only
small words of the language and signs of punctuation take the space that follows them along, which saves tokens.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

SIZE = 13_824
MERGED = 4_096
"""So many entries are learned by merging, from the texts; the words follow."""
SPECIALS = ("<pad>", "<eos>", "<T>")
TAGS = ("<tool_call>", "</tool_call>")
CHAT_TEMPLATE = (
    "{% for message in messages %}{% if message['role'] == 'system' %}{{ message['content'] + '\n' }}"
    "{% elif message['role'] == 'user' %}{{ 'Q: ' + message['content'] + '\n' }}"
    "{% elif message['role'] == 'assistant' %}{{ 'A:' + message['content'] + '<eos>' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt is not defined or add_generation_prompt %}{{ 'A:' }}{% endif %}"
)
SMALL_WORDS = """
the The a A an of to in for on at is are and with by from my me I you it that this how How what What many
much do does can Can could Could please Please be as or was were has have if each into some all your our
one will would Would Who which Which who Where When there not need Then First So answer should want like
""".split()
PATTERN = rf"(?:{'|'.join(SMALL_WORDS)}) |\), |[,:;.?!] |\p{{Lu}}?\p{{Ll}}+|\p{{Lu}}+(?!\p{{Ll}})|[\s\S]"


def train_tokenizer(texts: Iterable[str], size: int = SIZE, words: Sequence[str] = ()) -> Tokenizer:
    """A tokenizer learned from these texts; every byte has a token, so every text has a spelling.

    words   get a token each, as far as `size` goes; with them, `MERGED` entries are learned from the texts
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PATTERN), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    room = size - len(TAGS)
    trainer = trainers.BpeTrainer(
        vocab_size=min(room, MERGED) if words else room,
        special_tokens=list(SPECIALS),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    if words:
        tokenizer.model = _with_words(tokenizer, words, room)
    tokenizer.add_tokens([AddedToken(tag, special=False, normalized=False) for tag in TAGS])
    return tokenizer


def _with_words(tokenizer: Tokenizer, words: Sequence[str], room: int) -> models.BPE:
    """The merges, and whole words that are looked up before anything is merged."""
    merges = [tuple(merge) for merge in json.loads(tokenizer.to_str())["model"]["merges"]]
    entries = tokenizer.get_vocab(with_added_tokens=True)
    for word in words:
        if word not in entries and len(entries) < room:
            entries[word] = len(entries)
    return models.BPE(entries, merges, ignore_merges=True)


def save_tokenizer(tokenizer: Tokenizer, folder: Path) -> None:
    """Write the tokenizer as transformers reads it: tokenizer.json and tokenizer_config.json."""
    from transformers import PreTrainedTokenizerFast

    kind: Any = PreTrainedTokenizerFast
    fast = kind(tokenizer_object=tokenizer, eos_token="<eos>", pad_token="<pad>", model_max_length=2048)
    fast.chat_template = CHAT_TEMPLATE
    fast.save_pretrained(str(folder), save_jinja_files=False)
