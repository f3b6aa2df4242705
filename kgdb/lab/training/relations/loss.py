"""The prototype contrastive loss of GoT-R (§3.2, equation 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from kgdb.lab.training.relations.prototypes import Prototypes

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_FAR = -1e4
"""The logit of what is no negative: a chain that is the anchor's own."""


class PrototypeContrastiveLoss(nn.Module):
    """How far questions are from their chains, and from the prototypes of their clusters.

    The trainer gives the texts of a batch as columns: the question, the right chain, and any
    number of wrong ones. The label of a row is its place in the corpus; ``chains`` has an id of the
    chain of each row, so that the same chain elsewhere in a batch is no negative.
    """

    def __init__(
        self, model: SentenceTransformer, chains: Tensor, temperature: float, weight: float
    ) -> None:
        super().__init__()
        self.model = model
        self.temperature = temperature
        self.weight = weight
        self.chains = chains
        self.prototypes: Prototypes | None = None

    def forward(self, sentence_features: Iterable[Mapping[str, Tensor]], labels: Tensor) -> Tensor:
        """The loss of a batch; ``labels`` has shape ``(rows,)``."""
        given: list[Any] = list(sentence_features)
        vectors = [
            functional.normalize(self.model(each)["sentence_embedding"].float(), dim=1)
            for each in given
        ]
        questions = vectors[0]
        own = self.chains[labels]
        logits = questions @ torch.cat(vectors[1:]).T / self.temperature
        same = own[:, None] == own[None]
        same.fill_diagonal_(False)
        hidden = functional.pad(same, (0, logits.shape[1] - len(own)))
        loss = functional.cross_entropy(
            logits.masked_fill(hidden, _FAR), torch.arange(len(own), device=logits.device)
        )
        if self.prototypes is not None and self.weight:
            loss = loss + self.weight * self._to_prototypes(questions, labels, self.prototypes)
        return loss

    def _to_prototypes(self, questions: Tensor, labels: Tensor, found: Prototypes) -> Tensor:
        """The second term: the prototype of the own cluster against those of the nearest."""
        device = questions.device
        mine = torch.from_numpy(found.cluster).to(device)[labels]
        others = torch.from_numpy(found.nearest).to(device)[mine]
        compared = torch.cat([mine[:, None], others], dim=1)
        vectors = torch.from_numpy(found.vectors).to(device)[compared]
        phi = torch.from_numpy(found.concentration).to(device)[compared]
        logits = torch.einsum("rd,rcd->rc", questions, vectors) / phi
        return functional.cross_entropy(
            logits, torch.zeros(len(labels), dtype=torch.long, device=device)
        )
