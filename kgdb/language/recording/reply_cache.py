"""Replies of language models, kept on disk and given again to the same ask.

What is kept is addressed by its content: the model and what tells its weights apart, and the whole
ask. The file is SQLite's, which many processes may read and write at once, and holds nothing but
JSON: whoever gets to write it can make kgdb believe a reply, and no more. (The library diskcache
executes what such a file holds, by its JSONDisk too: CVE-2025-69872, which no release mends.)
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from kgdb.errors import ModelError, UsageError
from kgdb.file_permissions import private_file, private_folder
from kgdb.language.language_model import Completion, CompletionRequest, LanguageModel
from kgdb.progress import Message, Report, silent

FILE = "replies.sqlite"
_FORM = 2
"""Changes with what a key or a reply is made of, so that what was kept before is not read."""

_LIMIT = 512 * 1024 * 1024
_KEPT = 0.8
"""The share of the limit that stays when what was not asked for the longest is dropped."""

_HOUR = 3600

_WAIT = 30.0
"""Seconds for which SQLite waits for a file that another process has locked."""

_DAMAGED = ".damaged"
_BROKEN = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})

_ONE_THREAD = Lock()
"""Held while a thread has the file open. The locks of a file belong to the process: a thread that
creates the file, or still has the one that was set aside, would take those of the others away.
"""

_R = TypeVar("_R")

# The journal stays SQLite's default: nobody then has to switch its mode while others use the file.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, reply TEXT NOT NULL, size INTEGER NOT NULL, used REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS replies_used ON replies (used, size);
"""


