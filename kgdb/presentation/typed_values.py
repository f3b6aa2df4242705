"""Typed values as people read them."""

from __future__ import annotations


def value_text(value: object) -> str:
    """Yes or no, a number with its thousands apart, or the text itself."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.10g}"
    return str(value)
