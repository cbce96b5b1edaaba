"""The size of a network, as the trainer and as a transformers LlamaConfig name it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tooldec.training.tokenizer import SIZE

KEYS = {
    "vocab_size": "vocabulary",
    "hidden_size": "width",
    "intermediate_size": "hidden",
    "num_hidden_layers": "layers",
    "num_attention_heads": "heads",
    "num_key_value_heads": "heads",
    "head_dim": "head_dim",
    "max_position_embeddings": "positions",
    "rope_theta": "theta",
}
"""What a LlamaConfig calls the parts of a shape."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of the network."""

    vocabulary: int = SIZE
    width: int = 192
    layers: int = 8
    heads: int = 6
    head_dim: int = 64
    hidden: int = 1024
    positions: int = 4096
    theta: float = 10000.0

    @classmethod
    def read(cls, folder: Path) -> Shape:
        """The shape of an exported model."""
        config = json.loads((folder / "config.json").read_text())
        return cls(**{name: config[key] for key, name in KEYS.items()})

    def config(self) -> dict[str, Any]:
        """The same as a transformers LlamaConfig."""
        return {
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            **{key: getattr(self, name) for key, name in KEYS.items()},
            "rms_norm_eps": 1e-6,
            "hidden_act": "silu",
            "attention_bias": False,
            "mlp_bias": False,
            "tie_word_embeddings": True,
            "bos_token_id": None,
            "eos_token_id": 1,
            "pad_token_id": 0,
        }
