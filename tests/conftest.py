"""Fixtures for all tests: where the published data sets are, and one real server per run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Haystack reports its use to a server, in a thread that logs while other tests run.
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

# Several processes test side by side; and weights trained with another number of threads, which
# PyTorch is free to change when a model is loaded, are not the same to the last bit.
os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which server the integration tests use."""
    parser.addoption(
        "--server",
        choices=("local", "container"),
        default="local",
        help="integration tests use the local server, or a container of KGDB_TEST_IMAGE "
        "(default: kgdb-neo4j)",
    )


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of published data sets; tests that need it are skipped, and say so, without it."""
    folder = Path(os.environ.get("KGDB_DATA", "../shared/data")).absolute()
    if not folder.is_dir():
        pytest.skip(f"no published data at {folder}: set KGDB_DATA")
    return folder


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Without slow tests their files are not even imported: some import PyTorch and more."""
    if "not slow" not in config.option.markexpr or collection_path.suffix != ".py":
        return None
    marked = "pytestmark = [pytest.mark.unit, pytest.mark.slow]"
    return True if marked in collection_path.read_text(encoding="utf-8") else None
