"""Answers and verdicts as a page: one file that needs nothing else, with the evidence drawn."""

from kgdb.web.page import render, require

__all__ = ["render", "require"]
