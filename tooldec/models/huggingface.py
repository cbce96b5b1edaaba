"""A causal language model through transformers: a hub id, a local folder, or the model in the box.

Safetensors only, no remote code. Prompts are rendered by the model's chat template where it has one, and each
session keeps its own KV cache, so that a step runs the model on the new tokens only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import transformers

from tooldec.errors import ModelError, UsageError
from tooldec.models import hub, plain_text
from tooldec.models.encoder import Encoder
from tooldec.models.failures import told
from tooldec.models.one_token import lay_out
from tooldec.models.session import HuggingFaceSession
from tooldec.models.templated import Templated
from tooldec.tools import signatures
from tooldec.vocabulary import Vocabulary
from tooldec.vocabulary_file import default_folder

if TYPE_CHECKING:
    from tooldec.schemes import Prompt


class HuggingFaceModel(Templated):
    """A transformers model with its tokenizer.

    >>> model = HuggingFaceModel.load("Qwen/Qwen3-0.6B")  # doctest: +SKIP
    >>> model.device, model.dtype, model.vocabulary.size  # doctest: +SKIP
    ('cuda', 'bfloat16', 151936)
    """

    def __init__(self, name: str, network: Any, tokenizer: Any) -> None:
        self.name = name
        self.network = network
        self.device, self.dtype = str(network.device), str(network.dtype).removeprefix("torch.")
        self.context = _context(network.config)
        width = _width(network)
        ends = [token for token in _ends(network, tokenizer) if 0 <= token < width]
        vocabulary = Vocabulary.from_tokenizer(tokenizer, width, ends, default_folder())
        super().__init__(tokenizer, vocabulary)
        self._encoder = Encoder(tokenizer, self.vocabulary)

    @classmethod
    def load(cls, name: str, device: str = "auto", label: str | None = None) -> HuggingFaceModel:
        """Load a folder or a hub id; raises ModelError saying what was tried and what would work."""
        place = choose_device(device)
        memory = _free(place)
        folder = hub.fetch(name, memory)
        tokenizer = _load_tokenizer(name, folder)
        network = _load_network(name, folder, place, memory)
        with told(f"the tokenizer of `{name}` can't be used", "use a model with a byte-level tokenizer"):
            return cls(label or name, network, tokenizer)

    # ---- prompts

    def render(self, prompt: Prompt | str) -> str:
        """By the chat template, with its generation prompt and without thinking, else in the plain form."""
        if isinstance(prompt, str) or not self.has_chat_template:
            return plain_text(prompt)
        messages = [dict(message) for message in prompt.messages]
        tools = [tool.to_json() for tool in prompt.tools] if self.has_tool_template else []
        if prompt.tools and not tools:
            messages.insert(0, {"role": "system", "content": f"Tools: {signatures(prompt.tools)}"})
        try:
            text = self._template(messages, tools)
        except Exception:  # a jinja error, whatever the template raises: some refuse a system message
            with told(f"the chat template of `{self.name}` failed", "use another model"):
                text = self._template(_without_system(messages), tools)
        return f"{text}{prompt.answer_prefix}"

    def _template(self, messages: list[dict[str, str]], tools: list[dict[str, Any]]) -> str:
        text: str = self.tokenizer.apply_chat_template(
            messages, tools=tools or None, add_generation_prompt=True, tokenize=False, enable_thinking=False
        )
        return text

    def prompt_tokens(self, prompt: Prompt | str) -> int:
        return len(self.prompt_ids(prompt))

    def prompt_ids(self, prompt: Prompt | str) -> list[int]:
        """What the model reads first; special tokens count in a `str` and in a chat template, not in the plain form."""
        text = self.render(prompt)
        if isinstance(prompt, str):
            return self._encoder.usual(text)
        if self.has_chat_template:
            return self._encoder.rendered(text)
        return self._encoder.beginning() + self._encoder.plain(text)

    def tokenize(self, text: str) -> list[int]:
        """Plain text as a continuation: ordinary tokens that spell exactly this, never a special one."""
        return self._encoder.continuation(text)

    def start(self, prompt: Prompt | str) -> HuggingFaceSession:
        ids = self.prompt_ids(prompt)
        if len(ids) >= self.context:
            raise ModelError(
                f"the prompt has {len(ids):,} tokens and the context of `{self.name}` is {self.context:,}",
                fix="leave out the documentation of the tools, or shorten the question",
            )
        prefix = "" if isinstance(prompt, str) else prompt.answer_prefix
        return HuggingFaceSession(self.network, ids, prefix, self.context)


def choose_device(device: str) -> torch.device:
    """`auto` is cuda, then mps, then cpu."""
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        place = torch.device(device)
        torch.empty(1, device=place)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise UsageError(
            f"device `{device}` isn't there: {hub.first_line(error)}",
            fix="use `auto`, `cuda`, `mps` or `cpu`",
        ) from None
    return place


def _load_tokenizer(name: str, folder: Path) -> Any:
    fix = "use a model with a tokenizer.json"
    with _quiet(), told(f"the tokenizer of `{name}` can't be loaded", fix):
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False, local_files_only=True)
    if not getattr(tokenizer, "is_fast", False):
        raise ModelError(f"`{name}` has no fast tokenizer", fix=fix)
    return tokenizer


def _load_network(name: str, folder: Path, place: torch.device, memory: int | None) -> Any:
    dtype = torch.float32 if place.type == "cpu" else torch.bfloat16
    needed = hub.parameters(folder) * dtype.itemsize
    if memory is not None and needed > memory:
        raise ModelError(
            f"`{name}` needs {hub.gigabytes(needed)} as {str(dtype).removeprefix('torch.')} on {place}, and "
            f"{hub.gigabytes(memory)} are free",
            fix="choose a smaller model",
        )
    with _quiet(), told(f"`{name}` can't be loaded", "use a causal language model that transformers knows"):
        network: Any = transformers.AutoModelForCausalLM.from_pretrained(
            folder, dtype=dtype, use_safetensors=True, trust_remote_code=False, local_files_only=True
        )
        network = network.to(place).eval()
    if place.type == "cpu":
        lay_out(network)
    return network


def _free(place: torch.device) -> int | None:
    if place.type == "cuda":
        return torch.cuda.mem_get_info(place)[0]
    return hub.free_memory()


def _width(network: Any) -> int:
    """Columns of the logits, which may be more than the tokenizer has tokens."""
    head = network.get_output_embeddings()
    rows = head.weight.shape[0] if head is not None else network.config.get_text_config().vocab_size
    return int(rows)


def _ends(network: Any, tokenizer: Any) -> tuple[int, ...]:
    """Every id that ends the text: the tokenizer's and those of the model's settings."""
    ends: list[int] = []
    for found in (
        tokenizer.eos_token_id,
        getattr(network.generation_config, "eos_token_id", None),
        getattr(network.config, "eos_token_id", None),
    ):
        ends += [found] if isinstance(found, int) else found or []
    return tuple(dict.fromkeys(ends))


def _context(config: Any) -> int:
    """Positions that the model knows; one that names no number has no bound."""
    settings = config.get_text_config()
    for key in ("max_position_embeddings", "max_seq_len", "n_positions"):
        if isinstance(found := getattr(settings, key, None), int) and found > 0:
            return found
    return sys.maxsize


def _without_system(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """System messages become the beginning of the first of the user's, for templates that refuse them."""
    system = [message["content"] for message in messages if message["role"] == "system"]
    others = [message for message in messages if message["role"] != "system"]
    if system and others:
        others[0] = {**others[0], "content": "\n".join([*system, others[0]["content"]])}
    return others


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars and no advice on stderr while a model is loaded."""
    logging: Any = transformers.utils.logging
    bars, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
