"""How an encoder ranks the chains of rows: dev scores, and rows whose label looks wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgdb.lab.training.corpus import RelationRow

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

DOUBTFUL = 0.1
"""How much more similar a wrong chain is to the question of a row whose label looks wrong."""

_JUDGED = 3_000
"""Rows whose labels are judged at most: all of a large corpus take as long as its training."""


def similarities(
    model: SentenceTransformer, rows: Sequence[RelationRow]
) -> list[NDArray[np.float64]]:
    """For each row how similar its question is to its chain, then to each of its negatives.

    A chain's similarity is the mean of its wordings', as chains are scored.
    """
    texts = sorted(
        {text for row in rows for each in (row.wordings, *row.negatives) for text in each}
        | {row.question for row in rows}
    )
    encoded = model.encode(
        texts, normalize_embeddings=True, show_progress_bar=False, batch_size=128
    )
    vectors = dict(zip(texts, np.asarray(encoded, np.float64), strict=True))
    return [
        np.array(
            [
                np.mean([vectors[row.question] @ vectors[text] for text in each])
                for each in (row.wordings, *row.negatives)
            ]
        )
        for row in rows
    ]


def dev_scores(
    model: SentenceTransformer, rows: Sequence[RelationRow], temperature: float
) -> dict[str, float]:
    """The scores on rows with negatives: over all of them and, if there are several, by graph.

    ``loss`` is the mean cross-entropy of the right chain among the row's chains, in nats;
    ``first`` the share of questions whose right chain is more similar than all others.
    """
    losses: dict[str, list[float]] = defaultdict(list)
    first: dict[str, list[float]] = defaultdict(list)
    for row, similar in zip(rows, similarities(model, rows), strict=True):
        logits = similar / temperature
        losses[row.graph].append(float(np.logaddexp.reduce(logits) - logits[0]))
        first[row.graph].append(float(similar[0] > similar[1:].max()))
    scores: dict[str, float] = {}
    for name, by_graph in (("loss", losses), ("first", first)):
        every = [value for values in by_graph.values() for value in values]
        if every:
            scores[name] = sum(every) / len(every)
        if len(by_graph) > 1:
            scores |= {f"{name}_{graph}": sum(v) / len(v) for graph, v in sorted(by_graph.items())}
    return scores


def scores_text(scores: Mapping[str, float]) -> str:
    """The scores over all graphs in words."""
    return f"loss {scores['loss']:.3f}, the right chain first for {scores['first']:.1%}"


def doubtful(
    model: SentenceTransformer, rows: Sequence[RelationRow]
) -> tuple[list[RelationRow], int]:
    """Rows whose label looks wrong, worst first, and how many were judged.

    The encoder was trained with these rows among many that agree with one another, and still finds
    a negative far more similar. Of a large corpus, evenly spaced rows are judged.
    """
    judged = [row for row in rows if row.negatives]
    judged = judged[:: -(-len(judged) // _JUDGED) or 1]
    found = []
    for row, similar in zip(judged, similarities(model, judged), strict=True):
        if (gap := float(similar[1:].max() - similar[0])) > DOUBTFUL:
            found.append((gap, row))
    found.sort(key=lambda each: -each[0])
    return [row for _, row in found], len(judged)
