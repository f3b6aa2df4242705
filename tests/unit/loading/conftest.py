"""Where the source of a test lies."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "kb.txt"
