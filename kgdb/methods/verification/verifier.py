"""A verifier that ``kgdb lab train verifier`` made: how likely a claim is true after its checks.

RefKG trains the model that infers a verdict from the evidence (§3.4). A verifier is the smallest
such model: a logistic regression on what the checks found
(:mod:`kgdb.methods.verification.features`). Its folder holds ``verifier.safetensors`` and
``config.json``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from kgdb.errors import UsageError
from kgdb.methods.verification.features import FEATURES, vector
from kgdb.settings import BY_RULES
from kgdb.wording import short

FILE = "verifier.safetensors"
CONFIG = "config.json"

Array = NDArray[np.float32]

ARRAYS = ("mean", "spread", "weight", "bias")
"""Each has a number for every feature, except ``bias``, which is one number."""


@dataclass(frozen=True, slots=True)
class VerifierConfig:
    """What a verifier needs beside its weights.

    ``features`` are the names that it reads, ``sure`` is the probability from which it decides a
    claim where the graph may lack facts, ``graphs`` are those that it was trained on.
    """

    features: tuple[str, ...]
    sure: float
    graphs: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """As JSON."""
        return asdict(self)


class TrainedVerifier:
    """Gives the probability that a claim is true; ``arrays`` are those of :data:`ARRAYS`."""

    def __init__(self, name: str, arrays: Mapping[str, Array], config: VerifierConfig) -> None:
        self.name = name
        self.sure, self.graphs = config.sure, config.graphs
        self._arrays = arrays

    def probability(self, features: Mapping[str, float]) -> float:
        """The probability, from 0 to 1, that a claim with these features is true."""
        (one,) = probabilities(self._arrays, np.array([vector(features)], np.float32))
        return float(one)


def probabilities(arrays: Mapping[str, Array], features: Array) -> Array:
    """The probability of each row of ``features``, of shape ``(claims, features)``."""
    standard = (features - arrays["mean"]) / arrays["spread"]
    logits = np.clip(standard @ arrays["weight"] + arrays["bias"], -60, 60)
    return np.asarray(1 / (1 + np.exp(-logits)), np.float32)


def load_verifier(name: str) -> TrainedVerifier | None:
    """The verifier in the folder of that name; ``None`` where rules judge.

    Raises :class:`kgdb.errors.UsageError` for a folder that holds none.
    """
    if name == BY_RULES:
        return None
    folder = Path(name).expanduser()
    config = _read_config(folder)
    try:
        with safe_open(folder / FILE, framework="numpy") as file:
            arrays = {each: file.get_tensor(each).astype(np.float32) for each in ARRAYS}
        _check(arrays)
    except (OSError, SafetensorError, ValueError) as error:
        raise UsageError(
            f"{short(str(folder))} has no verifier that can be read: {error}.",
            hint=f"Expected a folder with {FILE}, as kgdb lab train verifier writes it.",
        ) from None
    return TrainedVerifier(folder.resolve().name, arrays, config)


def _read_config(folder: Path) -> VerifierConfig:
    try:
        return _config(json.loads((folder / CONFIG).read_text("utf-8")))
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise UsageError(
            f"{short(str(folder))} holds no verifier: {CONFIG} cannot be used ({reason}).",
            hint=f"Expected {BY_RULES}, or a folder with {FILE} and {CONFIG}, as kgdb lab train "
            "verifier writes it.",
        ) from None


def _config(given: Any) -> VerifierConfig:
    if not isinstance(given, Mapping):
        raise TypeError("a JSON object is expected")
    graphs, sure = given.get("graphs", []), given["sure"]
    if not isinstance(graphs, list) or not all(isinstance(each, str) for each in graphs):
        raise TypeError("graphs is a list of names")
    if isinstance(sure, bool) or not isinstance(sure, int | float) or not 0.5 <= sure <= 1:
        raise ValueError(f"sure is {short(sure)}; expected a number from 0.5 to 1")
    if given["features"] != list(FEATURES):
        raise ValueError("its features are those of another version of kgdb: train it again")
    return VerifierConfig(FEATURES, float(sure), tuple(graphs))


def _check(arrays: Mapping[str, Array]) -> None:
    for name in ARRAYS:
        shape = () if name == "bias" else (len(FEATURES),)
        if arrays[name].shape != shape or not np.isfinite(arrays[name]).all():
            raise ValueError(f"{name} is no array of finite numbers of the shape {shape}")
    if (arrays["spread"] <= 0).any():
        raise ValueError("spread has numbers that are not above 0")
