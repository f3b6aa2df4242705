"""The files that a loader reads: their disk space, the hash of their content, their metadata."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kgdb.errors import LoadError, UsageError
from kgdb.loading.loaders.loader_spec import LoaderSpec, SourceSpec
from kgdb.loading.reading.json_values import json_value
from kgdb.loading.reading.unpacking import compression_of
from kgdb.progress import Message, Report
from kgdb.wording import short

_BLOCK = 1 << 20
_HEAD = 16
_EXPANDS = 10
_REPORTED_FROM = 1 << 30
LEFTOVERS = ("~", ".bak", ".orig", ".swp", ".tmp", ".part")
"""Endings of backup copies and of incomplete downloads."""


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """The files of one source in reading order; an optional source may have none."""

    source: SourceSpec
    paths: tuple[Path, ...]


def find(spec: LoaderSpec, path: Path | None) -> tuple[SourceFiles, ...]:
    """The files of each source of the loader.

    ``path`` is the file of the first source, with the others beside it, or the folder of all files;
    ``None`` stands for the files that ship with the loader. Raises :class:`UsageError` for a
    missing file.
    """
    if path is None:
        return tuple(SourceFiles(source, _shipped(spec, source)) for source in spec.sources)
    require_name(path)
    if not path.exists():
        raise UsageError(f"The source {path} does not exist.", hint=_expected_files(spec))
    if path.is_dir():
        return tuple(SourceFiles(source, _in_folder(source, path)) for source in spec.sources)
    if not path.is_file():
        raise UsageError(
            f"The source {path} is a pipe or a device; kgdb reads a source more than once.",
            hint="Write its content to a file first.",
        )
    first, *others = spec.sources
    return (
        SourceFiles(first, (path,)),
        *(SourceFiles(source, _in_folder(source, path.parent)) for source in others),
    )


def require_name(path: Path) -> None:
    """Raise :class:`UsageError` for a file name that is not UTF-8: it cannot be shown or stored."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"The name of the file {short(str(path))} is not UTF-8.", hint="Rename it."
        ) from error


def stamps(files: Sequence[SourceFiles]) -> dict[Path, tuple[int, int]]:
    """The modification time and the size of each file."""
    stats = {path: path.stat() for each in files for path in each.paths}
    return {path: (stat.st_mtime_ns, stat.st_size) for path, stat in stats.items()}


def content_hash(spec: LoaderSpec, options: Mapping[str, str], files: Sequence[SourceFiles]) -> str:
    """The SHA-256 of the loader's definition, the options and the bytes of all files."""
    digest = hashlib.sha256(spec.definition.encode())
    digest.update(json.dumps([spec.name, spec.label, dict(options)], sort_keys=True).encode())
    for each in files:
        for path in each.paths:
            digest.update(f"\0{each.source.input.table}\0".encode())
            with path.open("rb") as file:
                while block := file.read(_BLOCK):
                    digest.update(block)
    return digest.hexdigest()


def require_disk_space(files: Sequence[SourceFiles], temp_folder: Path, report: Report) -> None:
    """Report how much disk space the files may need, and refuse a disk that is surely too small.

    DuckDB spills the text at most once, and the files to import hold it once more. Compressed text
    is assumed to be ten times as long as its file. Raises :class:`LoadError`.
    """
    text = sum(_text_bytes(path) for each in files for path in each.paths)
    free = shutil.disk_usage(temp_folder).free
    if text > free:
        raise LoadError(
            f"The source has about {text:,} bytes of text; {temp_folder} has {free:,} bytes free.",
            hint="Name a folder on a larger disk with --temp-folder.",
        )
    if text > _REPORTED_FROM:
        report(
            Message(
                f"The load may take up to {2 * text:,} bytes of disk in {temp_folder}; "
                f"{free:,} are free"
            )
        )


def _text_bytes(path: Path) -> int:
    with path.open("rb") as file:
        compressed = compression_of(file.read(_HEAD))
    return path.stat().st_size * (_EXPANDS if compressed else 1)


def _shipped(spec: LoaderSpec, source: SourceSpec) -> tuple[Path, ...]:
    if source.shipped:
        return (source.shipped,)
    if source.optional:
        return ()
    raise UsageError(
        f"The loader {short(spec.name)} ships without data.",
        hint=f"Name the file to load: kgdb load {spec.name} SOURCE",
    )


def _in_folder(source: SourceSpec, folder: Path) -> tuple[Path, ...]:
    if source.file is None:
        raise UsageError(
            f"The source {folder} is a folder; this loader reads a single file.",
            hint="Name that file.",
        )
    try:
        paths = tuple(
            sorted(
                path
                for path in folder.glob(source.file)
                if path.is_file()
                and (path.name == source.file or not path.name.casefold().endswith(LEFTOVERS))
            )
        )
    except (NotImplementedError, ValueError) as error:
        raise UsageError(
            f"The loader's `file` {short(source.file)} is not a file pattern in {folder}: {error}.",
            hint="Expected a file name in that folder, or a pattern such as edges-*.csv.",
        ) from error
    if paths or source.optional:
        return paths
    raise UsageError(
        f"The loader reads {source.file}, but {folder} has no such file.",
        hint="Name the folder that contains it.",
    )


def _expected_files(spec: LoaderSpec) -> str:
    names = [source.file for source in spec.sources if source.file]
    folder = f", or a folder with {', '.join(names)}" if len(names) > 1 else ""
    return (
        "Expected a file, plain or compressed (.gz, .bz2, .xz, .zst), or in an archive (.zip, "
        f".tar){folder}."
    )


def with_source_metadata(spec: LoaderSpec, source: Path | None) -> LoaderSpec:
    """The loader with the title and licence from its ``metadata`` file beside ``source``, if any.

    Either may be missing. If the title there is just the graph's name, the new name replaces it.
    Raises :class:`UsageError` for a file that is not a JSON object of texts.
    """
    if spec.metadata is None or source is None:
        return spec
    path = (source if source.is_dir() else source.parent) / spec.metadata
    if not path.is_file():
        return spec
    try:
        metadata = json_value(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _unusable(path, "cannot be read as JSON") from error
    if not isinstance(metadata, dict):
        raise _unusable(path, "is not a JSON object")
    name, title, licence = (_text(path, metadata, key) for key in ("name", "title", "licence"))
    return replace(
        spec,
        title=spec.name if title and title == name else title or spec.title,
        licence=licence or spec.licence,
    )


def _text(path: Path, metadata: dict[str, Any], key: str) -> str | None:
    value = metadata.get(key)
    if value is None or (isinstance(value, str) and value):
        return value
    raise _unusable(path, f"has {short(key)}: {short(value)}; expected a text")


def _unusable(path: Path, problem: str) -> UsageError:
    return UsageError(
        f"{path}, the file with the graph's title and licence, {problem}.",
        hint="Restore the file, or delete it: the graph then gets the loader's title and licence.",
    )
