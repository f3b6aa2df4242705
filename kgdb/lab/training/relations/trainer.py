"""The trainer of sentence-transformers, with this package's dev scores and order of rows."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from datasets import Dataset
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from torch.utils.data import Sampler
from transformers import PrinterCallback
from transformers.trainer_callback import EarlyStoppingCallback

from kgdb.lab.training.callbacks import EVALUATED, Saving, Telling
from kgdb.lab.training.corpus import RelationRow
from kgdb.lab.training.hardware import computes_in_bfloat16
from kgdb.lab.training.processes import cpu_backend, process_count
from kgdb.lab.training.relations.clustering import Clustering
from kgdb.lab.training.relations.dev_scores import dev_scores, scores_text
from kgdb.lab.training.relations.loss import PrototypeContrastiveLoss
from kgdb.lab.training.relations.relation_settings import RelationTraining
from kgdb.lab.training.relations.rows_for_training import chain_ids, columns
from kgdb.lab.training.runs import Run
from kgdb.progress import Report

_LOGS = 50
"""Losses of a training, at least."""


class _ShuffledBatches(Sampler[list[int]]):
    """Whole batches in an order that depends on the seed and the epoch alone.

    The library's order depends on the epochs before it, which a resumed training does not have.
    """

    def __init__(self, rows: int, batch_size: int, seed: int) -> None:
        self._rows = rows
        self.batch_size = batch_size
        self.drop_last = True
        self._seed = seed
        self._epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Called by the library at the begin of an epoch."""
        self._epoch = epoch

    def __len__(self) -> int:
        return self._rows // self.batch_size

    def __iter__(self) -> Iterator[list[int]]:
        dice = torch.Generator().manual_seed(self._seed + self._epoch)
        order = torch.randperm(self._rows, generator=dice).tolist()
        for start in range(0, len(self) * self.batch_size, self.batch_size):
            yield order[start : start + self.batch_size]


class RelationTrainer(SentenceTransformerTrainer):  # type: ignore[misc]
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
            args=_arguments(run, len(rows), settings, dev=bool(dev)),
            train_dataset=Dataset.from_dict(columns(rows, settings)),
            # The rows that are scored are the package's own; the library asks for some.
            eval_dataset=Dataset.from_dict({"question": ["", ""]}) if dev else None,
            loss=loss,
        )
        self.remove_callback(PrinterCallback)
        self.add_callback(Clustering(model, rows, settings, loss))
        # After it: a checkpoint is whole with the momentum encoder.
        self.add_callback(Saving(run))
        self.add_callback(Telling(report, scores_text))
        if dev and settings.patience:
            self.add_callback(EarlyStoppingCallback(settings.patience))
        logging.getLogger("transformers.trainer").setLevel(logging.ERROR)

    def add_model_card_callback(self, *_: Any) -> None:
        """Called by the library; its card is not needed, as this package writes one."""

    def get_batch_sampler(self, dataset: Any, batch_size: int, **_: Any) -> Any:
        """The order of rows, asked for by the library."""
        return _ShuffledBatches(len(dataset), batch_size, self.args.seed)

    def scores(self) -> dict[str, float]:
        """The dev scores of the encoder as it is now."""
        return dev_scores(self.model, self._kgdb_dev, self._kgdb_temperature)

    def evaluate(self, *args: Any, **named: Any) -> dict[str, float]:  # noqa: ARG002
        """The dev scores, as the library wants them."""
        metrics = {f"{EVALUATED}{name}": score for name, score in self.scores().items()}
        self.log(dict(metrics))
        self.control: Any = self.callback_handler.on_evaluate(
            self.args, self.state, self.control, metrics
        )
        return metrics


def _arguments(
    run: Run, rows: int, settings: RelationTraining, *, dev: bool
) -> SentenceTransformerTrainingArguments:
    epoch = max(1, rows // (settings.batch_size * process_count()))
    between = max(1, epoch // settings.evaluations)
    cpu = not torch.cuda.is_available()
    return SentenceTransformerTrainingArguments(
        output_dir=str(run.folder),
        num_train_epochs=settings.epochs,
        per_device_train_batch_size=min(settings.batch_size, rows),
        learning_rate=settings.learning_rate,
        warmup_steps=int(epoch * settings.epochs * settings.warmup),
        dataloader_drop_last=True,
        bf16=computes_in_bfloat16(settings.precision),
        use_cpu=cpu,
        ddp_backend=cpu_backend() if cpu else None,
        ddp_find_unused_parameters=False,
        dataloader_pin_memory=not cpu,
        seed=settings.seed,
        save_strategy="steps",
        save_steps=between,
        save_total_limit=2,
        eval_strategy="steps" if dev else "no",
        eval_steps=between,
        load_best_model_at_end=dev,
        metric_for_best_model="loss" if dev else None,
        greater_is_better=False if dev else None,
        logging_strategy="steps",
        logging_steps=max(1, epoch * settings.epochs // _LOGS),
        report_to="none",
        disable_tqdm=True,
        log_level="error",
    )
