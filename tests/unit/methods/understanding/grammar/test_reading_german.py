"""German questions read by the grammar, by the letters of their words alone."""

from __future__ import annotations

import pytest
from language_schemas import GERMAN

from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Compare,
    Count,
    Except,
    Filter,
    FilterByCount,
    Find,
    FindAll,
    Form,
    GroupBy,
    Property,
    Relate,
    Select,
    SelectByCount,
    Verify,
)
from kgdb.methods.understanding.grammar.lexicon import lexicon
from kgdb.methods.understanding.grammar.spoken_language import spoken_language
from kgdb.methods.understanding.words import SAME, compound_parts, likeness, words_of

pytestmark = pytest.mark.unit

EDDA, JONAS, GLASS, SALT, LINDEN, ANKE, SUSI = map(Find, GERMAN.names)
BOOKS, AUTHORS, READERS = FindAll("Buch"), FindAll("Autor"), FindAll("Leser")
BY_JONAS, BY_ANKE = Relate(JONAS, "SCHRIEB"), Relate(ANKE, "LIEH")


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Wer schrieb Glaszeit?", Relate(GLASS, "SCHRIEB", "in")),
        ("Wer hat Glaszeit geschrieben?", Relate(GLASS, "SCHRIEB", "in")),
        ("Von wem wurde Glaszeit geschrieben?", Relate(GLASS, "SCHRIEB", "in")),
        ("Welche Bücher hat Jonas Kern geschrieben?", BY_JONAS),
        ("Welche Bücher schrieb Jonas Kern?", BY_JONAS),
        ("Welche Bücher wurden von Jonas Kern geschrieben?", BY_JONAS),
        ("Wie viele Bücher schrieb Jonas Kern?", Count(BY_JONAS)),
        ("In welchem Verlag erschien Salzmond?", Relate(SALT, "ERSCHIEN_BEI")),
        (
            "Welche Bücher sind beim Lindenverlag erschienen?",
            Relate(LINDEN, "ERSCHIEN_BEI", "in"),
        ),
        ("Wann wurde Edda Wolff geboren?", Property(EDDA, "Geburtsjahr")),
        ("Was kostet Glaszeit?", Property(GLASS, "Preis")),
        ("Wie viele Seiten hat Glaszeit?", Property(GLASS, "Seitenzahl")),
        ("Wie alt ist Anke Dorn?", Property(ANKE, "Alter")),
        ("Wo wohnt Anke Dorn?", Property(ANKE, "Wohnort")),
        ("Welche Leser wohnen in Leipzig?", Filter(READERS, "Wohnort", "=", "Leipzig")),
        ("Welche Autoren kommen aus der Schweiz?", Filter(AUTHORS, "Land", "=", "Schweiz")),
        ("Wer ist der älteste Autor?", Select(AUTHORS, "Geburtsjahr", "min")),
        ("Welches Buch hat die meisten Seiten?", Select(BOOKS, "Seitenzahl", "max")),
        ("Nenne mir die drei billigsten Bücher.", Select(BOOKS, "Preis", "min", 3)),
        ("Welche Bücher erschienen nach 2000?", Filter(BOOKS, "Erscheinungsjahr", ">", "2000")),
        ("Welche Bücher kosten mehr als 20?", Filter(BOOKS, "Preis", ">", 20)),
        (
            "Welche Bücher sind teurer als Glaszeit?",
            Filter(BOOKS, "Preis", ">", Property(GLASS, "Preis")),
        ),
        ("Wer hat die meisten Bücher geliehen?", SelectByCount(READERS, "LIEH", "max", to=BOOKS)),
        (
            "Wer hat mehr als zwei Bücher geliehen?",
            FilterByCount(READERS, "LIEH", ">", 2, to=BOOKS),
        ),
        (
            "Wie viele Bücher hat jeder Leser geliehen?",
            GroupBy(BOOKS, "LIEH", "in"),
        ),
        (
            "Welche Autoren haben kein Buch geschrieben?",
            Except(AUTHORS, Relate(BOOKS, "SCHRIEB", "in")),
        ),
        (
            "Welche Bücher hat Anke Dorn geliehen, aber nicht Susi Falk?",
            Except(BY_ANKE, Relate(SUSI, "LIEH")),
        ),
        (
            "Welche Bücher, die Anke Dorn geliehen hat, kosten mehr als 20?",
            Filter(BY_ANKE, "Preis", ">", 20),
        ),
        (
            "Wie hoch ist der durchschnittliche Preis der Bücher?",
            Aggregate(Property(BOOKS, "Preis"), "mean"),
        ),
        (
            "Hat Jonas Kern Glaszeit geschrieben?",
            Verify(And(JONAS, Relate(GLASS, "SCHRIEB", "in"))),
        ),
        (
            "Wer ist jünger, Edda Wolff oder Jonas Kern?",
            Compare(EDDA, JONAS, "Geburtsjahr", "max"),
        ),
        ("Gibt es Bücher mit mehr als 500 Seiten?", Verify(Filter(BOOKS, "Seitenzahl", ">", 500))),
        (
            "Welche Bücher wurden von mindestens zwei Lesern geliehen?",
            FilterByCount(BOOKS, "LIEH", ">=", 2, "in", to=READERS),
        ),
        ("Wer bewundert Edda Wolff?", Relate(EDDA, "BEWUNDERT", "in")),
        ("Wen bewundert Edda Wolff?", Relate(EDDA, "BEWUNDERT")),
        ("Wer schrieb welche Bücher?", None),
    ],
)
def test_a_question_is_read(question: str, form: Form | None) -> None:
    read = GERMAN.read(question)
    assert (read[0] if read else None) == form


def test_where_either_may_act_both_readings_weigh_the_same() -> None:
    first, second, *_ = GERMAN.read_scored("Welche Autoren bewundert Edda Wolff?")
    assert {first.form, second.form} == {
        Relate(EDDA, "BEWUNDERT"),
        Relate(EDDA, "BEWUNDERT", "in"),
    }
    assert first.score == second.score


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bücher", "buch"),
        ("geschrieben", "schrieb"),
        ("gegründet", "gründung"),
        ("lesen", "leser"),
        ("kostet", "preis"),
    ],
)
def test_forms_of_a_word_are_alike(one: str, other: str) -> None:
    assert likeness(one, other, lexicon("de").words) == SAME


def test_compounds_have_parts_and_umlauts_part_no_word() -> None:
    heads = lexicon("de").words.heads
    assert compound_parts("seitenzahl", heads) == ["seiten", "zahl"]
    assert compound_parts("geburtsjahr", heads) == ["geburt", "jahr"]
    assert compound_parts("jahr", heads) == ["jahr"]
    assert words_of("Länge_überAlles") == ["länge", "über", "alles"]


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Was kostet Glaszeit?", "de"),
        ("Was Ada in Dune?", "en"),
        ("Wer spielte in The Matrix?", "de"),
        ("Who acted in Die Hard?", "en"),
        ("Heat", "en"),
    ],
)
def test_the_language_is_that_of_most_words(question: str, language: str) -> None:
    assert spoken_language(question) == language
