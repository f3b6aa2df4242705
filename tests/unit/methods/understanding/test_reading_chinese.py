"""Chinese questions: how they are taken apart, and which words are told from each other."""

from __future__ import annotations

import pytest

from kgdb.methods.understanding.cues import cues, question_language
from kgdb.methods.understanding.question import Anchor, QuestionParts, take_apart
from kgdb.methods.understanding.segmentation import chinese_words, vocabulary
from kgdb.methods.understanding.words import RELATED, SAME, likeness

pytestmark = pytest.mark.unit

NAMES = ["电影", "人物", "上映年份", "票房", "出演", "导演"]


def parts(question: str, *names: str) -> QuestionParts:
    anchors = [
        Anchor(name, start, start + len(name), None, frozenset())
        for name in names
        if (start := question.index(name)) >= 0
    ]
    return take_apart(question, anchors, cues("zh"), NAMES)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("林晓雨出演了哪些电影？", ["出演", "电影"]),
        ("电影什么时候上映？", ["电影", "上映"]),
        ("票房最高的电影是哪部？", ["票房", "电影"]),
        ("哪些电影的预算很多？", ["电影", "预算很多"]),
    ],
)
def test_words_are_the_longest_that_are_known_and_the_rest(question: str, words: list[str]) -> None:
    names = [name for name in ("林晓雨",) if name in question]
    assert [word.text for word in parts(question, *names).words] == words


def test_each_word_has_its_place() -> None:
    text = "那部电影的xy预算"
    known = vocabulary(NAMES, cues("zh"))
    assert all(text[at : at + len(word)] == word for word, at in chinese_words(text, known))


@pytest.mark.parametrize(
    "question",
    [
        "有多少部电影？",
        "最老的人物是谁？",
        "票房最高的电影是哪部？",
        "陈建国导演了雪线之上吗？",
        "2000年之后上映的电影有哪些？",
        "票房超过100的电影有哪些？",
        "不是林晓雨出演的电影有哪些？",
        "每个人物出演了多少部电影？",
        "电影的平均票房是多少？",
    ],
)
def test_operator_words_are_seen(question: str) -> None:
    assert parts(question).has_operators


def test_how_much_a_property_is_counts_nothing() -> None:
    assert not parts("雪线之上的票房是多少？", "雪线之上").counts


@pytest.mark.parametrize(
    ("text", "op", "value", "dated"),
    [
        ("2000年之后上映的电影", ">", 2000, True),
        ("1990年以前上映的电影", "<", 1990, True),
        ("票房超过100的电影", ">", 100, False),
        ("票房不少于100的电影", ">=", 100, False),
        ("票房100以下的电影", "<", 100, False),
    ],
)
def test_comparisons_stand_before_or_behind_their_value(
    text: str, op: str, value: int, dated: bool
) -> None:
    (found,) = parts(text).comparisons
    assert (found.op, found.value, found.dated) == (op, value, dated)


def test_the_beginning_of_a_name_says_it() -> None:
    assert likeness("上映", "上映年份", cues("zh")) == SAME
    assert likeness("年份", "上映年份", cues("zh")) == RELATED
    assert likeness("票房", "上映年份", cues("zh")) == 0


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Who starred in 第七个渡口?", "en"),
        ("How many people starred in 我的父亲?", "en"),
        ("谁导演了The Matrix？", "zh"),
        ("The Matrix是谁导演的？", "zh"),
        ("第七个渡口", "zh"),
        ("Who directed Heat?", "en"),
    ],
)
def test_a_name_does_not_make_the_language(question: str, language: str) -> None:
    assert question_language(question) == language
