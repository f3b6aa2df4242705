"""Estimates of tokens, beside what the tokenizer of SmolLM2 counts."""

from __future__ import annotations

import pytest

from kgdb.language.text.prompt_fit import tokens_at_most

pytestmark = pytest.mark.unit

# The numbers are facts about a tokenizer that does not change; it is not there in these tests.
COUNTED = [
    ("m.0k2x8v1: m.03_gz8, m.0bj6k_q, m.04ztj, g.11b8058v7k, m.0wlqp7c, m.0n5fz_", 65),
    ("1995-12-15, 2001-09-11T08:46:40Z, 31/01/2020, 08:15", 51),
    ("3.14159, 1,234,567, -0.0021, 6.02e23, 299792458, 100%", 52),
    ("👩‍👩‍👧‍👦 🎬 🏆 🇫🇷 ❤️ 🧑🏽‍🚀", 45),
    ("第七个渡口的导演是谁？《霸王别姬》的导演是陈凯歌，主演有张国荣、张丰毅和巩俐。", 75),
    ("饕餮魑魅魍魉", 18),
    ("Андрей Тарковский снял фильм «Сталкер»", 34),
    ("نجيب محفوظ كاتب مصري", 21),
    ("봉준호 감독의 기생충", 26),
    ("Małgorzata Śnieżyńska, Antonín Dvořák, Çağlar Şükrü, Nguyễn Thị Định", 49),
    (
        "Krzysztof Brzeczyszczykiewicz, Apichatpong Weerasethakul, Mxyzptlk, Krk, Bwlchgwyn, "
        "Llanfairpwllgwyngyll, Xochitl, Mtskheta",
        66,
    ),
    ("WBTQX, KRZYSZTOF, NCAA, HEAT", 18),
    ("people.person.place_of_birth /film/film/directed_by starred_actors ^written_by", 25),
    (
        "http://www.wikidata.org/entity/Q42 550e8400-e29b-41d4-a716-446655440000 aGVsbG8gd29ybGQ=",
        67,
    ),
    ("!?;:(){}[]<>|/\\@#$%^&*~`_-+=\"'", 25),
    ("a\n\nb\t c   1  2\r\n", 13),
]
PROSE = [
    (
        "Heat is a 1995 American crime film written and directed by Michael Mann. The film "
        "follows the conflict between a detective of the Los Angeles police and a career thief, "
        "and shows what it does to the lives of both.",
        47,
    ),
    (
        "The answer has to be one of the names that the facts give. If none of the facts tells "
        "who directed the film, say so, and do not guess.",
        33,
    ),
]


@pytest.mark.parametrize(("text", "tokens"), [*COUNTED, *PROSE])
def test_an_estimate_is_never_below_what_a_tokenizer_counts(text: str, tokens: int) -> None:
    assert tokens_at_most(text) >= tokens


@pytest.mark.parametrize(("text", "tokens"), PROSE)
def test_of_prose_it_is_less_than_twice_that(text: str, tokens: int) -> None:
    assert tokens_at_most(text) < 2 * tokens


def test_what_has_no_syllables_has_as_many_tokens_as_bytes() -> None:
    for text in ("", "0123456789", "x_y-z!", "fff", "电影", "\x7f\n\t"):
        assert tokens_at_most(text) == len(text.encode()) + 1
