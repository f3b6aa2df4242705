"""Trains the reranker of chains: from rows of questions and chains to an adapter with its card."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from datasets import disable_progress_bars
from sentence_transformers import CrossEncoder
from transformers import set_seed
from transformers.utils import logging as transformers_logging

from kgdb.lab.training import cards
from kgdb.lab.training.corpus import RelationRow
from kgdb.lab.training.hardware import computes_in_bfloat16, device_name
from kgdb.lab.training.plots import plot
from kgdb.lab.training.relations.compression import write_adapter
from kgdb.lab.training.relations.dev_scores import scores_of, scores_text
from kgdb.lab.training.relations.purpose import purpose
from kgdb.lab.training.relations.rows_for_training import Split, split
from kgdb.lab.training.reranker.card import TrainedReranker, card
from kgdb.lab.training.reranker.groups import drawn
from kgdb.lab.training.reranker.settings import RerankerTraining
from kgdb.lab.training.reranker.trainer import RerankerTrainer, logits
from kgdb.lab.training.runs import Run
from kgdb.language import RerankerBase
from kgdb.language.encoders.adapter import CONFIG, HEAD
from kgdb.language.encoders.pair_model import tuned, untuned, weights, without_head
from kgdb.language.revisions import revision_of
from kgdb.progress import Message, Report, silent

_PACKAGES = ("torch", "transformers", "sentence-transformers")


def train_reranker(
    rows: Iterable[RelationRow],
    base: RerankerBase,
    output: Path,
    settings: RerankerTraining | None = None,
    report: Report = silent,
) -> TrainedReranker:
    """Tune the cross-encoder ``base`` and write an adapter to ``output``.

    The folder gets the weights (safetensors), the card ``README.md``, the scores ``config.json``
    and the picture ``loss.png``. A training that was killed goes on where it last saved, to the
    same result, when it is called again with the same arguments and number of threads.

    Raises :class:`kgdb.errors.UsageError` for a corpus with too few rows, for a base that is no
    cross-encoder, and for a folder that has something else in it.
    """
    settings = settings or RerankerTraining()
    parted = _parted(rows, settings)
    told = (
        hashlib.sha256(repr((parted.training, parted.dev)).encode()).hexdigest(),
        revision_of(base.source),
        base.start and revision_of(str(base.start)),
        settings.to_dict(),
    )
    output = output.absolute()
    run = Run.open(output, told, CONFIG)
    report(Message(parted.data.told()))
    transformers_logging.disable_progress_bar()
    disable_progress_bars()
    set_seed(settings.seed)
    before = without_head(weights(untuned(base.source)))
    model = untuned(base.source, base.start)
    for name, parameter in model.named_parameters():
        # The vectors of words stay: words that no row has keep their places beside those that are.
        parameter.requires_grad &= "embeddings" not in name
    trainer = RerankerTrainer(model, parted.training, parted.dev, settings, run, report)
    checkpoint = run.last_checkpoint()
    if checkpoint is None:
        run.begin(trainer.scores() if parted.dev else {})
        if run.before:
            report(Message(f"Before tuning: dev {scores_text(run.before)}."))
    else:
        report(Message(f"Going on from step {checkpoint.name.rpartition('-')[2]}."))
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    size = write_adapter(before, weights(model), output, settings.rank, whole=HEAD)
    parameters = [(each.numel(), each.requires_grad) for each in model.parameters()]
    trained = TrainedReranker(
        folder=output,
        base=base.name,
        used_as=base.used_as,
        settings=settings,
        data=parted.data,
        before=run.before,
        after=_scores(tuned(base.source, output), parted),
        steps=trainer.state.global_step,
        all_steps=trainer.state.max_steps,
        best_step=trainer.state.best_global_step or trainer.state.global_step,
        seconds=run.elapsed,
        parameters=sum(count for count, _ in parameters),
        tuned_parameters=sum(count for count, is_tuned in parameters if is_tuned),
        bytes=size,
        bfloat16=computes_in_bfloat16(settings.precision),
        device=device_name(),
        packages={name: version(name) for name in _PACKAGES},
        trained_for=purpose((*parted.training, *parted.dev)),
        history=tuple(trainer.state.log_history),
    )
    plot(output / cards.PICTURE, trained.history, trained.before, "nats")
    (output / cards.FILE).write_text(card(trained), encoding="utf-8")
    # Last: it says that the adapter is complete.
    text = json.dumps(trained.to_dict(), indent=1, ensure_ascii=False)
    (output / CONFIG).write_text(text + "\n", encoding="utf-8")
    run.end()
    return trained


def _parted(rows: Iterable[RelationRow], settings: RerankerTraining) -> Split:
    """The rows to train on and the dev rows, at most as many as the settings allow."""
    parted = split(rows, settings)
    training = drawn(parted.training, settings)
    if left := len(parted.training) - len(training):
        data = parted.data
        data.used = len(training)
        data.origins.clear()
        data.origins.update((row.graph, row.source, row.licence) for row in training)
        data.dropped["not among the rows that were drawn"] = left
    return replace(parted, training=training)


def _scores(model: CrossEncoder, parted: Split) -> dict[str, float]:
    return scores_of(parted.dev, logits(model, parted.dev)) if parted.dev else {}
