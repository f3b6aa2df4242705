"""Loading: declarative loader files, checked tables, and the ways into the database."""

from kgdb.loading.adopt import Adoption, adopt
from kgdb.loading.drafting import write_draft
from kgdb.loading.exporting.export import Exported, export
from kgdb.loading.loaders.loader_files import available, read_spec
from kgdb.loading.loaders.spec import LoaderSpec, RelationText
from kgdb.loading.preparing.prepare import prepare
from kgdb.loading.preparing.prepared_source import Malformed, Prepared
from kgdb.loading.preparing.preview import Preview, preview
from kgdb.loading.preparing.tables import Counts, Share
from kgdb.loading.writing.embedding import embed_names
from kgdb.loading.writing.load import LoadResult, load
from kgdb.loading.writing.strategy import Way, load_somehow
from kgdb.loading.writing.unload import unload

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
