"""Answers as texts: what they say, what they cite, and what a language model may not say."""

from __future__ import annotations

import re

import pytest
from clinic import chinese_clinic, clinic
from fakes import opened, reasoner
from films import TWO_HOPS, films
from outcomes import ranked
from scripted import ScriptedModel

from kgdb.errors import UsageError
from kgdb.methods.texts.citations import marks, without_citations
from kgdb.methods.texts.support import sentences_of
from kgdb.values import Answer

pytestmark = pytest.mark.unit

ILL = "Doctor, I have a cough, a fever and chest pain. What could it be?"


def by_model(reply: str, question: str = ILL, **options: object) -> Answer:
    model = ScriptedModel({"Answer the person": reply, "对方": reply})
    return reasoner("dialogue", opened(clinic()), model, form="text", **options).answer(question)


def test_a_dialogue_is_answered_by_what_most_mentions_agree_on() -> None:
    answer = reasoner("dialogue", opened(clinic()), form="text", described=1).answer(ILL)
    # Flu has all three symptoms (the third by a part of its name), asthma one.
    assert ranked(answer) == ["Flu", "Asthma"]
    assert answer.text == (
        "What you mention is connected most with Flu [1–3] and Asthma [4]. "
        "The symptoms of Flu include Cough, Fever and Sharp chest pain [5–7]. "
        "The medical tests needed for Flu include Blood test [8]. "
        "The medication needed for Flu: Aspirin and Oseltamivir (Tamiflu) [9][10]."
    )
    assert answer.chain == (
        "Cough",
        "  –possible_disease→ Flu [1]",
        "    –has_symptom→ Cough [5]",
        "    –has_symptom→ Fever [6]",
        "    –has_symptom→ Sharp chest pain [7]",
        "    –need_medical_test→ Blood test [8]",
        "    –need_medication→ Aspirin [9]",
        "    –need_medication→ Oseltamivir (Tamiflu) [10]",
        "  –possible_disease→ Asthma [4]",
        "Fever",
        "  –possible_disease→ Flu [2]",
        "Sharp chest pain",
        "  –possible_disease→ Flu [3]",
    )


@pytest.mark.parametrize("told", ["There is a pain in my chest.", "My chest is in some pain."])
def test_the_words_of_a_name_may_stand_in_another_order(told: str) -> None:
    answer = reasoner("dialogue", opened(clinic())).answer(told)
    assert ranked(answer)[0] == "Flu"
    mentions = next(stage.output["mentions"] for stage in answer.trace if stage.name == "mentions")
    assert [entity for each in mentions for entity in each["entities"]] == ["Sharp chest pain"]


def test_words_that_are_a_part_of_a_name_can_be_left_alone() -> None:
    answer = reasoner("dialogue", opened(clinic()), partial=False).answer("I have chest pain.")
    assert answer.is_empty


def test_every_sentence_cites_facts_of_the_graph_that_have_its_names() -> None:
    graph = opened(clinic())
    answer = reasoner("dialogue", graph, form="text").answer(ILL)
    facts = set(graph.facts())
    assert answer.text
    assert set(answer.cited) <= facts
    for sentence in re.split(r"(?<=\.) ", answer.text):
        assert re.search(r"\[\d+(–\d+)?\]\.$", sentence)
        numbers = {
            number
            for first, last in re.findall(r"\[(\d+)(?:–(\d+))?\]", sentence)
            for number in range(int(first), int(last or first) + 1)
        }
        named = {
            end.name
            for number in numbers
            for end in (answer.cited[number - 1].head, answer.cited[number - 1].tail)
        }
        for name in graph_names(facts):
            if re.search(rf"\b{re.escape(name)}(?!\w)", sentence):
                assert name in named


def graph_names(facts: object) -> set[str]:
    return {end.name for fact in facts for end in (fact.head, fact.tail)}  # type: ignore[attr-defined]


def test_what_is_told_of_itself_comes_first() -> None:
    text = "I think I have asthma and I have a cough. What medication do I need?"
    answer = reasoner("dialogue", opened(clinic()), form="text").answer(text)
    assert ranked(answer)[0] == "Asthma"
    assert answer.text
    assert "The medication needed for Asthma is Albuterol [3]." in answer.text


def test_what_is_mentioned_alone_is_described() -> None:
    answer = reasoner("dialogue", opened(clinic()), form="text").answer("I have asthma.")
    assert answer.text == (
        "The symptoms of Asthma include Cough [1]. "
        "The medication needed for Asthma is Albuterol [2]. "
        "The medical tests needed for Asthma include Plain x-ray (X ray) [3]."
    )


def test_a_part_of_a_mention_is_no_mention_of_longer_names() -> None:
    text = "Doctor, I have pulmonary hypertension. What do I need?"
    answer = reasoner("dialogue", opened(clinic())).answer(text)
    assert ranked(answer)[0] == "Pulmonary hypertension"
    assert "Hypertension" not in ranked(answer)


