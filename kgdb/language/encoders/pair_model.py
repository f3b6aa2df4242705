"""Cross-encoders of questions and chains: the model that tuning starts from, and with its adapter.

A cross-encoder that was trained by others has a head of its own. A sentence encoder has none, and
reads one text at a time. Here it reads both texts so, and a head compares their tokens with each
other (:class:`PairHead`). The score begins as the cosine of both texts, which is what the encoder
alone says, and the head learns what to add.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from sentence_transformers import CrossEncoder
from sentence_transformers.base.modules import Module, Transformer
from torch import Tensor, nn
from torch.nn import functional

from kgdb.errors import UsageError
from kgdb.language.encoders.adapter import HEAD, adapted
from kgdb.language.encoders.pair_weights import COSINE, MAX_TOKENS
from kgdb.wording import short

_INNER = "0.model."
_OUTER = "1."
_SENTENCE_ENCODER = "modules.json"
_FAR = -1e4


class SeparateTexts(Transformer):  # type: ignore[misc]
    """A sentence encoder that reads the texts of pairs, each once and for itself."""

    def preprocess(self, inputs: Sequence[tuple[str, str]], *args: Any, **named: Any) -> Any:
        """The tokens of the distinct texts, and the places of both texts of each pair."""
        texts = list(dict.fromkeys(text for pair in inputs for text in pair))
        places = {text: place for place, text in enumerate(texts)}
        features = super().preprocess(texts, *args, **named)
        features["one"] = torch.tensor([places[one] for one, _ in inputs])
        features["two"] = torch.tensor([places[two] for _, two in inputs])
        return features

    def forward(self, features: dict[str, Any], **named: Any) -> dict[str, Any]:
        """Add ``token_embeddings``, of each text, to the features."""
        with torch.no_grad():
            told: dict[str, Any] = super().forward(features, **named)
        return told


class PairHead(Module):  # type: ignore[misc]
    """Aligns the tokens of both texts by attention, compares them, and adds up what it finds.

    This is the decomposable attention of Parikh et al. (2016) over the tokens of an encoder.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(size, size)
        self.compare = nn.Linear(4 * size, size)
        self.aggregate = nn.Linear(4 * size, size)
        self.score = nn.Linear(size, 1)
        with torch.no_grad():
            for linear in (self.query, self.key):
                # Tokens are aligned by their similarity at first.
                linear.weight.copy_(torch.eye(size))
                linear.bias.zero_()
            self.score.weight.zero_()
            self.score.bias.zero_()

    def forward(self, features: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Add ``scores``, of shape ``(pairs, 1)``, to the features."""
        rows = features["token_embeddings"].float()
        there = features["attention_mask"].float()
        unit = functional.normalize(rows, dim=-1)
        means = functional.normalize(_mean(rows, there), dim=1)
        one, two = features["one"], features["two"]
        # Components of unit vectors are small; a network learns more easily from larger ones.
        scale = rows.shape[-1] ** 0.5
        compared = [
            _mean(self._compared(unit[a], unit[b], there[b], scale), there[a])
            for a, b in ((one, two), (two, one))
        ]
        product, difference = means[one] * means[two], (means[one] - means[two]).abs()
        added = torch.cat([*compared, product * scale, difference * scale], dim=1)
        learnt = self.score(functional.gelu(self.aggregate(added))).float()
        features["scores"] = COSINE * product.sum(dim=1, keepdim=True) + learnt
        return features

    def _compared(self, text: Tensor, other: Tensor, there: Tensor, scale: float) -> Tensor:
        """Each token of a text beside what it is aligned with in the other text."""
        alike = (self.query(text) @ self.key(other).transpose(1, 2)).float() * scale
        shares = alike.masked_fill(there[:, None] == 0, _FAR).softmax(dim=-1)
        aligned = shares @ other
        parts = [text, aligned, text * aligned * scale, text - aligned]
        return functional.gelu(self.compare(torch.cat(parts, dim=-1)).float())

    def save(self, output_path: str, *args: Any, **named: Any) -> None:  # noqa: ARG002
        """Asked for by the library, which does not save this model."""
        save_file(self.state_dict(), Path(output_path) / "model.safetensors")


def _mean(rows: Tensor, there: Tensor) -> Tensor:
    """The mean of the tokens of each text that are there."""
    return (rows * there[..., None]).sum(dim=1) / there.sum(dim=1, keepdim=True)


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
    encoder = SeparateTexts(source, max_seq_length=MAX_TOKENS)
    for parameter in encoder.parameters():
        parameter.requires_grad = False
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        head = PairHead(encoder.get_embedding_dimension())
    encoder.model.config.num_labels = 1
    model = CrossEncoder(modules=[encoder, head], activation_fn=torch.nn.Identity())
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
    """A copy of the weights, by the names that an adapter has for them."""
    return {_plain(name): value.detach().clone() for name, value in model.state_dict().items()}


def without_head(given: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights with zeros for the head of a sentence encoder, which an adapter holds whole."""
    return {
        name: torch.zeros_like(value) if name.startswith(HEAD) else value
        for name, value in given.items()
    }


def load_weights(model: CrossEncoder, given: Mapping[str, Tensor]) -> None:
    """Give the model the weights of these names."""
    model.load_state_dict({name: given[_plain(name)] for name in model.state_dict()})


def _plain(name: str) -> str:
    return (
        HEAD + name.removeprefix(_OUTER) if name.startswith(_OUTER) else name.removeprefix(_INNER)
    )


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
