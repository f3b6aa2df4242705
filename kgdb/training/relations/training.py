"""Trains the relation encoder: from rows of questions and chains to an adapter with its card."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from datasets import Dataset
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from transformers import TrainerCallback

from kgdb.errors import UsageError
from kgdb.language.encoders.adapter import BASE, CONFIG
from kgdb.training.corpus import RelationRow
from kgdb.training.relations.compression import write_adapter
from kgdb.training.relations.loss import PrototypeContrastiveLoss
from kgdb.training.relations.prototypes import Prototypes, cluster
from kgdb.training.relations.rows_for_training import Split, chain_ids, columns, split
from kgdb.training.relations.settings import RelationTraining
from kgdb.wording import short

CHECKPOINTS = "checkpoints"
_QUESTIONS = 8
"""Questions of a cluster, on average, at least."""

_SAVES = 8
"""Checkpoints of a training, at least: a killed one repeats an eighth."""


@dataclass(frozen=True, slots=True)
class TrainedEncoder:
    """What a training gave.

    ``before`` and ``after`` are the shares of held-back questions whose chain is more similar than
    all its negatives; ``None`` where none are held back. ``losses`` are pairs of step and loss.
    """

    folder: Path
    rows: int
    dropped: dict[str, int]
    before: float | None
    after: float | None
    losses: tuple[tuple[int, float], ...]
    seconds: float
    bytes: int


Watch = Callable[[int, int, float], None]
"""Called after a step with its number, the number of all steps and the loss."""


def train_relations(
    rows: Iterable[RelationRow],
    base: Path,
    output: Path,
    settings: RelationTraining | None = None,
    watch: Watch | None = None,
) -> TrainedEncoder:
    """Tune the encoder in the folder ``base`` and write an adapter to ``output``.

    A training that was stopped goes on from its last checkpoint, if it is asked for with the same
    rows and settings. Raises :class:`kgdb.errors.UsageError` for a corpus with too few rows, and
    for an ``output`` that has something else in it.
    """
    settings = settings or RelationTraining()
    began = time.monotonic()
    torch.manual_seed(settings.seed)
    parted = split(rows, settings)
    _prepare(output, parted, settings)
    model = SentenceTransformer(str(base), device="cpu" if not torch.cuda.is_available() else None)
    model.max_seq_length = settings.max_tokens
    before = {name: value.clone() for name, value in _transformer(model).state_dict().items()}
    score_before = accuracy(model, parted.held_back)
    for name, parameter in _transformer(model).named_parameters():
        # The vectors of words stay: words that no row has keep their places beside those that are.
        parameter.requires_grad = name.startswith("encoder.") or ".layer." in name
    clustering = _Clustering(model, parted.training, settings)
    ids = torch.tensor(chain_ids(parted.training))
    weight = settings.prototype_weight if settings.prototypes else 0.0
    loss = PrototypeContrastiveLoss(model, ids, settings.temperature, weight)
    follow = _Follow(clustering, loss, watch)
    trainer = SentenceTransformerTrainer(
        model=model,
        args=_arguments(output / CHECKPOINTS, len(parted.training), settings),
        train_dataset=Dataset.from_dict(columns(parted.training, settings)),
        loss=loss,
        callbacks=[follow],
    )
    checkpoints = sorted((output / CHECKPOINTS).glob("checkpoint-*"))
    trainer.train(resume_from_checkpoint=bool(checkpoints))
    score_after = accuracy(model, parted.held_back)
    size = write_adapter(before, _transformer(model).state_dict(), output, settings.rank)
    trained = TrainedEncoder(
        output,
        len(parted.training),
        parted.dropped,
        score_before,
        score_after,
        tuple(follow.losses),
        time.monotonic() - began,
        size,
    )
    _describe(trained, settings)
    shutil.rmtree(output / CHECKPOINTS, ignore_errors=True)
    return trained


def accuracy(model: SentenceTransformer, rows: Sequence[RelationRow]) -> float | None:
    """The share of questions that are more similar to their chain than to each of its negatives.

    A chain's similarity is the mean of its wordings', as chains are scored.
    """
    judged = [row for row in rows if row.negatives]
    if not judged:
        return None
    texts = sorted(
        {t for row in judged for each in (row.wordings, *row.negatives) for t in each}
        | {row.question for row in judged}
    )
    encoded = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    vectors = dict(zip(texts, np.asarray(encoded), strict=True))
    right = 0
    for row in judged:
        own, *others = (
            float(np.mean([vectors[row.question] @ vectors[text] for text in each]))
            for each in (row.wordings, *row.negatives)
        )
        right += own > max(others)
    return right / len(judged)


class _Clustering:
    """The clusters of the corpus by a momentum encoder: the mean of the encoder's past weights."""

    def __init__(
        self, model: SentenceTransformer, rows: Sequence[RelationRow], settings: RelationTraining
    ) -> None:
        self._model = model
        self._rows = rows
        self._settings = settings
        self._mean = {name: p.detach().clone() for name, p in self._trained()}

    def _trained(self) -> list[tuple[str, torch.nn.Parameter]]:
        return [(name, p) for name, p in self._model.named_parameters() if p.requires_grad]

    def step(self) -> None:
        """Take the weights of a further step into the mean."""
        with torch.no_grad():
            for name, parameter in self._trained():
                self._mean[name].lerp_(parameter, 1 - self._settings.momentum)

    def prototypes(self) -> Prototypes:
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

    def _encoded(self, texts: list[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        distinct = list(dict.fromkeys(texts))
        vectors = self._model.encode(
            distinct, normalize_embeddings=True, show_progress_bar=False, batch_size=128
        )
        place = {text: n for n, text in enumerate(distinct)}
        return np.asarray(vectors, np.float32)[[place[text] for text in texts]]

    def save(self, folder: Path) -> None:
        """Keep the mean beside a checkpoint."""
        torch.save(self._mean, folder / "momentum.pt")

    def load(self, folder: Path) -> None:
        """Go on from the mean of a checkpoint."""
        self._mean = torch.load(folder / "momentum.pt", weights_only=True)


class _Follow(TrainerCallback):  # type: ignore[misc]
    """Renews the prototypes, keeps the momentum, and tells of each step."""

    def __init__(
        self, clustering: _Clustering, loss: PrototypeContrastiveLoss, watch: Watch | None
    ) -> None:
        self._clustering = clustering
        self._loss = loss
        self._watch = watch
        self.losses: list[tuple[int, float]] = []

    def on_train_begin(self, args: Any, state: Any, *_: Any, **__: Any) -> None:
        """Go on where a stopped training was."""
        folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if state.global_step and folder.exists():
            self._clustering.load(folder)
            self.losses = [(e["step"], e["loss"]) for e in state.log_history if "loss" in e]
            if self._loss.weight:
                self._loss.prototypes = self._clustering.prototypes()

    def on_epoch_begin(self, *_: Any, **__: Any) -> None:
        """Cluster the questions anew."""
        if self._loss.weight:
            self._loss.prototypes = self._clustering.prototypes()

    def on_step_end(self, *_: Any, **__: Any) -> None:
        """Take the step into the mean."""
        self._clustering.step()

    def on_save(self, args: Any, state: Any, *_: Any, **__: Any) -> None:
        """Keep what a checkpoint of the trainer lacks."""
        self._clustering.save(Path(args.output_dir) / f"checkpoint-{state.global_step}")

    def on_log(
        self, _args: Any, state: Any, _control: Any, logs: dict[str, Any] | None = None, **__: Any
    ) -> None:
        """Tell of the loss."""
        if logs and "loss" in logs:
            self.losses.append((state.global_step, float(logs["loss"])))
            if self._watch:
                self._watch(state.global_step, state.max_steps, float(logs["loss"]))


def _relations(rows: Sequence[RelationRow]) -> int:
    """K of the paper: as many clusters as there are relations, of some questions each."""
    relations = {step.removeprefix("^") for row in rows for step in row.chain}
    return max(2, min(len(relations), len(rows) // _QUESTIONS))


def _transformer(model: SentenceTransformer) -> torch.nn.Module:
    module: torch.nn.Module = model[0].auto_model
    return module


def _arguments(
    folder: Path, rows: int, settings: RelationTraining
) -> SentenceTransformerTrainingArguments:
    steps = max(1, rows // settings.batch_size) * settings.epochs
    return SentenceTransformerTrainingArguments(
        output_dir=str(folder),
        num_train_epochs=settings.epochs,
        per_device_train_batch_size=settings.batch_size,
        learning_rate=settings.learning_rate,
        warmup_steps=int(steps * settings.warmup),
        dataloader_drop_last=True,
        bf16=_has_bf16() if settings.precision == "auto" else settings.precision == "bf16",
        seed=settings.seed,
        data_seed=settings.seed,
        logging_steps=max(1, steps // 50),
        save_steps=max(1, steps // _SAVES),
        save_total_limit=1,
        report_to=[],
        disable_tqdm=True,
        use_cpu=not torch.cuda.is_available(),
    )


def _has_bf16() -> bool:
    """Whether the machine multiplies such numbers faster than others."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu._is_amx_tile_supported())


def _prepare(output: Path, parted: Split, settings: RelationTraining) -> None:
    """Make the folder, or find it as a training of the same rows and settings left it."""
    wanted = {
        "rows": len(parted.training),
        "first": parted.training[0].question,
        "last": parted.training[-1].question,
        **settings.to_dict(),
    }
    told = output / CHECKPOINTS / "training.json"
    if told.exists() and json.loads(told.read_text(encoding="utf-8")) == wanted:
        return
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UsageError(
            f"{short(str(output))} exists and holds something else.",
            hint="Name another --output, or remove it.",
        )
    told.parent.mkdir(parents=True)
    told.write_text(json.dumps(wanted), encoding="utf-8")


def _describe(trained: TrainedEncoder, settings: RelationTraining) -> None:
    config = {
        "base": BASE,
        "rows": trained.rows,
        "dropped": trained.dropped,
        "accuracy": {"before": trained.before, "after": trained.after},
        "seconds": round(trained.seconds, 1),
        "settings": settings.to_dict(),
    }
    text = json.dumps(config, indent=1) + "\n"
    (trained.folder / CONFIG).write_text(text, encoding="utf-8")
