"""Where shipped files are found: in a checkout, and inside an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgdb import shipped_files

pytestmark = pytest.mark.unit


def test_a_checkout_is_read_in_place() -> None:
    root = Path(__file__).parents[2]
    assert shipped_files.statements() == root / "cypher"
    assert shipped_files.loaders() == root / "loaders"
    assert shipped_files.plugin() == root / "procedures" / "target" / "kgdb-procedures.jar"
    assert list(shipped_files.statements().glob("*.cypher"))
    assert list(shipped_files.loaders().glob("*.toml"))


def test_a_wheel_carries_them_inside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped_files, "_SHIPPED", tmp_path)
    assert shipped_files.statements() == tmp_path / "cypher"
    assert shipped_files.loaders() == tmp_path / "loaders"
    assert shipped_files.plugin() == tmp_path / "plugin" / "kgdb-procedures.jar"
