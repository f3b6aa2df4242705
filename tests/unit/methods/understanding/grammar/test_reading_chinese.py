"""Chinese questions read by the grammar, by the letters of their words alone."""

from __future__ import annotations

import pytest
from language_schemas import CHINESE

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
from kgdb.methods.understanding.grammar.sentence import tokens_of
from kgdb.methods.understanding.grammar.spoken_language import spoken_language
from kgdb.methods.understanding.grammar.unspaced import known_words, words_in
from kgdb.methods.understanding.words import RELATED, SAME, likeness

pytestmark = pytest.mark.unit

LIN, CHEN, SHIP, SNOW = map(Find, CHINESE.names)
FILMS, PEOPLE = FindAll("电影"), FindAll("人物")
ACTED, DIRECTED = Relate(LIN, "出演"), Relate(CHEN, "导演")


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("林晓雨出演了哪些电影？", ACTED),
        ("林晓雨出演的电影有哪些？", ACTED),
        ("谁导演了夜航船？", Relate(SHIP, "导演", "in")),
        ("夜航船是谁导演的？", Relate(SHIP, "导演", "in")),
        ("夜航船由谁导演？", Relate(SHIP, "导演", "in")),
        ("夜航船的导演是谁？", Relate(SHIP, "导演", "in")),
        ("哪些电影是陈建国导演的？", DIRECTED),
        ("林晓雨出演了多少部电影？", Count(ACTED)),
        ("林晓雨什么时候出生？", Property(LIN, "出生年份")),
        ("雪线之上的票房是多少？", Property(SNOW, "票房")),
        ("最早上映的电影是哪部？", Select(FILMS, "上映年份", "min")),
        ("最老的人物是谁？", Select(PEOPLE, "出生年份", "min")),
        ("票房最高的两部电影是哪些？", Select(FILMS, "票房", "max", 2)),
        ("哪部电影的票房最低？", Select(FILMS, "票房", "min")),
        ("最高的票房是多少？", Aggregate(Property(FILMS, "票房"), "max")),
        ("电影的平均票房是多少？", Aggregate(Property(FILMS, "票房"), "mean")),
        ("所有电影的票房总和是多少？", Aggregate(Property(FILMS, "票房"), "sum")),
        ("2000年之后上映的电影有哪些？", Filter(FILMS, "上映年份", ">", "2000")),
        ("票房大于100的电影有几部？", Count(Filter(FILMS, "票房", ">", 100))),
        (
            "1990年到2005年之间上映的电影有哪些？",
            Filter(Filter(FILMS, "上映年份", ">=", "1990"), "上映年份", "<=", "2005"),
        ),
        ("哪些电影的票房比夜航船高？", Filter(FILMS, "票房", ">", Property(SHIP, "票房"))),
        ("林晓雨出演过但不是陈建国导演的电影有哪些？", Except(ACTED, DIRECTED)),
        ("谁没有出演雪线之上？", Except(PEOPLE, Relate(SNOW, "出演", "in"))),
        ("陈建国导演了雪线之上吗？", Verify(And(CHEN, Relate(SNOW, "导演", "in")))),
        ("林晓雨和陈建国谁更年轻？", Compare(LIN, CHEN, "出生年份", "max")),
        ("出演电影最多的人物是谁？", SelectByCount(PEOPLE, "出演", "max", to=FILMS)),
        ("出演了至少两部电影的人物有哪些？", FilterByCount(PEOPLE, "出演", ">=", 2, to=FILMS)),
        ("每个人物出演了多少部电影？", GroupBy(FILMS, "出演", "in")),
        ("哪些人物来自苏州？", Filter(PEOPLE, "城市", "=", "苏州")),
        ("林晓雨和陈建国共同出演了哪些电影？", And(ACTED, Relate(CHEN, "出演"))),
        ("林晓雨关注了谁？", Relate(LIN, "关注")),
        ("谁关注了林晓雨？", Relate(LIN, "关注", "in")),
        ("关注林晓雨的人物有哪些？", Relate(LIN, "关注", "in")),
        ("林晓雨关注的人物有哪些？", Relate(LIN, "关注")),
        ("哪些人物没有被关注？", Except(PEOPLE, Relate(PEOPLE, "关注"))),
        ("谁出演了陈建国导演的所有电影？", None),
        ("谁出演了哪些电影？", None),
    ],
)
def test_a_question_is_read(question: str, form: Form | None) -> None:
    read = CHINESE.read(question)
    assert (read[0] if read else None) == form


@pytest.mark.parametrize(
    ("question", "tokens"),
    [
        ("林晓雨出演了哪些电影？", ["林晓雨", "出演", "哪些", "电影"]),
        ("哪些人物上映？", ["哪些", "人物", "上映"]),  # not *which people*, and something unknown
        ("哪些电影的预算很多？", ["哪些", "电影", "的", "预算很", "多"]),
        ("2000年后，xy", ["2000", "年", "后", ",", "xy"]),
    ],
)
def test_words_are_those_that_leave_least_unknown(question: str, tokens: list[str]) -> None:
    anchors = [each for each in CHINESE.names if each in question]
    text = question.removeprefix(*anchors) if anchors else question
    found = tokens_of(text, (), lexicon("zh"), CHINESE.schema.names)
    assert [*anchors, *(token.text for token in found)] == tokens


def test_each_word_has_its_place() -> None:
    text = "那部电影的预算"
    known = known_words(lexicon("zh").small, CHINESE.schema.names)
    assert all(text[at : at + len(word)] == word for word, at in words_in(text, known))


def test_the_beginning_of_a_name_says_it() -> None:
    words = lexicon("zh").words
    assert likeness("上映", "上映年份", words) == SAME
    assert likeness("年份", "上映年份", words) == RELATED
    assert likeness("票房", "上映年份", words) == 0


@pytest.mark.parametrize(
    ("question", "name", "language"),
    [
        ("Who starred in 第七个渡口?", "第七个渡口", "en"),
        ("How many people starred in 我的父亲?", "", "en"),
        ("Who 导演 雪线之上?", "雪线之上", "en"),
        ("谁导演了The Matrix？", "", "zh"),
        ("The Matrix是谁导演的？", "", "zh"),
        ("第七个渡口", "", "zh"),
        ("Who directed Heat?", "", "en"),
    ],
)
def test_a_name_does_not_make_the_language(question: str, name: str, language: str) -> None:
    at = question.find(name)
    assert spoken_language(question, [(at, at + len(name))]) == language
