"""Trains an expert: from rows of queries with evidence to a folder for RefKG's ``expert``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from kgdb.errors import UsageError
from kgdb.lab.training import cards
from kgdb.lab.training.corpus.evidence_rows import EvidenceRow, read_evidence
from kgdb.lab.training.expert.expert_card import TrainedExpertReport, card
from kgdb.lab.training.expert.expert_examples import Examples, examples_of, label
from kgdb.lab.training.expert.expert_measures import measures, threshold_for, weight_for
from kgdb.lab.training.expert.expert_settings import ExpertTraining
from kgdb.lab.training.runs import Run, digest
from kgdb.language import evidence_text, load_states
from kgdb.language.experts.trained import CONFIG, FILE, ExpertConfig, HiddenStates, Network
from kgdb.optional_packages import optional
from kgdb.progress import Message, Progress, Report, silent
from kgdb.settings import Settings
from kgdb.wording import counted, short

Array = NDArray[np.float32]

RESULTS = "training.json"
_STATES = "states.safetensors"
_TOGETHER = 512
_PACKAGES = ("torch", "numpy", "safetensors")


def train_expert(
    corpus: Path,
    output: Path,
    models: Settings,
    settings: ExpertTraining | None = None,
    *,
    report: Report = silent,
) -> TrainedExpertReport:
    """Train an expert on a corpus of evidence and write it to the folder ``output``.

    It reads the states of ``models.llm`` or of ``models.encoder``, as the settings say. A run that
    was killed goes on, to the same result, when it is called again with the same arguments and
    number of threads.

    Raises :class:`kgdb.errors.UsageError` for a corpus, settings or a folder that cannot be used,
    and :class:`kgdb.errors.ModelMissing` for a model that cannot be loaded.
    """
    settings = settings or ExpertTraining()
    for package in ("torch", "matplotlib"):
        optional(package, "lab")
    examples = examples_of(read_evidence(corpus), settings)
    model, layers = _read_by(models, settings)
    output = output.absolute()
    run = Run.open(output, (digest(corpus), model, settings.to_dict()), RESULTS)
    report(Message(_told(examples)))
    states = load_states(settings.hidden, model, layers, models, report)
    result = _Training(examples, states, run, settings, report).result(model, layers, str(output))
    _write(run, result)
    return result


def _read_by(models: Settings, settings: ExpertTraining) -> tuple[str, int]:
    """The model whose states are read, and how many of its layers."""
    if settings.hidden == "llm":
        return models.llm, settings.layers
    if models.encoder.startswith("minilm+"):
        raise UsageError(
            f"An expert cannot read the vectors of {short(models.encoder)}.",
            hint="Expected --encoder minilm or hf:NAME_OR_FOLDER.",
        )
    return models.encoder, 0


class _Training:
    def __init__(
        self,
        examples: Examples,
        states: HiddenStates,
        run: Run,
        settings: ExpertTraining,
        report: Report,
    ) -> None:
        self._examples = examples
        self._states = states
        self._run = run
        self._settings = settings
        self._report = report

    def result(self, model: str, layers: int, folder: str) -> TrainedExpertReport:
        from kgdb.lab.training.expert.fitting import Fitting

        settings, rows = self._settings, self._examples.held_back
        self._run.folder.mkdir(parents=True, exist_ok=True)
        training, dev = self._states_of(self._examples.training), self._states_of(rows)
        fitting = Fitting(
            training,
            _labels(self._examples.training, settings),
            (dev, _labels(rows, settings)),
            settings,
        )
        checkpoint = self._run.last_checkpoint()
        if checkpoint is None:
            self._run.begin({"loss": fitting.error_before})
        else:
            self._report(Message(f"Going on from epoch {checkpoint.name.rpartition('-')[2]}."))
        fitted = fitting.run(checkpoint, self._save, self._watch)
        save_file(fitted.arrays, self._run.output / FILE)
        scores = _by_row(Network(fitted.arrays).scores(dev), rows)
        similarities = [np.array([p.similarity for p in row.evidence], np.float32) for row in rows]
        threshold = threshold_for(scores, rows, settings.recall)
        weight = weight_for(scores, rows)
        low = threshold_for(similarities, rows, settings.recall)
        return TrainedExpertReport(
            folder,
            self._states.name,
            ExpertConfig(
                settings.hidden,
                model,
                layers,
                threshold,
                weight,
                tuple(sorted({graph for graph, _, _ in self._examples.report.origins if graph})),
            ),
            settings,
            self._examples.report,
            measures(similarities, rows, low, weight_for(similarities, rows)),
            measures(scores, rows, threshold, weight),
            low,
            fitted.best_epoch,
            self._run.elapsed,
            {name: version(name) for name in _PACKAGES},
            fitted.history,
        )

    def _states_of(self, rows: Sequence[EvidenceRow]) -> Array:
        """The state of every piece of evidence, kept in the run's folder: they take longest."""
        pairs = [(row.query, evidence_text(piece.facts)) for row in rows for piece in row.evidence]
        name = hashlib.sha256(repr(pairs).encode()).hexdigest()[:16]
        file = self._run.folder / f"{name}-{_STATES}"
        if file.is_file():
            kept: Array = load_file(file)["states"].astype(np.float32)
            return kept
        parts = []
        for start in range(0, len(pairs), _TOGETHER):
            self._report(Progress("Reading evidence", start, len(pairs), "pieces"))
            parts.append(self._states.states(pairs[start : start + _TOGETHER]).astype(np.float16))
        self._report(Progress("Reading evidence", len(pairs), len(pairs), "pieces"))
        states = np.concatenate(parts)
        part = file.with_suffix(".part")
        save_file({"states": states}, part)
        part.replace(file)
        return np.asarray(states, np.float32)

    def _save(self, epoch: int, write: Callable[[Path], None]) -> None:
        folder = self._run.folder / f"checkpoint-{epoch}"
        folder.mkdir(exist_ok=True)
        write(folder)
        self._run.is_whole(epoch)

    def _watch(self, epoch: int, errors: dict[str, float]) -> None:
        self._report(Progress("Training", epoch, self._settings.epochs, "epochs"))
        self._report(
            Message(
                f"Epoch {epoch} of {self._settings.epochs}: error {errors['loss']:.4f}, "
                f"on the evidence held back {errors['eval_loss']:.4f}."
            )
        )


