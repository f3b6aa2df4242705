"""The plugin folder: kgdb's current jars, the user's own, and a word when one is missing."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from kgdb import shipped_files
from kgdb.errors import UsageError
from kgdb.progress import Event, Message, silent
from kgdb.runtime.instance import instance_layout, plugins

pytestmark = pytest.mark.unit


@pytest.fixture
def instance(tmp_path: Path) -> instance_layout.Instance:
    made = instance_layout.instance(tmp_path, "default")
    made.create()
    return made


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the build puts the plugin; not built yet."""
    path = tmp_path / "kgdb-procedures.jar"
    monkeypatch.setattr(shipped_files, "plugin", lambda: path)
    return path


def build(plugin: Path, version: str) -> None:
    with zipfile.ZipFile(plugin, "w") as jar:
        jar.writestr("io/github/kgdb/procedure/build.properties", f"version={version}\n")


def installed_version(instance: instance_layout.Instance) -> str | None:
    path = plugins.installed_plugin(instance)
    return plugins.plugin_version(path) if path else None


def test_the_folder_holds_the_current_jars_of_kgdb_alone(
    instance: instance_layout.Instance, plugin: Path, tmp_path: Path
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
    instance: instance_layout.Instance, plugin: Path
) -> None:
    build(plugin, "1")
    plugins.install(instance, [], silent)
    build(plugin, "2")
    plugins.install(instance, [], silent)
    assert installed_version(instance) == "2"


def test_a_missing_plugin_is_reported_with_how_to_build_it(
    instance: instance_layout.Instance, plugin: Path
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
    instance: instance_layout.Instance,
    plugin: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(link: Path, target: Path) -> None:
        raise OSError("links are not supported")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    jar = tmp_path / "gds.jar"
    jar.write_bytes(b"jar")
    plugins.install(instance, [jar], silent)
    assert (instance.plugins / "gds.jar").read_bytes() == b"jar"
    assert not (instance.plugins / "gds.jar").is_symlink()


def users_jar(path: Path, content: bytes = b"Lorg/neo4j/procedure/Procedure;") -> Path:
    """A jar with a class that has a procedure, as far as can be told from outside."""
    with zipfile.ZipFile(path, "w") as jar:
        jar.writestr("com/example/Mine.class", b"\xca\xfe\xba\xbe" + content)
    return path


def names(instance: instance_layout.Instance) -> list[str]:
    return [jar.name for jar in plugins.user_jars(instance)]


def test_jars_of_the_user_stay(
    instance: instance_layout.Instance, plugin: Path, tmp_path: Path
) -> None:
    build(plugin, "1")
    gds = tmp_path / "gds-1.jar"
    gds.write_bytes(b"gds")
    users_jar(instance.plugins / "apoc-5.26.0-core.jar")
    (instance.plugins / "readme.txt").write_text("mine")
    for _ in range(2):
        plugins.install(instance, [gds], silent)
        assert names(instance) == ["apoc-5.26.0-core.jar"]
        assert (instance.plugins / "readme.txt").read_text() == "mine"


def test_a_jar_is_added_in_the_place_of_its_other_version(
    instance: instance_layout.Instance, plugin: Path, tmp_path: Path
) -> None:
    events: list[Event] = []
    for name in ("apoc-5.26.0-core.jar", "mine-1.0.jar", "apoc-5.26.3-core.jar"):
        plugins.add(instance, users_jar(tmp_path / name), "5.26.23", events.append)
    assert names(instance) == ["apoc-5.26.3-core.jar", "mine-1.0.jar"]
    assert events == [Message("apoc-5.26.3-core.jar replaces apoc-5.26.0-core.jar")]
    plugins.add(instance, instance.plugins / "mine-1.0.jar", "5.26.23", silent)
    assert names(instance) == ["apoc-5.26.3-core.jar", "mine-1.0.jar"]


def test_a_version_for_another_neo4j_is_told(
    instance: instance_layout.Instance, plugin: Path, tmp_path: Path
) -> None:
    events: list[Event] = []
    plugins.add(instance, users_jar(tmp_path / "apoc-5.20.0.jar"), "5.26.23", events.append)
    (event,) = events
    assert isinstance(event, Message)
    assert "seems to be for Neo4j 5.20.0, but this server is 5.26.23" in event.text


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("mine.txt", b"x", "is not a jar file"),
        ("mine.jar", None, "is not a jar file"),
        ("mine.jar", b"x", "cannot be read as a jar"),
    ],
)
def test_what_is_no_plugin_is_refused(
    instance: instance_layout.Instance, tmp_path: Path, name: str, content: bytes | None, says: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=says) as refusal:
        plugins.add(instance, path, "5.26.23", silent)
    assert "apoc-5.26.0-core.jar" in (refusal.value.hint or "")
    assert names(instance) == []


def test_a_jar_without_procedures_or_one_of_kgdbs_is_refused(
    instance: instance_layout.Instance, plugin: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="contains no procedure"):
        plugins.add(instance, users_jar(tmp_path / "mine.jar", b"none"), "5.26.23", silent)
    users_jar(plugin)
    with pytest.raises(UsageError, match="comes with kgdb"):
        plugins.add(instance, plugin, "5.26.23", silent)
