"""Dates as people write them: *5 March 2024*, *March 5th, 2024*, *March 2024*."""

from __future__ import annotations

import re

_MONTHS = (
    "jan(?:uary)?",
    "feb(?:ruary)?",
    "mar(?:ch)?",
    "apr(?:il)?",
    "may",
    "june?",
    "july?",
    "aug(?:ust)?",
    "sep(?:t(?:ember)?)?",
    "oct(?:ober)?",
    "nov(?:ember)?",
    "dec(?:ember)?",
)
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>1\d{3}|20\d{2})"
_DATES = tuple(
    re.compile(rf"(?<!\w)(?:the\s+)?{pattern}(?!\w)", re.IGNORECASE)
    for pattern in (
        rf"{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}",
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        rf"{_MONTH},?\s+{_YEAR}",
    )
)
_LAST_DAY = 31


def with_iso_dates(text: str) -> str:
    """The text of the same length with such dates as ``2024-03-05`` and ``2024-03``."""
    for pattern in _DATES:
        text = pattern.sub(_iso, text)
    return text


def _iso(found: re.Match[str]) -> str:
    month = next(n for n, name in enumerate(_MONTHS, 1) if re.fullmatch(name, found["month"], re.I))
    date = f"{found['year']}-{month:02d}"
    if day := found.groupdict().get("day"):
        if not 1 <= int(day) <= _LAST_DAY:
            return found[0]
        date += f"-{int(day):02d}"
    return date.ljust(len(found[0]))
