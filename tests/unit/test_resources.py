"""Where shipped files are found: in a checkout, and inside an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgdb import resources

pytestmark = pytest.mark.unit


def test_a_checkout_is_read_in_place() -> None:
    root = Path(__file__).parents[2]
    assert resources.statements() == root / "cypher"
    assert resources.loaders() == root / "loaders"
    assert resources.plugin() == root / "procedures" / "target" / "kgdb-procedures.jar"
    assert list(resources.statements().glob("*.cypher"))
    assert list(resources.loaders().glob("*.toml"))


def test_a_wheel_carries_them_inside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "_SHIPPED", tmp_path)
    assert resources.statements() == tmp_path / "cypher"
    assert resources.loaders() == tmp_path / "loaders"
    assert resources.plugin() == tmp_path / "plugin" / "kgdb-procedures.jar"