def test_a_chinese_dialogue_is_answered_in_chinese() -> None:
    answer = reasoner("dialogue", opened(chinese_clinic()), form="text", described=1).answer(
        "医生，我咳嗽、发烧，该怎么办？"
    )
    assert ranked(answer)[0] == "感冒"
    assert answer.text
    assert answer.text.startswith("您提到的情况与感冒[1][2]和哮喘[3]关系最密切。")
    assert "感冒的症状包括发烧和咳嗽[1][2]。" in answer.text
    assert "感冒的药品是感冒灵[4]。" in answer.text


def test_a_question_is_answered_by_the_method_and_written_down() -> None:
    answer = reasoner("refkg", opened(films()), form="text").answer(TWO_HOPS)
    plain = reasoner("refkg", opened(films())).answer(TWO_HOPS)
    assert ranked(answer) == ranked(plain)
    assert plain.cited == ()
    assert answer.text
    assert answer.text.startswith("The answers are ")
    assert {triple.relation for triple in answer.cited} == {"starred_actors", "directed_by"}
    assert answer.chain[0] == "Ada Weir"
    assert answer.chain[1].startswith("  ←starred_actors– ")
    assert answer.chain[2].startswith("    –directed_by→ ")


def test_nothing_mentioned_is_no_answer() -> None:
    answer = reasoner("auto", opened(clinic()), form="text").answer("I feel odd. What is it?")
    assert answer.text is None
    assert answer.is_empty
    assert answer.reason
    assert "mentions no name" in answer.reason


def test_two_runs_are_identical() -> None:
    first, second = (
        reasoner("dialogue", opened(clinic()), form="text").answer(ILL) for _ in range(2)
    )
    assert (first.text, first.chain, first.cited) == (second.text, second.chain, second.cited)


def test_the_model_writes_and_its_own_numbers_are_not_believed() -> None:
    answer = by_model("The symptoms of Flu include cough and fever [7]. It may need Aspirin.")
    # Two relations say that the symptoms are flu's: both are cited.
    assert answer.text == (
        "The symptoms of Flu include cough and fever [1–4]. It may need Aspirin [5]."
    )
    assert {triple.tail.name for triple in answer.cited} == {"Flu", "Cough", "Fever", "Aspirin"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Take zorbofen for Flu.",  # no such name
        "The medication needed for Flu is Albuterol.",  # both are in the graph, the fact is not
        "The medication needed for Flu is Aspirin and Albuterol.",  # half of it
        "Aspirin is not the medication needed for Flu.",  # denied
        "The medication needed for Flu is Aspirin, 500 mg.",  # a number of its own
        "Flu, a dangerous disease, is a sign of Cough.",  # more than the fact
        "The medication needed for Flu is Cough.",  # another relation
        "Flu is the medication needed for Aspirin.",  # the other way round
        "All the symptoms of Flu include Cough.",  # more than one fact says
        "Please rest and see a doctor.",  # no fact at all
        "The symptoms of Pulmonary hypertension include Cough.",
    ],
)
def test_a_sentence_without_support_is_left_out(sentence: str) -> None:
    supported = "The symptoms of Flu include Cough."
    answer = by_model(f"{supported} {sentence}")
    assert answer.text
    assert without_citations(answer.text) == supported
    assert answer.unsupported == ()
    assert any("1 sentence of the language model" in note for note in answer.notes)


def test_a_sentence_without_support_is_marked_on_request() -> None:
    answer = by_model(
        "The symptoms of Flu include Cough. Take zorbofen for Flu.", allow_unsupported=True
    )
    assert answer.unsupported == ("Take zorbofen for Flu.",)
    assert (answer.text or "").endswith("Take zorbofen for Flu. (no fact says so)")


def test_a_sentence_may_go_on_from_the_one_before() -> None:
    answer = by_model("It may need Aspirin. The symptoms of Flu include Cough.")
    assert "Aspirin" not in (answer.text or "")
    answer = by_model("The symptoms of Flu include Cough. It may need the medication Aspirin.")
    assert "It may need the medication Aspirin [" in (answer.text or "")


def test_where_nothing_is_supported_the_template_writes() -> None:
    answer = by_model("Take zorbofen.")
    assert (answer.text or "").startswith("What you mention is connected most with Flu")
    assert any("by template" in note for note in answer.notes)


def test_the_model_reads_the_facts_and_the_question_without_brackets() -> None:
    model = ScriptedModel({"Answer the person": "x"})
    reasoner("dialogue", opened(clinic()), model, form="text").answer("I have a [cough] today.")
    (asked,) = model.asked
    assert "the medication needed for Flu: Aspirin" in asked.prompt
    assert "Person: I have a cough today." in asked.prompt


def test_a_wrong_form_is_an_error() -> None:
    with pytest.raises(UsageError, match="form is 'poem'; expected entities, text"):
        reasoner("rok", opened(films()), form="poem")


def test_citations_are_short() -> None:
    assert marks([1, 2]) == "[1][2]"
    assert marks([4, 1, 3, 2, 9]) == "[1–4][9]"
    assert without_citations("A [1–4][9]. B [2].") == "A. B."


def test_sentences_keep_their_citations() -> None:
    assert sentences_of("One is 1.5. [1]\nTwo! 三。[2] 四") == [
        "One is 1.5. [1]",
        "Two!",
        "三。[2]",
        "四",
    ]
