"""Conversations as the tokens that a model is tuned on; what cannot be used is counted, and why."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgdb.errors import UsageError
from kgdb.lab.training.cards import Origins, origins_json
from kgdb.lab.training.corpus.conversations import Conversation
from kgdb.lab.training.corpus.from_graph import HELD_BACK
from kgdb.language.local.prompt_tokens import Choices, Tokens
from kgdb.wording import brief, counted, listed, one_line, short

_EXAMPLES = 3
_WINDOW = 32
"""Batches among which rows of one length are put together: enough for little padding, and few
enough that the rows of a batch change from epoch to epoch."""


@dataclass(frozen=True, slots=True)
class Example:
    """A conversation in tokens. The loss is on those from ``prompt`` on: the reply (equation 8)."""

    conversation: Conversation
    tokens: tuple[int, ...]
    prompt: int

    @property
    def task(self) -> str:
        """The task of the conversation."""
        return self.conversation.task


@dataclass(slots=True)
class DataReport:
    """What a corpus holds, what of it is used, and what is not, with the reason.

    ``contradictions`` are rows beside the usual reply to their prompt. Those whose reply is rarer
    than another are dropped; where two are equally frequent, both may be right. ``origins`` counts
    the used rows by graph, source and licence.
    """

    rows: int = 0
    used: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    dropped_examples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    contradictions: int = 0
    origins: Origins = field(default_factory=Counter)
    held_back: int = 0

    def drop(self, row: Conversation, reason: str) -> None:
        """Count a row that is not used."""
        self.dropped[reason] += 1
        if len(self.dropped_examples[reason]) < _EXAMPLES:
            said = one_line(row.messages[-1].content)
            self.dropped_examples[reason].append(brief(said, 120))

    def to_dict(self) -> dict[str, object]:
        """The report as JSON has it."""
        return {
            "rows": self.rows,
            "used": dict(self.used),
            "dropped": dict(self.dropped),
            "dropped_examples": dict(self.dropped_examples),
            "contradictions": self.contradictions,
            "held_back": self.held_back,
            "origins": origins_json(self.origins),
        }


def examples_of(
    rows: Sequence[Conversation], tokens: Tokens, max_tokens: int, tasks: Sequence[str] = ()
) -> tuple[list[Example], DataReport]:
    """The rows of the tasks (empty: of all) in tokens.

    Raises :class:`kgdb.errors.UsageError` if none is left.
    """
    replies: dict[Any, Counter[str]] = defaultdict(Counter)
    for row in rows:
        replies[_prompt(row)][row.reply] += 1
    beside = sum(counts.total() - max(counts.values()) for counts in replies.values())
    report = DataReport(rows=len(rows), contradictions=beside)
    there = {row.task for row in rows}
    if missing := [task for task in tasks if task not in there]:
        raise UsageError(
            f"The corpus has no row of the task {short(missing[0])}.",
            hint=f"Its tasks are: {listed(sorted(there))}.",
        )
    examples = []
    for row in rows:
        if tasks and row.task not in tasks:
            continue
        counts = replies[_prompt(row)]
        example: Example | str = "another reply to the same prompt is more frequent"
        if counts[row.reply] == max(counts.values()):
            example = _example(row, tokens, max_tokens)
        if isinstance(example, str):
            report.drop(row, example)
            continue
        examples.append(example)
        report.used[row.task] += 1
        report.origins[row.graph, row.source, row.licence] += 1
    if not examples:
        reasons = listed(f"{reason} ({n:,})" for reason, n in report.dropped.most_common())
        raise UsageError(
            "The corpus has no row to tune on." if not rows else f"No row can be used: {reasons}.",
            hint="kgdb lab train conversations makes rows; docs/reference/conversations.md "
            "describes them.",
        )
    return examples, report


def reply_tokens(row: Conversation, replies: Sequence[str], tokens: Tokens) -> Choices:
    """The tokens of a conversation with each of some replies, as they are when it is asked."""
    messages = [(turn.role, turn.content) for turn in row.messages]
    return tokens.replies(messages, replies, continues=row.continues)


def _example(row: Conversation, tokens: Tokens, max_tokens: int) -> Example | str:
    """The row in tokens, or why there are none."""
    if not row.reply.strip():
        return "the reply is empty"
    if not any(turn.content.strip() for turn in row.messages):
        return "the prompt is empty"
    if row.choices and row.reply not in row.choices:
        return "the reply is none of the choices"
    return _tokenized(row, tokens, max_tokens)


def _tokenized(row: Conversation, tokens: Tokens, max_tokens: int) -> Example | str:
    try:
        both = reply_tokens(row, [row.reply], tokens)
    except Exception as error:
        # A template raises what it likes.
        return f"the model's chat template refuses it ({type(error).__name__})"
    (reply,) = both.rests
    # A text that is gone on with has no end: what is chosen is one of several phrases.
    end = tokens.tokenizer.eos_token_id
    if not row.continues and end is not None:
        reply = [*reply, end]
    if len(both.shared) + len(reply) > max_tokens:
        return f"it has more than {counted(max_tokens, 'token')}"
    if not reply:
        return "the reply has no token of its own"
    return Example(row, (*both.shared, *reply), len(both.shared))


def _prompt(row: Conversation) -> Any:
    return row.task, row.messages


def split(
    examples: Sequence[Example], share: float, max_rows: int, seed: int
) -> tuple[list[Example], list[Example]]:
    """The examples to tune on, and those held back: whole groups, so no question is in both.

    A corpus that was made with rows for measuring is split as it says.
    """
    made = [each for each in examples if each.conversation.source == HELD_BACK]
    if made and share:
        rest = [each for each in examples if each.conversation.source != HELD_BACK]
        return rest, random.Random(seed).sample(made, min(len(made), max_rows))
    groups: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        row = example.conversation
        groups[row.group or "\n".join(turn.content for turn in row.messages)].append(example)
    wanted = min(round(share * len(examples)), max_rows)
    order = sorted(groups)
    random.Random(seed).shuffle(order)
    back: set[str] = set()
    count = 0
    for group in order:
        if count >= wanted:
            break
        # A question that very many rows ask would be all of the dev set.
        if len(groups[group]) <= max(1, wanted - count):
            back.add(group)
            count += len(groups[group])
    held = [each for group in order if group in back for each in groups[group]]
    kept = [each for group in sorted(groups) if group not in back for each in groups[group]]
    return kept, held


def training_order(
    examples: Sequence[Example],
    weights: Mapping[str, float],
    epochs: float,
    seed: int,
    batch_size: int = 1,
) -> list[int]:
    """Which example comes when, for all epochs: the whole run, so a resumed one goes on in it.

    In each epoch an example is drawn as often as the weight of its ``task:reply``, or else of its
    task, says (the fraction of a weight is a probability); without weights, once. Rows of about
    one length share a batch, as a batch is as long as its longest row.
    """
    names = {name for each in examples for name in (each.task, _class(each))}
    if unknown := [name for name in weights if name not in names]:
        raise UsageError(
            f"There is a weight for {short(unknown[0])}, but no row of it.",
            hint="Expected a task of the corpus, or task:reply. Its tasks are: "
            f"{listed(sorted({each.task for each in examples}))}.",
        )
    draw = random.Random(seed)
    order: list[int] = []
    left = epochs
    while left > 0:
        epoch = []
        for index, example in enumerate(examples):
            weight = weights.get(_class(example), weights.get(example.task, 1.0))
            whole = int(weight)
            epoch += [index] * (whole + (draw.random() < weight - whole))
        draw.shuffle(epoch)
        epoch = _batched(epoch, examples, batch_size, draw)
        order += epoch if left >= 1 else epoch[: round(left * len(epoch))]
        left -= 1
    if not order:
        raise UsageError(
            "With these weights and epochs no row is ever drawn.",
            hint="Give one task a weight of 1, or tune for more epochs.",
        )
    return order


def _batched(
    epoch: Sequence[int], examples: Sequence[Example], batch_size: int, draw: random.Random
) -> list[int]:
    """The order with rows of one length together, in batches that come in a random order."""
    if batch_size == 1:
        return list(epoch)
    size = batch_size * _WINDOW
    order: list[int] = []
    for start in range(0, len(epoch), size):
        rows = sorted(epoch[start : start + size], key=lambda i: len(examples[i].tokens))
        batches = [rows[at : at + batch_size] for at in range(0, len(rows), batch_size)]
        # One that is not full would shift all batches after it.
        full = batches[: len(rows) // batch_size]
        draw.shuffle(full)
        order += [row for batch in [*full, *batches[len(full) :]] for row in batch]
    return order


def _class(example: Example) -> str:
    return f"{example.task}:{example.conversation.reply}"
