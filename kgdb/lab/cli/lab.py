"""``kgdb lab``: what trains, ranks and reproduces."""

from __future__ import annotations

import click

from kgdb.cli.lazy_group import LazyGroup
from kgdb.lab.cli.entries import entry

LABORATORY = {
    "train": entry("train", "Make corpora, and tune models on them."),
    "dialogues": entry("dialogues", "Measure methods on dialogues, which are answered in texts."),
    "rank": entry("rank", "Have a language model rank the answers of several methods."),
    "reproduce": entry("reproduce", "Run tables and figures of the papers."),
}


@click.group(
    "lab",
    cls=LazyGroup,
    entries=LABORATORY,
    epilog="Example: kgdb lab reproduce --list",
)
def lab_command() -> None:
    """Train models, measure and rank texts, and reproduce the papers' tables (the extra lab)."""
