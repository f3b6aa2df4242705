"""Fits a verifier with scikit-learn: a logistic regression on the features of examined claims."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from kgdb.lab.training import cards
from kgdb.lab.training.corpus.claim_rows import read_claims
from kgdb.lab.training.runs import Run, digest
from kgdb.lab.training.verifier.verifier_card import TrainedVerifierReport, card
from kgdb.lab.training.verifier.verifier_examples import FEWEST_OF_LABEL, Labels, Part, examples_of
from kgdb.lab.training.verifier.verifier_settings import VerifierTraining
from kgdb.methods.verification.features import FEATURES
from kgdb.methods.verification.verifier import (
    CONFIG,
    FILE,
    Array,
    VerifierConfig,
    probabilities,
)
from kgdb.optional_packages import optional
from kgdb.progress import Message, Report, silent
from kgdb.wording import counted

RESULTS = "training.json"
_ITERATIONS = 5000
_PACKAGES = ("scikit-learn", "numpy", "safetensors")
_RULES = FEATURES.index("rules")


def train_verifier(
    corpus: Path,
    output: Path,
    settings: VerifierTraining | None = None,
    *,
    report: Report = silent,
) -> TrainedVerifierReport:
    """Train a verifier on a file of ``kgdb lab train claims``, and write it to ``output``.

    The same corpus and settings give the same verifier. It takes seconds: a run that was killed
    begins again.

    Raises :class:`kgdb.errors.UsageError` for a corpus, settings or a folder that cannot be used.
    """
    settings = settings or VerifierTraining()
    optional("sklearn", "lab")
    begun = time.monotonic()
    output = output.absolute()
    run = Run.open(output, (digest(corpus), settings.to_dict()), RESULTS)
    examples = examples_of(read_claims(corpus), settings.held_back, settings.seed)
    data = examples.report
    report(
        Message(
            f"{counted(data.rows, 'claim')}: {data.training:,} to train on, {data.held_back:,} "
            "held back."
        )
    )
    arrays = _fitted(examples.training, settings)
    sure = _sure(examples.training, settings)
    graphs = tuple(sorted({graph for graph, _, _ in data.origins if graph}))
    back = examples.held_back
    result = TrainedVerifierReport(
        str(output),
        VerifierConfig(FEATURES, sure, graphs),
        settings,
        data,
        {"accuracy": _share(back.features[:, _RULES] > 0, back.labels)},
        _scores(probabilities(arrays, back.features), back.labels, sure),
        {name: float(each) for name, each in zip(FEATURES, arrays["weight"], strict=True)},
        time.monotonic() - begun,
        {name: version(name) for name in _PACKAGES},
    )
    run.begin({})
    save_file(arrays, output / FILE)
    _json(output / CONFIG, result.config.to_dict())
    (output / cards.FILE).write_text(card(result), encoding="utf-8")
    # Last: it says that the verifier is complete.
    _json(output / RESULTS, result.to_dict())
    run.end()
    return result


def _fitted(part: Part, settings: VerifierTraining) -> dict[str, Array]:
    mean = part.features.mean(axis=0, dtype=np.float64)
    spread = part.features.std(axis=0, dtype=np.float64)
    # A feature that never varies would get a weight of its own noise.
    spread = np.where(spread > 1e-6, spread, 1.0)
    model = _model(settings).fit((part.features - mean) / spread, part.labels)
    arrays = {"mean": mean, "spread": spread, "weight": model.coef_[0], "bias": model.intercept_[0]}
    return {name: np.array(each, np.float32) for name, each in arrays.items()}


def _model(settings: VerifierTraining) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(
        C=1 / settings.strength, max_iter=_ITERATIONS, random_state=settings.seed
    )


def _sure(part: Part, settings: VerifierTraining) -> float:
    """The least probability from which claims that the model has not seen are decided as asked.

    1 where no probability is enough: then nothing is decided but in a graph that lacks no fact.
    """
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(FEWEST_OF_LABEL, shuffle=True, random_state=settings.seed)
    found = np.zeros(len(part.labels), np.float32)
    for fitted, seen in folds.split(part.features, part.labels):
        arrays = _fitted(Part(part.features[fitted], part.labels[fitted]), settings)
        found[seen] = probabilities(arrays, part.features[seen])
    confidence = np.maximum(found, 1 - found)
    right = (found >= 0.5) == part.labels
    order = np.argsort(-confidence, kind="stable")
    precision = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(precision >= settings.precision)
    if not len(enough):
        return 1.0
    # Rounded up: stored with fewer digits, it decides no claim more.
    return float(min(1.0, np.ceil(confidence[order[enough[-1]]] * 1e4) / 1e4))


def _scores(found: Array, labels: Labels, sure: float) -> dict[str, float]:
    right = (found >= 0.5) == labels
    decided = np.maximum(found, 1 - found) >= sure
    scores = {"accuracy": float(right.mean()), "sure": float(decided.mean())}
    if decided.any():
        scores["accuracy where sure"] = float(right[decided].mean())
    return scores


def _share(given: Labels, labels: Labels) -> float:
    return float((given == labels).mean())


def _json(file: Path, value: Mapping[str, object]) -> None:
    file.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
