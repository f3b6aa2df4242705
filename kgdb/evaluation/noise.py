"""How many facts of the evidence are gold, before and after refinement (RefKG, A.9 and Table 8).

The paper judged 100 claims by hand. Here the gold facts of a question are those on retrieved paths
with a gold answer at an end. Claims have labels only, so a stand-in takes their place: the facts on
retrieved paths between two things that the claim names. All other facts are noise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kgdb.evaluation.questions import Claim, Question
from kgdb.graph.linking.name_words import normalize
from kgdb.values import Answer, Path, Triple, Verdict

_MIN_LETTERS = 3
"""The shortest name, but for a number, that may be found in the text of a claim."""

_WITHOUT_STAND_IN = frozenset({"Existence", "Negation"})
"""Kinds of claims that no fact between two named things proves."""

_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")
"""What tells namesakes apart behind a name, as in *Alien (film)*: claims leave it out."""


# No slots: rows inherit from a second class that has fields.
@dataclass(frozen=True, kw_only=True)
class NoiseFields:
    """Distinct facts (triples) of a question's or claim's evidence, and how many of them are gold.

    ``facts_retrieved`` and ``gold_retrieved``: before refinement. ``facts_refined`` and
    ``gold_refined``: what refinement left of them; ``None`` where nothing was refined. All are
    ``None`` where no gold facts are known: an error, a question without gold answers, a claim
    without a stand-in (one that is not labelled SUPPORTED, or of a kind in which no fact joins two
    named things). A fact is gold if it is on a retrieved path

    - of a question: with a gold answer at one of its ends;
    - of a claim: between two things that the claim names, which stands in for the gold facts.
    """

    facts_retrieved: int | None = None
    gold_retrieved: int | None = None
    facts_refined: int | None = None
    gold_refined: int | None = None

    def noise_to_fields(self) -> dict[str, Any]:
        """These fields alone, by their names."""
        return asdict(self)


UNKNOWN = NoiseFields()
"""Where no gold facts are known."""


def noise_of_answer(question: Question, answer: Answer) -> NoiseFields:
    """The facts of an answer's evidence; the gold ones are on paths with a gold answer at an end.

    Of a method that tells no stages, all of its evidence is what it retrieved.
    """
    if answer.error or not question.gold:
        return UNKNOWN
    staged = answer.staged
    explored = staged.explored if staged else (*answer.retrieved, *answer.evidence)
    right = [
        path
        for path in explored
        if any(question.called(path.entities[end]) in question.gold for end in (0, -1))
    ]
    return _counted(explored, right, staged.refined if staged else None)


def noise_of_verdict(claim: Claim, verdict: Verdict) -> NoiseFields:
    """The same of a claim, by the stand-in for its gold facts; see :class:`NoiseFields`."""
    if verdict.error or claim.label != "SUPPORTED" or claim.type in _WITHOUT_STAND_IN:
        return UNKNOWN
    staged = verdict.staged
    explored = staged.explored if staged else verdict.retrieved
    text = f" {normalize(claim.text)} "
    listed = {normalize(name) for name in claim.entities}

    def named(name: str) -> str | None:
        """The name as the claim has it."""
        for form in (normalize(name), normalize(_QUALIFIER.sub("", name))):
            long_enough = len(form) >= _MIN_LETTERS or form.isdigit()
            if form in listed or (long_enough and f" {form} " in text):
                return form
        return None

    right = []
    for path in explored:
        first, last = (named(path.entities[end].name) for end in (0, -1))
        if first and last and first != last:
            right.append(path)
    return _counted(explored, right, staged.refined if staged else None)


def _counted(
    explored: Sequence[Path], right: Sequence[Path], refined: Sequence[Triple] | None
) -> NoiseFields:
    """Each fact counts once, on however many paths it is."""
    facts, gold = _facts(explored), _facts(right)
    left = None if refined is None else set(refined)
    return NoiseFields(
        facts_retrieved=len(facts),
        gold_retrieved=len(gold),
        facts_refined=None if left is None else len(left),
        gold_refined=None if left is None else len(left & gold),
    )


def _facts(paths: Sequence[Path]) -> set[Triple]:
    return {triple for path in paths for triple in path.triples}