class Cached:
    """A language model whose replies are kept in a folder.

    ``identity`` is what the model goes by there, beside its name: its address or revision. Only
    what is not there is asked, and of equal asks one. Errors are not kept, nor replies that were
    cut off before they began. A file that is damaged is set aside, which is said, and a new one
    begun. Where the folder cannot be used the model is asked as ever, and that is said once.
    """

    def __init__(
        self,
        model: LanguageModel,
        folder: Path,
        identity: str = "",
        *,
        limit: int = _LIMIT,
        report: Report = silent,
    ) -> None:
        self.name = model.name
        self._model = model
        self._identity = identity
        self._store = _Store(folder, limit, report)

    @property
    def context(self) -> int:
        """As the model's."""
        return self._model.context

    @property
    def parameters(self) -> int | None:
        """Those of the model."""
        return self._model.parameters

    @property
    def supports_grammar(self) -> bool:
        """As the model does."""
        return self._model.supports_grammar

    def count(self, texts: Sequence[str]) -> list[int]:
        """As the model counts."""
        return self._model.count(texts)

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        """The replies that are kept, and the model's to the rest."""
        keys = [self._key(request) for request in requests]
        kept = self._store.read(keys)
        known = {
            key: kept[key]
            for key, request in zip(keys, requests, strict=True)
            if key in kept and _fits(kept[key], request)
        }
        missing = {
            key: request for key, request in zip(keys, requests, strict=True) if key not in known
        }
        replies = dict(zip(missing, self._model.complete(list(missing.values())), strict=True))
        self._store.write(
            {
                key: reply
                for key, reply in replies.items()
                if isinstance(reply, Completion) and not _is_nothing(reply)
            }
        )
        found: list[Completion | ModelError] = []
        for key in keys:
            if key in known:
                found.append(known[key])
                continue
            reply = replies[key]
            found.append(reply)
            if isinstance(reply, Completion):
                known[key] = replace(reply, cached=True)  # nothing is computed for its equals
        return found

    def _key(self, request: CompletionRequest) -> str:
        model = {"form": _FORM, "model": self.name, "identity": self._identity}
        whole = model | asdict(request)
        text = json.dumps(whole, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


class _Store:
    """The file of the replies."""

    def __init__(self, folder: Path, limit: int, report: Report) -> None:
        self._path = folder / FILE
        self._limit = limit
        self._report = report
        self._unusable = False

    def read(self, keys: Sequence[str]) -> dict[str, Completion]:
        """What there is of these."""
        return (self._use(lambda database: self._read(database, keys)) or {}) if keys else {}

    def write(self, replies: Mapping[str, Completion]) -> None:
        """Keep these, and drop what was not used for the longest where they are too many."""
        if replies:
            self._use(lambda database: self._write(database, replies))

    def _read(self, database: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Completion]:
        rows = database.execute(
            "SELECT key, reply, used FROM replies WHERE key IN (SELECT value FROM json_each(?))",
            [json.dumps(keys)],
        ).fetchall()
        # Marked as used, but not at each reading: writers wait for each other. A time to come is
        # that of a clock that was put back since.
        now = time.time()
        stale = [(now, key) for key, _, used in rows if not now - _HOUR <= used <= now + _HOUR]
        if stale:
            database.executemany("UPDATE replies SET used = ? WHERE key = ?", stale)
        return {key: reply for key, text, _ in rows if (reply := _parsed(text))}

    def _write(self, database: sqlite3.Connection, replies: Mapping[str, Completion]) -> None:
        now = time.time()
        rows = [(key, text := _written(reply), len(text), now) for key, reply in replies.items()]
        database.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", rows)
        (size,) = database.execute("SELECT sum(size) FROM replies").fetchone()
        if size > self._limit:
            database.execute(
                "DELETE FROM replies WHERE key IN (SELECT key FROM (SELECT key, sum(size) OVER "
                "(ORDER BY used DESC, key) AS upto FROM replies) WHERE upto > ?)",
                (int(self._limit * _KEPT),),
            )

    def _use(self, run: Callable[[sqlite3.Connection], _R]) -> _R | None:
        """What ``run`` gives in a transaction; ``None`` once the file cannot be used."""
        with _ONE_THREAD:
            for again in (True, False):
                if self._unusable:
                    break
                before = _inode(self._path)
                try:
                    with closing(_connected(self._path)) as database, database:
                        return run(database)
                except (sqlite3.Error, OSError) as error:
                    # A file that another process has set aside meanwhile fails in many ways.
                    if again and _inode(self._path) != before:
                        continue
                    if again and getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN:
                        self._set_aside(error)
                    else:
                        self._give_up(error)
        return None

    def _set_aside(self, damage: Exception) -> None:
        aside = self._path.with_name(f"{FILE}{_DAMAGED}")
        try:
            # A journal beside it belongs to the damaged file.
            self._path.with_name(f"{FILE}-journal").unlink(missing_ok=True)
            self._path.replace(aside)
        except OSError as error:
            self._give_up(error)
            return
        self._report(
            Message(
                f"The kept replies in {self._path} are damaged ({damage}): the file is set aside "
                f"as {aside.name}, and a new one is begun. kgdb remove --replies removes both."
            )
        )

    def _give_up(self, error: Exception) -> None:
        self._unusable = True
        self._report(Message(f"Replies are not kept: {self._path} cannot be used ({error})."))


def clear(folder: Path) -> int:
    """Remove all replies that are kept in a folder; returns how many bytes they took."""
    freed = 0
    for path in sorted(folder.glob(f"{FILE}*")):
        try:
            freed += path.stat().st_size
            path.unlink()
        except OSError as error:
            raise UsageError(f"{path} cannot be removed: {error.strerror}.") from error
    return freed


def _inode(path: Path) -> int | None:
    """What tells a file from another one that took its name."""
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _connected(path: Path) -> sqlite3.Connection:
    private_folder(path.parent)
    # SQLite gives the files beside it the same rights.
    private_file(path)
    # Whoever goes to write says so at once: two that both read first would wait for each other.
    database = sqlite3.connect(path, timeout=_WAIT, isolation_level="IMMEDIATE")
    try:
        database.executescript(_SCHEMA)
    except BaseException:
        database.close()
        raise
    return database


def _written(reply: Completion) -> str:
    return json.dumps(asdict(replace(reply, cached=False)), ensure_ascii=True)


def _parsed(text: object) -> Completion | None:
    """A reply as it was kept; what is none counts as not there."""
    try:
        fields: dict[str, Any] = json.loads(text)  # type: ignore[arg-type]
        scores = fields.pop("scores")
        reply = Completion(
            **fields | {"cached": True},
            scores=None if scores is None else tuple(map(float, scores)),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    counts = (reply.tokens_in, reply.tokens_out, reply.requests)
    numbers = all(isinstance(count, int) for count in counts)
    known = reply.finish in ("stop", "length")
    return reply if isinstance(reply.text, str) and numbers and known else None


def _is_nothing(reply: Completion) -> bool:
    """Whether a reply was cut off before it began; a server set up otherwise may give one."""
    return not reply.text and reply.finish == "length"


def _fits(reply: Completion, request: CompletionRequest) -> bool:
    """Whether it may be a reply to this; the file may have been written by somebody else."""
    if _is_nothing(reply):
        return False
    scored = reply.scores is None or len(reply.scores) == len(request.choices)
    return not request.choices or (reply.text in request.choices and scored)
