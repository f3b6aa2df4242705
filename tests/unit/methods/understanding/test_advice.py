"""What is said where a question is not understood: names, near names, and what there is to ask."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from fakes import BagOfWords, MemoryDatabase, MemoryDriver, graph_info, reasoner
from film_schema import SCHEMA
from numpy.typing import NDArray

from kgdb.graph import Graph
from kgdb.graph.forms.named_values import NamedValue

pytestmark = pytest.mark.unit

LABELS = {"Ada Weir": "Person", "Jon Holt": "Person", "Heat": "Film"}
ABOUT_PEOPLE = "Of each person the graph has born, retired, acted in (film), directed (film)"


class FilmGraph(Graph):
    """Three names; nothing is asked of it."""

    schema = SCHEMA  # type: ignore[assignment]

    def named_in_text(
        self, ids: Sequence[str], texts: Sequence[str]
    ) -> tuple[dict[str, list[str]], list[NamedValue]]:
        return {id_: [LABELS[id_]] for id_ in ids}, []


class Meanings(BagOfWords):
    """An encoder to which money is half a budget."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = super().encode(texts)
        budget, money = super().encode(["budget", "money"])
        for row, text in enumerate(texts):
            if text == "money":
                vectors[row] = 0.5 * budget + 0.86 * money
        return vectors


def reason(question: str) -> str:
    graph = FilmGraph(MemoryDatabase(MemoryDriver([], names={n: n for n in LABELS})), graph_info())
    answer = reasoner("auto", graph, encoder=Meanings()).answer(question)
    assert answer.is_empty
    return answer.reason or ""


def test_a_word_that_names_nothing_is_told_with_what_there_is_to_ask() -> None:
    said = reason("What is the salary of Ada Weir?")
    assert said.startswith(f"I don't understand 'salary' in the question. {ABOUT_PEOPLE}")
    assert said.count(", ") == 4
    assert "Near" not in said


def test_without_a_name_it_is_told_of_the_label_that_is_spoken_of() -> None:
    assert "Of each studio the graph has city, (film) made by." in reason("Which studios churn?")


def test_near_names_are_offered() -> None:
    said = reason("How much money has Ada Weir?")
    assert said.startswith(
        f"I don't understand 'money' in the question. Near: budget. {ABOUT_PEOPLE}"
    )


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Which films did Zelda Morrow direct?", "the graph knows no 'Zelda Morrow'"),
        (
            "Which films did Ada Weirr and Jon Holt direct?",
            "the graph knows no 'Ada Weirr'; did you mean 'Ada Weir'?",
        ),
    ],
)
def test_an_unknown_name_is_clear_by_itself(question: str, says: str) -> None:
    assert reason(question) == says


def test_an_unknown_name_beside_an_unknown_word() -> None:
    said = reason("Which studios outbid Zelda Morrow?")
    begin = "I don't understand 'outbid' in the question, and the graph knows no 'Zelda Morrow'. "
    assert said == f"{begin}Of each studio the graph has city, (film) made by."
