"""The keys of a service: made once, kept as hashes, revoked at once."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from kgdb.errors import UsageError
from kgdb.serving.access_keys import KeyRing

pytestmark = pytest.mark.unit


def test_a_key_is_found_by_its_secret_alone(tmp_path: Path) -> None:
    keys = KeyRing(tmp_path / "keys.json")
    secret = keys.add("bot", ["films"], per_minute=5)
    found = keys.find(secret)
    assert found is not None
    assert (found.name, found.graphs, found.per_minute) == ("bot", ("films",), 5)
    assert (found.may_see("films"), found.may_see("staff")) == (True, False)
    assert keys.find(secret[:-1]) is None
    assert keys.find("") is None


def test_no_secret_is_kept_and_the_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    secret = KeyRing(path).add("bot")
    assert secret not in path.read_text(encoding="utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_running_service_sees_a_revoked_key(tmp_path: Path) -> None:
    serving, command = KeyRing(tmp_path / "keys.json"), KeyRing(tmp_path / "keys.json")
    secret = command.add("bot")
    assert serving.find(secret) is not None
    command.remove("bot")
    assert serving.find(secret) is None


@pytest.mark.parametrize("name", ["", "a b", "x" * 65, "a\nb"])
def test_a_name_has_no_blanks(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="name of a key"):
        KeyRing(tmp_path / "keys.json").add(name)


def test_a_name_is_taken_once_and_an_unknown_one_is_named(tmp_path: Path) -> None:
    keys = KeyRing(tmp_path / "keys.json")
    keys.add("bot")
    with pytest.raises(UsageError, match="There is a key 'bot' already"):
        keys.add("bot")
    with pytest.raises(UsageError, match=r"There is no key 'cat'\. Keys: bot"):
        keys.remove("cat")


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match="is no file of keys"):
        KeyRing(path).all()
