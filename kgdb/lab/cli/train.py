"""``kgdb lab train``: a group of commands, one for each thing that is made."""

from __future__ import annotations

import click

from kgdb.cli.lazy_group import LazyGroup
from kgdb.lab.cli.entries import entry

TRAINING = {
    "corpus": entry("train_corpus", "Make a corpus from questions, or from a graph alone."),
    "compose": entry("train_compose", "Make a corpus of SimpleQuestions and Freebase's ontology."),
    "graph": entry("train_graph", "Tune what chooses relations, from a graph alone."),
    "relations": entry("train_relations", "Tune the encoder that chooses relations."),
    "conversations": entry(
        "train_conversations", "Turn a relation corpus into prompts and replies."
    ),
    "evidence": entry("train_evidence", "Make a corpus of what RefKG retrieves, for its expert."),
    "expert": entry("train_expert", "Train the expert that judges evidence."),
    "claims": entry("train_claims", "Make a corpus of examined claims, for the verifier."),
    "verifier": entry("train_verifier", "Train the verifier that judges claims."),
    "reading": entry("train_reading", "Learn how the grammar chooses what a question means."),
    "words": entry("train_words", "Learn words for the names of a graph from your questions."),
    "llm": entry("train_llm", "Tune a language model on prompts with their replies."),
}
"""In the order in which they are used."""


@click.group(
    "train",
    cls=LazyGroup,
    entries=TRAINING,
    epilog="Example: kgdb lab train corpus demo --output demo.jsonl",
)
def train_command() -> None:
    """Make corpora, and tune models on them."""
