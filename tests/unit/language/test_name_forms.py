"""Names in texts: the same name spelt another way counts, a similar one does not."""

from __future__ import annotations

import pytest

from kgdb.language.text.name_forms import forms_in, name_forms, words_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Panic_disorder", "panic disorder"),
        ("X-ray", "x ray"),
        ("Cardiac enzymes", "cardiac enzyme"),
        ("Biopsies", "biopsy"),
        ("Crohn's disease", "Crohn disease"),
        ("Magnetic_resonance_imaging_(Mri)", "MRI"),
        ("Magnetic_resonance_imaging_(Mri)", "magnetic resonance imaging"),
        ("感冒", "感冒"),
        ("Ⅱ型糖尿病", "ii型糖尿病"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert words_of(other) in name_forms(one)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Hepatitis B", "You may have hepatitis C."),
        ("Hepatitis B", "You may have hepatitis."),
        ("Ibuprofen", "Take ibuprofin."),
        ("Hypertension", "You may have pulmonary hypertension."),
        ("Complete physical skin exam performed (ML)", "Take 5 ml of it."),
        ("Coagulation (bleeding) disorder", "There is bleeding."),
        ("Virus", "Viral infection"),
        ("Diabetes", "diabetic"),
        ("感冒", "感到冒汗"),
    ],
)
def test_another_name_is_not_found(name: str, text: str) -> None:
    known = name_forms(name) | name_forms("Pulmonary hypertension")
    assert not name_forms(name) & set(forms_in(text, known))


def test_the_longest_name_counts_and_each_is_found_once() -> None:
    known = name_forms("chest pain") | name_forms("sharp chest pain") | name_forms("pain")
    assert forms_in("Sharp chest pain, then pain.", known) == [
        ("sharp", "chest", "pain"),
        ("pain",),
    ]
