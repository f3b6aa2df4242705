"""Loading: declarative loader files, checked tables, and the ways into the database."""

from kgdb.loading.adopt import Adoption, adopt
from kgdb.loading.drafting import write_draft
from kgdb.loading.embedding import embed_names
from kgdb.loading.export import Exported, export
from kgdb.loading.load import LoadResult, load, unload
from kgdb.loading.loader_files import available, read_spec
from kgdb.loading.prepare import prepare
from kgdb.loading.prepared import Malformed, Prepared
from kgdb.loading.preview import Preview, preview
from kgdb.loading.spec import LoaderSpec, RelationText
from kgdb.loading.tables import Counts, Share
from kgdb.loading.ways import Way, load_somehow

__all__ = [
    "Adoption",
    "Counts",
    "Exported",
    "LoadResult",
    "LoaderSpec",
    "Malformed",
    "Prepared",
    "Preview",
    "RelationText",
    "Share",
    "Way",
    "adopt",
    "available",
    "embed_names",
    "export",
    "load",
    "load_somehow",
    "prepare",
    "preview",
    "read_spec",
    "unload",
    "write_draft",
]
