"""Cross-encoders of questions and chains: the model that tuning starts from, and with its adapter.

A cross-encoder that was trained by others has a head of its own. A sentence encoder has none: here
it reads question and chain as one text, and its head compares the mean of the question's tokens
with that of the chain's. The head begins as their cosine, which is what the encoder alone says, and
learns the rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from sentence_transformers import CrossEncoder
from sentence_transformers.base.modules import Dense, Module, Transformer
from torch import Tensor
from torch.nn import functional

from kgdb.errors import UsageError
from kgdb.language.encoders.adapter import adapted
from kgdb.language.encoders.pair_weights import COSINE, HEAD, MAX_TOKENS
from kgdb.wording import short

_INNER = "0.model."
_OUTER = "2.linear."
_SENTENCE_ENCODER = "modules.json"


class PairVectors(Module):  # type: ignore[misc]
    """The products and the differences of the mean vectors of both texts, each of length one."""

    def forward(self, features: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Add ``pair_vectors``, ``(pairs, 2 × dimensions)``, to the features."""
        rows = features["token_embeddings"].float()
        there = features["attention_mask"].float()
        second = features["token_type_ids"].float() * there
        one, two = (
            functional.normalize((rows * part[..., None]).sum(1), dim=1)
            for part in (there - second, second)
        )
        features["pair_vectors"] = torch.cat([one * two, (one - two).abs()], dim=1)
        return features

    def save(self, output_path: str, *args: Any, **named: Any) -> None:
        """Nothing is needed to make it anew."""


def untuned(source: str, start: Path | None = None) -> CrossEncoder:
    """The cross-encoder that tuning starts from, its scores in nats.

    ``source`` is a folder of a sentence encoder, or a cross-encoder's folder or name. ``start`` is
    an adapter of the sentence encoder, which is added to it.
    """
    if not (Path(source) / _SENTENCE_ENCODER).is_file():
        if not _is_cross_encoder(source):
            raise UsageError(
                f"{short(source)} is no cross-encoder: it has no head that gives a score.",
                hint="Expected the folder of a model for sequence classification with one label.",
            )
        return CrossEncoder(
            source, num_labels=1, max_length=MAX_TOKENS, activation_fn=torch.nn.Identity()
        )
    transformer = Transformer(source, max_seq_length=MAX_TOKENS)
    size = transformer.get_embedding_dimension()
    weight = torch.zeros(1, 2 * size)
    weight[0, :size] = COSINE
    head = Dense(
        2 * size,
        1,
        activation_function=None,
        init_weight=weight,
        init_bias=torch.zeros(1),
        module_input_name="pair_vectors",
        module_output_name="scores",
    )
    model = CrossEncoder(
        modules=[transformer, PairVectors(), head], activation_fn=torch.nn.Identity()
    )
    if start is not None:
        _add(model, start)
    return model


def tuned(source: str, adapter: Path) -> CrossEncoder:
    """The cross-encoder of a folder or name with the adapter that was trained for it.

    Raises :class:`kgdb.errors.UsageError` if the adapter is of another model.
    """
    model = untuned(source)
    _add(model, adapter)
    return model


def weights(model: CrossEncoder) -> dict[str, Tensor]:
    """A copy of the weights, by the names that the base has for them; see :data:`HEAD`."""
    return {_plain(name): value.detach().clone() for name, value in model.state_dict().items()}


def load_weights(model: CrossEncoder, given: Mapping[str, Tensor]) -> None:
    """Give the model the weights of these names."""
    model.load_state_dict({name: given[_plain(name)] for name in model.state_dict()})


def _plain(name: str) -> str:
    return name.removeprefix(_INNER).replace(_OUTER, HEAD)


def _add(model: CrossEncoder, adapter: Path) -> None:
    given = {name: value.numpy() for name, value in weights(model).items()}
    added = adapted(given, adapter)
    load_weights(model, {name: torch.from_numpy(value) for name, value in added.items()})


def _is_cross_encoder(source: str) -> bool:
    """Whether a folder has a head that gives scores; what is not here is taken to have one."""
    config = Path(source) / "config.json"
    if not config.is_file():
        return True
    names = json.loads(config.read_text("utf-8")).get("architectures") or ()
    return any(str(name).endswith("ForSequenceClassification") for name in names)
