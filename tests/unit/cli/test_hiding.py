"""Importing a library without what it would take in."""

from __future__ import annotations

import importlib
import sys

import pytest

from kgdb.cli.lazy_group import hidden

pytestmark = pytest.mark.unit


def test_a_hidden_package_cannot_be_imported_until_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    with hidden("colorsys"), pytest.raises(ImportError):
        importlib.import_module("colorsys")
    assert importlib.import_module("colorsys").rgb_to_hsv(0, 0, 0) == (0, 0, 0)


def test_what_is_imported_already_stays() -> None:
    with hidden("sys"):
        assert importlib.import_module("sys") is sys
