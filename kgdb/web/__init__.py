"""Answers and verdicts as a page: one file that needs nothing else, with the evidence drawn."""

from kgdb.web.page import Comparison, Row, render, require

__all__ = ["Comparison", "Row", "render", "require"]
