"""Training of the model in the box: documents, tokenizer, trainer, export and evaluation."""

from tooldec.training.export import export
from tooldec.training.trainer import train

__all__ = ["export", "train"]
