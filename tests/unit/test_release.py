"""Releases: one version in all files that hold it, and notes for it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kgdb import __version__

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import release  # noqa: E402

pytestmark = pytest.mark.unit

LOG = "# Changelog\n\n## 0.2.0 (unreleased)\n\n- New.\n\n## 0.1.0 (2026-01-02)\n\n- Old.\n"


def test_all_files_hold_the_same_version() -> None:
    versions = {
        release.version_in((ROOT / name).read_text(encoding="utf-8"), pattern)
        for name, pattern in release.HOLDERS.items()
    }
    assert versions == {__version__}


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("0.2", "expected three numbers"),
        ("v0.2.0", "expected three numbers"),
        ("0.1.0", "tagged already"),
        ("0.0.9", "expected 0.1.1 or later"),
    ],
)
def test_a_version_that_cannot_be_next_is_refused(new: str, said: str) -> None:
    assert said in (release.check_version(new, "0.1.1", ["v0.1.0"]) or "")


@pytest.mark.parametrize("new", ["0.1.1", "0.1.10", "1.0.0"])
def test_a_later_version_is_fine(new: str) -> None:
    assert release.check_version(new, "0.1.1", ["v0.1.0"]) is None


def test_the_unreleased_notes_get_the_version_and_the_day() -> None:
    assert release.dated(LOG, "0.2.1", "2026-03-04") == LOG.replace(
        "0.2.0 (unreleased)", "0.2.1 (2026-03-04)"
    )


@pytest.mark.parametrize(
    "log", ["# Changelog\n", "## 0.2.0 (unreleased)\n\n## 0.1.0 (2026-01-02)\n"]
)
def test_a_release_without_notes_is_refused(log: str) -> None:
    with pytest.raises(ValueError, match="no notes under a heading"):
        release.dated(log, "0.2.0", "2026-03-04")
