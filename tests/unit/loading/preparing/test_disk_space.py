"""A disk that is too small, or fills up while a source is read."""

from __future__ import annotations

import bz2
import gzip
import os
import random
import resource
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from three_fields import SPEC

from kgdb.errors import LoadError
from kgdb.loading import LoaderSpec, PreparedSource, prepare
from kgdb.loading.loaders.loader_spec import Tables
from kgdb.loading.writing.import_files import write_files
from kgdb.progress import silent

pytestmark = [pytest.mark.unit, pytest.mark.slow]


def test_a_disk_that_is_too_small_is_refused_beforehand(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.write_text("a|r|b\n" * 1000)
    packed = tmp_path / "kb.gz"
    packed.write_bytes(gzip.compress(random.Random(1).randbytes(2000)))
    for free, path in ((5_999, source), (20_000, packed)):
        usage = shutil.disk_usage(tmp_path)._replace(free=free)
        monkeypatch.setattr(shutil, "disk_usage", lambda folder, usage=usage: usage)
        with (
            pytest.raises(LoadError, match=r"of text; .* free") as failure,
            prepare(SPEC, path, temp_folder=tmp_path),
        ):
            pass
        assert "--temp-folder" in (failure.value.hint or "")


ROOM = 4 << 20
"""Bytes of the small disk, and of the longest file where there can be none."""

LINES = "".join(f"a{i}|r|b{i}\n" for i in range(100_000))


@pytest.fixture(scope="module")
def packed() -> bytes:
    """A source that is half as long again as the room when it is unpacked."""
    return bz2.compress(b"a|r|b\n" * 1_000_000)


@pytest.fixture(params=["a small disk", "a limit of the system"])
def narrow(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A folder with little room: a disk of its own, or files that may not grow."""
    folder = tmp_path / "narrow"
    folder.mkdir()
    if request.param == "a small disk":
        mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(folder)]
        if os.geteuid() != 0 or subprocess.run(mount, check=False).returncode:
            pytest.skip("no disk may be mounted here")
        yield folder
        subprocess.run(["umount", str(folder)], check=True)
    else:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, before[1]))
        yield folder
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def long_tails(length: int) -> LoaderSpec:
    """Triples that need far more room than the source's text."""
    tail = f"tail || repeat('x', {length})"
    return replace(SPEC, tables=Tables(f"SELECT head, relation, {tail} AS tail FROM source"))


def test_tables_that_outgrow_the_memory_and_the_disk(source: Path, narrow: Path) -> None:
    source.write_text(LINES)
    with (
        pytest.raises(LoadError, match=f"The disk of {narrow} is full") as failure,
        prepare(long_tails(2_000), source, memory="60MB", temp_folder=narrow),
    ):
        pass
    assert "--temp-folder" in (failure.value.hint or "")
    assert not list(narrow.iterdir())


def test_tables_that_are_kept_on_the_disk_from_the_beginning(source: Path, narrow: Path) -> None:
    source.write_text(LINES)
    random_tails = replace(
        SPEC,
        tables=Tables(
            "SELECT head, relation, md5(tail) || md5(head) || sha256(tail) AS tail FROM source"
        ),
    )
    with (
        pytest.raises(LoadError, match=f"The disk of {narrow} is full"),
        prepare(random_tails, source, memory="60MB", temp_folder=narrow, on_disk=True),
    ):
        pass
    assert not list(narrow.iterdir())


def test_a_compressed_source_that_is_longer_than_it_looked(
    packed: bytes, tmp_path: Path, narrow: Path
) -> None:
    source = tmp_path / "kb.txt.bz2"
    source.write_bytes(packed)
    with (
        pytest.raises(LoadError, match=f"The disk of {narrow} is full"),
        prepare(SPEC, source, temp_folder=narrow),
    ):
        pass
    assert not list(narrow.iterdir())


def test_the_files_to_import(source: Path, narrow: Path) -> None:
    source.write_text(LINES)
    with (
        pytest.raises(LoadError, match=f"The disk of {narrow} is full"),
        prepare(long_tails(100), source, temp_folder=narrow) as prepared,
    ):
        write_files(prepared, ranked=True, report=silent)
    assert not list(narrow.iterdir())


def read_with_little_memory(prepared: PreparedSource) -> None:
    prepared.tables.execute("SET memory_limit = '60MB'")
    list(prepared.triples(1_000))


def test_rows_that_are_read_later(source: Path, narrow: Path) -> None:
    source.write_text(LINES)
    with (
        pytest.raises(LoadError, match=f"The disk of {narrow} is full"),
        prepare(long_tails(1_000), source, memory="250MB", temp_folder=narrow) as prepared,
    ):
        read_with_little_memory(prepared)


def test_another_full_disk_is_not_taken_for_this_one(source: Path, tmp_path: Path) -> None:
    source.write_text("a|r|b\n")
    with pytest.raises(OSError, match="No space left"), prepare(SPEC, source, temp_folder=tmp_path):
        Path("/dev/full").write_text("x")
