"""A small film world in memory, with the relation texts of MetaQA's loader file."""

from __future__ import annotations

from collections.abc import Mapping

from fakes import MemoryDriver

from kgdb.loading import read_spec

FILMS = [
    ("The Salt Ledger", "starred_actors", "Ada Weir"),
    ("The Salt Ledger", "directed_by", "Ken Amagiri"),
    ("The Salt Ledger", "written_by", "Ada Weir"),
    ("The Salt Ledger", "release_year", "1967"),
    ("Quiet Shore", "starred_actors", "Ada Weir"),
    ("Quiet Shore", "starred_actors", "Rex Hallorand"),
    ("Quiet Shore", "directed_by", "Harriet Coldmoor"),
    ("Quiet Shore", "written_by", "Barnaby Crake"),
    ("Quiet Shore", "release_year", "1989"),
    ("Snow Whale", "directed_by", "Ken Amagiri"),
    ("Snow Whale", "starred_actors", "Rex Hallorand"),
    ("Snow Whale", "written_by", "Barnaby Crake"),
    ("Snow Whale", "release_year", "1989"),
]
TEXTS: Mapping[str, Mapping[str, str]] = {
    relation: {
        "text": text.text or "",
        "inverse": text.inverse or "",
        "question": text.question or "",
        "inverse_question": text.inverse_question or "",
    }
    for relation, text in read_spec("metaqa").relations.items()
}


def films() -> MemoryDriver:
    """The films, their people and years."""
    return MemoryDriver(FILMS, TEXTS)
