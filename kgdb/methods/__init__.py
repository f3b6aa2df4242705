"""The reasoning methods, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from kgdb.errors import UsageError
from kgdb.methods import auto, baselines, dialogue, gotr, refkg, rok, text2cypher
from kgdb.methods.base import Method, Reasoner, check_question
from kgdb.methods.context import QuestionContext, Resources, Watch
from kgdb.methods.conversation import Conversation
from kgdb.methods.options import MethodOptions, parse
from kgdb.methods.texts import FORM_NAMES, FormOptions, TextForm
from kgdb.text_arguments import text
from kgdb.wording import short


@dataclass(frozen=True, slots=True)
class MethodKind:
    """A method that can be chosen: its class, the dataclass of its options, and what it does."""

    make: Callable[[Any], Method]
    options: type[MethodOptions]
    summary: str


METHODS: Mapping[str, MethodKind] = {
    auto.METHOD: MethodKind(
        auto.Auto,
        refkg.Options,
        "A logical form where the question has one (how many, oldest, not, a property), else "
        "RefKG's chains. Verifies claims, too.",
    ),
    refkg.METHOD: MethodKind(
        refkg.RefKG,
        refkg.Options,
        "RefKG: decouples the question into sub-queries, explores the graph hop by hop, refines "
        "the evidence and infers the answer. Verifies claims, too.",
    ),
    rok.METHOD: MethodKind(
        rok.RoK,
        rok.Options,
        "RoK: ranks the paths between the key entities of the question and of a chain of thought, "
        "adds neighbours, and reads the answer.",
    ),
    "kggpt": MethodKind(
        baselines.KGGPT,
        baselines.KGGPTOptions,
        "KG-GPT (Kim et al., 2023): segments the sentence, retrieves the relations of each "
        "segment, and infers the answer or the verdict. Verifies claims, too.",
    ),
    gotr.METHOD: MethodKind(
        gotr.GoTR,
        gotr.Options,
        "GoT-R: draws a graph of thought in Cypher, retrieves evidence by its relations and "
        "without them, and reads the answer.",
    ),
    text2cypher.METHOD: MethodKind(
        text2cypher.Text2Cypher,
        text2cypher.Options,
        "A capable language model writes Cypher, which the database runs in its sandbox: the rows "
        "are the answer, what they matched is the evidence.",
    ),
    dialogue.METHOD: MethodKind(
        dialogue.Dialogue,
        dialogue.Options,
        "For what tells before it asks (I have a cough and a fever …): the entities that most of "
        "the mentions agree on, and what the graph says of the best.",
    ),
    "mindmap": MethodKind(
        baselines.MindMap,
        baselines.MindMapOptions,
        "MindMap (Wen et al., 2024): puts paths and neighbours of the entities into words, and "
        "answers with reasons.",
    ),
    "tog": MethodKind(
        baselines.ToG,
        baselines.ToGOptions,
        "Think-on-Graph (Sun et al., 2024): the language model walks the graph by beam search.",
    ),
    "llm": MethodKind(
        baselines.LanguageModelAlone,
        baselines.AloneOptions,
        "The language model alone, in one call.",
    ),
    "cot": MethodKind(
        baselines.ChainOfThought,
        baselines.AloneOptions,
        "The language model alone, after thinking step by step: two calls.",
    ),
    "bm25": MethodKind(
        baselines.Bm25,
        baselines.Bm25Options,
        "Single facts that share words with the question (BM25; needs the extra baselines).",
    ),
    "embedding": MethodKind(
        baselines.Embedding,
        baselines.EmbeddingOptions,
        "Single facts that are similar in meaning to the question (by the encoder).",
    ),
    "neighbors": MethodKind(
        baselines.Neighbors,
        baselines.NeighborsOptions,
        "Everything around the entities of the question.",
    ),
}

METHOD_NAMES = tuple(METHODS)

_LEAVES_DIALOGUES = (auto.METHOD, refkg.METHOD, rok.METHOD, gotr.METHOD)


def create(name: str, given: Mapping[str, Any] | None = None) -> Method:
    """The method of that name; ``given`` are options by name, as values or as texts.

    Every method takes :class:`kgdb.methods.texts.FormOptions` beside its own options.
    Raises :class:`UsageError` for a method or an option that there is not, or a value that the
    option cannot have.
    """
    if text("method", name, "the name of a method", empty=True) not in METHODS:
        raise UsageError(
            f"There is no method {short(name)}. Methods are: {', '.join(METHOD_NAMES)}."
        )
    kind, given = METHODS[name], given or {}
    of_form = {each.name for each in fields(FormOptions)}
    own = {key: value for key, value in given.items() if key not in of_form}
    form = parse(FormOptions, {key: given[key] for key in of_form & given.keys()}, "every method")
    options = parse(kind.options, own, f"the method {name}")
    method = kind.make(options)
    if form.form != "text":
        return method
    leaves = form.leave_dialogues and name in _LEAVES_DIALOGUES
    return TextForm(
        method,
        dialogue.Dialogue(name=name) if leaves else None,
        preferred=name == auto.METHOD,
        allow_unsupported=getattr(options, "allow_unsupported", False),
    )


__all__ = [
    "FORM_NAMES",
    "METHODS",
    "METHOD_NAMES",
    "Conversation",
    "Method",
    "QuestionContext",
    "Reasoner",
    "Resources",
    "Watch",
    "check_question",
    "create",
]
