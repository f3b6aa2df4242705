"""Drafting: a first loader file for a source of which nothing is known."""

from kgdb.loading.drafting.draft_writer import write_draft

__all__ = ["write_draft"]
