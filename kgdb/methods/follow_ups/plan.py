"""What becomes of a follow-up: a form, a question that stands alone, or a reason why neither."""

from __future__ import annotations

from dataclasses import dataclass

from kgdb.graph.forms import Form
from kgdb.graph.forms.operators import EntityForm


@dataclass(frozen=True, slots=True)
class Plan:
    """One of the first three is set. ``question`` is the follow-up in words that stand alone;
    ``subject`` is the earlier set that a form speaks of. ``keeps``: the next question refers to the
    same answer as this one.
    """

    form: Form | None = None
    question: str | None = None
    reason: str | None = None
    subject: EntityForm | None = None
    keeps: bool = False
