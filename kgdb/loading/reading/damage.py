"""The boundary around the reading of a source: a damaged file gives an error that names it.

Only the exceptions by which a library says that its input is damaged become errors for the user;
all others are bugs of kgdb. Each reader translates the exceptions of its own parser.
"""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from kgdb.errors import LoadError, UsageError
from kgdb.loading.reading.input_limits import too_deep
from kgdb.loading.scratch.disk_space import is_disk_full

try:  # the extra "fast" unpacks gzip three times as fast
    from isal import isal_zlib
except ModuleNotFoundError:
    _DAMAGED: tuple[type[Exception], ...] = (gzip.BadGzipFile, zlib.error, lzma.LZMAError)
else:
    _DAMAGED = (
        *(gzip.BadGzipFile, zlib.error, lzma.LZMAError),
        cast(type[Exception], isal_zlib.error),
    )

_BLOCK = 1 << 20
_NO_GZIP = "Not a gzipped file"  # Python's error for extra bytes after gzip data
_AGAIN = "Download or copy the file again; nothing was loaded."


@contextmanager
def explaining_errors(name: Path) -> Iterator[None]:
    """Turn errors of opening and reading a file into errors that name the file and the damage."""
    try:
        yield
    except EOFError as error:
        if _has_extra_bytes(name):
            raise _extra_bytes(name) from error
        raise LoadError(
            f"{name} is truncated: its compressed data end too early.", hint=_AGAIN
        ) from error
    except _DAMAGED as error:
        # The file begins with gzip data, so the bytes that are not gzip follow them.
        if _NO_GZIP in str(error):
            raise _extra_bytes(name) from error
        raise _damaged(name, error) from error
    except UnicodeDecodeError as error:
        raise _not_in_encoding(name, error) from error
    except RecursionError as error:
        raise too_deep(name) from error
    except MemoryError as error:
        raise LoadError(
            f"{name} needs more memory than there is.",
            hint="The file may be damaged, or hold one huge value. Else load it on a larger "
            "machine.",
        ) from error
    except FileNotFoundError as error:
        raise UsageError(
            f"There is no file {name}.",
            hint="Check the name. If the file was deleted meanwhile, start again.",
        ) from error
    except OSError as error:
        if is_disk_full(error):  # the full disk is that of the temporary folder
            raise
        # Damaged data of bzip2, xz and zstd give an error without a number.
        if error.errno is None:
            raise _damaged(name, error) from error
        raise LoadError(f"{name} cannot be read: {error.strerror}.") from error


def _damaged(name: Path, problem: object) -> LoadError:
    """The error for a file whose packed content is not what its format allows."""
    return LoadError(f"{name} is damaged: {str(problem).rstrip('.')}.", hint=_AGAIN)


def _not_in_encoding(name: Path, error: UnicodeDecodeError) -> LoadError:
    """The error for a text that is not in its encoding, which is UTF-8 unless it names another."""
    encoding = error.encoding.upper().replace("_", "-")
    return LoadError(
        f"{name} is not {encoding}: {error.reason}.",
        hint=f"Convert it, for example: iconv -f WINDOWS-1252 -t UTF-8 {name.name} > converted",
    )


def _has_extra_bytes(path: Path) -> bool:
    """Whether other bytes follow the gzip data.

    The fast reader reports a single extra byte as a truncated file; Python's own reader does not.
    """
    try:
        with path.open("rb") as raw, gzip.open(raw) as stream:
            if raw.read(2) != b"\x1f\x8b":
                return False
            raw.seek(0)
            while stream.read(_BLOCK):
                pass
    except gzip.BadGzipFile as error:
        return _NO_GZIP in str(error)
    except (EOFError, OSError, zlib.error):
        return False
    return False


def _extra_bytes(name: Path) -> LoadError:
    return LoadError(
        f"{name} is damaged: extra bytes follow the end of its compressed data.",
        hint="Remove them, or download or copy the file again; nothing was loaded.",
    )
