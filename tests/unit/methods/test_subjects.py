"""The question around the name that a chain starts from."""

from __future__ import annotations

import pytest

from kgdb.methods.chains.candidate_chains import Subject
from kgdb.methods.chains.key_entities import KeyEntity

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("question", "masked"),
    [
        ("who directed the film [Heat]", "who directed "),
        ("who directed the films [Heat] and Ran", "who directed "),
        ("who directed the films [Heat] wrote", "who directed the films "),
        ("who directed films by the actress [Heat]", "who directed films by "),
    ],
)
def test_only_what_a_name_is_called_is_taken_off(question: str, masked: str) -> None:
    start = question.index("Heat")
    subject = Subject.of(question, KeyEntity("Heat", (), "name", (start, start + len("Heat"))))  # type: ignore[arg-type]
    assert subject.masked.startswith(masked)
    assert (
        len(subject.masked.split()[len(masked.split()) :])
        == len(question.partition("]")[2].split()) + 1
    )
