"""Which files a loader reads, and the hash that tells their content apart from any other."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import LoadError, UsageError
from kgdb.loading.loaders.spec import LoaderSpec, SourceSpec
from kgdb.progress import Message, Report
from kgdb.wording import short

_BLOCK = 1 << 20
_COMPRESSED = (b"\x1f\x8b", b"BZh")
_EXPANDS = 10
_WORTH_SAYING = 1 << 30
_LEFT_BEHIND = ("~", ".bak", ".orig", ".swp", ".tmp", ".part")
"""How names end that editors and downloads give to copies and to what is not complete."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one source, in the order in which they are read; none of an optional one."""

    source: SourceSpec
    paths: tuple[Path, ...]


def find(spec: LoaderSpec, given: Path | None) -> tuple[Files, ...]:
    """The files of each source of the loader.

    ``given`` is the file of its first source, the others lying beside it, or the folder they are
    all in; ``None``: what the loader comes with. Raises :class:`UsageError` for what is not there.
    """
    if given is None:
        return tuple(Files(source, _shipped(spec, source)) for source in spec.sources)
    require_name(given)
    if not given.exists():
        raise UsageError(f"The source {given} does not exist.", hint=_wanted(spec))
    if given.is_dir():
        return tuple(Files(source, _in_folder(source, given)) for source in spec.sources)
    if not given.is_file():
        raise UsageError(
            f"The source {given} is a pipe or a device, and its content is read more than once.",
            hint="Write it to a file first.",
        )
    first, *others = spec.sources
    return (
        Files(first, (given,)),
        *(Files(source, _in_folder(source, given.parent)) for source in others),
    )


def require_name(path: Path) -> None:
    """Raise :class:`UsageError` for a name that is no text, which nothing could tell or write."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"The name of the file {short(str(path))} is not UTF-8.", hint="Rename it."
        ) from error


def stamps(files: Sequence[Files]) -> dict[Path, tuple[int, int]]:
    """When each file was last written, and how many bytes it has."""
    found = {path: path.stat() for each in files for path in each.paths}
    return {path: (stat.st_mtime_ns, stat.st_size) for path, stat in found.items()}


def content_hash(spec: LoaderSpec, options: Mapping[str, str], files: Sequence[Files]) -> str:
    """SHA-256 over the loader's definition, the options and the bytes of all files."""
    digest = hashlib.sha256(spec.definition.encode())
    digest.update(json.dumps([spec.name, spec.label, dict(options)], sort_keys=True).encode())
    for each in files:
        for path in each.paths:
            digest.update(f"\0{each.source.reads.table}\0".encode())
            with path.open("rb") as file:
                while block := file.read(_BLOCK):
                    digest.update(block)
    return digest.hexdigest()


def require_room(files: Sequence[Files], work: Path, report: Report) -> None:
    """Say how much disk reading the files may take, and refuse where there surely is too little.

    The text is spilled once at most, and written once more as files to import; compressed text is
    taken for ten times as long as its file. Raises :class:`LoadError`.
    """
    text = sum(_text_bytes(path) for each in files for path in each.paths)
    free = shutil.disk_usage(work).free
    if text > free:
        raise LoadError(
            f"The source holds about {text:,} bytes of text, and {work} has {free:,} free.",
            hint="Name a folder on a larger disk with --work.",
        )
    if text > _WORTH_SAYING:
        report(
            Message(
                f"Up to {2 * text:,} bytes of disk may be taken in {work} meanwhile; "
                f"{free:,} are free"
            )
        )


def _text_bytes(path: Path) -> int:
    with path.open("rb") as file:
        compressed = file.read(3).startswith(_COMPRESSED)
    return path.stat().st_size * (_EXPANDS if compressed else 1)


def _shipped(spec: LoaderSpec, source: SourceSpec) -> tuple[Path, ...]:
    if source.shipped:
        return (source.shipped,)
    if source.optional:
        return ()
    raise UsageError(
        f"The loader {short(spec.name)} comes without data: name the file to load.",
        hint=f"kgdb load {spec.name} SOURCE",
    )


def _in_folder(source: SourceSpec, folder: Path) -> tuple[Path, ...]:
    if source.file is None:
        raise UsageError(
            f"The source {folder} is a folder.",
            hint="Expected a file: this loader reads a single one.",
        )
    try:
        found = tuple(
            sorted(
                path
                for path in folder.glob(source.file)
                if path.is_file()
                and (path.name == source.file or not path.name.casefold().endswith(_LEFT_BEHIND))
            )
        )
    except (NotImplementedError, ValueError) as error:
        raise UsageError(
            f"The loader's `file` {short(source.file)} cannot be looked for in {folder}: {error}.",
            hint="Expected the name of a file in that folder, or a pattern such as edges-*.csv.",
        ) from error
    if found or source.optional:
        return found
    raise UsageError(
        f"There is no {source.file} in {folder}, which the loader reads.",
        hint="Name the folder that holds it.",
    )


def _wanted(spec: LoaderSpec) -> str:
    names = [source.file for source in spec.sources if source.file]
    folder = f", or a folder with {', '.join(names)}" if len(names) > 1 else ""
    return f"Expected a file, plain or compressed (.gz, .bz2){folder}."
