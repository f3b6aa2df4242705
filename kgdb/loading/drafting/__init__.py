"""Drafting: a first loader file for an unknown source, from a sample of its content."""

from kgdb.loading.drafting.draft_writer import write_draft

__all__ = ["write_draft"]
