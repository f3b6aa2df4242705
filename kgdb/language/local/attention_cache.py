"""Keys and values of the tokens read so far, with room for those that are still to be written.

The library's own cache is copied whole for every token that it grows by. With a dozen replies of
some hundred tokens that took three quarters of the time of writing, on a CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers.cache_utils import Cache, DynamicLayer


class PreallocatedLayer(DynamicLayer):  # type: ignore[misc]
    """One layer's keys and values, each (rows, heads, tokens, width), at the start of a buffer."""

    def __init__(self, keys: Sequence[torch.Tensor], values: Sequence[torch.Tensor], room: int):
        """Of single rows, padded on the left to the longest; ``room`` tokens more will fit."""
        super().__init__()
        self.dtype, self.device, self.is_initialized = keys[0].dtype, keys[0].device, True
        longest = max(row.shape[-2] for row in keys)
        self._buffers = [_buffer(rows, longest, room) for rows in (keys, values)]
        self._show(len(keys), longest)

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *_args: Any, **_kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Take in what the rows go on with; all keys and values."""
        rows, _, length, _ = self.keys.shape
        longer = length + key_states.shape[-2]
        for buffer, states in zip(self._buffers, (key_states, value_states), strict=True):
            buffer[:rows, :, length:longer] = states
        self._show(rows, longer)
        return self.keys, self.values

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        """Keep only these rows, in ascending order."""
        length = self.keys.shape[-2]
        for row, kept in enumerate(indices.tolist()):
            if row != kept:
                for buffer in self._buffers:
                    buffer[row, :, :length] = buffer[kept, :, :length]
        self._show(len(indices), length)

    def _show(self, rows: int, length: int) -> None:
        self.keys, self.values = (buffer[:rows, :, :length] for buffer in self._buffers)


def joined(caches: Sequence[Any], room: int) -> Cache:
    """The caches of single rows as one, layer by layer, so that not all is there twice."""
    layers = []
    for index in range(len(caches[0].layers)):
        single = [cache.layers[index] for cache in caches]
        rows = [layer.keys for layer in single], [layer.values for layer in single]
        layers.append(PreallocatedLayer(*rows, room))
        for layer in single:
            layer.keys = layer.values = None
    return Cache(layers=layers)


def _buffer(rows: Sequence[torch.Tensor], longest: int, room: int) -> torch.Tensor:
    _, heads, _, width = rows[0].shape
    buffer = rows[0].new_empty((len(rows), heads, longest + room, width))
    for place, row in enumerate(rows):
        padding = longest - row.shape[-2]
        # It is masked, but what an unused place holds may be no number, which would spread.
        buffer[place, :, :padding] = 0
        buffer[place, :, padding:longest] = row[0]
    return buffer
