"""The scores of a model on rows that are held back: loss, exact replies and right choices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch.nn.functional import cross_entropy

from kgdb.errors import ModelError
from kgdb.lab.training.llm.llm_examples import Example, reply_tokens
from kgdb.language.local.batch_memory import Memory
from kgdb.language.local.choice_scoring import log_probabilities
from kgdb.language.local.prompt_tokens import Tokens

IGNORED = -100
"""The label of a token that has no loss."""


def padded(examples: Sequence[Example], padding: int) -> dict[str, torch.Tensor]:
    """A batch: rows of one length, with labels on the tokens of the replies alone."""
    longest = max(len(each.tokens) for each in examples)
    shape = (len(examples), longest)
    tokens = torch.full(shape, padding, dtype=torch.long)
    labels = torch.full(shape, IGNORED, dtype=torch.long)
    mask = torch.zeros(shape, dtype=torch.long)
    for row, each in enumerate(examples):
        length = len(each.tokens)
        tokens[row, :length] = torch.tensor(each.tokens)
        labels[row, each.prompt : length] = tokens[row, each.prompt : length]
        mask[row, :length] = 1
    return {"input_ids": tokens, "labels": labels, "attention_mask": mask}


def reply_logits(model: Any, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """The logits before each place at which a row has a label, and the labels.

    Most of a prompt has none, and the logits of all its tokens would be most of the memory.
    """
    inputs = {name: values for name, values in batch.items() if name != "labels"}
    labels = batch["labels"][:, 1:]
    places = (labels != IGNORED).any(0).nonzero()[:, 0]
    logits = model(**inputs, logits_to_keep=places).logits
    return logits.float(), labels[:, places]


def dev_scores(
    model: Any,
    tokens: Tokens,
    examples: Sequence[Example],
    *,
    batch_size: int,
    autocast: AbstractContextManager[Any],
) -> dict[str, float]:
    """The scores, over all rows and, where there are several, by task.

    ``loss`` is the mean over the tokens of replies, in nats; ``exact`` the share of replies whose
    every token is the likeliest; ``choice`` the share of rows with choices at which the right one
    is the likeliest, as when the model is asked. Every process scores all rows: then all of them
    agree when to stop.
    """
    was_training = model.training
    model.eval()
    losses: dict[str, list[float]] = defaultdict(list)
    exact: dict[str, list[float]] = defaultdict(list)
    choice: dict[str, list[float]] = defaultdict(list)
    try:
        with torch.no_grad(), autocast:
            for each, loss, is_exact in _forced(model, examples, tokens, batch_size):
                losses[each.task] += loss
                exact[each.task].append(is_exact)
            for each in examples:
                if each.conversation.choices:
                    choice[each.task].append(_chooses_right(model, tokens, each))
    finally:
        model.train(was_training)
    scores: dict[str, float] = {}
    for name, by_task in (("loss", losses), ("exact", exact), ("choice", choice)):
        every = [value for values in by_task.values() for value in values]
        if every:
            scores[name] = sum(every) / len(every)
        if len(losses) > 1:
            scores |= {f"{name}_{task}": sum(v) / len(v) for task, v in sorted(by_task.items())}
    return scores


def _forced(
    model: Any, examples: Sequence[Example], tokens: Tokens, batch_size: int
) -> Iterator[tuple[Example, list[float], bool]]:
    """Each example with the loss of each token of its reply, and whether all are the likeliest."""
    # Rows of one length together: short ones are not padded to the longest of all.
    order = sorted(examples, key=lambda each: len(each.tokens))
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        batch = {
            name: values.to(model.device)
            for name, values in padded(rows, padding_of(tokens.tokenizer)).items()
        }
        logits, labels = reply_logits(model, batch)
        loss = cross_entropy(
            logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="none"
        ).view(labels.shape)
        counts = labels != IGNORED
        right = (logits.argmax(-1) == labels) | ~counts
        for row, each in enumerate(rows):
            yield each, loss[row][counts[row]].tolist(), bool(right[row].all())


def _chooses_right(model: Any, tokens: Tokens, example: Example) -> bool:
    row = example.conversation
    plain = model.get_base_model() if hasattr(model, "get_base_model") else model
    choices = reply_tokens(row, row.choices, tokens)
    try:
        scores = log_probabilities(plain, Memory(plain), choices)
    except ModelError:
        return False
    best = max(range(len(scores)), key=lambda i: (scores[i], -i))
    return row.choices[best] == row.reply


def padding_of(tokenizer: Any) -> int:
    """The token that fills rows up; none attends to it."""
    known = (tokenizer.pad_token_id, tokenizer.eos_token_id, 0)
    return int(next(token for token in known if token is not None))
