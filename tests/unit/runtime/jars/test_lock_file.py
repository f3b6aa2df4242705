"""The lock file: what is read from it and what is refused."""

from __future__ import annotations

import pytest

from kgdb.errors import ArtifactError
from kgdb.runtime.jars import lock_file

pytestmark = pytest.mark.unit

SHA = "ab" * 32
LINE = f"lib io.netty:netty-transport:4.1.0:linux-x86_64 {SHA} 17"


def test_a_line_becomes_a_jar() -> None:
    (jar,) = lock_file.parse(f"# comment\n\n{LINE}\n").jars
    assert jar.coordinates == "io.netty:netty-transport:4.1.0:linux-x86_64"
    assert jar.path == "io/netty/netty-transport/4.1.0/netty-transport-4.1.0-linux-x86_64.jar"
    assert (jar.folder, jar.sha256, jar.size) == ("lib", SHA, 17)


@pytest.mark.parametrize(
    "line",
    [
        "lib a:b:1 " + SHA,
        f"elsewhere a:b:1 {SHA} 1",
        f"lib a:b {SHA} 1",
        f"lib a:../b:1 {SHA} 1",
        f"lib a:b:1 {SHA.upper()} 1",
        f"lib a:b:1 {SHA} -1",
        f"lib a:b:1 {SHA} 0",
    ],
)
def test_a_malformed_line_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(ArtifactError, match=r"test\.lock, line 2"):
        lock_file.parse(f"{LINE}\n{line}\n", "test.lock")


def test_two_jars_of_one_file_name_are_refused() -> None:
    text = f"plugins a:x:1 {SHA} 1\nplugins b:x:1 {SHA} 1\n"
    with pytest.raises(ArtifactError, match="same file name as a:x:1"):
        lock_file.parse(text)


def test_an_empty_lock_is_refused() -> None:
    with pytest.raises(ArtifactError, match="locks no jars"):
        lock_file.parse("# nothing\n")


def test_rendering_and_parsing_agree_and_plugins_come_first() -> None:
    jars = lock_file.parse(f"{LINE}\nplugins org.neo4j.gds:proc:2.0 {SHA} 5\n").jars
    again = lock_file.parse(lock_file.render(jars, "made by a test"))
    assert [jar.coordinates for jar in again.jars] == [
        "org.neo4j.gds:proc:2.0",
        "io.netty:netty-transport:4.1.0:linux-x86_64",
    ]
    assert set(again.jars) == set(jars)


def test_the_shipped_lock_holds_the_server_and_names_no_host() -> None:
    lock = lock_file.shipped()
    assert lock.version_of("org.neo4j:neo4j").startswith("5.26.")
    gds = {jar.folder for jar in lock.jars if jar.group == "org.neo4j.gds"}
    others = {jar.folder for jar in lock.jars if jar.group != "org.neo4j.gds"}
    assert (gds, others) == ({"plugins"}, {"lib"})
    assert "//" not in lock_file.LOCK_FILE.read_text()


def test_a_version_that_is_not_locked_is_an_error() -> None:
    with pytest.raises(ArtifactError, match="locks no a:b"):
        lock_file.parse(LINE).version_of("a:b")
