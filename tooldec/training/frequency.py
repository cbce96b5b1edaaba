"""How often each token stands in the names of tools: what a model shouldn't learn where no list shows them.

Guided decoding asks which of a few names fits a question best, P̃(a) = P(a) / Σ P(a′), and each tool of a list is as
likely as another. The cross-entropy over all tokens teaches more: that a call begins with `get` more often than with
`lend`, and with a word that no name of the data has never. Then new names lose against known ones that fit less well.
With log(frequency) added to the scores while training, and not afterwards, the model learns what the question tells
and leaves the rest to the sum (logit adjustment: Menon and others 2021, section 5).
"""

from __future__ import annotations

from collections import Counter
from itertools import islice

import torch
from tokenizers import Tokenizer
from torch import Tensor

from tooldec.training.documents.mixture import documents

DOCUMENTS = 2048
"""So many documents are drawn to count."""
UNSEEN = 0.1
"""What a token counts that stands in none of their names."""


def name_frequencies(tokenizer: Tokenizer, seed: int, size: int, count: int = DOCUMENTS) -> Tensor:
    """The log of each token's share in the names that some documents call, others than training begins with; (size,).

    size   the rows of the network, which may be more than the tokenizer has tokens
    count  so many documents are drawn
    """
    drawn = islice(documents(seed + 2_000_000), count)
    names = [call.tool.name for document in drawn for turn in document.turns for call in turn.ask.calls]
    seen = Counter(token for name in tokenizer.encode_batch(names, add_special_tokens=False) for token in name.ids)
    counts = torch.full((size,), UNSEEN)
    for token, times in seen.items():
        counts[token] += times
    return (counts / counts.sum()).log()
