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
from kgdb.language.encoders.adapter import adapted
from kgdb.language.encoders.pair_weights import COSINE, HEAD, MAX_TOKENS
from kgdb.wording import short

_INNER = "0.model."
_OUTER = "1."
_SENTENCE_ENCODER = "modules.json"
_FAR = -1e4


class SeparateTexts(Transformer):  # type: ignore[misc]
    """A sentence encoder that reads both texts of a pair, each as if it were alone."""

    def preprocess(self, inputs: Sequence[tuple[str, str]], *args: Any, **named: Any) -> Any:
        """The tokens of pairs; the second text has the first token of a text, too."""
        first = self.tokenizer.cls_token
        return super().preprocess([(one, f"{first} {two}") for one, two in inputs], *args, **named)

    def forward(self, features: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Add ``token_embeddings`` to the features."""
        there, second = features["attention_mask"].bool(), features["token_type_ids"]
        own = (second[:, :, None] == second[:, None, :]) & there[:, None, :]
        length = (there & (second == 0)).sum(dim=1, keepdim=True)
        places = torch.arange(there.shape[1], device=there.device)[None] - second * length
        with torch.no_grad():
            told = self.model(
                input_ids=features["input_ids"],
                attention_mask=own[:, None],
                position_ids=places,
                token_type_ids=torch.zeros_like(second),
            )
        features["token_embeddings"] = told.last_hidden_state
        return features


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
        there = features["attention_mask"].bool()
        parts = (
            there & (features["token_type_ids"] == 0),
            there & (features["token_type_ids"] == 1),
        )
        others = parts[1][:, None] & parts[0][:, :, None] | parts[0][:, None] & parts[1][:, :, None]
        sharp = rows.shape[-1] ** 0.5
        unit = functional.normalize(rows, dim=-1)
        alike = self.query(unit) @ self.key(unit).transpose(1, 2) * sharp
        alike = alike.float().masked_fill(~others, _FAR).softmax(dim=-1)
        aligned = alike @ unit
        compared = functional.gelu(
            self.compare(torch.cat([unit, aligned, unit * aligned * sharp, unit - aligned], dim=-1))
        )
        one, two = (functional.normalize(_mean(rows, part), dim=1) for part in parts)
        added = torch.cat(
            [
                *(_mean(compared.float(), part) for part in parts),
                one * two * sharp,
                (one - two).abs() * sharp,
            ],
            dim=1,
        )
        cosine = (one * two).sum(dim=1, keepdim=True)
        scores = self.score(functional.gelu(self.aggregate(added))).float()
        features["scores"] = COSINE * cosine + scores
        return features

    def save(self, output_path: str, *args: Any, **named: Any) -> None:  # noqa: ARG002
        """Asked for by the library, which does not save this model."""
        save_file(self.state_dict(), Path(output_path) / "model.safetensors")


def _mean(rows: Tensor, part: Tensor) -> Tensor:
    weights = part[..., None].float()
    return (rows * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)


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
    """A copy of the weights, by the names that the base has for them; see :data:`HEAD`."""
    return {_plain(name): value.detach().clone() for name, value in model.state_dict().items()}


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
