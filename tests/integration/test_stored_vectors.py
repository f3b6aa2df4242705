"""Embeddings of relations: what a load has written is what a question reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sources import load_facts

import kgdb
from kgdb import loading
from kgdb.values import Step

pytestmark = pytest.mark.integration

FACTS = [("Heat", "directed_by", "Mann"), ("Heat", "in", "English")]


class Lengths:
    """An encoder that tells texts apart by their length."""

    name = "lengths"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        angles = np.array([len(text) / 50 for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_what_a_load_writes_is_read_in_one_round_trip(
    clean: kgdb.Connection, tmp_path: Path
) -> None:
    graph = load_facts(clean, tmp_path, "small", FACTS, Lengths)
    assert graph.info.encoder == "lengths"
    found = graph.relation_vectors("lengths")
    assert found is not None
    assert found.steps == (
        Step("directed_by"),
        Step("in"),
        Step("directed_by", reverse=True),
        Step("in", reverse=True),
    )
    texts = [
        "what it is directed by",
        "what it is in",
        "what is directed by it",
        "what is in it",
    ]
    assert found.matrix == pytest.approx(Lengths().encode(texts))
    assert graph.relation_vectors("lengths") is found
    assert graph.relation_vectors("all-MiniLM-L6-v2") is None


def test_a_graph_loaded_anew_without_an_encoder_has_none(
    clean: kgdb.Connection, tmp_path: Path
) -> None:
    encoded = load_facts(clean, tmp_path, "small", FACTS, Lengths)
    loading.unload(clean, encoded.info)
    graph = load_facts(clean, tmp_path, "small", FACTS)
    assert graph.info.encoder is None
    assert graph.relation_vectors("lengths") is None
