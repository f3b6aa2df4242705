"""Where the claims of a text begin and end, and what is none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts_put_away import PUT_AWAY

from kgdb.methods.claims_of_text.sentence_cutting import Sentence, cut

pytestmark = pytest.mark.unit

TEXTS: dict[str, list[str]] = {
    "Ada acted in Dune. Bo directed it.": ["Ada acted in Dune.", "Bo directed it."],
    "Ada acted in Dune": ["Ada acted in Dune"],
    "Mr. Smith met Mrs. Jones vs. the state.": ["Mr. Smith met Mrs. Jones vs. the state."],
    "The answer is no. He left.": ["The answer is no.", "He left."],
    "It is No. 7 of the list.": ["It is No. 7 of the list."],
    "He founded Smith Inc. In 1990 he left.": ["He founded Smith Inc.", "In 1990 he left."],
    "Martin Luther King Jr. Day is a holiday.": ["Martin Luther King Jr. Day is a holiday."],
    "It lies near St. Louis. The river is wide.": ["It lies near St. Louis.", "The river is wide."],
    "She has a Ph.D. in physics. It took years.": ["She has a Ph.D. in physics.", "It took years."],
    "He fought in World War I. It ended in 1918.": [
        "He fought in World War I.",
        "It ended in 1918.",
    ],
    "Version 2.0.1 was released on example.com. It works.": [
        "Version 2.0.1 was released on example.com.",
        "It works.",
    ],
    "He waited … and waited. Then he left.": ["He waited … and waited.", "Then he left."],
    "Is Dune long? Yes! It is.": ["Yes!", "It is."],
    "Where (in Rome) was he born?\nHe was born in Bonn.": ["He was born in Bonn."],
    "Bo asked: “Who directed Dune?” Ada knew it.": [
        "Bo asked: “Who directed Dune?”",
        "Ada knew it.",
    ],
    "Dune was directed by Lynch.[1] It was shot in 1983 [2].": [
        "Dune was directed by Lynch.[1]",
        "It was shot in 1983 [2].",
    ],
    "**Dune was long.** *Heat* was longer.": ["**Dune was long.**", "*Heat* was longer."],
    "Films\n=====\nDune was shot in 1983.\n\n---\n\nHeat was shot in 1995.": [
        "Dune was shot in 1983.",
        "Heat was shot in 1995.",
    ],
    "**Career**\n\nAda acted.": ["Ada acted."],
    "Cast:\n* Ada Weir\n* Bo Lund (1956)\n* Cy acted, too.": ["Cy acted, too."],
    "a | b\n--|--\nDune was | 1984\n\nDune is a film.": ["Dune is a film."],
    "~~~\nAda was here.\n```\nBo was here.\n~~~\nCy was here.": ["Cy was here."],
    "《沙丘》由林奇执导。片长137分钟（剪辑版。）很长。": [
        "《沙丘》由林奇执导。",
        "片长137分钟（剪辑版。）",
        "很长。",
    ],
    "Let's look at Dune. See the list below. Note that Dune is long.": ["Note that Dune is long."],
    "Let It Be was released in 1970. Take Shelter was shot in 2010.": [
        "Let It Be was released in 1970.",
        "Take Shelter was shot in 2010.",
    ],
    "Dune was directed by Lynch, and Heat was directed by Mann.": [
        "Dune was directed by Lynch",
        "Heat was directed by Mann.",
    ],
    "In the play, Ada met Bo, and Bo was directed by Cy.": [
        "In the play, Ada met Bo, and Bo was directed by Cy."
    ],
    "It is false that Ada met Bo, and Bo was directed by Cy.": [
        "It is false that Ada met Bo, and Bo was directed by Cy."
    ],
    "Ada, Bo, and Cy directed Dune.": ["Ada, Bo, and Cy directed Dune."],
    "1. **Dune** – It was long.\n2. **Heat:** It was good.\n3. **Cast**: Ada Weir": [
        "It was long.",
        "It was good.",
    ],
    "- **Common myth**: Dune was long.": ["**Common myth**: Dune was long."],
    "Ada hoped Bo was ill, and Cy directed Dune.": ["Ada hoped Bo was ill, and Cy directed Dune."],
    "Assume Ada was ill; Cy directed Dune.": ["Assume Ada was ill; Cy directed Dune."],
    "Had Ada come, Bo was ill, and Cy left.": ["Had Ada come, Bo was ill, and Cy left."],
    "Ada directed Dune?! ~~Bo directed it.~~ Cy directed ~~Dune~~ Heat.": [
        "Cy directed ~~Dune~~ Heat."
    ],
    "Bo directed Dune, Heat, and The Day Ada Was Born.": [
        "Bo directed Dune, Heat, and The Day Ada Was Born."
    ],
}


def claims(text: str) -> list[Sentence]:
    return [sentence for sentence in cut(text) if sentence.is_claim]


@pytest.mark.parametrize("text", [*TEXTS, *PUT_AWAY])
def test_claims_stand_where_they_are_said(text: str) -> None:
    found = [text[claim.start : claim.end] for claim in claims(text)]
    assert found == (TEXTS | PUT_AWAY)[text]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "> **Ada Weir** was born\n> in [Norbury](http://a.b/c).[1]",
            "Ada Weir was born in Norbury.",
        ),
        ("However, in 1956, Bo left.", "In 1956, Bo left."),
        ("Note that moreover, `Dune` is long.", "Dune is long."),
        ("Allegedly, Bo left.", "Allegedly, Bo left."),
        ("Bo also directed Dune.", "Bo directed Dune."),
        ("Bo was not also directed by Cy.", "Bo was not also directed by Cy."),
    ],
)
def test_claims_are_asked_without_markup_and_leads(text: str, asked: str) -> None:
    assert [claim.words for claim in claims(text)] == [asked]


@given(st.text(st.sampled_from(list('Aa. \n\r?!"“”()*_`-|#>;,:。？」1[]…~=')), max_size=60))
def test_any_text_is_cut_in_its_order(text: str) -> None:
    end = 0
    for sentence in cut(text):
        assert end <= sentence.start < sentence.end <= len(text)
        assert text[sentence.start : sentence.end].strip()
        end = sentence.end


@pytest.mark.parametrize(
    "part", [".", "a. ", '"', "(", "[", "> ", "A, and ", "`", "*", "\n", "A.", "- "]
)
def test_long_texts_take_no_longer_than_their_length_says(part: str) -> None:
    started = time.monotonic()
    cut(part * (200_000 // len(part)))
    assert time.monotonic() - started < 10
