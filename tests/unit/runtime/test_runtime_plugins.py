"""The plugin folder: exactly the current jars, and a word when kgdb's own is missing."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from kgdb import resources
from kgdb.progress import Event, Message, silent
from kgdb.runtime import layout, plugins

pytestmark = pytest.mark.unit


@pytest.fixture
def instance(tmp_path: Path) -> layout.Instance:
    made = layout.instance(tmp_path, "default")
    made.create()
    return made


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the build puts the plugin; not built yet."""
    path = tmp_path / "kgdb-procedures.jar"
    monkeypatch.setattr(resources, "plugin", lambda: path)
    return path


def build(plugin: Path, version: str) -> None:
    with zipfile.ZipFile(plugin, "w") as jar:
        jar.writestr("io/github/kgdb/procedure/build.properties", f"version={version}\n")


def installed_version(instance: layout.Instance) -> str | None:
    path = plugins.installed_plugin(instance)
    return plugins.plugin_version(path) if path else None


def test_the_folder_holds_exactly_the_current_jars(
    instance: layout.Instance, plugin: Path, tmp_path: Path
) -> None:
    old, new = tmp_path / "gds-1.jar", tmp_path / "gds-2.jar"
    for jar in (old, new):
        jar.write_bytes(jar.name.encode())
    build(plugin, "1")
    plugins.install(instance, [old], silent)
    plugins.install(instance, [new], silent)
    present = {path.name: path.read_bytes() for path in instance.plugins.iterdir()}
    assert present == {"gds-2.jar": b"gds-2.jar", plugin.name: plugin.read_bytes()}


def test_a_rebuilt_plugin_replaces_the_installed_one(
    instance: layout.Instance, plugin: Path
) -> None:
    build(plugin, "1")
    plugins.install(instance, [], silent)
    build(plugin, "2")
    plugins.install(instance, [], silent)
    assert installed_version(instance) == "2"


def test_a_missing_plugin_is_reported_with_how_to_build_it(
    instance: layout.Instance, plugin: Path
) -> None:
    build(plugin, "1")
    plugins.install(instance, [], silent)
    plugin.unlink()
    events: list[Event] = []
    plugins.install(instance, [], events.append)
    (event,) = events
    assert isinstance(event, Message)
    assert "make plugin" in event.text
    assert str(plugin) in event.text
    assert installed_version(instance) is None


def test_a_file_that_is_no_plugin_has_no_version(tmp_path: Path) -> None:
    (tmp_path / "x.jar").write_bytes(b"not a jar")
    assert plugins.plugin_version(tmp_path / "x.jar") is None


def test_a_file_system_without_links_gets_copies(
    instance: layout.Instance, plugin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(link: Path, target: Path) -> None:
        raise OSError("links are not supported")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    jar = tmp_path / "gds.jar"
    jar.write_bytes(b"jar")
    plugins.install(instance, [jar], silent)
    assert (instance.plugins / "gds.jar").read_bytes() == b"jar"
    assert not (instance.plugins / "gds.jar").is_symlink()