def _labels(rows: Sequence[EvidenceRow], settings: ExpertTraining) -> Array:
    share = settings.gold_share
    return np.array([label(piece, share) for row in rows for piece in row.evidence], np.float32)


def _by_row(scores: Array, rows: Sequence[EvidenceRow]) -> list[Array]:
    ends = np.cumsum([len(row.evidence) for row in rows])
    return np.split(scores, ends[:-1])


def _write(run: Run, result: TrainedExpertReport) -> None:
    from kgdb.lab.training.plots import plot

    output = run.output
    _json(output / CONFIG, result.config.to_dict())
    plot(output / cards.PICTURE, result.history, run.before, "squared error")
    (output / cards.FILE).write_text(card(result), encoding="utf-8")
    # Last: it says that the expert is complete.
    _json(output / RESULTS, result.to_dict())
    run.end()


def _json(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _told(examples: Examples) -> str:
    data = examples.report
    text = f"{counted(data.rows, 'row')}: {data.training:,} to train on, {data.held_back:,} held "
    text += f"back; {counted(data.pieces, 'piece')} of evidence."
    for reason, number in data.dropped.most_common():
        text += f"\nDropped {counted(number, 'row')}: {reason}."
    if data.contradictions:
        text += f"\nDropped {counted(data.contradictions, 'piece')}: both gold and noise."
    if data.outliers:
        text += f"\nDropped {counted(data.outliers, 'piece')}: an anomalous similarity."
    return text
