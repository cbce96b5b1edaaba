"""A teacher of meaning: which tools of all lists a sentence encoder thinks that somebody wants.

Where no list is shown, the name of a tool follows from the question alone, and each saying gives one name of thousands
that would do. A sentence encoder, trained on a billion pairs (all-MiniLM-L6-v2: Reimers, Gurevych 2019; Wang and others
2020), knows which others mean much the same. Its choice among all of them is learned beside the right name (Hinton,
Vinyals, Dean 2015), and nothing of it is needed any more when the model is trained.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from tooldec.lint.names import words
from tooldec.tools import Tool
from tooldec.training.documents.spoken import Said, spoken_lists

NEAREST = 48
"""So many tools are kept for each saying."""
SCALE = 14.0
"""How sharply cosines become shares: P ∝ exp(SCALE · cos)."""
TRUST = 0.5
"""The weight of the teacher's names, beside the right one's."""
READ = 64
"""Texts that the encoder reads at once."""

Wish = tuple[int, tuple[int, ...], tuple[float, ...]]
"""A position, the tokens that may follow it there, and their shares, which add up to 1."""


class Teacher:
    """For each saying the names of the nearest tools and their shares; `wishes` gives them as tokens."""

    def __init__(self, said: Sequence[str], names: Sequence[str], nearest: npt.NDArray[np.int32], shares: Tensor):
        self.said, self.names, self.nearest, self.shares = said, names, nearest, shares
        self._rows = {saying: row for row, saying in enumerate(said)}
        self._ids: list[list[int]] = []

    def tokenize(self, tokenizer: Tokenizer) -> None:
        """Spell the names with a tokenizer; `wishes` gives its tokens from now on."""
        self._ids = [name.ids for name in tokenizer.encode_batch(list(self.names), add_special_tokens=False)]

    def wishes(self, said: str, written: Sequence[int], others: Iterable[str], before: int) -> Iterator[Wish]:
        """What the tokens of a name should be, from the place before it on.

        written  the tokens of the right name
        others   names that the saying doesn't mean, whatever the teacher thinks
        """
        row = self._rows.get(said)
        if row is None:
            return
        wrong = frozenset(others)
        near = zip(self.nearest[row].tolist(), self.shares[row].tolist(), strict=True)
        known = [(self._ids[place], share) for place, share in near if self.names[place] not in wrong]
        for step, token in enumerate(written):
            shares: dict[int, float] = defaultdict(float)
            for ids, share in known:
                if len(ids) > step and ids[:step] == written[:step]:
                    shares[ids[step]] += share
            total = sum(shares.values())
            if not total or list(shares) == [token]:
                continue
            mixed = {each: TRUST * share / total for each, share in shares.items()}
            mixed[token] = mixed.get(token, 0.0) + 1 - TRUST
            yield before + step, tuple(mixed), tuple(mixed.values())

    def save(self, path: Path) -> None:
        """Write all of it into a file."""
        with path.open("wb") as file:
            shares = self.shares.half().numpy()
            np.savez(file, said=np.array(self.said), names=np.array(self.names), nearest=self.nearest, shares=shares)

    @classmethod
    def read(cls, path: Path) -> Teacher:
        """What `save` wrote."""
        with np.load(path) as read:
            shares = torch.from_numpy(read["shares"]).float()
            return cls(read["said"].tolist(), read["names"].tolist(), read["nearest"], shares)


def ask_encoder(model: str, lists: Sequence[Sequence[Said]] | None = None) -> Teacher:
    """Let a sentence encoder, a folder or a hub id, compare all sayings with all tools.

    What is compared is halfway between a saying and the tool that it means: a saying alone often needs its list.
    """
    lists = spoken_lists() if lists is None else lists
    tools = [tool for part in lists for tool in part]
    meant = {saying: place for place, tool in enumerate(tools) for saying, _ in tool.sayings}
    said = sorted(meant)
    names, asked = (encoded(model, texts) for texts in ([signature_words(tool.tool) for tool in tools], said))
    asked = functional.normalize(asked + names[[meant[saying] for saying in said]], dim=1)
    parts = [
        (asked[begin : begin + 1024] @ names.T * SCALE).softmax(1).topk(min(NEAREST, len(tools)))
        for begin in range(0, len(said), 1024)
    ]
    nearest = torch.cat([part.indices for part in parts]).int().numpy()
    return Teacher(said, [tool.tool.name for tool in tools], nearest, torch.cat([part.values for part in parts]))


def signature_words(tool: Tool) -> str:
    """The words of a signature: `start watering, zone minutes`."""
    others = [word for parameter in tool.arguments for word in words(parameter.name)]
    return f"{' '.join(words(tool.name))}, {' '.join(others)}"


@torch.no_grad()
def encoded(model: str, texts: Sequence[str]) -> Tensor:
    """What a sentence encoder makes of texts: the mean of its last hidden states, of norm 1; (texts, size)."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer, encoder = AutoTokenizer.from_pretrained(model), AutoModel.from_pretrained(model).eval()
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    out = torch.zeros(len(texts), encoder.config.hidden_size)
    for begin in range(0, len(texts), READ):
        some = order[begin : begin + READ]
        read = tokenizer([texts[place] for place in some], padding=True, truncation=True, return_tensors="pt")
        kept = read["attention_mask"][..., None]
        out[some] = functional.normalize((encoder(**read).last_hidden_state * kept).sum(1) / kept.sum(1), dim=1)
    return out
