"""The clusters of a corpus by a momentum encoder: the mean of the encoder's past weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from transformers import TrainerCallback

from kgdb.lab.training.corpus import RelationRow
from kgdb.lab.training.relations.loss import PrototypeContrastiveLoss
from kgdb.lab.training.relations.prototypes import Prototypes, cluster
from kgdb.lab.training.relations.relation_settings import RelationTraining

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_FILE = "momentum.safetensors"
_PROTOTYPES = "prototypes."
_QUESTIONS = 8
"""Questions of a cluster, on average, at least."""


class Clustering(TrainerCallback):  # type: ignore[misc]
    """Renews the prototypes of the loss in each epoch, and keeps the momentum encoder.

    Both are saved beside a checkpoint: a training that goes on there has the same ones.
    """

    def __init__(
        self,
        model: SentenceTransformer,
        rows: Sequence[RelationRow],
        settings: RelationTraining,
        loss: PrototypeContrastiveLoss,
    ) -> None:
        self._model = model
        self._rows = rows
        self._settings = settings
        self._loss = loss
        self._mean = {name: p.detach().clone() for name, p in self._trained()}
        self._resumed = False

    def on_train_begin(self, args: Any, state: Any, control: Any, **named: Any) -> None:  # noqa: ARG002
        """Go on where an interrupted training was."""
        if state.global_step:
            self._load(Path(args.output_dir) / f"checkpoint-{state.global_step}")
            # At the end of an epoch, the next one clusters anew.
            self._resumed = not float(state.epoch).is_integer()

    def on_epoch_begin(self, *_: Any, **__: Any) -> None:
        """Cluster the questions anew."""
        if self._loss.weight and not self._resumed:
            self._loss.prototypes = self._prototypes()
        self._resumed = False

    def on_step_end(self, *_: Any, **__: Any) -> None:
        """Take the weights of the step into the mean."""
        with torch.no_grad():
            for name, parameter in self._trained():
                self._mean[name].lerp_(parameter, 1 - self._settings.momentum)

    def on_save(self, args: Any, state: Any, control: Any, **named: Any) -> None:  # noqa: ARG002
        """Save what a checkpoint of the trainer lacks."""
        if not state.is_world_process_zero:
            return
        kept = dict(self._mean)
        if (found := self._loss.prototypes) is not None:
            for field in fields(found):
                kept[_PROTOTYPES + field.name] = torch.from_numpy(getattr(found, field.name))
        kept = {name: value.contiguous() for name, value in kept.items()}
        save_file(kept, Path(args.output_dir) / f"checkpoint-{state.global_step}" / _FILE)

    def _load(self, folder: Path) -> None:
        saved = load_file(folder / _FILE)
        found = {
            name.removeprefix(_PROTOTYPES): saved.pop(name).numpy()
            for name in list(saved)
            if name.startswith(_PROTOTYPES)
        }
        self._loss.prototypes = Prototypes(**found) if found else None
        self._mean = {name: saved[name].to(p.device) for name, p in self._trained()}

    def _trained(self) -> list[tuple[str, torch.nn.Parameter]]:
        return [(name, p) for name, p in self._model.named_parameters() if p.requires_grad]

    def _prototypes(self) -> Prototypes:
        """The clusters as the momentum encoder sees the questions now."""
        own = {name: p.detach().clone() for name, p in self._trained()}
        self._take(self._mean)
        questions = self._encoded([row.question for row in self._rows])
        chains = self._encoded([row.wordings[0] for row in self._rows])
        self._take(own)
        settings = self._settings
        return cluster(
            questions,
            chains,
            clusters=settings.clusters or _relations(self._rows),
            nearest=settings.nearest,
            temperature=settings.temperature,
            smoothing=settings.smoothing,
            seed=settings.seed,
        )

    def _take(self, weights: dict[str, torch.Tensor]) -> None:
        with torch.no_grad():
            for name, parameter in self._trained():
                parameter.copy_(weights[name])

    def _encoded(self, texts: list[str]) -> NDArray[np.float32]:
        distinct = list(dict.fromkeys(texts))
        vectors = self._model.encode(
            distinct, normalize_embeddings=True, show_progress_bar=False, batch_size=128
        )
        place = {text: n for n, text in enumerate(distinct)}
        return np.asarray(vectors, np.float32)[[place[text] for text in texts]]


def _relations(rows: Sequence[RelationRow]) -> int:
    """K of the paper: as many clusters as there are relations, of some questions each."""
    relations = {step.removeprefix("^") for row in rows for step in row.chain}
    return max(2, min(len(relations), len(rows) // _QUESTIONS))
