"""Reading prompts before their replies are written: the attention cache of a batch.

Prompts are read one by one, without padding (which costs as much as text does), and their caches
joined; what all of them begin with, such as instructions and examples, is read once.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers import DynamicCache

from kgdb.language.local.attention_cache import joined

_WORTH_SHARING = 16
"""Tokens; to read fewer again costs less than to copy their cache."""

_JOINED = {"full_attention", "sliding_attention", "chunked_attention"}


@dataclass(slots=True)
class Prefilled:
    """Prompts that were read: their cache, which of its places hold tokens, the next logits."""

    cache: Any
    mask: torch.Tensor
    logits: torch.Tensor


def can_be_joined(model: Any) -> bool:
    """Whether the model keeps keys and values of all tokens, and nothing else."""
    kinds = getattr(model.config.get_text_config(), "layer_types", None) or ()
    return _JOINED.issuperset(kinds)


def read(model: Any, prompts: Sequence[list[int]], room: int) -> Prefilled:
    """Read prompts as one batch, padded on the left, whose replies have up to ``room`` tokens."""
    if not can_be_joined(model):
        # Models that keep anything else read and write row by row, with caches of their own.
        output = _forward(model, prompts[0], None)
        mask = torch.ones((1, len(prompts[0])), dtype=torch.long, device=model.device)
        return Prefilled(output.cache, mask, output.logits[:, -1].float())
    begun, common = DynamicCache(), _common(prompts)
    if common:
        _forward(model, prompts[0][:common], begun)
    outputs = [_forward(model, prompt[common:], copy.deepcopy(begun)) for prompt in prompts]
    logits = torch.cat([output.logits[:, -1].float() for output in outputs])
    longest = max(map(len, prompts))
    mask = torch.ones((len(prompts), longest), dtype=torch.long)
    for row, prompt in enumerate(prompts):
        mask[row, : longest - len(prompt)] = 0
    cache = joined([output.cache for output in outputs], room)
    return Prefilled(cache, mask.to(model.device), logits)


def _forward(model: Any, tokens: list[int], cache: Any) -> Any:
    return model(
        torch.tensor([tokens], device=model.device),
        cache=cache,
        use_cache=True,
        logits_to_keep=1,
    )


def _common(prompts: Sequence[list[int]]) -> int:
    """How many tokens all begin with that are worth reading once; at least one of each is left."""
    low, high = min(prompts), max(prompts)
    most = min(map(len, prompts)) - 1
    differing = (place for place in range(most) if low[place] != high[place])
    common = next(differing, most)
    return common if common >= _WORTH_SHARING and len(prompts) > 1 else 0
