"""Headers in files of their own, as Neo4j's importer takes them: ``persons-header.csv``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from kgdb.loading.drafting.file_sampling import beginning_lines

_NAMED = re.compile(r"(?P<base>.+?)[-_. ]?headers?", re.IGNORECASE)
_ROLES = re.compile(r":(?:ID|START_ID|END_ID)\b", re.IGNORECASE)


def header_files(files: Sequence[Path]) -> dict[Path, Path]:
    """The file with the header of each data file that has it there.

    ``persons-header.csv`` is that of ``persons.csv``, ``persons-1.csv`` and ``persons_part2.csv``.
    """
    headers: dict[Path, Path] = {}
    for path in files:
        named = _NAMED.fullmatch(stem_of(path))
        if named and _is_header(path):
            headers |= dict.fromkeys(_data_of(named["base"], files), path)
    return headers


def stem_of(path: Path, header: Path | None = None) -> str:
    """What a file is called without its ending: ``persons``, also of a part of these."""
    named = _NAMED.fullmatch(stem_of(header)) if header else None
    return named["base"] if named else path.name.partition(".")[0]


def _is_header(path: Path) -> bool:
    lines = beginning_lines(path)
    return len(lines) == 1 and bool(_ROLES.search(lines[0]))


def _data_of(base: str, files: Sequence[Path]) -> Iterator[Path]:
    data = re.compile(rf"{re.escape(base)}(?:[-_ ]?(?:part|chunk)?[-_ ]?\d+)?", re.IGNORECASE)
    return (path for path in files if data.fullmatch(stem_of(path)))
