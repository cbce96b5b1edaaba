"""Teach any causal language model one new token, `<T>`, by its row of the embedding alone (section 5.1 of the paper).

Every other weight is frozen. The examples show a few tools; others need nothing, since the machine spells their names.
`per_tool` is the baseline, ToolkenGPT's way: each tool gets a token and a row of its own.

    {"tools": "def add(a: int, b: int)", "question": "2 and 3?", "answer": "The sum is <T>add(2,3)=5."}
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from tooldec.errors import UsageError
from tooldec.schemes import SCHEMES
from tooldec.signatures import parse_tools
from tooldec.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tooldec.models.huggingface import HuggingFaceModel

MARKER = "<T>"


@dataclass(frozen=True, slots=True)
class Example:
    """A question over a list of tools and its answer, in which `<T>` stands before each call."""

    tools: tuple[Tool, ...]
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Encoded:
    """An example as tokens, and which of them are learned."""

    tokens: list[int]
    learned: list[bool]


def read_examples(text: str) -> tuple[Example, ...]:
    """Examples, one JSON object a line; raises UsageError with the line that isn't one."""
    examples = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            example = Example(parse_tools(row["tools"]), str(row["question"]), str(row["answer"]))
        except (ValueError, KeyError, TypeError) as error:
            fix = 'write {"tools": …, "question": …, "answer": …}'
            raise UsageError(f"line {number} isn't an example: {error!r}", fix=fix) from error
        if MARKER not in example.answer:
            raise UsageError(f"the answer of line {number} has no call", fix=f"write {MARKER} before the call's name")
        examples.append(example)
    if not examples:
        raise UsageError("there are no examples", fix="give one JSON object a line")
    return tuple(examples)


class NewRows(nn.Module):
    """Rows for new tokens, in front of a frozen network's embedding and behind its last layer.

    Where the network's two embeddings are tied, a row serves both; otherwise a token has two. They begin as the mean
    of the others.
    """

    def __init__(self, network: Any, ids: Sequence[int]) -> None:
        super().__init__()
        self.ids = list(ids)
        before, after = network.get_input_embeddings().weight, network.get_output_embeddings().weight
        self.tied = before.data_ptr() == after.data_ptr()
        self.inner = nn.Parameter(self._mean(before))
        self.outer = self.inner if self.tied else nn.Parameter(self._mean(after))

    def _mean(self, weight: Tensor) -> Tensor:
        return weight.detach().float().mean(0).repeat(len(self.ids), 1)  # (N, W)

    @contextmanager
    def within(self, network: Any) -> Iterator[None]:
        """The network computes with these rows."""

        def embed(_: nn.Module, given: tuple[Tensor, ...], out: Tensor) -> Tensor:
            for row, token in enumerate(self.ids):
                out = torch.where((given[0] == token)[..., None], self.inner[row].to(out.dtype), out)
            return out

        def score(_: nn.Module, given: tuple[Tensor, ...], out: Tensor) -> Tensor:
            new = given[0] @ self.outer.to(given[0].dtype).mT  # (B, T, N)
            return out.index_copy(-1, torch.tensor(self.ids, device=out.device), new)

        hooks = [
            network.get_input_embeddings().register_forward_hook(embed),
            network.get_output_embeddings().register_forward_hook(score),
        ]
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()

    @torch.no_grad()
    def write(self, network: Any) -> None:
        """Put the rows into the network's own embeddings."""
        network.get_input_embeddings().weight[self.ids] = self.inner.to(network.dtype)
        network.get_output_embeddings().weight[self.ids] = self.outer.to(network.dtype)


