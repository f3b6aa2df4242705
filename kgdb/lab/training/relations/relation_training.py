"""Trains the relation encoder: from rows of questions and chains to an adapter with its card."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterable
from pathlib import Path

import torch
from datasets import disable_progress_bars
from sentence_transformers import SentenceTransformer
from transformers import set_seed
from transformers.utils import logging as transformers_logging

from kgdb.lab.training import cards
from kgdb.lab.training.callbacks import scores_of_best
from kgdb.lab.training.corpus import RelationRow
from kgdb.lab.training.hardware import computes_in_bfloat16
from kgdb.lab.training.plots import plot
from kgdb.lab.training.processes import is_main, process_count
from kgdb.lab.training.relations.compression import interpolated, write_adapter
from kgdb.lab.training.relations.dev_scores import doubtful, scores_text
from kgdb.lab.training.relations.purpose import purpose
from kgdb.lab.training.relations.relation_card import TrainedEncoder, card
from kgdb.lab.training.relations.relation_settings import RelationTraining
from kgdb.lab.training.relations.rows_for_training import split
from kgdb.lab.training.relations.trainer import RelationTrainer
from kgdb.lab.training.runs import Run
from kgdb.lab.training.trained_run import outcome, train
from kgdb.language.encoders.adapter import CONFIG
from kgdb.language.revisions import revision_of
from kgdb.progress import Message, Report, silent

_PACKAGES = ("torch", "transformers", "sentence-transformers", "scikit-learn")
_EXAMPLES = 3


def train_relations(
    rows: Iterable[RelationRow],
    base: Path,
    output: Path,
    settings: RelationTraining | None = None,
    report: Report = silent,
) -> TrainedEncoder:
    """Tune the encoder in the folder ``base`` and write an adapter to ``output``.

    The folder gets the weights (safetensors), the card ``README.md``, the scores ``config.json``
    and the picture ``loss.png``. A training that was killed goes on where it last saved, to the
    same result, when it is called again with the same arguments and number of threads. Started by
    ``torchrun`` or ``accelerate launch``, the processes work together, and one of them writes.

    Raises :class:`kgdb.errors.UsageError` for a corpus with too few rows, and for a folder that has
    something else in it.
    """
    settings = settings or RelationTraining()
    parted = split(rows, settings)
    told = (
        hashlib.sha256(repr((parted.training, parted.dev)).encode()).hexdigest(),
        revision_of(str(base)),
        settings.to_dict(),
        process_count(),
    )
    main = is_main()
    if not main:
        report = silent
    output = output.absolute()
    run = Run.open(output, told, CONFIG) if main else Run(output, "", CONFIG)
    report(Message(parted.data.told()))
    transformers_logging.disable_progress_bar()
    disable_progress_bars()
    set_seed(settings.seed)
    model = SentenceTransformer(str(base), device="cpu" if not torch.cuda.is_available() else None)
    model.max_seq_length = settings.max_tokens
    before = {name: value.clone() for name, value in _transformer(model).state_dict().items()}
    for name, parameter in _transformer(model).named_parameters():
        # The vectors of words stay: words that no row has keep their places beside those that are.
        parameter.requires_grad = name.startswith("encoder.") or ".layer." in name
    trainer = RelationTrainer(model, parted.training, parted.dev, settings, run, report)
    with warnings.catch_warnings():
        # The libraries' advice to one another.
        warnings.simplefilter("ignore", FutureWarning)
        train(trainer, run, scores_text, report, measured=bool(parted.dev))
    after = scores_of_best(trainer.state)
    if settings.interpolation < 1:
        tuned = _transformer(model)
        tuned.load_state_dict(interpolated(before, tuned.state_dict(), settings.interpolation))
        after = trainer.scores() if parted.dev else {}
    looks_wrong, judged = doubtful(model, parted.training) if main else ([], 0)
    tuned_weights = _transformer(model).state_dict()
    size = write_adapter(before, tuned_weights, output, settings.rank) if main else 0
    parameters = [(each.numel(), each.requires_grad) for each in model.parameters()]
    bfloat16 = computes_in_bfloat16(settings.precision)
    trained = TrainedEncoder(
        folder=output,
        settings=settings,
        data=parted.data,
        bytes=size,
        trained_for=purpose((*parted.training, *parted.dev)),
        judged=judged,
        doubtful=len(looks_wrong),
        doubtful_examples=tuple((row.question, row.wordings[0]) for row in looks_wrong[:_EXAMPLES]),
        **outcome(run, trainer.state, after, parameters, _PACKAGES, bfloat16=bfloat16),
    )
    if not main:
        return trained
    plot(output / cards.PICTURE, trained.history, trained.before, "nats")
    (output / cards.FILE).write_text(card(trained), encoding="utf-8")
    # Last: it says that the adapter is complete.
    text = json.dumps(trained.to_dict(), indent=1, ensure_ascii=False)
    (output / CONFIG).write_text(text + "\n", encoding="utf-8")
    run.end()
    return trained


def _transformer(model: SentenceTransformer) -> torch.nn.Module:
    module: torch.nn.Module = model[0].auto_model
    return module
