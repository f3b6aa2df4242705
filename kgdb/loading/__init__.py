"""Loading: declarative loader files, checked tables, and the ways into the database."""

from kgdb.loading.adopt import Adoption, adopt
from kgdb.loading.embedding import embed_names
from kgdb.loading.load import LoadResult, load, unload
from kgdb.loading.prepare import prepare
from kgdb.loading.prepared import Malformed, Prepared
from kgdb.loading.spec import LoaderSpec, RelationText, available, read_spec
from kgdb.loading.tables import Counts, Share
from kgdb.loading.ways import Way, load_somehow

__all__ = [
    "Adoption",
    "Counts",
    "LoadResult",
    "LoaderSpec",
    "Malformed",
    "Prepared",
    "RelationText",
    "Share",
    "adopt",
    "Way",
    "available",
    "embed_names",
    "load",
    "load_somehow",
    "prepare",
    "read_spec",
    "unload",
]
