"""How far the ranks of a judge can be trusted, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from kgdb.lab.ranking import Ranking
from kgdb.wording import counted, listed, plural, short


def silence(ranking: Ranking) -> Iterator[str]:
    """Which methods are last by rule, and not by the judge."""
    silent = [
        f"{method} (of {each.silent:,})" for method, each in ranking.methods.items() if each.silent
    ]
    if silent:
        asked = counted(ranking.questions, "question")
        yield f"Of {asked}, some rows say nothing and are last by rule: {listed(silent)}."


def trust(ranking: Ranking) -> Iterator[str]:
    """How far both runs of the judge agree, and which questions have no ranks."""
    agreement = ranking.agreement
    if agreement is not None:
        of_questions = counted(agreement.questions, "question")
        said = (
            f"Kendall's tau-b between both orders is {agreement.value:.2f} "
            f"({agreement.low:.2f} to {agreement.high:.2f}; {of_questions})"
        )
        if agreement.high < 0:
            said += (
                ": the judge goes by the order of the answers, and the ranks say nothing of them"
            )
        elif agreement.low <= 0:
            said += ": the ranks may be chance"
        yield f"{said}."
    if ranking.undecided:
        asked = counted(ranking.judged, "question")
        yield (
            f"Of {ranking.undecided:,} among {asked}, the judge ranks all answers as equal in one "
            "order or both: there the agreement is not known."
        )
    if alike := ranking.questions - ranking.judged:
        yield (
            f"The judge was not asked about {counted(alike, 'question')} without two different "
            "texts."
        )
    if ranking.unreadable:
        number = len(ranking.unreadable)
        yield (
            f"{counted(number, 'question')} {plural(number, 'has', 'have')} no ranks, as a reply "
            f"of the judge could not be read: {listed(ranking.unreadable)}; the first such reply: "
            f"{short(ranking.first_unreadable)}."
        )
    if ranking.errors:
        has = plural(ranking.errors, "has", "have")
        yield (
            f"{counted(ranking.errors, 'question')} {has} no ranks, as the judge failed; the same "
            f"command asks again. The first error: {ranking.first_error}"
        )
