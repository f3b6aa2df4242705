"""Forms of English words that are made from others."""

from __future__ import annotations

import pytest

from kgdb.language.text.roles.inflection import base_of, participle_of, past_of, plural_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("finite", "base", "participle"),
    [
        ("directed", "direct", "directed"),
        ("produced", "produce", "produced"),
        ("managed", "manage", "managed"),
        ("manages", "manage", "managed"),
        ("starred", "star", "starred"),
        ("supplies", "supply", "supplied"),
        ("teaches", "teach", "taught"),
        ("wrote", "write", "written"),
        ("described", "describe", "described"),
        ("contained", "contain", "contained"),
        ("follow", "follow", "followed"),
        ("used", "use", "used"),
    ],
)
def test_a_verb_has_its_forms(finite: str, base: str, participle: str) -> None:
    assert (base_of(finite), participle_of(finite)) == (base, participle)


def test_a_past_tense_is_found_by_the_participle() -> None:
    assert [past_of(each) for each in ("written", "directed")] == ["wrote", "directed"]


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("movie", "movies"),
        ("city", "cities"),
        ("person", "people"),
        ("people", "people"),
        ("box", "boxes"),
        ("sales order", "sales orders"),
        ("films", "films"),
        ("class", "classes"),
    ],
)
def test_a_noun_has_its_plural(noun: str, plural: str) -> None:
    assert plural_of(noun) == plural
