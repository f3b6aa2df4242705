"""Loading: declarative loader files, checked tables, and the ways into the database."""

from kgdb.loading.adopting.adoption import Adoption, adopt
from kgdb.loading.drafting import graph_name, write_draft
from kgdb.loading.exporting.graph_export import ExportResult, export
from kgdb.loading.loaders.loader_files import available, read_spec
from kgdb.loading.loaders.loader_spec import LoaderSpec, RelationText
from kgdb.loading.preparing.prepare import Engine, prepare
from kgdb.loading.preparing.prepared_source import PreparedSource, Preview, SkippedRecord, preview
from kgdb.loading.preparing.tables import Counts, OtherRecords
from kgdb.loading.spark.spark_engine import engine
from kgdb.loading.writing.embeddings import embed_names
from kgdb.loading.writing.facts import load_facts
from kgdb.loading.writing.graph_load import LoadMode, LoadResult, load, load_auto
from kgdb.loading.writing.import_files import write_import
from kgdb.loading.writing.relation_text_toml import print_texts, set_texts
from kgdb.loading.writing.synonyms import set_synonyms
from kgdb.loading.writing.unload import unadopt, unload

__all__ = [
    "Adoption",
    "Counts",
    "Engine",
    "ExportResult",
    "LoadMode",
    "LoadResult",
    "LoaderSpec",
    "OtherRecords",
    "PreparedSource",
    "Preview",
    "RelationText",
    "SkippedRecord",
    "adopt",
    "available",
    "embed_names",
    "engine",
    "export",
    "graph_name",
    "load",
    "load_auto",
    "load_facts",
    "prepare",
    "preview",
    "print_texts",
    "read_spec",
    "set_synonyms",
    "set_texts",
    "unadopt",
    "unload",
    "write_draft",
    "write_import",
]
