"""What this package changes of sentence-transformers' trainers: dev scores, the order of rows."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import torch
from torch.utils.data import Sampler
from transformers import PrinterCallback
from transformers.trainer_callback import EarlyStoppingCallback

from kgdb.lab.training.callbacks import EVALUATED, Saving, Telling
from kgdb.lab.training.hardware import computes_in_bfloat16
from kgdb.lab.training.runs import Run
from kgdb.lab.training.setting_checks import Precision
from kgdb.progress import Report

_LOGS = 50
"""Losses of a training, at least."""

_Arguments = TypeVar("_Arguments")


class Settings(Protocol):
    """What the settings of such a training have."""

    @property
    def epochs(self) -> int:
        """How often the corpus is gone through."""

    @property
    def batch_size(self) -> int:
        """Rows of a step."""

    @property
    def learning_rate(self) -> float:
        """The highest one."""

    @property
    def warmup(self) -> float:
        """Share of the steps in which the learning rate rises."""

    @property
    def evaluations(self) -> int:
        """Dev scores in an epoch."""

    @property
    def patience(self) -> int:
        """Evaluations without a lower loss after which training stops; 0: none."""

    @property
    def precision(self) -> Precision:
        """What matrices multiply in."""

    @property
    def seed(self) -> int:
        """Draws what is random."""


class ShuffledBatches(Sampler[list[int]]):
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


class ScoredTrainer:
    """Stands before a trainer of the library among the bases of a trainer with dev scores.

    A subclass has :meth:`scores`, and calls :meth:`follow` when it is made.
    """

    model: Any
    args: Any
    state: Any
    control: Any
    callback_handler: Any

    def scores(self) -> dict[str, float]:
        """The dev scores of the model as it is now."""
        raise NotImplementedError

    def follow(
        self: Any,
        run: Run,
        report: Report,
        words: Any,
        *,
        patience: int,
        before: Sequence[Any] = (),
    ) -> None:
        """Save whole checkpoints, tell the dev scores in ``words``, and stop early.

        The callbacks ``before`` are called first: a checkpoint is whole with what they save.
        """
        self.remove_callback(PrinterCallback)
        for callback in (*before, Saving(run), Telling(report, words)):
            self.add_callback(callback)
        if patience:
            self.add_callback(EarlyStoppingCallback(patience))
        logging.getLogger("transformers.trainer").setLevel(logging.ERROR)

    def add_model_card_callback(self, *_: Any) -> None:
        """Called by the library; its card is not needed, as this package writes one."""

    def get_batch_sampler(self, dataset: Any, batch_size: int, **_: Any) -> Any:
        """The order of rows, asked for by the library."""
        return ShuffledBatches(len(dataset), batch_size, self.args.seed)

    def evaluate(self: Any, *args: Any, **named: Any) -> dict[str, float]:  # noqa: ARG002
        """The dev scores, as the library wants them."""
        metrics = {f"{EVALUATED}{name}": score for name, score in self.scores().items()}
        self.log(dict(metrics))
        self.control = self.callback_handler.on_evaluate(
            self.args, self.state, self.control, metrics
        )
        return metrics


def arguments(
    kind: type[_Arguments], run: Run, rows: int, settings: Settings, *, dev: bool
) -> _Arguments:
    """The arguments of the library's trainer, of its class for them."""
    epoch = max(1, rows // settings.batch_size)
    between = max(1, epoch // settings.evaluations)
    cpu = not torch.cuda.is_available()
    given: Mapping[str, Any] = {
        "output_dir": str(run.folder),
        "num_train_epochs": settings.epochs,
        "per_device_train_batch_size": min(settings.batch_size, rows),
        "learning_rate": settings.learning_rate,
        "warmup_steps": int(epoch * settings.epochs * settings.warmup),
        "dataloader_drop_last": True,
        "bf16": computes_in_bfloat16(settings.precision),
        "use_cpu": cpu,
        "dataloader_pin_memory": not cpu,
        "seed": settings.seed,
        "save_strategy": "steps",
        "save_steps": between,
        "save_total_limit": 2,
        "eval_strategy": "steps" if dev else "no",
        "eval_steps": between,
        "load_best_model_at_end": dev,
        "metric_for_best_model": "loss" if dev else None,
        "greater_is_better": False if dev else None,
        "logging_strategy": "steps",
        "logging_steps": max(1, epoch * settings.epochs // _LOGS),
        "report_to": "none",
        "disable_tqdm": True,
        "log_level": "error",
    }
    return kind(**given)
