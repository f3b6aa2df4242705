"""Reading: files of any source format become DuckDB tables; every bad line is reported."""

from kgdb.loading.reading.archives import require_one_file, unpacked_archive
from kgdb.loading.reading.reader import read, tables_of
from kgdb.loading.reading.scan import PROBLEM, create_rejected
from kgdb.loading.reading.source import FORMATS, Source

__all__ = [
    "FORMATS",
    "PROBLEM",
    "Source",
    "create_rejected",
    "read",
    "require_one_file",
    "tables_of",
    "unpacked_archive",
]
