"""The password of an instance: generated once, stored in a private file, hashed for Neo4j."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from kgdb.errors import ServerError
from kgdb.file_permissions import private_folder
from kgdb.runtime.instance.instance_layout import Instance, read_json, write_atomically
from kgdb.wording import short

USERNAME = "neo4j"

_HASH_ROUNDS = 1024
_SALT_BYTES = 32


@dataclass(frozen=True, slots=True)
class Credentials:
    """A user name and a password; the ``repr`` hides the password."""

    username: str
    password: str = field(repr=False)


def ensure(instance: Instance) -> Credentials:
    """The credentials of the instance, generated if its database was never started.

    Raises :class:`ServerError` if the database exists and its password is lost.
    """
    stored = read(instance)
    if stored is not None:
        return stored
    if _system_database(instance).exists():
        raise ServerError(
            f"{instance.credentials} is missing or damaged, but the database of instance "
            f"{short(instance.name)} already has a password.",
            hint="Restore the file from a backup, or delete the data with: kgdb remove --all",
        )
    created = Credentials(USERNAME, secrets.token_urlsafe(24))
    instance.create()
    content = {"username": created.username, "password": created.password}
    write_atomically(instance.credentials, json.dumps(content) + "\n")
    return created


def read(instance: Instance) -> Credentials | None:
    """The stored credentials; ``None`` if there are none."""
    content = read_json(instance.credentials) or {}
    username, password = content.get("username"), content.get("password")
    if isinstance(username, str) and isinstance(password, str):
        return Credentials(username, password)
    return None


def set_initial_password(instance: Instance, credentials: Credentials) -> None:
    """Set the password of a database that was never started.

    Writes the file of ``neo4j-admin dbms set-initial-password``. The command itself takes the
    password as an argument, which every user of the machine can read, and starts a JVM.
    """
    if _system_database(instance).exists():
        return
    folder = instance.data / "dbms"
    private_folder(folder)
    line = initial_login(credentials, secrets.token_bytes(_SALT_BYTES))
    write_atomically(folder / "auth.ini", line + "\n")


def initial_login(credentials: Credentials, salt: bytes) -> str:
    """Neo4j's record of a user: ``name:SHA-256,<hash>,<salt>,<rounds>:<flags>``."""
    digest = salt + credentials.password.encode()
    for _ in range(_HASH_ROUNDS):
        digest = hashlib.sha256(digest).digest()
    return f"{credentials.username}:SHA-256,{digest.hex()},{salt.hex()},{_HASH_ROUNDS}:"


def _system_database(instance: Instance) -> Path:
    return instance.data / "databases" / "system"
