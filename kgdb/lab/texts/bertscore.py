"""BERTScore (Zhang et al., 2020), by the library ``bert-score`` and any model that it loads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgdb.lazy import lazy_property
from kgdb.optional_packages import optional

_EXTRA = "lab"


class BertScore:
    """BERTScore of one model: a folder, or a name of Hugging Face, as ``transformers`` loads it.

    ``layers`` is how many of its layers make the vectors (all, by default: the library knows the
    best number of its own models alone). Figures of different models do not compare, so a row names
    the model.
    """

    def __init__(self, model: str, layers: int | None = None) -> None:
        self._model = model
        self._layers = layers

    @property
    def name(self) -> str:
        """What a row calls it: the model, and the layers where they were chosen."""
        return self._model if self._layers is None else f"{self._model}, layer {self._layers}"

    def scores(
        self, candidates: Sequence[str], references: Sequence[str]
    ) -> list[tuple[float, float, float]]:
        """Precision, recall and F1 of each text beside its reference."""
        if not candidates:
            return []
        precision, recall, f1 = self._scorer.score(list(candidates), list(references))
        return [
            (float(p), float(r), float(f)) for p, r, f in zip(precision, recall, f1, strict=True)
        ]

    @lazy_property
    def _scorer(self) -> Any:
        library = optional("bert_score", _EXTRA)
        layers = self._layers
        if layers is None:
            config = optional("transformers", _EXTRA).AutoConfig.from_pretrained(self._model)
            layers = config.num_hidden_layers
        return library.BERTScorer(model_type=self._model, num_layers=layers, idf=False)
