"""How much a model in this process may compute at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import psutil
import torch

from kgdb.errors import ModelError

_T = TypeVar("_T")
_R = TypeVar("_R")


class Memory:
    """What a batch needs of a model's memory, beside its weights."""

    def __init__(self, model: Any) -> None:
        config = model.config.get_text_config()
        heads = config.num_attention_heads
        kept = getattr(config, "num_key_value_heads", None) or heads
        width = getattr(config, "head_dim", None) or config.hidden_size // heads
        number = model.dtype.itemsize
        inner = getattr(config, "intermediate_size", None) or 4 * config.hidden_size
        self._device = model.device
        # Keys and values stay for all layers; the rest is there for one layer at a time.
        self._token = (2 * config.num_hidden_layers * kept * width) * number
        self._passing = (6 * config.hidden_size + 3 * inner) * number
        # The logits as the model gives them, in float32, masked, and sorted out.
        self._logits = 4 * 4 * config.vocab_size

    def fits(self, rows: int, *, read: int, kept: int, scored: int) -> bool:
        """Whether a batch is within its share of the free memory.

        Each of its ``rows`` reads ``read`` tokens at once, keeps ``kept`` in the end, and has
        logits for ``scored`` of them.
        """
        each = read * self._passing + kept * self._token + scored * self._logits
        return bool(rows * each <= self._share())

    def _share(self) -> int:
        """A part, for others compute here too: the database, another command."""
        if self._device.type == "cuda":
            return int(torch.cuda.mem_get_info(self._device)[0] // 2)
        return int(psutil.virtual_memory().available // 4)


def batches(items: Iterable[_T], fits: Callable[[list[_T]], bool]) -> Iterator[list[_T]]:
    """The items in their order, as many together as fit; one alone is always tried."""
    batch: list[_T] = []
    for item in items:
        if batch and not fits([*batch, item]):
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch


def in_halves(items: list[_T], run: Callable[[list[_T]], list[_R]]) -> list[_R | ModelError]:
    """Run all at once; where the memory does not suffice after all, each half by itself.

    What it does not suffice for alone has an error in its place.
    """
    try:
        return [*run(items)]
    except RuntimeError as error:
        if not _is_out_of_memory(error):
            raise
    # Only now is what the failed run had computed given back.
    if len(items) == 1:
        return [
            ModelError(
                "The memory does not suffice for this prompt.",
                hint="Ask a shorter one, use a smaller model, or one on a server: "
                "--llm openai:MODEL@URL",
            )
        ]
    half = len(items) // 2
    return in_halves(items[:half], run) + in_halves(items[half:], run)


def _is_out_of_memory(error: RuntimeError) -> bool:
    # On a CPU it is told by no class of its own.
    return isinstance(error, torch.OutOfMemoryError) or "can't allocate memory" in str(error)
