"""``kgdb train``: a group of commands, one for each thing that is made."""

from __future__ import annotations

import click

from kgdb.cli.lazy_group import CommandEntry, LazyGroup

TRAINING = {
    "corpus": CommandEntry("train_corpus", "Make a corpus from questions, or from a graph alone."),
    "compose": CommandEntry(
        "train_compose", "Make a corpus of SimpleQuestions and Freebase's ontology."
    ),
    "graph": CommandEntry("train_graph", "Tune what chooses relations, from a graph alone."),
    "relations": CommandEntry("train_relations", "Tune the encoder that chooses relations."),
    "conversations": CommandEntry(
        "train_conversations", "Turn a relation corpus into prompts with their replies."
    ),
    "evidence": CommandEntry(
        "train_evidence", "Make a corpus of what RefKG retrieves, for its expert."
    ),
    "expert": CommandEntry("train_expert", "Train the expert that judges evidence."),
    "claims": CommandEntry("train_claims", "Make a corpus of examined claims, for the verifier."),
    "verifier": CommandEntry("train_verifier", "Train the verifier that judges claims."),
    "llm": CommandEntry("train_llm", "Tune a language model on prompts with their replies."),
}
"""In the order in which they are used."""


@click.group(
    "train",
    cls=LazyGroup,
    entries=TRAINING,
    epilog="Example: kgdb train corpus demo --output demo.jsonl",
)
def train_command() -> None:
    """Make corpora, and tune models on them."""
