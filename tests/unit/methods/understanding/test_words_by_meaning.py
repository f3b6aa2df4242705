"""What an encoder may take for another word of a name, and dates in words."""

from __future__ import annotations

import numpy as np
import pytest

from kgdb.methods.understanding.alignment import without_doubtful
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.spoken_dates import with_iso_dates
from kgdb.methods.understanding.words import is_of_another_kind, one_of

pytestmark = pytest.mark.unit


def test_a_word_as_near_to_two_labels_is_another_name_of_neither() -> None:
    # "aircraft" and "film" beside the labels airline, flight and movie, and the relation piloted
    cosines = np.array([[0.74, 0.73, 0.2, 0.68], [0.4, 0.3, 0.84, 0.1]], np.float32)
    assert without_doubtful(cosines, [0, 1, 2]).tolist() == [[0, 0, 0, 0], cosines[1].tolist()]
    assert without_doubtful(cosines, [2]).tolist() == cosines.tolist()


@pytest.mark.parametrize(
    ("word", "name", "expected"),
    [
        ("library", "Librarian", True),
        ("novel", "Novelist", True),
        ("movies", "Movie", False),
        ("ordered", "Order", False),
        ("film", "Movie", False),
    ],
)
def test_a_word_of_the_same_root_may_be_of_another_kind(
    word: str, name: str, expected: bool
) -> None:
    assert is_of_another_kind(word, name, cues()) is expected


def test_the_singular_of_a_noun() -> None:
    assert [one_of(word) for word in ("passengers", "boxes", "class", "movies", "bus")] == [
        "passenger",
        "box",
        "class",
        "movies",
        "bus",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("after 5 March 2024?", "after 2024-03-05  ?"),
        ("on the 5th of march 2024", "on 2024-03-05           "),
        ("since Sept. 12, 1999", "since 1999-09-12    "),
        ("in May 2001", "in 2001-05 "),
        ("on 45 March 2024", "on 45 2024-03   "),
        ("may 20 people come?", "may 20 people come?"),
    ],
)
def test_dates_in_words(text: str, expected: str) -> None:
    assert with_iso_dates(text).replace("  ", " ").rstrip() == expected.replace("  ", " ").rstrip()
    assert len(with_iso_dates(text)) == len(text)
