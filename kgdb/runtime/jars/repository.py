"""Reads files of a Maven repository, over HTTP(S) or from a folder."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

from kgdb.errors import ServerError, UsageError
from kgdb.optional_packages import installation
from kgdb.settings import without_login
from kgdb.wording import short

if TYPE_CHECKING:
    import requests

CONNECTIONS = 8
_RETRIES = 3
_BACKOFF_S = 0.5
_TIMEOUT_S = (10, 60)  # to connect; between two pieces of data
_CHUNK = 1 << 16

# Reads the file at a path below the repository's base URL, piece by piece.
FileReader = Callable[[str], Iterator[bytes]]


class ReadError(Exception):
    """A file cannot be read; ``temporary``: another attempt may succeed."""

    def __init__(self, reason: str, *, temporary: bool) -> None:
        super().__init__(reason)
        self.temporary = temporary


def base_url(mirror: str | None) -> str:
    """The base URL of the mirror, or of the repository that jgo uses."""
    if mirror is None:
        try:
            from jgo.constants import MAVEN_CENTRAL_URL
        except ImportError as error:
            raise missing_package("jgo") from error
        return str(MAVEN_CENTRAL_URL)
    if urlsplit(mirror).scheme not in ("http", "https", "file"):
        raise UsageError(
            f"KGDB_ARTIFACT_MIRROR is {short(without_login(mirror))}; expected the base URL of a "
            "Maven repository, beginning with https://, http:// or file://."
        )
    return mirror.rstrip("/")


@contextlib.contextmanager
def open_repository(base: str) -> Iterator[FileReader]:
    """A reader of the repository at ``base``, a URL of :func:`base_url`, for several threads.

    Connections stay alive; temporary refusals of the server are retried with growing pauses.
    Proxies and certificates come from the environment.
    """
    parts = urlsplit(base)
    if parts.scheme == "file":
        root = Path(url2pathname(parts.path))
        yield lambda path: _read_file(root / path)
    else:
        with _session() as session:
            yield lambda path: _read_http(session, f"{base}/{path}")


def missing_package(package: str) -> ServerError:
    """The error for a missing package of the extra ``server``."""
    return ServerError(
        f"The local server needs the package {package}, which is not installed.",
        hint=f"Install it with: {installation('server')}",
    )


def _session() -> requests.Session:
    try:
        import requests
        from requests.adapters import HTTPAdapter
        from urllib3.util import Retry
    except ImportError as error:
        raise missing_package("requests") from error
    retry = Retry(
        total=_RETRIES,
        backoff_factor=_BACKOFF_S,
        status_forcelist=(429, 500, 502, 503, 504),
        raise_on_status=False,
    )
    session = requests.Session()
    session.headers["Accept-Encoding"] = "identity"
    for scheme in ("http://", "https://"):
        session.mount(scheme, HTTPAdapter(pool_maxsize=CONNECTIONS, max_retries=retry))
    return session


def _read_http(session: requests.Session, url: str) -> Iterator[bytes]:
    from requests import RequestException

    try:
        with session.get(url, stream=True, timeout=_TIMEOUT_S) as response:
            if response.status_code != 200:
                raise ReadError(
                    f"the server answers {response.status_code} {response.reason}", temporary=False
                )
            yield from response.iter_content(_CHUNK)
    except RequestException as error:
        cause = error.args[0] if error.args else error
        raise ReadError(str(getattr(cause, "reason", cause)), temporary=True) from error


def _read_file(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    except OSError as error:
        raise ReadError(str(error.strerror or error), temporary=False) from error
