"""Answers and verdicts as a page: one file that needs nothing else, with the evidence drawn."""

from pathlib import Path

from kgdb.web.page import render, require

__all__ = ["COMMON_STYLE", "render", "require"]

COMMON_STYLE = Path(__file__).parent / "templates" / "common.css"
"""The colours and the letters of this page, which other pages share."""
