"""Evaluation: strict measures, and the question sets as they are read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgdb.errors import UsageError
from kgdb.evaluation import (
    Claim,
    Question,
    read_factkg,
    read_file,
    read_metaqa,
    read_webqsp,
)
from kgdb.evaluation.metrics import exact, f1, hit, hits_at_1, recall
from kgdb.evaluation.questions import in_brackets
from kgdb.evaluation.result_rows import answer_row
from kgdb.values import Answer, Entity

pytestmark = pytest.mark.unit

NAMES = st.lists(st.sampled_from("abcdef"), max_size=6)


@pytest.mark.parametrize(
    ("answers", "gold", "first", "any_", "all_", "score"),
    [
        (["a"], {"a"}, True, True, True, 1.0),
        (["a", "b"], {"a"}, True, True, False, 2 / 3),
        (["b", "a"], {"a"}, False, True, False, 2 / 3),
        (["b"], {"a"}, False, False, False, 0.0),
        ([], {"a"}, False, False, False, 0.0),
        (["a"], set(), False, False, False, 0.0),
        ([], set(), False, False, False, 0.0),
        (["a"], {"a", "b", "c"}, True, True, False, 0.5),
        (["a", "a"], {"a"}, True, True, True, 1.0),
        (["b", "a"], {"a", "b"}, True, True, True, 1.0),
        (["A"], {"a"}, False, False, False, 0.0),
    ],
)
def test_the_measures_are_strict(
    answers: list[str], gold: set[str], first: bool, any_: bool, all_: bool, score: float
) -> None:
    assert hits_at_1(answers, gold) is first
    assert hit(answers, gold, 20) is any_
    assert exact(answers, gold) is all_
    assert f1(answers, gold) == pytest.approx(score)


def test_a_gold_answer_past_those_shown_is_no_hit() -> None:
    assert hit(["b", "a"], {"a"}, 2)
    assert not hit(["b", "a"], {"a"}, 1)
    assert not hit(["a"], {"a"}, 0)


@given(NAMES, st.sets(st.sampled_from("abcdef"), min_size=1))
def test_f1_is_the_harmonic_mean_of_precision_and_recall(
    answers: list[str], gold: set[str]
) -> None:
    common = set(answers) & gold
    if common:
        precision, recall = len(common) / len(set(answers)), len(common) / len(gold)
        assert f1(answers, gold) == pytest.approx(2 / (1 / precision + 1 / recall))
    else:
        assert f1(answers, gold) == 0
    assert (f1(answers, gold) == 1) == (set(answers) == gold)


@given(NAMES, st.sets(st.sampled_from("abcdef")), st.randoms())
def test_every_measure_is_bounded_and_only_the_first_place_matters(
    answers: list[str], gold: set[str], random: Random
) -> None:
    rest = answers[1:]
    random.shuffle(rest)
    shuffled = answers[:1] + rest
    for measure in (hits_at_1, exact, f1, recall):
        assert 0 <= measure(answers, gold) <= 1
        assert measure(answers, gold) == measure(shuffled, gold)
    assert hit(answers, gold, len(answers)) == hit(shuffled, gold, len(answers))
    # Saying the same twice changes nothing.
    assert f1([*answers, *answers], gold) == f1(answers, gold)
    assert exact([*answers, *answers], gold) == exact(answers, gold)


def test_recall_is_the_share_of_the_gold_that_was_found() -> None:
    assert recall("xyab", "abcd") == 0.5
    assert recall("ab", "") == 0


def test_an_entity_is_right_by_its_name_or_by_a_gold_id() -> None:
    by_name = Question("1", "?", frozenset({"Heat"}))
    assert by_name.called(Entity("m.1", "Heat")) == "Heat"
    assert by_name.called(Entity("Heat", "Another")) == "Heat"
    by_id = Question("1", "?", frozenset({"m.1"}))
    assert by_id.called(Entity("m.1", "Heat")) == "m.1"
    assert by_id.called(Entity("m.2", "Heat")) == "Heat"
    both = Question("1", "?", frozenset({"Heat", "Ran"}), {"m.1": "Heat"})
    assert both.called(Entity("m.1", "Heat (1995)")) == "Heat"
    assert both.called(Entity("m.9", "Ran")) == "Ran"


@pytest.mark.parametrize(
    ("text", "entities", "expected"),
    [
        ("what does Heat cost", ["Heat"], "what does [Heat] cost"),
        ("where is italy?", ["Italy"], "where is [italy]?"),
        ("where does princess leia live?", ["Leia Organa"],
         "where does princess leia live? [Leia Organa]"),
        ("preheated heat", ["Heat"], "preheated [heat]"),
        ("who made A and A B?", ["A", "A B"], "who made [A] and [A B]?"),
        ("is A B here?", ["A", "A B"], "is [A B] here? [A]"),
        ("50% of C++ (x)", ["C++ (x)"], "50% of [C++ (x)]"),
        ("nothing", [], "nothing"),
        ("is Heat in [heat]?", ["Heat"], "is Heat in [heat]?"),
    ],
)  # fmt: skip
def test_names_are_pointed_out_where_they_stand_or_after_the_question(
    text: str, entities: list[str], expected: str
) -> None:
    assert in_brackets(text, entities) == expected


def metaqa(data: Path, content: bytes) -> Path:
    path = data / "metaqa" / "2-hop" / "vanilla" / "qa_dev.txt.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return data


LINES = "what films did [Ada Weir] write\tThe Salt Ledger|Snow Whale\nwhen was [1953] made\t1989\n"


def test_metaqa_questions_are_read(tmp_path: Path) -> None:
    questions = read_metaqa(metaqa(tmp_path, gzip.compress(LINES.encode())), 2)
    assert questions == [
        Question(
            "2-hop/dev/1",
            "what films did Ada Weir write",
            frozenset({"The Salt Ledger", "Snow Whale"}),
            entities=("Ada Weir",),
            hops=2,
            marked="what films did [Ada Weir] write",
        ),
        Question(
            "2-hop/dev/2",
            "when was 1953 made",
            frozenset({"1989"}),
            entities=("1953",),
            hops=2,
            marked="when was [1953] made",
        ),
    ]


def test_what_a_set_has_in_brackets_is_pointed_out_in_that_place(tmp_path: Path) -> None:
    line = "who was who in [Who] by the same\tAda\n"
    (question,) = read_metaqa(metaqa(tmp_path, gzip.compress(line.encode())), 2)
    assert question.text == "who was who in Who by the same"
    assert question.pointed_out().text == "who was who in [Who] by the same"


def test_questions_that_are_not_there_are_refused_with_the_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"There is no .*3-hop.*qa_train\.txt\.gz") as failure:
        read_metaqa(tmp_path, 3, "train")
    assert "KGDB_DATA" in (failure.value.hint or "")


def test_a_line_that_is_no_question_is_refused_by_number(tmp_path: Path) -> None:
    data = metaqa(tmp_path, gzip.compress(f"{LINES}no tab\n".encode()))
    with pytest.raises(UsageError, match="line 3: expected QUESTION<TAB>ANSWER"):
        read_metaqa(data, 2)


@pytest.mark.parametrize(
    "content",
    [
        LINES.encode(),
        gzip.compress(LINES.encode(), mtime=0)[:-9],
        gzip.compress(b"\xff\t\xff", mtime=0),
    ],
)
def test_a_file_that_is_not_gzipped_text_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UsageError, match=r"qa_dev\.txt\.gz is not gzipped UTF-8 text"):
        read_metaqa(metaqa(tmp_path, content), 2)


def test_the_kinds_of_metaqa_questions_are_read_where_they_are(tmp_path: Path) -> None:
    data = metaqa(tmp_path, gzip.compress(LINES.encode()))
    kinds = data / "metaqa" / "2-hop" / "qa_dev_qtype.txt.gz"
    kinds.write_bytes(gzip.compress(b"writer_to_movie\nyear_to_movie_to_year\n"))
    assert [q.type for q in read_metaqa(data, 2)] == ["writer_to_movie", "year_to_movie_to_year"]
    kinds.write_bytes(gzip.compress(b"one\n"))
    with pytest.raises(UsageError, match="has 1 line for 2 questions"):
        read_metaqa(data, 2)


def written(path: Path, *lines: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def test_webqsp_questions_are_read_with_their_topic(tmp_path: Path) -> None:
    written(
        tmp_path / "webqsp" / "dev.jsonl.gz",
        {
            "QuestionId": "WebQTest-1",
            "RawQuestion": "where does princess leia live?",
            "answer": ["Alderaan", None, "Alderaan"],
            "topic_entity": {"m.0ddqw": "Leia Organa", "m.1": None},
        },
    )
    (question,) = read_webqsp(tmp_path)
    assert question == Question(
        "WebQTest-1",
        "where does princess leia live?",
        frozenset({"Alderaan"}),
        entities=("Leia Organa",),
    )
    assert question.pointed_out().text == "where does princess leia live? [Leia Organa]"


def test_factkg_claims_are_read(tmp_path: Path) -> None:
    lines = (
        {"claim": "Ann Lee was born in Oslo.", "label": True},
        {"claim": "Ann Lee was not born in Oslo.", "label": False},
    )
    written(tmp_path / "factkg" / "train.jsonl.gz", *lines)
    assert read_factkg(tmp_path, "train") == [
        Claim("factkg/train/1", "Ann Lee was born in Oslo.", "SUPPORTED"),
        Claim("factkg/train/2", "Ann Lee was not born in Oslo.", "REFUTED"),
    ]


@pytest.mark.parametrize("name", ["mine.jsonl", "mine.jsonl.gz"])
def test_a_file_of_questions_is_read(tmp_path: Path, name: str) -> None:
    path = written(
        tmp_path / name,
        {"id": 7, "question": "谁 made Ran?", "answers": ["黒澤", "B"], "type": "one hop"},
        {
            "question": "who is in Heat?",
            "answers": [{"id": "m.1", "name": "Al"}, {"id": "m.2"}, "Bo"],
            "entities": ["Heat"],
        },
    )
    assert read_file(path) == [
        Question("7", "谁 made Ran?", frozenset({"黒澤", "B"}), type="one hop"),
        Question(
            "2",
            "who is in Heat?",
            frozenset({"Al", "m.2", "Bo"}),
            {"m.1": "Al", "m.2": "m.2"},
            entities=("Heat",),
        ),
    ]


def test_brackets_in_a_file_are_gold_entities(tmp_path: Path) -> None:
    lines = [
        {"question": "who is in [Heat] by Mann?", "answers": ["Al"], "entities": ["Mann"]},
        {"question": "who is in Heat?", "answers": ["Al"]},
    ]
    marked, plain = read_file(written(tmp_path / "mine.jsonl", *lines))
    assert (marked.text, marked.entities) == ("who is in Heat by Mann?", ("Mann", "Heat"))
    assert marked.pointed_out().text == "who is in [Heat] by [Mann]?"
    assert plain.pointed_out() == plain
    claim = {"claim": "[Heat] is by Mann.", "label": True}
    (only,) = read_file(written(tmp_path / "claims.jsonl", claim))
    assert (only.text, only.entities) == ("Heat is by Mann.", ("Heat",))
    assert only.pointed_out().text == "[Heat] is by Mann."


def test_a_file_of_claims_is_read(tmp_path: Path) -> None:
    path = written(
        tmp_path / "claims.jsonl",
        {"id": "x", "claim": "A is B.", "label": True, "type": "negation"},
        {"claim": "A is C.", "label": "NOT ENOUGH INFO", "entities": ["A", "C"]},
    )
    assert read_file(path) == [
        Claim("x", "A is B.", "SUPPORTED", "negation"),
        Claim("2", "A is C.", "NOT ENOUGH EVIDENCE", entities=("A", "C")),
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{}", "no 'answers'"),
        ('{"question": "a?"}', "no 'answers'"),
        ('{"question": " ", "answers": []}', "' ' is not a text"),
        ('{"question": "a?", "answers": [3]}', "'int' object"),
        ('{"question": "a?", "answers": [], "entities": "x"}', "'x' is not a list of texts"),
        ('{"claim": "a", "label": "maybe"}', "the label is 'maybe'; expected true, false"),
        ('{"claim": "a", "label": []}', "the label is []"),
        ("[]", "list indices"),
        ("what?", "Expecting value"),
    ],
)
def test_a_line_that_is_neither_question_nor_claim_is_refused(
    tmp_path: Path, line: str, told: str
) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(line)
    with pytest.raises(UsageError, match=r"mine\.jsonl, line 1, is not a question") as failure:
        read_file(path)
    assert told in failure.value.message


def test_an_id_is_there_once(tmp_path: Path) -> None:
    question = {"id": "a", "question": "?", "answers": []}
    path = written(tmp_path / "mine.jsonl", question, question)
    with pytest.raises(UsageError, match="line 2: the id 'a' is there already"):
        read_file(path)


def test_no_answer_is_right_where_the_graph_has_none(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text('{"question": "What is the budget of Heat?", "answers": []}\n')
    (question,) = read_file(file)
    assert isinstance(question, Question)
    silent = answer_row(question, Answer(question.text, "g", "m", reason="unknown"), "r")
    assert (silent.hits_at_1, silent.exact, silent.f1) == (True, True, 1.0)
    wrong = answer_row(question, Answer(question.text, "g", "m", value=7), "r")
    assert (wrong.hits_at_1, wrong.exact, wrong.f1) == (False, False, 0.0)


def test_values_are_answers_as_they_are_shown() -> None:
    question = Question("1", "How many?", frozenset({"1,200"}))
    row = answer_row(question, Answer("How many?", "g", "m", value=1200), "r")
    assert (row.hits_at_1, row.exact) == (True, True)
    asked = Question("2", "Is it?", frozenset({"yes"}))
    assert answer_row(asked, Answer("Is it?", "g", "m", value=True), "r").hits_at_1
