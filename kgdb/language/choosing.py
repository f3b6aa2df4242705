"""The exact log-probabilities of choices after a prompt."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch

from kgdb.errors import ModelError
from kgdb.language.memory import Memory, batches, in_halves
from kgdb.language.tokens import Choices


@torch.inference_mode()
def log_probabilities(model: Any, memory: Memory, choices: Choices) -> list[float]:
    """For each choice the sum over its tokens, in nats.

    The prompt is run once and its attention cache shared by all choices, so that a menu costs
    little more than its own words. Raises :class:`ModelError` where the memory does not suffice.
    """
    before = len(choices.shared)

    def begin(prompts: list[list[int]]) -> list[Any]:
        tokens = torch.tensor(prompts, device=model.device)
        return [model(tokens, use_cache=True, logits_to_keep=1)]

    (prefix,) = in_halves([choices.shared], begin)
    if isinstance(prefix, ModelError):
        raise prefix
    first = prefix.logits[:, -1:].float()

    def fit(rows: Sequence[int]) -> bool:
        longest = max(len(choices.rests[row]) for row in rows)
        return memory.fits(len(rows), read=longest, kept=before + longest, scored=longest)

    def run(rows: list[int]) -> list[float]:
        rests = [choices.rests[row] for row in rows]
        cache = copy.deepcopy(prefix.past_key_values)
        cache.batch_repeat_interleave(len(rows))
        return _scores(model, first, cache, before, rests)

    by_length = sorted(range(len(choices.rests)), key=lambda row: len(choices.rests[row]))
    scores = [0.0] * len(choices.rests)
    for rows in batches(by_length, fit):
        results = in_halves(rows, run)
        for row, score in zip(rows, results, strict=True):
            if isinstance(score, ModelError):
                raise score
            scores[row] = score
    return scores


def _scores(
    model: Any, first: torch.Tensor, cache: Any, before: int, rests: Sequence[Sequence[int]]
) -> list[float]:
    device = model.device
    longest = max(map(len, rests))
    if longest == 0:
        return [0.0] * len(rests)
    tokens = torch.zeros((len(rests), longest), dtype=torch.long, device=device)
    mask = torch.zeros((len(rests), before + longest), dtype=torch.long, device=device)
    for row, rest in enumerate(rests):
        tokens[row, : len(rest)] = torch.tensor(rest, dtype=torch.long, device=device)
        mask[row, : before + len(rest)] = 1
    logits = model(tokens, attention_mask=mask, past_key_values=cache).logits[:, :-1]
    # The logits before a token predict it: shift them by one.
    predicting = torch.cat([first.expand(len(rests), -1, -1), logits.float()], dim=1)
    chosen = predicting.gather(-1, tokens.unsqueeze(-1)).squeeze(-1)
    each = chosen - predicting.logsumexp(-1)
    scores: list[float] = (each * mask[:, before:]).sum(-1).tolist()
    return scores
