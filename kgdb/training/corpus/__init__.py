"""Corpora: rows of masked questions with the chains that answer them, in JSON Lines."""

from kgdb.training.corpus.rows import RelationRow, read_rows, wordings, write_rows

__all__ = ["RelationRow", "read_rows", "wordings", "write_rows"]
