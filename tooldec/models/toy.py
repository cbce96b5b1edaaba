"""A scripted model with the paper's tokens: Table 2 without weights, and Figure 1's mistakes when unguided.

Its distribution is a pure function of question and answer so far: the first row of `RULES` in whose pattern
that text ends gives a few tokens their probability, and what is left is shared evenly by all the others.

The vocabulary is chosen so that the paper's states allow the paper's tokens and nothing else. That rules out
the letters a, e, s, u and r by themselves (`s` would do for `sq` at s1): the toy can write add, exp, sqrt,
square and most of FuncQA's functions (`ul` lets `m` go on to multiply); a tool that it cannot spell is a dead end,
said so by the machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import torch

from tooldec.errors import ModelError
from tooldec.models import plain_text
from tooldec.vocabulary import Vocabulary

if TYPE_CHECKING:
    from tooldec.schemes import Prompt

EOS, MARKER = "<EOS>", "<T>"

TOKENS: tuple[str, ...] = (
    *(EOS, MARKER, "Its", " area", " perimeter", " is ", "add", "exp", "sq", "uare", "rt", "and"),
    *("uared", "uares", "prod", "uct", "mult", "iply", "pi", "(", "+", "-", *"0123456789", ",", ")"),
    *(".", "=", " ", "\n", '"', "_", *"bcdghilmnoptvwxy", "er", "re", "ra", "ma", "se", "su", "de", "ul"),
)
"""64 tokens; the first two are special."""

RULES: tuple[tuple[str, Mapping[str, float]], ...] = (
    # the end of question + "\n" + answer so far -> token -> probability
    (r"(?s)(perimeter|around).*\nIts", {" perimeter": 0.71, " area": 0.13, " is ": 0.08, "=": 0.02}),
    (r"\nIts", {" area": 0.74, " perimeter": 0.09, " is ": 0.08, ".": 0.03, "=": 0.02}),
    (r" (area|perimeter)", {" is ": 0.86, "=": 0.06, " ": 0.03, ".": 0.02}),
    (r"\nIts perimeter is <T>", {"prod": 0.44, "mult": 0.31, "add": 0.1, "pi": 0.06, "exp": 0.02}),
    (r" is ", {"<T>": 0.57, "5": 0.16, "2": 0.12, "pi": 0.05, "1": 0.04, "sq": 0.02}),
    (r"<T>", {"sq": 0.48, "prod": 0.22, "mult": 0.11, "add": 0.08, "exp": 0.05, "pi": 0.03}),
    # what the page's picture shows at s4
    (
        r"<T>sq",
        {"uared": 0.412, "uare": 0.274, "(": 0.121, ".": 0.083, "uares": 0.061, "rt": 0.023, "\n": 0.018},
    ),
    (r"<T>prod", {"uct": 0.91, "(": 0.04, ".": 0.02}),
    (r"<T>mult", {"iply": 0.83, "(": 0.08, ".": 0.04}),
    (r"<T>\w+", {"(": 0.79, "_": 0.06, "d": 0.05, ".": 0.03, "=": 0.02, "\n": 0.01}),
    (r"perimeter.*\(", {"pi": 0.52, "3": 0.27, "1": 0.08, "2": 0.05, "5": 0.04}),
    (r"\(", {"5": 0.63, "pi": 0.13, "2": 0.08, "+": 0.06, "-": 0.03, "1": 0.02, ")": 0.02}),
    (r"perimeter.*\(3", {".": 0.74, ",": 0.13, ")": 0.06}),
    (r"perimeter.*\(3\.", {"1": 0.92, "2": 0.02}),
    (r"perimeter.*\(3\.1", {"4": 0.93, "5": 0.02}),
    (r"perimeter.*, ?", {"1": 0.62, "5": 0.11, "pi": 0.09, " ": 0.06}),
    (r"perimeter.*, ?1", {"2": 0.78, "0": 0.08, ")": 0.06}),
    (r"perimeter.*, ?12", {"3": 0.84, ")": 0.09}),
    (r"<T>(add|mult|prod)[^(]*\([^,)]*[\di]", {",": 0.68, ")": 0.14, "0": 0.05, ".": 0.05, "+": 0.03}),
    (r"<T>[^)]*, ?", {"5": 0.52, "2": 0.16, " ": 0.11, "pi": 0.07, "1": 0.05}),
    (r'<T>[^)]*[(, ]"', {"pi": 0.4, "x": 0.2, '"': 0.1}),
    (r'<T>[^)"]*"[^")]+', {'"': 0.8, " ": 0.05, ".": 0.05}),
    (r"<T>[^)]*[\di\"]", {")": 0.71, "0": 0.06, ".": 0.06, ",": 0.05, "5": 0.04, "+": 0.03}),
    (r"<T>[^)]*\)", {EOS: 0.58, ".": 0.16, "=": 0.12, "\n": 0.05, ")": 0.04}),
    (r"=", {"2": 0.41, "5": 0.22, "1": 0.14, " ": 0.08}),
    (r"\)=[^)]*\d", {".": 0.66, EOS: 0.14, "0": 0.05, ",": 0.05}),
    (r"\.", {EOS: 0.87, " ": 0.06, "\n": 0.03}),
    (r"", {EOS: 0.35, ".": 0.15, " ": 0.05}),
)

_SPECIAL = TOKENS[:2]
_IDS = {token: token_id for token_id, token in enumerate(TOKENS)}
_PLAIN = re.compile("|".join(re.escape(t) for t in sorted(TOKENS[2:], key=len, reverse=True)))


class ToyModel:
    """The scripted model. It never looks at weights, only at `RULES`."""

    name, device, dtype = "toy", "cpu", "float32"
    context = 2048
    has_chat_template = has_tool_template = False
    chat_template = ""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary([t if t in _SPECIAL else t.encode() for t in TOKENS], eos=(0,))

    def render(self, prompt: Prompt | str) -> str:
        return plain_text(prompt)

    def prompt_tokens(self, prompt: Prompt | str) -> int:
        """The toy's tokens cannot spell a question: words and marks are counted."""
        text = prompt if isinstance(prompt, str) else " ".join(m["content"] for m in prompt.messages)
        return len(re.findall(r"\w+|[^\w\s]", text))

    def tokenize(self, text: str) -> list[int]:
        """Longest match from the left."""
        ids: list[int] = []
        at = 0
        while at < len(text):
            match = _PLAIN.match(text, at)
            if match is None:
                raise ModelError(
                    f"the toy model has no token that begins `{text[at : at + 20]}`",
                    fix="keep to digits and signs, or use the model in the box, `embedded`",
                )
            ids.append(_IDS[match.group()])
            at = match.end()
        return ids

    def start(self, prompt: Prompt | str) -> ToySession:
        if (length := self.prompt_tokens(prompt)) >= self.context:
            raise ModelError(
                f"the prompt has {length:,} tokens and the toy model's context {self.context:,}",
                fix="shorten the question or leave out the documentation of the tools",
            )
        question = prompt if isinstance(prompt, str) else "".join(m["content"] for m in prompt.messages[-1:])
        prefix = "" if isinstance(prompt, str) else prompt.answer_prefix
        return ToySession(question, prefix or "Its", self.context - length)


class ToySession:
    """One answer of the toy; it begins with `Its`, as Table 2 does."""

    def __init__(self, question: str, prefix: str, room: int) -> None:
        self.prefix, self.room = prefix, room
        self._text = f"{question}\n{prefix}"

    def logits(self) -> torch.Tensor:
        row = next(row for pattern, row in RULES if re.search(pattern + r"\Z", self._text))
        rest = (1 - sum(row.values())) / (len(TOKENS) - len(row))
        return torch.tensor([row.get(token, rest) for token in TOKENS]).log()  # (V,)

    def append(self, ids: Iterable[int]) -> None:
        for token_id in ids:
            self._text += TOKENS[token_id]
            self.room -= 1
