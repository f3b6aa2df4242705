"""The class archive: when it is used, asked for and given up; a fake Java makes it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from kgdb.runtime.instance import instance_layout
from kgdb.runtime.jars import class_archive
from kgdb.runtime.jars.jar_cache import JarCache
from kgdb.runtime.jars.lock_file import JarLock
from kgdb.runtime.machine.java import Java

pytestmark = pytest.mark.unit

# Writes what it was given as class list to where the archive was wanted.
DUMPS = """#!/bin/sh
for argument in "$@"; do case "$argument" in
-XX:SharedClassListFile=*) list="${argument#*=}";;
-XX:SharedArchiveFile=*) cp "$list" "${argument#*=}";;
esac; done
"""


@pytest.fixture
def classes(tmp_path: Path) -> class_archive.ClassArchive:
    executable = tmp_path / "java"
    executable.write_text(DUMPS)
    executable.chmod(0o755)
    java = Java(executable, "21.0.1")
    return class_archive.archive_for(java, JarCache(tmp_path, JarLock(()), None))


@pytest.fixture
def instance(tmp_path: Path) -> instance_layout.Instance:
    made = instance_layout.instance(tmp_path, "default")
    made.create()
    return made


def build(classes: class_archive.ClassArchive, class_list: Path) -> None:
    arguments = class_list.with_name("archive.args")
    arguments.write_text("-Xmx1g")
    class_archive.build(classes.java.executable, class_list, arguments, classes.file)


@pytest.fixture(autouse=True)
def usage(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Percent of two processors that are in use, moment by moment; later none."""
    percents: list[float] = []
    monkeypatch.setattr(
        class_archive.psutil, "cpu_percent", lambda window: percents.pop(0) if percents else 0.0
    )
    monkeypatch.setattr(class_archive.psutil, "cpu_count", lambda: 2)
    monkeypatch.setattr(class_archive, "_yield_to_others", lambda: None)
    return percents


def test_a_start_without_archive_lists_its_classes(
    classes: class_archive.ClassArchive, instance: instance_layout.Instance
) -> None:
    (flag,) = classes.flags(instance)
    assert flag == f"-XX:DumpLoadedClassList={instance.logs / 'classes.list'}"


def test_an_archive_is_made_of_the_usable_lines_and_then_used(
    classes: class_archive.ClassArchive, instance: instance_layout.Instance
) -> None:
    class_list = instance.logs / "classes.list"
    class_list.write_text(f"java/lang/Object\n{'x' * 5000}\njava/lang/String\njava/la")
    build(classes, class_list)
    assert classes.file.read_text() == "java/lang/Object\njava/lang/String"
    assert f"-XX:SharedArchiveFile={classes.file}" in classes.flags(instance)
    assert not class_list.exists()
    assert classes.discard() is True
    assert classes.discard() is False


def test_an_archive_is_made_once_the_machine_is_at_rest(
    classes: class_archive.ClassArchive, instance: instance_layout.Instance, usage: list[float]
) -> None:
    class_list = instance.logs / "classes.list"
    class_list.write_text("java/lang/Object\n")
    usage += [100, 60, 26, 25, 90]
    build(classes, class_list)
    assert usage == [90]
    assert classes.file.exists()


def test_an_archive_is_made_beside_others_where_two_processors_are_free(
    classes: class_archive.ClassArchive,
    instance: instance_layout.Instance,
    usage: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(class_archive.psutil, "cpu_count", lambda: 16)
    class_list = instance.logs / "classes.list"
    class_list.write_text("java/lang/Object\n")
    usage += [90, 87, 50]
    build(classes, class_list)
    assert usage == [50]


def test_a_machine_that_never_rests_gets_an_archive_all_the_same(
    classes: class_archive.ClassArchive,
    instance: instance_layout.Instance,
    usage: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moments = iter(range(0, 10_000, 3))
    monkeypatch.setattr(class_archive.time, "monotonic", lambda: next(moments))
    class_list = instance.logs / "classes.list"
    class_list.write_text("java/lang/Object\n")
    usage += [100] * 1000
    build(classes, class_list)
    assert 700 < len(usage) < 900
    assert classes.file.exists()


@pytest.mark.parametrize("meanwhile", ["reset", "started again"])
def test_what_happens_to_the_instance_meanwhile_does_not_matter(
    classes: class_archive.ClassArchive,
    instance: instance_layout.Instance,
    monkeypatch: pytest.MonkeyPatch,
    meanwhile: str,
) -> None:
    class_list = instance.logs / "classes.list"
    class_list.write_text("java/lang/Object\njava/lang/String\n")

    def wait() -> None:
        if meanwhile == "reset":
            shutil.rmtree(instance.root)
        else:
            class_list.write_text("java/la")

    monkeypatch.setattr(class_archive, "_await_idle_machine", wait)
    build(classes, class_list)
    assert classes.file.read_text() == "java/lang/Object\njava/lang/String"


def too_full(classes: class_archive.ClassArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's memory is gone before the archive is begun."""
    monkeypatch.setattr(class_archive.server_memory, "available_memory", lambda: 1 << 30)


def interrupted(classes: class_archive.ClassArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Java is terminated."""
    classes.java.executable.write_text("#!/bin/sh\nexit 143\n")


@pytest.mark.parametrize("hindrance", [too_full, interrupted])
def test_what_hinders_an_archive_once_is_not_its_end(
    classes: class_archive.ClassArchive,
    instance: instance_layout.Instance,
    monkeypatch: pytest.MonkeyPatch,
    hindrance: Callable[[class_archive.ClassArchive, pytest.MonkeyPatch], None],
) -> None:
    class_list = instance.logs / "classes.list"
    with monkeypatch.context() as once, suppress(class_archive.subprocess.CalledProcessError):
        hindrance(classes, once)
        class_list.write_text("java/lang/Object\n")
        build(classes, class_list)
    assert [path.suffix for path in classes.file.parent.glob("classes-*")] == [".lock"]
    classes.java.executable.write_text(DUMPS)
    class_list.write_text("java/lang/Object\n")
    build(classes, class_list)
    assert classes.file.exists()


def test_a_failed_attempt_leaves_no_archive_and_is_not_repeated(
    classes: class_archive.ClassArchive,
    instance: instance_layout.Instance,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class_list = instance.logs / "classes.list"
    class_list.write_text("java/lang/Object\n")
    classes.java.executable.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(class_archive.subprocess.CalledProcessError):
        build(classes, class_list)
    assert not classes.file.exists()
    class_list.write_text("java/lang/Object\n")
    monkeypatch.setattr(
        class_archive.process, "detach", lambda *arguments: pytest.fail("tried once more")
    )
    classes.build_in_background(instance)


def test_archives_for_replaced_jars_are_removed(
    classes: class_archive.ClassArchive, instance: instance_layout.Instance
) -> None:
    outdated = classes.file.with_name("classes-0000000000000000-1111111111111111.jsa")
    same_jars = classes.file.with_name(classes.file.name.rpartition("-")[0] + "-2222.jsa")
    outdated.touch()
    same_jars.touch()
    class_list = instance.logs / "classes.list"
    class_list.write_text("java/lang/Object\n")
    build(classes, class_list)
    assert not outdated.exists()
    assert same_jars.exists()


def test_another_java_has_another_archive(
    classes: class_archive.ClassArchive, tmp_path: Path
) -> None:
    newer = Java(classes.java.executable, "21.0.2")
    assert class_archive.archive_for(newer, classes.jars).file != classes.file
