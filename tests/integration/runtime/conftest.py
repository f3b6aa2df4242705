"""Homes for real servers: empty, but with the developer's downloaded jars."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kgdb.progress import silent
from kgdb.runtime import LocalServer, instances
from kgdb.runtime.starting.launching import jar_cache
from kgdb.settings import Settings, load_settings


@pytest.fixture(scope="session")
def jars() -> Path:
    """The jar folder of the developer's own home, downloaded if need be."""
    cache = jar_cache(load_settings())
    cache.ensure(silent)
    return cache.folder


@pytest.fixture(scope="module")
def settings(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings with a small server in a home of this module's own; it ends with the module."""
    home = tmp_path_factory.mktemp("home with spaces")
    (home / "jars").symlink_to(jars)
    settings = Settings(home=home, heap="1g", page_cache="128m")
    yield settings
    for name in instances(settings):
        LocalServer(replace(settings, instance=name)).reset()
