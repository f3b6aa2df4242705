"""The trainer of sentence-transformers, with this package's loss and dev scores."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from datasets import Dataset
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)

from kgdb.lab.training.corpus import RelationRow
from kgdb.lab.training.relations.clustering import Clustering
from kgdb.lab.training.relations.dev_scores import dev_scores, scores_text
from kgdb.lab.training.relations.loss import PrototypeContrastiveLoss
from kgdb.lab.training.relations.rows_for_training import chain_ids, columns
from kgdb.lab.training.relations.settings import RelationTraining
from kgdb.lab.training.runs import Run
from kgdb.lab.training.sentence_trainers import ScoredTrainer, arguments
from kgdb.progress import Report


class RelationTrainer(ScoredTrainer, SentenceTransformerTrainer):  # type: ignore[misc]
    """Trains an encoder on rows, with scores on the dev rows."""

    def __init__(
        self,
        model: SentenceTransformer,
        rows: Sequence[RelationRow],
        dev: Sequence[RelationRow],
        settings: RelationTraining,
        run: Run,
        report: Report,
    ) -> None:
        weight = settings.prototype_weight if settings.prototypes else 0.0
        ids = torch.tensor(chain_ids(rows))
        loss = PrototypeContrastiveLoss(model, ids, settings.temperature, weight)
        self._kgdb_dev = dev
        self._kgdb_temperature = settings.temperature
        super().__init__(
            model=model,
            args=arguments(
                SentenceTransformerTrainingArguments, run, len(rows), settings, dev=bool(dev)
            ),
            train_dataset=Dataset.from_dict(columns(rows, settings)),
            # The rows that are scored are the package's own; the library asks for some.
            eval_dataset=Dataset.from_dict({"question": ["", ""]}) if dev else None,
            loss=loss,
        )
        self.follow(
            run,
            report,
            scores_text,
            patience=settings.patience if dev else 0,
            before=[Clustering(model, rows, settings, loss)],
        )

    def scores(self) -> dict[str, float]:
        """The dev scores of the encoder as it is now."""
        return dev_scores(self.model, self._kgdb_dev, self._kgdb_temperature)
