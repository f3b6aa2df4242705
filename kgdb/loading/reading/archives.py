"""ZIP and tar archives, unpacked into a temporary folder."""

from __future__ import annotations

import shutil
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from kgdb.errors import LoadError, UsageError
from kgdb.loading.reading.input_limits import MAX_DEPTH, Allowance
from kgdb.loading.reading.recognition import recognize, recognize_name
from kgdb.loading.reading.unpacking import BLOCK, compression_of, explaining_errors, open_packed
from kgdb.loading.scratch.temp_folder import new_temp_folder
from kgdb.progress import Progress, Report, silent
from kgdb.wording import listed, short

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_TAR_HEAD = 512
_EXCEL = "xl/workbook.xml"
_IGNORED_FOLDERS = frozenset({"__MACOSX"})


@contextmanager
def unpacked_archive(
    path: Path | None, temp_folder: Path | None = None, report: Report = silent
) -> Iterator[Path | None]:
    """The path, or what an archive at that path holds: its one file, or a folder of its files.

    The files lie in a new folder below ``temp_folder``, deleted at the end. Raises
    :class:`LoadError` for a damaged archive and for one that fills the disk.
    """
    kind = archive_kind(path) if path else None
    if not path or not kind:
        yield path
        return
    with new_temp_folder(temp_folder) as folder:
        target = folder / path.name
        target.mkdir()
        members = _members_of_zip(path) if kind == "zip" else _members_of_tar(path)
        _unpack(path, members, target, report)
        yield _content(path, target)


def archive_kind(path: Path) -> str | None:
    """``zip`` or ``tar``, packed or not; ``None`` for any other file, and for no file."""
    if not path.is_file():
        return None
    with explaining_errors(path):
        with path.open("rb") as raw:
            head = raw.read(_TAR_HEAD)
        if head.startswith(_ZIP):
            return "zip"
        compression = compression_of(head)
        if compression and not recognize_name(path, compression):
            with suppress(EOFError, OSError, UsageError), open_packed(path, compression) as stream:
                head = stream.read(_TAR_HEAD)  # the reader of the file reports what is damaged
    return "tar" if head[257:262] == b"ustar" and not recognize(head) else None


def require_one_file(path: Path, unpacked: Path | None) -> None:
    """Raise :class:`UsageError` if the archive at ``path`` holds several files."""
    if unpacked is None or unpacked == path or unpacked.is_file():
        return
    names = sorted(
        str(each.relative_to(unpacked)) for each in unpacked.rglob("*") if each.is_file()
    )
    raise UsageError(
        f"The archive {path} has several files, and this loader reads one: {listed(names)}.",
        hint="Unpack it, and name the file to load. The loaders csv, jsonl and parquet read "
        "archives with a file of edges and a file of nodes.",
    )


def _content(path: Path, folder: Path) -> Path:
    """The one file below the folder, or the deepest folder that has all its files."""
    while True:
        inner = list(folder.iterdir())
        if len(inner) != 1:
            break
        if inner[0].is_file():
            return inner[0]
        folder = inner[0]
    if not inner:
        raise UsageError(f"The archive {path} has no file.", hint="Name another one.")
    return folder


@dataclass(frozen=True, slots=True)
class _Member:
    """A file in an archive; ``size`` is what the archive says of it."""

    name: str
    size: int
    open: Callable[[], IO[bytes] | None]


def _members_of_zip(path: Path) -> Iterator[_Member]:
    with _explaining_archive(path), zipfile.ZipFile(path) as archive:
        members = [each for each in archive.infolist() if not each.is_dir()]
        if any(each.filename == _EXCEL for each in members):
            raise UsageError(
                f"{path} is an Excel workbook, which no loader reads.",
                hint="Save each sheet as CSV (UTF-8), then: kgdb load mine --init sheet.csv",
            )
        for each in members:
            yield _Member(each.filename, each.file_size, partial(archive.open, each))


def _members_of_tar(path: Path) -> Iterator[_Member]:
    with path.open("rb") as raw:
        compression = compression_of(raw.read(_TAR_HEAD))
    with (
        _explaining_archive(path),
        open_packed(path, compression) as stream,
        tarfile.open(fileobj=stream, mode="r|") as archive,
    ):
        for each in archive:
            if each.isfile():
                yield _Member(each.name, each.size, partial(archive.extractfile, each))


def _unpack(path: Path, members: Iterable[_Member], folder: Path, report: Report) -> None:
    allowance = Allowance(path)
    done = 0
    for member in members:
        allowance.take(member.size)
        with _explaining_archive(path):
            target = _target(path, folder, member.name)
            packed = member.open() if target else None
            if not (target and packed):
                continue
            _require_space(path, member.size, folder)
            with packed, target.open("wb") as plain:
                while block := packed.read(BLOCK):
                    done += plain.write(block)
                    report(Progress(f"unpacking {path.name}", done, None, "bytes"))


@contextmanager
def _explaining_archive(path: Path) -> Iterator[None]:
    """Turn what Python's modules raise for an archive that they cannot read into errors."""
    with explaining_errors(path):
        try:
            yield
        except UnicodeError as error:
            raise LoadError(
                f"{path} has a file whose name is not UTF-8.",
                hint="Unpack it yourself, and rename that file.",
            ) from error
        except (RuntimeError, NotImplementedError) as error:  # a password, a rare compression
            raise LoadError(
                f"{path} cannot be unpacked: {str(error).rstrip('.')}.",
                hint="Unpack it first, then name the file.",
            ) from error
        # Numbers in a header that are none, or too large, are a ValueError or an OverflowError.
        except (
            *(zipfile.BadZipFile, tarfile.TarError),
            *(ValueError, OverflowError, struct.error),
        ) as error:
            raise LoadError(
                f"{path} is damaged or truncated: {str(error).rstrip('.')}.",
                hint="Download or copy the file again; nothing was loaded.",
            ) from error


def _target(path: Path, folder: Path, name: str) -> Path | None:
    """The path of a member below the folder; ``None`` for hidden files and those of macOS."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or ".." in parts or parts[0].startswith("/") or parts[0].endswith(":"):
        raise LoadError(
            f"{path} has a file that would lie outside its folder: {short(name)}.",
            hint="Do not trust this archive.",
        )
    if len(parts) > MAX_DEPTH:
        raise LoadError(
            f"{path} has a file {len(parts):,} folders deep: {short(name)}.",
            hint=f"kgdb unpacks at most {MAX_DEPTH} levels. Do not trust this archive.",
        )
    name.encode()  # a name that is no text cannot be shown or stored
    parts = tuple(part for part in parts if part != ".")
    if not parts or parts[0] in _IGNORED_FOLDERS or parts[-1].startswith("."):
        return None
    target = folder.joinpath(*parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def _require_space(path: Path, size: int, folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if size > free:
        raise LoadError(
            f"{path} unpacks to {size:,} bytes; {folder.parent} has {free:,} bytes free.",
            hint="Name a folder on a larger disk with --temp-folder.",
        )
