"""Loading: declarative loader files, checked tables, and the way into the database."""

from kgdb.loading.embedding import embed_names
from kgdb.loading.online import LoadResult, load, unload
from kgdb.loading.prepare import Counts, Malformed, Prepared, prepare
from kgdb.loading.spec import LoaderSpec, RelationText, available, read_spec

__all__ = [
    "Counts",
    "LoadResult",
    "LoaderSpec",
    "Malformed",
    "Prepared",
    "RelationText",
    "available",
    "embed_names",
    "load",
    "prepare",
    "read_spec",
    "unload",
]
