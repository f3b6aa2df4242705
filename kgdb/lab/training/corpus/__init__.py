"""Corpora: rows of masked questions with the chains that answer them, in JSON Lines."""

from kgdb.lab.training.corpus.from_graph import (
    HELD_BACK,
    HELD_BACK_SHARE,
    ROWS,
    TEMPLATES,
    corpus_from_graph,
    is_held_back,
)
from kgdb.lab.training.corpus.from_questions import MAX_HOPS, corpus_from_questions
from kgdb.lab.training.corpus.held_out import HeldOut, Overlap, overlap
from kgdb.lab.training.corpus.report import CorpusReport
from kgdb.lab.training.corpus.rows import RelationRow, read_rows, write_rows
from kgdb.methods.chains.adapter_purpose import wordings

__all__ = [
    "HELD_BACK",
    "HELD_BACK_SHARE",
    "MAX_HOPS",
    "ROWS",
    "TEMPLATES",
    "CorpusReport",
    "HeldOut",
    "Overlap",
    "RelationRow",
    "corpus_from_graph",
    "corpus_from_questions",
    "is_held_back",
    "overlap",
    "read_rows",
    "wordings",
    "write_rows",
]
