"""The advice to install an extra works in the installation that gives it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kgdb import optional_packages
from kgdb.errors import UsageError
from kgdb.optional_packages import installation, optional

pytestmark = pytest.mark.unit


def installed_from(monkeypatch: pytest.MonkeyPatch, url: dict[str, Any] | None) -> None:
    text = json.dumps(url) if url else None
    found = SimpleNamespace(read_text=lambda _: text)
    monkeypatch.setattr(optional_packages, "distribution", lambda _: found)


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ({"dir_info": {"editable": True}}, '-e "{path}[html]"'),
        ({"archive_info": {}}, '"{path}[html]"'),
    ],
)
def test_what_was_installed_from_a_path_is_installed_from_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, info: dict[str, Any], expected: str
) -> None:
    folder = tmp_path / "a clone"
    folder.mkdir()
    installed_from(monkeypatch, {"url": folder.as_uri(), **info})
    assert installation("html").endswith(f" install {expected.format(path=folder)}")


@pytest.mark.parametrize("url", [None, {"url": "file:///nowhere"}, {"url": "https://x/y.whl"}])
def test_else_it_is_installed_by_its_name(
    monkeypatch: pytest.MonkeyPatch, url: dict[str, Any] | None
) -> None:
    installed_from(monkeypatch, url)
    assert installation("html").endswith(' install "kgdb[html]"')


def test_pip_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    installed_from(monkeypatch, None)
    monkeypatch.setattr(optional_packages.shutil, "which", lambda _: "/usr/bin/pip")
    assert installation("html") == f'{sys.executable} -m pip install "kgdb[html]"'


def test_a_missing_package_is_named_with_the_command() -> None:
    with pytest.raises(UsageError, match="'no_such_package' is not installed") as failure:
        optional("no_such_package", "html")
    assert failure.value.hint == installation("html")
