"""Greedy writing, many replies at once, each the same as if it were written alone.

The size of a batch changes the last digits of what is computed. Where the two best tokens are
closer than such differences reach, the row leaves the batch, and its reply is written anew, alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from kgdb.errors import ModelError
from kgdb.language.language_model import Completion, CompletionRequest
from kgdb.language.local.batch_memory import Memory, batches, in_halves
from kgdb.language.local.constraints import Constraint
from kgdb.language.local.prefill import can_be_joined, read
from kgdb.language.local.prompt_tokens import Tokens
from kgdb.wording import counted

_DOUBT = 1e-3
"""In float32, ten times what the logits of a batch were seen to differ by from those of one row."""

_TOGETHER = 64
"""Rows in a batch: more gain little, and all wait for the longest reply."""

_ENDING = 64
"""Tokens that a reply may take beyond its limit, to end as its constraint asks."""


@dataclass(slots=True)
class Reply:
    """A reply that is being written.

    It may have as many tokens as its ask allows. If it does not keep its constraint by then, the
    last tokens that do are its end; where there are none, it is brought to an end (``closing``)
    within ``room`` tokens.
    """

    request: CompletionRequest
    prompt: list[int]
    room: int
    constraint: Constraint | None = None
    tokens: list[int] = field(default_factory=list)
    kept: int = 0
    done: bool = False
    cut: bool = False
    doubtful: bool = False
    error: ModelError | None = None

    def start(self) -> None:
        """Begin anew, with what every reply to this ask begins with."""
        self.tokens = self.constraint.start() if self.constraint else []
        self.kept, self.done, self.cut, self.doubtful = 0, False, False, False
        self._look()

    @property
    def open(self) -> bool:
        """Whether the reply goes on."""
        return not (self.done or self.doubtful)

    @property
    def closing(self) -> bool:
        """Whether the reply has had its tokens, and only has to end."""
        return len(self.tokens) >= self.request.max_tokens

    def take(self, token: int, tokens: Tokens, ends: Collection[int]) -> None:
        """Go on with a token."""
        if token in ends:
            self.done = True
            return
        if self.constraint:
            try:
                self.constraint.take(token)
            except ModelError as error:
                self.fail(error)
                return
        self.tokens.append(token)
        if self.request.stop and not self.constraint:
            text = tokens.text(self.tokens)
            if any(stop in text for stop in self.request.stop):
                self.done = True
                return
        self._look()

    def fail(self, error: ModelError) -> None:
        """End without a reply."""
        self.error, self.done = error, True

    def completion(self, tokens: Tokens) -> Completion | ModelError:
        """What is written, or why it cannot be used."""
        if self.error:
            return self.error
        text = tokens.text(self.tokens)
        if not self.constraint:
            for stop in self.request.stop:
                text = text.partition(stop)[0]
            text = text.strip()
        return Completion(
            text, len(self.prompt), len(self.tokens), finish="length" if self.cut else "stop"
        )

    def _look(self) -> None:
        """See whether the reply is at its end."""
        if not self.constraint:
            self.cut = self.done = self.closing
            return
        if self.constraint.complete:
            self.kept = len(self.tokens)
        if self.constraint.over:
            self.done = True
            return
        self.cut = self.closing
        if self.cut and self.kept:
            del self.tokens[self.kept :]
            self.done = True
        elif self.cut and len(self.tokens) >= self.room:
            self.fail(
                ModelError(
                    f"The reply could not be ended as its schema or grammar asks, within "
                    f"{counted(len(self.tokens), 'token')}.",
                    hint="Allow more (max_tokens), or shorter replies.",
                )
            )


class GreedyGenerator:
    """Writes replies with a causal language model. ``ends`` are the tokens that end a reply."""

    def __init__(self, model: Any, tokens: Tokens, ends: Collection[int], memory: Memory) -> None:
        self._model = model
        self._tokens = tokens
        self._ends = ends
        self._memory = memory
        self._takes_positions = "position_ids" in inspect.signature(model.forward).parameters
        self._joins = can_be_joined(model)
        # With the few digits of bfloat16 nearly every reply would be in doubt.
        self._doubt = _DOUBT if model.dtype == torch.float32 else 0.0

    def room(self, request: CompletionRequest, free: int) -> int:
        """The tokens that a reply may have in the end, where the context has ``free`` for it."""
        return min(free, request.max_tokens + _ENDING)

    def write(self, replies: Sequence[Reply]) -> None:
        """Write the replies to their ends."""
        for reply in replies:
            reply.start()
        going = sorted((r for r in replies if r.open), key=lambda reply: len(reply.prompt))
        for batch in batches(going, self._fits):
            self._run(batch, self._doubt if len(batch) > 1 else 0.0)
        for reply in replies:
            if reply.doubtful:
                reply.start()
                self._run([reply], 0.0)

    def _fits(self, batch: Sequence[Reply]) -> bool:
        kept = max(len(reply.prompt) for reply in batch) + max(reply.room for reply in batch)
        most = _TOGETHER if self._joins else 1
        return len(batch) <= most and self._memory.fits(len(batch), read=1, kept=kept, scored=1)

    def _run(self, batch: list[Reply], doubt: float) -> None:
        def run(some: list[Reply]) -> list[None]:
            self._go_on([reply for reply in some if reply.open], doubt)
            return [None] * len(some)

        errors = in_halves(batch, run)
        for reply, error in zip(batch, errors, strict=True):
            if error and reply.open:
                reply.fail(error)

    @torch.inference_mode()
    def _go_on(self, replies: list[Reply], doubt: float) -> None:
        """Write on to the ends of all; with a margin of less than ``doubt`` one is doubtful."""
        if not replies:
            return
        device = self._model.device
        room = max(reply.room - len(reply.tokens) for reply in replies)
        prompts = read(self._model, [reply.prompt + reply.tokens for reply in replies], room)
        cache, mask, logits = prompts.cache, prompts.mask, prompts.logits
        while True:
            self._take(replies, logits, doubt)
            going = [row for row, reply in enumerate(replies) if reply.open]
            if not going:
                return
            if len(going) < len(replies):
                rows = torch.tensor(going, device=device)
                cache.batch_select_indices(rows)
                mask = mask[rows]
                replies = [replies[row] for row in going]
            positions = mask.sum(-1, keepdim=True)
            mask = torch.cat([mask, mask.new_ones((len(replies), 1))], dim=-1)
            output = self._model(
                torch.tensor([reply.tokens[-1:] for reply in replies], device=device),
                attention_mask=mask,
                cache=cache,
                use_cache=True,
                logits_to_keep=1,
                **({"position_ids": positions} if self._takes_positions else {}),
            )
            cache, logits = output.cache, output.logits[:, -1].float()

    def _take(self, replies: Sequence[Reply], logits: torch.Tensor, doubt: float) -> None:
        for row, reply in enumerate(replies):
            if reply.constraint:
                constraint = reply.constraint
                allowed = constraint.closing() if reply.closing else constraint.allowed()
                refused = torch.from_numpy(~allowed).to(logits.device)
                logits[row].masked_fill_(refused, float("-inf"))
        best, tokens = logits.topk(2)
        margins = (best[:, 0] - best[:, 1]).tolist()
        for reply, token, margin in zip(replies, tokens[:, 0].tolist(), margins, strict=True):
            if margin < doubt:
                reply.doubtful = True
            else:
                reply.take(token, self._tokens, self._ends)
