"""The loss of the reranker: which of several chains a question asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from sentence_transformers.util import batch_to_device
from torch import Tensor, nn
from torch.nn import functional

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


class ChoiceLoss(nn.Module):
    """The cross-entropy of the right chain among those that a question is read with, in nats.

    The trainer gives the texts of a batch as columns: the question, the right chain, and any number
    of wrong ones.
    """

    def __init__(self, model: CrossEncoder) -> None:
        super().__init__()
        self.model = model

    def forward(
        self,
        inputs: Sequence[Sequence[str]],
        labels: Tensor | None = None,  # noqa: ARG002
        **_: Any,
    ) -> Tensor:
        """The mean over the rows of a batch."""
        questions, *chains = inputs
        pairs = [pair for column in chains for pair in zip(questions, column, strict=True)]
        features = batch_to_device(self.model.preprocess(pairs), self.model.device)
        logits = self.model(features)["scores"].float().reshape(len(chains), len(questions)).T
        right = torch.zeros(len(questions), dtype=torch.long, device=logits.device)
        return functional.cross_entropy(logits, right)
