"""Which readings of a question are answered, told beside the answer, or asked back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pytest
from fakes import BagOfWords, MemoryDatabase, MemoryDriver, graph_info
from film_schema import SCHEMA

from kgdb.errors import DatabaseError, UsageError
from kgdb.graph import Graph
from kgdb.graph.forms import Form, FormResult
from kgdb.graph.forms.operators import Count, Find, Relate
from kgdb.methods import QuestionContext, Resources
from kgdb.methods.context.batching import run_batched
from kgdb.methods.understanding import reading_choice
from kgdb.methods.understanding.grammar.grammar_reading import Candidate
from kgdb.methods.understanding.grammar.meanings import Whole
from kgdb.methods.understanding.reading_choice import (
    LikelyReadings,
    likely_readings,
)

pytestmark = pytest.mark.unit

ADA = Find("Ada")
ACTED, DIRECTED = Count(Relate(ADA, "ACTED_IN")), Count(Relate(ADA, "DIRECTED"))
ODD, SLOW = Count(Relate(ADA, "FOLLOWS")), Count(Relate(ADA, "MARRIED_TO"))


class CountingGraph(Graph):
    """Each form comes to its own number; ``asked`` keeps the forms."""

    schema = SCHEMA  # type: ignore[assignment]

    def __init__(self, numbers: Mapping[Form, int | None]) -> None:
        super().__init__(MemoryDatabase(MemoryDriver([])), graph_info())
        self._numbers = numbers
        self.asked: list[Form] = []

    def query(self, form: Form, **_: object) -> FormResult:  # type: ignore[override]
        self.asked.append(form)
        if form == ODD:
            raise UsageError("There is no such number.")
        if form == SLOW:
            raise DatabaseError("The call did not end within 7 ms.")
        return FormResult(form, value=self._numbers[form])


def likely(
    monkeypatch: pytest.MonkeyPatch,
    shares: Mapping[Form, float],
    numbers: Mapping[Form, int | None] | None = None,
) -> tuple[LikelyReadings, Sequence[Form]]:
    """The readings of a question whose candidates have these probabilities; the rest is none's."""
    weights = {"null": math.log(1 - sum(shares.values())), "result.empty": -9.0}
    monkeypatch.setattr(reading_choice, "reading_weights", lambda: weights)
    graph = CountingGraph(numbers or {form: n for n, form in enumerate(shares)})
    ctx = QuestionContext(Resources(graph, BagOfWords(), None), "How many?")
    candidates = [Candidate(Whole(form), math.log(share), ()) for form, share in shares.items()]
    (found,) = run_batched([(likely_readings(ctx, candidates), ctx.charge)])
    assert isinstance(found, LikelyReadings), found
    return found, graph.asked


def test_a_sure_reading_is_alone_if_none_is_likelier_than_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, _ = likely(monkeypatch, {ACTED: 0.6, DIRECTED: 0.15})
    assert found == LikelyReadings((ACTED,), is_sure=True)


def test_what_is_likelier_than_none_is_told_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = likely(monkeypatch, {ACTED: 0.6, DIRECTED: 0.3})
    assert found == LikelyReadings((ACTED, DIRECTED), is_sure=True)


def test_what_comes_to_the_same_is_one_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = likely(monkeypatch, {ACTED: 0.4, DIRECTED: 0.3}, {ACTED: 7, DIRECTED: 7})
    assert found == LikelyReadings((ACTED,), is_sure=True)


def test_of_readings_that_are_only_likely_together_none_is_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, _ = likely(monkeypatch, {ACTED: 0.4, DIRECTED: 0.35})
    assert found == LikelyReadings((ACTED, DIRECTED), is_sure=False)


@pytest.mark.parametrize("shares", [{}, {ACTED: 0.45}, {ACTED: 0.3, DIRECTED: 0.15}])
def test_what_is_too_unlikely_is_no_reading(
    monkeypatch: pytest.MonkeyPatch, shares: Mapping[Form, float]
) -> None:
    assert likely(monkeypatch, shares)[0] == LikelyReadings()


def test_what_comes_to_nothing_or_fails_is_no_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = likely(
        monkeypatch,
        {ODD: 0.3, DIRECTED: 0.28, ACTED: 0.25},
        {DIRECTED: None, ACTED: 3},
    )
    assert found == LikelyReadings((ACTED,), is_sure=True)


def test_another_reading_that_takes_too_long_costs_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, asked = likely(monkeypatch, {ACTED: 0.6, SLOW: 0.3})
    assert (found, asked) == (LikelyReadings((ACTED,), is_sure=True), [ACTED, SLOW])


def test_an_unlikely_reading_costs_no_query(monkeypatch: pytest.MonkeyPatch) -> None:
    _, asked = likely(monkeypatch, {ACTED: 0.9, DIRECTED: 0.05})
    assert asked == [ACTED]
