"""An expert that ``kgdb lab train expert`` made: a small network on hidden states, in numpy.

Its folder holds ``expert.safetensors`` with the two layers of the network and the mean and spread
of what they read, and ``config.json``, which says whose states these are, and the threshold α.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from kgdb.errors import UsageError
from kgdb.language.language_model import Encoder
from kgdb.wording import short

FILE = "expert.safetensors"
CONFIG = "config.json"

Array = NDArray[np.float32]
Hidden = Literal["encoder", "llm"]

Pair = tuple[str, str]
"""A query and a piece of evidence, each as a text."""

_SHAPES = {
    "mean": 1,
    "spread": 1,
    "hidden.weight": 2,
    "hidden.bias": 1,
    "out.weight": 1,
    "out.bias": 1,
}
"""The dimensions of each array."""

_LARGEST = 1e4


@dataclass(frozen=True, slots=True)
class ExpertConfig:
    """What an expert needs beside its weights.

    ``hidden`` says whose states it reads, ``model`` the name of that encoder or language model as
    ``--encoder`` and ``--llm`` take it, ``layers`` how many of its layers (0: an encoder).
    ``threshold`` is α, ``weight`` that of its score in a chain's score.
    """

    hidden: Hidden
    model: str
    layers: int
    threshold: float
    weight: float
    graphs: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """As JSON."""
        return asdict(self)


class HiddenStates(Protocol):
    """A model that turns pairs into vectors."""

    @property
    def name(self) -> str:
        """The model, as a person would cite it."""

    def states(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """One row for each pair; pairs that are the same have the same row."""


class EncoderStates:
    """The vectors of query and evidence by a sentence encoder, and their product by dimension.

    Each text is read for itself, so this is no joint reading as in the paper. It costs no more than
    the similarity does.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.name = encoder.name
        self._encoder = encoder

    def states(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """Rows of three times the encoder's dimensions."""
        places: dict[str, int] = {}
        queries = [places.setdefault(query, len(places)) for query, _ in pairs]
        evidence = [places.setdefault(text, len(places)) for _, text in pairs]
        vectors = self._encoder.encode(list(places))
        one, other = vectors[queries], vectors[evidence]
        return np.concatenate([one, other, one * other], axis=1).astype(np.float32)


class Network:
    """Two layers: the states, standardized, to the numbers between, to a score from 0 to 1."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self._mean, self._spread = arrays["mean"], arrays["spread"]
        self._hidden = arrays["hidden.weight"], arrays["hidden.bias"]
        self._out = arrays["out.weight"], arrays["out.bias"]

    def scores(self, states: Array) -> Array:
        """The score of each row."""
        weight, bias = self._hidden
        between = np.maximum((states - self._mean) / self._spread @ weight.T + bias, 0)
        weight, bias = self._out
        logits = np.clip(between @ weight + bias, -60, 60)
        scores: Array = 1 / (1 + np.exp(-logits))
        return scores


class TrainedExpert:
    """Judges evidence by a network on hidden states; see :mod:`kgdb.language.experts`."""

    judges_paths = True

    def __init__(
        self, name: str, network: Network, states: HiddenStates, config: ExpertConfig
    ) -> None:
        self.name = f"{name} on {states.name}"
        self.threshold, self.weight = config.threshold, config.weight
        self.graphs = config.graphs
        self._network = network
        self._states = states

    def scores(self, pairs: Sequence[Pair]) -> list[float]:
        """For each (query, evidence) how well the evidence answers the query, from 0 to 1."""
        if not pairs:
            return []
        return [float(score) for score in self._network.scores(self._states.states(pairs))]


def read_config(folder: Path) -> ExpertConfig:
    """The configuration of the expert in a folder; raises :class:`kgdb.errors.UsageError`."""
    try:
        given = json.loads((folder / CONFIG).read_text("utf-8"))
        return _config(given)
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise UsageError(
            f"{short(str(folder))} holds no expert: {CONFIG} cannot be used ({reason}).",
            hint=f"Expected a folder with {FILE} and {CONFIG}, as kgdb lab train expert writes it.",
        ) from None


def read_network(folder: Path) -> Network:
    """The network of the expert in a folder; raises :class:`kgdb.errors.UsageError`."""
    try:
        with safe_open(folder / FILE, framework="numpy") as file:
            arrays = {name: file.get_tensor(name).astype(np.float32) for name in _SHAPES}
        _check(arrays)
    except (OSError, SafetensorError, ValueError) as error:
        raise UsageError(
            f"{short(str(folder))} has no expert that can be read: {error}.",
            hint=f"Expected a folder with {FILE}, as kgdb lab train expert writes it.",
        ) from None
    return Network(arrays)


def _check(arrays: Mapping[str, Array]) -> None:
    for name, dimensions in _SHAPES.items():
        if arrays[name].ndim != dimensions or not np.isfinite(arrays[name]).all():
            raise ValueError(f"{name} is no array of {dimensions} dimensions with finite numbers")
    width, inputs = arrays["hidden.weight"].shape
    sizes = {"mean": inputs, "spread": inputs, "hidden.bias": width, "out.weight": width}
    for name, size in {**sizes, "out.bias": 1}.items():
        if len(arrays[name]) != size:
            raise ValueError(
                f"{name} has the size {len(arrays[name]):,}, where {size:,} is expected"
            )
    if (arrays["spread"] <= 0).any():
        raise ValueError("spread has numbers that are not above 0")


def _config(given: Any) -> ExpertConfig:
    if not isinstance(given, Mapping):
        raise TypeError("a JSON object is expected")
    if given["hidden"] not in get_args(Hidden):
        raise ValueError(f"hidden is {short(given['hidden'])}, not encoder or llm")
    graphs = given.get("graphs", [])
    if not isinstance(graphs, list) or not all(isinstance(each, str) for each in graphs):
        raise TypeError("graphs is a list of names")
    if not isinstance(given["model"], str) or not isinstance(given["layers"], int):
        raise TypeError("model is a name and layers a number")
    return ExpertConfig(
        given["hidden"],
        given["model"],
        given["layers"],
        _number(given, "threshold", 1.0),
        _number(given, "weight", _LARGEST),
        tuple(graphs),
    )


def _number(given: Mapping[str, Any], key: str, highest: float) -> float:
    value = given[key]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{key} is {short(value)}, where a number is expected")
    if not math.isfinite(value) or not 0 <= value <= highest:
        raise ValueError(f"{key} is {short(value)}; expected from 0 to {highest:g}")
    return float(value)
