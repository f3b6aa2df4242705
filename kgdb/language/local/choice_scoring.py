"""The exact log-probabilities of choices after a prompt."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from kgdb.errors import ModelError
from kgdb.language.local.batch_memory import Memory, batches, in_halves
from kgdb.language.local.prompt_tokens import Choices


@torch.inference_mode()
def log_probabilities(model: Any, memory: Memory, choices: Choices) -> list[float]:
    """For each choice the sum over its tokens, in nats.

    The prompt is run once and its attention cache shared by all choices, so that a menu costs
    little more than its own words; where the model can be told what each token sees, words with
    which several choices begin are run once too. Raises :class:`ModelError` where the memory does
    not suffice.
    """
    before = len(choices.shared)

    def begin(prompts: list[list[int]]) -> list[Any]:
        tokens = torch.tensor(prompts, device=model.device)
        return [model(tokens, use_cache=True, logits_to_keep=1)]

    (prefix,) = in_halves([choices.shared], begin)
    if isinstance(prefix, ModelError):
        raise prefix
    first = prefix.logits[:, -1:].float()
    branching = _can_branch(model)

    def fit(rows: Sequence[int]) -> bool:
        lengths = [len(choices.rests[row]) for row in rows]
        if branching:
            tokens = sum(lengths)
            return memory.fits(1, read=tokens, kept=before + tokens, scored=tokens)
        longest = max(lengths)
        return memory.fits(len(rows), read=longest, kept=before + longest, scored=longest)

    def run(rows: list[int]) -> list[float]:
        rests = [choices.rests[row] for row in rows]
        cache = copy.deepcopy(prefix.cache)
        if branching:
            return _scores_of_tree(model, first, cache, before, rests)
        cache.batch_repeat_interleave(len(rows))
        return _scores(model, first, cache, before, rests)

    def order(row: int) -> Any:
        return choices.rests[row] if branching else len(choices.rests[row])

    scores = [0.0] * len(choices.rests)
    for rows in batches(sorted(range(len(scores)), key=order), fit):
        results = in_halves(rows, run)
        for row, score in zip(rows, results, strict=True):
            if isinstance(score, ModelError):
                raise score
            scores[row] = score
    return scores


def _can_branch(model: Any) -> bool:
    """Whether each token's place and what it attends to can be told to the model.

    Models with attention to all tokens and with positions that are given; not those that make
    positions of the mask (ALiBi), or look through windows.
    """
    config = model.config.get_text_config()
    kinds = getattr(config, "layer_types", None) or ("full_attention",)
    return (
        set(kinds) == {"full_attention"}
        and not getattr(config, "sliding_window", None)
        and not getattr(config, "alibi", False)
        and config._attn_implementation in ("eager", "sdpa")
        and "position_ids" in inspect.signature(model.forward).parameters
    )


@dataclass(frozen=True, slots=True)
class _PrefixTree:
    """Texts with their common beginnings laid on one another; a node for each of their tokens but
    the last of a text, before which nothing is left to predict.

    ``parents`` come before their children; that of a first token is ``-1``. ``paths`` has the node
    after which each token of each text comes.
    """

    tokens: list[int]
    parents: list[int]
    depths: list[int]
    paths: list[list[int]]


def _tree(texts: Sequence[Sequence[int]]) -> _PrefixTree:
    tree = _PrefixTree([], [], [], [])
    known: dict[tuple[int, int], int] = {}
    for text in texts:
        path = [-1] if text else []
        for depth, token in enumerate(text[:-1]):
            parent = path[-1]
            node = known.setdefault((parent, token), len(known))
            if node == len(tree.tokens):
                tree.tokens.append(token)
                tree.parents.append(parent)
                tree.depths.append(depth)
            path.append(node)
        tree.paths.append(path)
    return tree


def _scores_of_tree(
    model: Any, first: torch.Tensor, cache: Any, before: int, rests: Sequence[Sequence[int]]
) -> list[float]:
    """Of all choices in one row: each token sees the prompt and what its own text has before it."""
    tree = _tree(rests)
    predicting = first[0]
    if size := len(tree.tokens):
        sees = torch.eye(size, dtype=torch.bool)
        for node, parent in enumerate(tree.parents):
            if parent >= 0:
                sees[node] |= sees[parent]
        mask = torch.zeros((size, before + size), dtype=model.dtype)
        mask[:, before:].masked_fill_(~sees, torch.finfo(model.dtype).min)
        output = model(
            torch.tensor([tree.tokens], device=model.device),
            attention_mask=mask[None, None].to(model.device),
            position_ids=torch.tensor([tree.depths], device=model.device) + before,
            cache=cache,
        )
        predicting = torch.cat([predicting, output.logits[0].float()])
    normal = predicting.logsumexp(-1)
    # The first row is what follows the prompt: a node's place is one further.
    each = [
        (place + 1, token)
        for path, rest in zip(tree.paths, rests, strict=True)
        for place, token in zip(path, rest, strict=True)
    ]
    if not each:
        return [0.0] * len(rests)
    places, tokens = torch.tensor(each, device=model.device).T
    found = iter((predicting[places, tokens] - normal[places]).tolist())
    return [sum(next(found) for _ in rest) for rest in rests]


def _scores(
    model: Any, first: torch.Tensor, cache: Any, before: int, rests: Sequence[Sequence[int]]
) -> list[float]:
    """Of choices in a row each, padded."""
    device = model.device
    longest = max(map(len, rests))
    if longest == 0:
        return [0.0] * len(rests)
    tokens = torch.zeros((len(rests), longest), dtype=torch.long, device=device)
    mask = torch.zeros((len(rests), before + longest), dtype=torch.long, device=device)
    for row, rest in enumerate(rests):
        tokens[row, : len(rest)] = torch.tensor(rest, dtype=torch.long, device=device)
        mask[row, : before + len(rest)] = 1
    logits = model(tokens, attention_mask=mask, cache=cache).logits[:, :-1]
    # The logits before a token predict it: shift them by one.
    predicting = torch.cat([first.expand(len(rests), -1, -1), logits.float()], dim=1)
    chosen = predicting.gather(-1, tokens.unsqueeze(-1)).squeeze(-1)
    each = chosen - predicting.logsumexp(-1)
    scores: list[float] = (each * mask[:, before:]).sum(-1).tolist()
    return scores
