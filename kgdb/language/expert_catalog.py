"""Loading an expert by its folder, with the model whose states it reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kgdb.errors import UsageError
from kgdb.language.experts.trained import EncoderStates, HiddenStates
from kgdb.language.model_catalog import (
    LOADING,
    check_transformers,
    load_encoder,
    loaded,
    model_key,
    weights_source,
)
from kgdb.language.revisions import revision_of
from kgdb.progress import Report, silent
from kgdb.settings import BY_ENCODER, Settings

if TYPE_CHECKING:
    from kgdb.language.experts.trained import Hidden, TrainedExpert


def load_expert(settings: Settings, report: Report = silent) -> TrainedExpert | None:
    """The expert in the folder that ``settings.expert`` names; ``None`` where that is ``encoder``.

    Raises :class:`kgdb.errors.UsageError` for a folder that holds none, and
    :class:`kgdb.errors.ModelMissing` where the model whose states it reads is not there.
    """
    if settings.expert == BY_ENCODER:
        return None
    from kgdb.language.experts.trained import TrainedExpert, read_config, read_network

    folder = Path(settings.expert).expanduser()
    config, network = read_config(folder), read_network(folder)
    states = load_states(config.hidden, config.model, config.layers, settings, report)
    name = f"{folder.resolve().name}@{revision_of(str(folder))[:12]}"
    return TrainedExpert(name, network, states, config)


def load_states(
    hidden: Hidden, model: str, layers: int, settings: Settings, report: Report = silent
) -> HiddenStates:
    """What an expert reads: vectors of the encoder ``model``, or states of a language model.

    Raises as :func:`load_expert` does.
    """
    if hidden == "encoder":
        return EncoderStates(load_encoder(replace(settings, encoder=model)))
    with LOADING:
        return _llm_states(model, weights_source(replace(settings, llm=model), report), layers)


def _llm_states(name: str, source: str, layers: int) -> HiddenStates:
    check_transformers()

    def load() -> HiddenStates:
        from kgdb.language.experts.llm_states import LanguageModelStates
        from kgdb.language.local.model_weights import load_weights

        weights = load_weights(source)
        there = weights.model.config.num_hidden_layers
        if not 1 <= layers <= there:
            raise UsageError(
                f"layers is {layers}.", hint=f"Expected a number from 1 to {there} for {name}."
            )
        return LanguageModelStates(name, weights, layers)

    return loaded(name, model_key("states", f"{name} {layers}", None, source), load)
