"""Language models and encoders behind batch-first interfaces, and how graph parts read in words."""

from kgdb.language.encoders.adapter import adapter_folder
from kgdb.language.encoders.single_threaded import single_threaded
from kgdb.language.encoders.vectors import cosines, encode_relations
from kgdb.language.expert_catalog import load_expert, load_states
from kgdb.language.language_model import Completion, CompletionRequest, Encoder, LanguageModel
from kgdb.language.model_catalog import (
    cache_folder,
    load_cached_llm,
    load_encoder,
    load_llm,
    load_relation_encoder,
    weights_source,
    without_adapter,
)
from kgdb.language.recording.reply_cache import Cached
from kgdb.language.text.prompt_fit import fit
from kgdb.language.text.relation_texts import relation_words
from kgdb.language.text.verbalize import (
    evidence_text,
    fact,
    facts,
    grouped,
    verbalize,
    verbalize_question,
)

__all__ = [
    "Cached",
    "Completion",
    "CompletionRequest",
    "Encoder",
    "LanguageModel",
    "adapter_folder",
    "cache_folder",
    "cosines",
    "encode_relations",
    "evidence_text",
    "fact",
    "facts",
    "fit",
    "grouped",
    "load_cached_llm",
    "load_encoder",
    "load_expert",
    "load_llm",
    "load_relation_encoder",
    "load_states",
    "relation_words",
    "single_threaded",
    "verbalize",
    "verbalize_question",
    "weights_source",
    "without_adapter",
]
