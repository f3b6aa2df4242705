"""The cross-encoder trainer of sentence-transformers, with this package's dev scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from sentence_transformers import (
    CrossEncoder,
    CrossEncoderTrainer,
    CrossEncoderTrainingArguments,
)

from kgdb.lab.training.corpus import RelationRow
from kgdb.lab.training.relations.dev_scores import scores_of, scores_text
from kgdb.lab.training.reranker.groups import columns
from kgdb.lab.training.reranker.loss import ChoiceLoss
from kgdb.lab.training.reranker.settings import RerankerTraining
from kgdb.lab.training.runs import Run
from kgdb.lab.training.sentence_trainers import ScoredTrainer, arguments
from kgdb.progress import Report

_BATCH = 64
_FILE = "model.safetensors"


class RerankerTrainer(ScoredTrainer, CrossEncoderTrainer):  # type: ignore[misc]
    """Trains a cross-encoder on rows, with scores on the dev rows."""

    def __init__(
        self,
        model: CrossEncoder,
        rows: Sequence[RelationRow],
        dev: Sequence[RelationRow],
        settings: RerankerTraining,
        run: Run,
        report: Report,
    ) -> None:
        self._kgdb_dev = dev
        super().__init__(
            model=model,
            args=arguments(CrossEncoderTrainingArguments, run, len(rows), settings, dev=bool(dev)),
            train_dataset=Dataset.from_dict(columns(rows, settings)),
            # The rows that are scored are the package's own; the library asks for some.
            eval_dataset=Dataset.from_dict({"question": ["", ""]}) if dev else None,
            loss=ChoiceLoss(model),
        )
        self.follow(run, report, scores_text, patience=settings.patience if dev else 0)

    def _save(self, output_dir: str | None = None, state_dict: Any = None) -> None:  # noqa: ARG002
        """Called by the library for a checkpoint, which needs what is tuned alone."""
        folder = Path(output_dir or str(self.args.output_dir))
        folder.mkdir(parents=True, exist_ok=True)
        tuned = {
            n: p.detach().contiguous() for n, p in self.model.named_parameters() if p.requires_grad
        }
        save_file(tuned, folder / _FILE)

    def _load_from_checkpoint(self, checkpoint_path: str) -> None:
        """The other way round."""
        self.model.load_state_dict(load_file(Path(checkpoint_path) / _FILE), strict=False)

    def scores(self) -> dict[str, float]:
        """The dev scores of the cross-encoder as it is now."""
        was_training = self.model.training
        scores = scores_of(self._kgdb_dev, logits(self.model, self._kgdb_dev))
        self.model.train(was_training)
        return scores


def logits(model: CrossEncoder, rows: Sequence[RelationRow]) -> list[NDArray[np.float64]]:
    """For each row what the model says of its chain, then of each of its negatives.

    Of a chain that is the mean of its wordings', as chains are scored.
    """
    pairs = [
        (row.question, text)
        for row in rows
        for wordings in (row.wordings, *row.negatives)
        for text in wordings
    ]
    distinct = list(dict.fromkeys(pairs))
    scores = model.predict(distinct, batch_size=_BATCH, show_progress_bar=False)
    known = dict(zip(distinct, map(float, scores), strict=True))
    return [
        np.array(
            [
                np.mean([known[row.question, text] for text in wordings])
                for wordings in (row.wordings, *row.negatives)
            ]
        )
        for row in rows
    ]
