"""Verdicts by a trained verifier, and folders that hold none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fakes import BagOfWords, memory_graph
from safetensors.numpy import save_file
from test_checks import World

from kgdb.errors import UsageError
from kgdb.methods import Reasoner, Resources
from kgdb.methods.refkg import Options, RefKG
from kgdb.methods.verification.features import FEATURES, claim_features, vector
from kgdb.methods.verification.verifier import CONFIG, FILE, load_verifier
from kgdb.values import Verdict

pytestmark = pytest.mark.unit

PROVEN = "The director of Snow Whale is Ken Amagiri."
UNKNOWN = "The spouse of Harriet Coldmoor is Oslo."


@dataclass
class Fixed:
    """A verifier that gives one probability, and keeps what it read."""

    likely: float
    sure: float = 0.8
    graphs: tuple[str, ...] = ()
    name: str = "fixed"
    read: Mapping[str, float] | None = None

    def probability(self, features: Mapping[str, float]) -> float:
        self.read = features
        return self.likely


def verify(claim: str, verifier: Fixed, **options: Any) -> Verdict:
    encoder = BagOfWords()
    resources = Resources(memory_graph(World()), encoder, None, verifier=verifier)
    return Reasoner(RefKG(Options(**options)), resources).verify(claim)


@pytest.mark.parametrize(
    ("claim", "likely", "closed_world", "label"),
    [
        (PROVEN, 0.9, False, "SUPPORTED"),
        (PROVEN, 0.7, False, "NOT ENOUGH EVIDENCE"),  # not sure enough
        (PROVEN, 0.7, True, "SUPPORTED"),
        (PROVEN, 0.1, False, "NOT ENOUGH EVIDENCE"),  # no fact is against it
        (PROVEN, 0.1, True, "REFUTED"),
        (UNKNOWN, 0.9, False, "NOT ENOUGH EVIDENCE"),  # no fact is for it
        (UNKNOWN, 0.9, True, "REFUTED"),  # nothing shows what the verifier finds likely
    ],
)
def test_a_label_needs_a_sure_verifier_and_facts_unless_the_graph_is_complete(
    claim: str, likely: float, closed_world: bool, label: str
) -> None:
    verdict = verify(claim, Fixed(likely), closed_world=closed_world)
    assert verdict.label == label
    if label == "NOT ENOUGH EVIDENCE":
        assert "the verifier finds" in str(verdict.reason)
    else:
        assert verdict.confidence == pytest.approx(max(likely, 1 - likely))


def test_it_reads_what_the_facts_show_even_where_the_graph_is_complete() -> None:
    verifier = Fixed(0.9)
    verify(UNKNOWN, verifier, closed_world=True)
    assert verifier.read is not None
    assert verifier.read["affirmed unknown"] == 1
    assert verifier.read["affirmed no"] == 0


def test_another_graph_than_it_was_trained_on_is_told() -> None:
    (note,) = verify(PROVEN, Fixed(0.9, graphs=("dbpedia",))).notes
    assert "dbpedia" in note
    name = memory_graph(World()).name
    assert verify(PROVEN, Fixed(0.9, graphs=("dbpedia", name))).notes == ()


def test_a_claim_about_nothing_is_not_decided() -> None:
    verdict = verify("Qwertz is a Uiop.", Fixed(0.99), closed_world=True)
    assert verdict.label == "NOT ENOUGH EVIDENCE"


def test_features_are_the_same_for_every_claim() -> None:
    verifier = Fixed(0.9)
    for claim in (PROVEN, UNKNOWN, "Ken Amagiri was never born in Kyoto, Oslo or Norway in 1989."):
        verify(claim, verifier)
        assert verifier.read is not None
        assert tuple(verifier.read) == FEATURES
        assert np.isfinite(vector(verifier.read)).all()


def written(folder: Path, sure: Any = 0.8, **arrays: Any) -> Path:
    size = len(FEATURES)
    given = {
        "mean": np.zeros(size, np.float32),
        "spread": np.ones(size, np.float32),
        "weight": np.zeros(size, np.float32),
        "bias": np.array(0.0, np.float32),
    } | arrays
    save_file(given, folder / FILE)
    config = {"features": list(FEATURES), "sure": sure, "graphs": ["films"]}
    (folder / CONFIG).write_text(json.dumps(config), encoding="utf-8")
    return folder


def test_a_verifier_is_read_from_its_folder(tmp_path: Path) -> None:
    weight = np.array([name == "rules" for name in FEATURES], np.float32)
    verifier = load_verifier(str(written(tmp_path, weight=weight)))
    assert verifier is not None
    assert (verifier.name, verifier.sure, verifier.graphs) == (tmp_path.name, 0.8, ("films",))
    features = dict.fromkeys(FEATURES, 0.0)
    assert verifier.probability(features) == 0.5
    assert verifier.probability(features | {"rules": 1.0}) == pytest.approx(1 / (1 + np.exp(-1)))


def test_rules_are_no_folder() -> None:
    assert load_verifier("rules") is None


@pytest.mark.parametrize(
    ("sure", "arrays"),
    [
        (0.3, {}),
        ("0.8", {}),
        (True, {}),
        (0.8, {"weight": np.zeros(3, np.float32)}),
        (0.8, {"bias": np.array([np.nan], np.float32)}),
        (0.8, {"spread": np.zeros(len(FEATURES), np.float32)}),
    ],
)
def test_a_folder_that_holds_no_verifier_is_named(
    tmp_path: Path, sure: Any, arrays: dict[str, Any]
) -> None:
    written(tmp_path, sure, **arrays)
    with pytest.raises(UsageError, match=tmp_path.name):
        load_verifier(str(tmp_path))


def test_a_verifier_of_other_features_has_to_be_trained_again(tmp_path: Path) -> None:
    written(tmp_path)
    config = {"features": ["words"], "sure": 0.8}
    (tmp_path / CONFIG).write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(UsageError, match="train it again"):
        load_verifier(str(tmp_path))
    with pytest.raises(UsageError, match="holds no verifier"):
        load_verifier(str(tmp_path / "no"))


def test_nothing_checked_has_features_too() -> None:
    from kgdb.methods.verification.claims import Claim

    features = claim_features(Claim("Nothing.", (), ()), (), 0)
    assert features["no check"] == 1
    assert features["rules"] == 0
