"""Downloads locked jars in parallel from a Maven repository; a jar on disk is always complete."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

from kgdb.errors import ArtifactError, ServerError, UsageError
from kgdb.file_permissions import private_folder
from kgdb.optional_packages import installation
from kgdb.progress import Progress, Report
from kgdb.runtime.instance.instance_layout import unwritable
from kgdb.runtime.jars.lock_file import LockedJar
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

_ATTEMPTS = 3
_PAUSE_S = 0.5
_REPORT_EVERY_S = 0.1
_SPARE_BYTES = 64 << 20
_PARTIAL = ".part"
_STAGE = "Downloading Neo4j and Graph Data Science"
_HINT = (
    "Check the network and proxy settings, or set KGDB_ARTIFACT_MIRROR to the base URL of a Maven "
    "repository that you can reach. Complete jars are kept."
)


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


class _CancelledError(Exception):
    """Another download failed, so this one stops."""


def download(jars: Sequence[LockedJar], folder: Path, base_url: str, report: Report) -> None:
    """Download ``jars`` from the Maven repository at ``base_url`` into ``folder``.

    The folder has the layout of the repository. Only one caller at a time may use a folder. Raises
    :class:`ArtifactError` with the name of a jar that cannot be downloaded or is not the locked
    one, and :class:`ServerError` if the disk is full or the folder is not writable. Complete jars
    stay.
    """
    try:
        private_folder(folder)
        for leftover in folder.glob(f".*{_PARTIAL}"):
            leftover.unlink()
    except OSError as error:
        raise unwritable(folder, error) from error
    total = sum(jar.size for jar in jars)
    free, needed = shutil.disk_usage(folder).free, total + _SPARE_BYTES
    if free < needed:
        raise ServerError(
            f"The disk of {folder} is too full for the server's jars: {needed:,} bytes are needed, "
            f"{free:,} are free.",
            hint="Free space there, or set KGDB_HOME to a folder on another disk.",
        )
    with open_repository(base_url) as source, ThreadPoolExecutor(CONNECTIONS) as pool:
        transfer = _Transfer(folder, base_url, source, report, total)
        tasks = [pool.submit(transfer.fetch, jar) for jar in jars]
        try:
            done, _ = wait(tasks, return_when=FIRST_EXCEPTION)
        finally:
            transfer.cancelled.set()
            pool.shutdown(cancel_futures=True)
    for task in done:
        task.result()
    report(Progress(_STAGE, total, total, "bytes"))


class _Transfer:
    """What all connections of one :func:`download` share; it reports a few times a second."""

    def __init__(
        self, folder: Path, base_url: str, source: FileReader, report: Report, total: int
    ) -> None:
        self.cancelled = threading.Event()
        self._folder = folder
        self._base_url = base_url
        self._source = source
        self._report = report
        self._total = total
        self._done = 0
        self._next_report = 0.0
        self._lock = threading.Lock()

    def fetch(self, jar: LockedJar) -> None:
        """Download the jar, with several attempts."""
        problem = ""
        for attempt in range(_ATTEMPTS):
            if self.cancelled.wait(_PAUSE_S * attempt):
                raise _CancelledError
            try:
                problem = self._attempt(jar)
            except ReadError as error:
                problem = f"{error}."
                if not error.temporary:
                    break
            except OSError as error:
                raise unwritable(self._folder / jar.path, error) from error
            if not problem:
                return
        url = f"{without_login(self._base_url)}/{jar.path}"
        raise ArtifactError(
            f"{jar.coordinates} cannot be downloaded from {url}: {problem}", hint=_HINT
        )

    def _attempt(self, jar: LockedJar) -> str:
        """Download the jar once; returns the problem if it is not the locked one, else ``""``."""
        partial = self._folder / f".{jar.file_name}{_PARTIAL}"
        digest = hashlib.sha256()
        size = 0
        complete = False
        try:
            with partial.open("wb") as file:
                for piece in self._source(jar.path):
                    if self.cancelled.is_set():
                        raise _CancelledError
                    file.write(piece)
                    digest.update(piece)
                    size += len(piece)
                    self._count(len(piece))
                file.flush()
                os.fsync(file.fileno())
            if size != jar.size:
                return f"it has {size:,} bytes; expected {jar.size:,}."
            if digest.hexdigest() != jar.sha256:
                return f"its SHA-256 is {digest.hexdigest()}; expected {jar.sha256}."
            target = self._folder / jar.path
            private_folder(target.parent)
            partial.replace(target)
            complete = True
            return ""
        finally:
            if not complete:
                self._count(-size)
                partial.unlink(missing_ok=True)

    def _count(self, size: int) -> None:
        with self._lock:
            self._done += size
            if time.monotonic() >= self._next_report:
                self._next_report = time.monotonic() + _REPORT_EVERY_S
                self._report(Progress(_STAGE, self._done, self._total, "bytes"))
