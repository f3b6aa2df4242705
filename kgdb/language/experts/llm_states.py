"""Hidden states of a language model that reads a query and evidence together (equation 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import ModuleList

from kgdb.language.experts.trained import Pair
from kgdb.language.language_model import CompletionRequest
from kgdb.language.local.model_weights import Weights
from kgdb.language.local.prompt_tokens import Tokens

_MAX_TOKENS = 256
"""Tokens of a pair that are read: the first, without those that would be too many."""

_TOGETHER = 16


class LanguageModelStates:
    """The state of the last token after the first ``layers`` layers of a model.

    The model is this one's alone: the layers above are dropped.
    """

    def __init__(self, name: str, weights: Weights, layers: int) -> None:
        self.name = f"{name}, {layers} layers"
        self._model = weights.model
        self._layers = layers
        there = self._model.config.num_hidden_layers
        for blocks in self._model.modules():
            if isinstance(blocks, ModuleList) and len(blocks) == there:
                # One more stays: the library normalizes what the last one gives.
                del blocks[layers + 1 :]
        self._tokens = Tokens(weights.tokenizer)

    def states(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """Rows of as many numbers as the model's states have."""
        distinct = list(dict.fromkeys(pairs))
        rows = [self._read(pair) for pair in distinct]
        # Pairs of one length together: little is padded.
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        states = np.zeros((len(rows), self._model.config.hidden_size), np.float32)
        for places in _batches(order):
            states[places] = self._last([rows[place] for place in places])
        at = {pair: place for place, pair in enumerate(distinct)}
        return states[[at[pair] for pair in pairs]]

    def _read(self, pair: Pair) -> list[int]:
        query, evidence = pair
        text = f"Question: {query}\nEvidence: {evidence}"
        return self._tokens.prompt(CompletionRequest(text, continues=True))[:_MAX_TOKENS]

    def _last(self, rows: Sequence[list[int]]) -> NDArray[np.float32]:
        longest = max(map(len, rows))
        ids = torch.zeros((len(rows), longest), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = torch.tensor(row)
            mask[place, : len(row)] = 1
        device = self._model.device
        with torch.inference_mode():
            read = self._model(
                input_ids=ids.to(device),
                attention_mask=mask.to(device),
                output_hidden_states=True,
                use_cache=False,
                logits_to_keep=1,
            )
        states = read.hidden_states[self._layers]
        last = states[range(len(rows)), [len(row) - 1 for row in rows]]
        result: NDArray[np.float32] = last.float().cpu().numpy()
        return result


def _batches(order: Sequence[int]) -> Iterator[list[int]]:
    rest = iter(order)
    while some := list(islice(rest, _TOGETHER)):
        yield some
