"""What a source may ask of its reader: levels of nesting, and unpacked bytes."""

from __future__ import annotations

from pathlib import Path

from kgdb.errors import LoadError

MAX_DEPTH = 256
"""Levels of elements, brackets or folders inside each other; no graph needs nearly as many."""

EXPANSION = 200
"""Unpacked bytes for each byte of a packed file; tables and triples have 5 to 20."""

MIN_UNPACKED = 1 << 30
"""Unpacked bytes that any packed file may have, however small it is."""


class Allowance:
    """Counts the bytes that a packed file or an archive unpacks to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._limit = max(MIN_UNPACKED, EXPANSION * path.stat().st_size)
        self._taken = 0

    def take(self, size: int) -> None:
        """Count bytes that are to be unpacked; raises :class:`LoadError` beyond the limit."""
        self._taken += size
        if self._taken > self._limit:
            raise LoadError(
                f"{self._path} unpacks to more than {self._limit:,} bytes: kgdb allows "
                f"{EXPANSION} times the size of the file, and {MIN_UNPACKED:,} bytes at least.",
                hint="If you trust the file, unpack it yourself, then name the unpacked file. A "
                "graph file also unpacks its defaults, once for each node.",
            )


def too_deep(path: Path, place: str = "") -> LoadError:
    """The error for a file that nests deeper than :data:`MAX_DEPTH`."""
    return LoadError(
        f"{path}{place} is nested more than {MAX_DEPTH} levels deep, which kgdb does not read.",
        hint="The file may be damaged, or made to do harm: check where it comes from.",
    )
