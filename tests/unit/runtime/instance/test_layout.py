"""Folders that cannot be written: whose they are, and what to do, by what the system says."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from kgdb.errors import ServerError
from kgdb.runtime.instance import instance_layout

pytestmark = pytest.mark.unit


def told(path: Path, code: int) -> str:
    return str(instance_layout.unwritable(path, OSError(code, os.strerror(code))))


def test_each_reason_has_its_advice(tmp_path: Path) -> None:
    assert "file system writable" in told(tmp_path, errno.EROFS)
    assert "bytes are free" in told(tmp_path / "not" / "there", errno.ENOSPC)
    assert "Change its permissions" in told(tmp_path, errno.EACCES)
    for code in (errno.EROFS, errno.ENOSPC, errno.EACCES, errno.EIO):
        assert str(tmp_path) in told(tmp_path, code)
        assert "KGDB_HOME" in told(tmp_path, code)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_another_user_is_named(tmp_path: Path) -> None:
    os.chown(tmp_path, 65_533, -1)
    text = told(tmp_path / "not" / "there", errno.EACCES)
    assert "belongs to the user with the number 65533" in text
    assert "kgdb status --env" in text


def test_an_instance_that_cannot_be_looked_into_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = instance_layout.instance(tmp_path, "default")
    instance_layout.require_access(instance)
    instance.create()
    instance_layout.require_access(instance)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ServerError, match="cannot be used"):
        instance_layout.require_access(instance)
