"""The keys of a service: made and revoked by a command, kept as hashes in one private file."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock

from kgdb.errors import UsageError
from kgdb.file_permissions import private_file, private_folder
from kgdb.wording import listed, short

RIGHTS = ("ask", "cypher")
"""``ask``: questions, claims, retrieval and forms; ``cypher``: queries that read, in a sandbox."""

_NAME = re.compile(r"[\w.@-]{1,64}")
_PREFIX = "kgdb_"


@dataclass(frozen=True, slots=True)
class AccessKey:
    """Who asks: of which ``graphs`` (none: of all), with which ``rights``, and how much.

    ``per_minute`` counts questions; ``tokens_per_day`` and ``cost_per_day`` what language models
    read and write for it, and what that costs.
    """

    name: str
    sha256: str
    graphs: tuple[str, ...] = ()
    rights: tuple[str, ...] = ("ask",)
    per_minute: int | None = None
    made_at: str = ""
    tokens_per_day: int | None = None
    cost_per_day: float | None = None

    def may_see(self, graph: str) -> bool:
        """Whether the graph is one of the key's."""
        return not self.graphs or graph in self.graphs

    def to_dict(self) -> dict[str, Any]:
        """The key without its hash."""
        return {name: value for name, value in asdict(self).items() if name != "sha256"}


ANYBODY = AccessKey("local", "", rights=RIGHTS)
"""Who asks where no key is needed."""

ASKER: ContextVar[AccessKey] = ContextVar("asker", default=ANYBODY)
"""For whose limits what runs at the moment counts. What a key may do is asked of the request."""


class KeyRing:
    """The keys in a file; a service that runs sees a change at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[tuple[int, int], Mapping[str, AccessKey]] | None = None

    def all(self) -> Sequence[AccessKey]:
        """Every key, the oldest first."""
        return tuple(self._by_hash().values())

    def find(self, secret: str) -> AccessKey | None:
        """The key of a secret; a hash tells nothing of others that are like it."""
        return self._by_hash().get(_hashed(secret))

    def add(
        self,
        name: str,
        graphs: Sequence[str] = (),
        rights: Sequence[str] = ("ask",),
        per_minute: int | None = None,
        tokens_per_day: int | None = None,
        cost_per_day: float | None = None,
    ) -> str:
        """Make a key; the secret that is returned is kept nowhere."""
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"The name of a key is {short(name)}; expected letters, digits and . _ @ - only.",
                hint="For example: kgdb keys add support-bot --graph products",
            )
        with self._locked():
            keys = list(self.all())
            if any(each.name == name for each in keys):
                raise UsageError(
                    f"There is a key {short(name)} already.",
                    hint=f"Remove it first: kgdb keys remove {name}",
                )
            secret = _PREFIX + secrets.token_urlsafe(32)
            made_at = datetime.now(UTC).isoformat(timespec="seconds")
            key = AccessKey(
                name,
                _hashed(secret),
                tuple(graphs),
                tuple(rights),
                per_minute,
                made_at,
                tokens_per_day,
                cost_per_day,
            )
            self._write([*keys, key])
        return secret

    def remove(self, name: str) -> None:
        """Revoke a key."""
        with self._locked():
            keys = self.all()
            left = [each for each in keys if each.name != name]
            if len(left) == len(keys):
                names = listed(each.name for each in keys) if keys else "none"
                raise UsageError(f"There is no key {short(name)}. Keys: {names}.")
            self._write(left)

    def _by_hash(self) -> Mapping[str, AccessKey]:
        try:
            state = self._path.stat()
        except FileNotFoundError:
            return {}
        stamp = (state.st_mtime_ns, state.st_size)
        if self._read is None or self._read[0] != stamp:
            try:
                rows = json.loads(self._path.read_text(encoding="utf-8"))
                keys = [
                    AccessKey(
                        **{**row, "graphs": tuple(row["graphs"]), "rights": tuple(row["rights"])}
                    )
                    for row in rows
                ]
            except (ValueError, TypeError, KeyError) as error:
                raise UsageError(
                    f"{self._path} is no file of keys: {error}.",
                    hint="Remove it, and make the keys again: kgdb keys add NAME",
                ) from error
            self._read = (stamp, {key.sha256: key for key in keys})
        return self._read[1]

    def _locked(self) -> FileLock:
        private_folder(self._path.parent)
        return FileLock(self._path.with_suffix(".lock"))

    def _write(self, keys: Sequence[AccessKey]) -> None:
        new = private_file(self._path.with_suffix(".new"))
        new.write_text(json.dumps([asdict(key) for key in keys], indent=1), encoding="utf-8")
        new.replace(self._path)


def _hashed(secret: str) -> str:
    """The hash that is kept: a secret of 256 random bits needs no slow one."""
    return hashlib.sha256(secret.encode()).hexdigest()