def tune(
    model: HuggingFaceModel,
    examples: Sequence[Example],
    per_tool: Iterable[str] = (),
    steps: int = 200,
    rate: float = 0.01,
    batch: int = 8,
    seed: int = 0,
    listed: bool = True,
) -> list[float]:
    """Add the tokens to the model, learn their rows, and return the losses; the model holds them afterwards.

    With `per_tool`, names of tools, the tokens are `<name>`; a name that no example calls keeps its first row, the
    mean of all others.
    """
    names = tuple(per_tool)
    tokens = [f"<{name}>" for name in names] or [MARKER]
    network, tokenizer = model.network, model.tokenizer
    known = set(tokenizer.get_vocab())
    tokenizer.add_special_tokens({"additional_special_tokens": tokens}, replace_extra_special_tokens=False)
    ids = tokenizer.convert_tokens_to_ids(tokens)
    if max(ids) >= network.get_input_embeddings().weight.shape[0]:
        network.resize_token_embeddings(max(ids) + 1, mean_resizing=False)
    if old := sorted(known & set(tokens)):
        print(f"the rows of {', '.join(old)} are learned anew", file=sys.stderr)
    network.requires_grad_(False)
    rows = NewRows(network, ids)
    encoded = [encode(model, example, bool(names), listed) for example in examples]
    optimizer = torch.optim.AdamW(rows.parameters(), lr=rate, weight_decay=0.0)
    rng = random.Random(seed)
    losses = []
    with rows.within(network):
        for step in range(steps):
            for group in optimizer.param_groups:
                group["lr"] = rate * (1 - step / steps)
            loss = _loss(network, rng.choices(encoded, k=batch))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            losses.append(float(loss.detach()))
    rows.write(network)
    return losses


def encode(model: HuggingFaceModel, example: Example, per_tool: bool, listed: bool = True) -> Encoded:
    """The prompt of the scheme, not learned, and the answer, of which results are not learned either."""
    scheme = SCHEMES["toolken" if per_tool else "special_token"]
    prompt = scheme.prompt(example.tools, example.question, documentation=listed)
    answer = re.sub(rf"{MARKER}([^\s(]+)\(", r"<\1>(", example.answer) if per_tool else example.answer
    tokens = model.prompt_ids(prompt)
    learned = [False] * len(tokens)
    for part, learn in _parts(answer):
        new = list(model.tokenizer(part, add_special_tokens=False)["input_ids"])
        tokens += new
        learned += [learn] * len(new)
    return Encoded(tokens, learned)


def _parts(answer: str) -> Iterator[tuple[str, bool]]:
    """`The sum is <T>add(2,3)=5.` → `The sum is <T>add(2,3)=`, learned, and `5`, the host's, up to a full stop."""
    at = 0
    for match in re.finditer(r"\)=(.+?)(?=\.(?:\s|$)|$)", answer):
        yield answer[at : match.start(1)], True
        yield match[1], False
        at = match.end(1)
    if answer[at:]:
        yield answer[at:], True


def _loss(network: Any, examples: Sequence[Encoded]) -> Tensor:
    """Mean cross-entropy of the learned tokens."""
    width = max(len(example.tokens) for example in examples)
    tokens, goals = torch.zeros(len(examples), width, dtype=torch.long), torch.full((len(examples), width), -100)
    seen = torch.zeros_like(tokens)
    for row, example in enumerate(examples):
        size = len(example.tokens)
        tokens[row, :size], seen[row, :size] = torch.tensor(example.tokens), 1
        goals[row, :size] = torch.where(torch.tensor(example.learned), tokens[row, :size], -100)
    place = network.device
    scores = network(input_ids=tokens.to(place), attention_mask=seen.to(place)).logits[:, :-1]  # (B, T, V)
    return functional.cross_entropy(scores.float().flatten(0, 1), goals[:, 1:].flatten().to(place))


def save(model: HuggingFaceModel, folder: Path) -> Path:
    """Write the tuned model as a folder that `load_model` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    for weight in model.network.parameters():  # on a CPU they lie by columns, which transformers can't save when tied
        weight.data = weight.data.contiguous()
    model.network.save_pretrained(str(folder))
    model.tokenizer.save_pretrained(str(folder))
    return folder
