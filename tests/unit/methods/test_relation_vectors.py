"""Embeddings of relations: read as loading stored them, else made once for a reasoner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from fakes import BagOfWords, MemoryDatabase, MemoryDriver, graph_info
from numpy.typing import NDArray

from kgdb.graph import Graph
from kgdb.language import encode_relations
from kgdb.methods import QuestionContext, Resources
from kgdb.methods.context.batching import run_batched
from kgdb.values import Step

pytestmark = pytest.mark.unit

TRIPLES = [("Heat", "directed_by", "Mann"), ("Heat", "starred_actors", "Pacino")]
TEXTS = {"directed_by": {"text": "the director of {}", "inverse": "the films directed by {}"}}
STEPS = tuple(
    Step(relation, reverse)
    for reverse in (False, True)
    for relation in ("directed_by", "starred_actors")
)

Rows = tuple[tuple[Step, ...], NDArray[np.float32]]


def world(encoder: str | None, stored: bool = True) -> tuple[Graph, MemoryDriver]:
    """A graph whose relations have embeddings that no encoder would make, or have none."""
    driver = MemoryDriver(TRIPLES, TEXTS)
    if stored:
        driver.vectors = {
            "directed_by": ([1.0, 0.0], [0.0, 1.0]),
            "starred_actors": ([0.6, 0.8], [0.8, 0.6]),
        }
    return Graph(MemoryDatabase(driver), replace(graph_info(), encoder=encoder)), driver


def asked(graph: Graph, encoder: BagOfWords, times: int = 1) -> list[Rows]:
    """What as many questions of one run are given."""
    resources = Resources(graph, encoder, None)

    async def question(ctx: QuestionContext) -> Rows:
        await ctx.encoder.relation_vectors()
        return await ctx.encoder.relation_vectors()

    contexts = [QuestionContext(resources, "?") for _ in range(times)]
    results: Any = run_batched([(question(ctx), ctx.charge) for ctx in contexts])
    for result in results:
        if isinstance(result, Exception):
            raise result
    return list(results)


def sent(driver: MemoryDriver) -> list[str]:
    return [name for name, _ in driver.sent]


def test_what_was_stored_by_the_same_encoder_is_read_once_and_nothing_is_encoded() -> None:
    graph, driver = world("bag of words")
    encoder = BagOfWords()
    for steps, matrix in asked(graph, encoder, times=3):
        assert steps == STEPS
        assert matrix.dtype == np.float32
        assert matrix == pytest.approx(np.array([[1, 0], [0.6, 0.8], [0, 1], [0.8, 0.6]]))
    asked(graph, encoder)
    assert sent(driver) == ["relations/vectors"]
    assert encoder.encoded == []


@pytest.mark.parametrize("encoder", [None, "another"])
def test_what_another_encoder_stored_is_not_read(encoder: str | None) -> None:
    graph, driver = world(encoder)
    own = BagOfWords()
    (first, *others) = asked(graph, own, times=3)
    assert first[0] == STEPS
    assert first[1].shape == (4, BagOfWords.dimensions)
    assert all(other[1] is first[1] for other in others)
    assert own.encoded == [
        "the director of it",
        "the films directed by it",
        "the starred actors of it",
        "what has it as starred actors",
    ]
    assert sent(driver) == ["relations"]


@pytest.mark.parametrize(
    "vectors",
    [
        {},
        {"directed_by": ([1.0], [1.0])},
        {"directed_by": ([1.0], [1.0]), "starred_actors": ([1.0, 0.0], [1.0])},
        {"directed_by": ([], []), "starred_actors": ([], [])},
    ],
)
def test_embeddings_that_are_not_whole_count_as_none(vectors: dict[str, Any]) -> None:
    """Relations that came later, or a load without the encoder, leave some without."""
    graph, driver = world("bag of words")
    driver.vectors = vectors
    assert graph.relation_vectors("bag of words") is None
    (found,) = asked(graph, BagOfWords())
    assert found[1].shape == (4, BagOfWords.dimensions)


def test_each_row_is_that_of_its_step() -> None:
    graph, _ = world(None, stored=False)
    encoder = BagOfWords()
    vectors = encode_relations(tuple(graph.relations.values()), encoder)
    (requests,) = encoder.encode(["the films directed by her"])
    best = vectors.steps[int((vectors.matrix @ requests).argmax())]
    assert best == Step("directed_by", reverse=True)
    assert vectors.encoder == "bag of words"
