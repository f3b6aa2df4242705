"""Drafting: a first loader file for an unknown source, from a sample of its content."""

from kgdb.loading.drafting.draft_writer import write_draft
from kgdb.loading.drafting.file_sampling import graph_name

__all__ = ["graph_name", "write_draft"]
