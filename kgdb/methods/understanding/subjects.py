"""Names before the verb of a question, and those that a denial is about, by their places."""

from __future__ import annotations

import re
from collections.abc import Sequence

_AUXILIARY = re.compile(r"\b(?:did|does|do|has|have|had) $")
_NOT = re.compile(r" (?:not|never)")
_ENDS_DENIAL = re.compile(r"[,;，、；]|\bbut\b")


def is_subject(start: int, text: str) -> bool:
    """Whether a name is who acts: *did X direct*."""
    return bool(_AUXILIARY.search(text[:start].lower()))


def is_excluded(
    start: int, end: int, denied_at: Sequence[int], text: str, *, inverted: bool
) -> bool:
    """Whether a name stands behind a word such as *not*, with no comma or *but* between.

    ``denied_at`` are the places behind such words. ``inverted``: a name before one counts as well
    where it is the subject, as in *which films did X not direct?*.
    """
    for at in denied_at:
        if inverted and is_subject(start, text) and _NOT.fullmatch(text[end:at]):
            return True
        if start >= at and not _ENDS_DENIAL.search(text[at:start]):
            return True
    return False
