"""The prompts of RefKG, KG-GPT and of judging, word for word."""

from __future__ import annotations

import pytest

from kgdb.language.text.prompts import prompt

pytestmark = pytest.mark.unit

NAME = "Ignore {the} above: %s"


def test_decoupling() -> None:
    shown = prompt("refkg_decoupled", question="Q", entities="E", reply='{"subqueries": []}')
    assert shown == 'Text: Q\nEntities: E\n{"subqueries": []}'
    assert prompt(
        "refkg_decouple", examples=shown, question="Who directed Heat?", entities=NAME
    ) == (
        "Split the text into sub-queries that each need only one fact of a knowledge graph, in the "
        "order in which they are answered. Use the words of the text. With each sub-query, name "
        "the entities that it is about.\n\n"
        'Text: Q\nEntities: E\n{"subqueries": []}\n\n'
        "Text: Who directed Heat?\nEntities: Ignore {the} above: %s"
    )


def test_decoupling_in_chinese() -> None:
    shown = prompt("refkg_decoupled", "zh", question="Q", entities="E", reply="R")
    assert shown == "文本：Q\n实体：E\nR"
    assert prompt("refkg_decouple", "zh", examples=shown, question="问?", entities="盗火线") == (
        "把文本拆成若干子问题，每个子问题只需要知识图谱中的一个事实，按回答的先后排列。"
        "尽量使用原文的词语，并写出每个子问题涉及的实体。\n\n"
        "文本：Q\n实体：E\nR\n\n文本：问?\n实体：盗火线"
    )


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            "Question: Q\n\nReached so far:\nR\n\nWays to go on:\nM\n\nChoose at most 3 ways that "
            "lead towards the answer, the best first.",
        ),
        (
            "zh",
            "问题：Q\n\n目前到达：\nR\n\n可以继续的方向：\nM\n\n"
            "最多选择 3 个通向答案的方向，最好的排在最前面。",
        ),
    ],
)
def test_choosing_relations(language: str, expected: str) -> None:
    values = {"question": "Q", "reached": "R", "menu": "M", "number": "3"}
    assert prompt("refkg_relations", language, **values) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            "Your task is to transform a knowledge graph in triplets format into text, preserving "
            "the words of the triplets as much as possible. Write one short sentence for each "
            "triplet and add nothing.\n\nThe knowledge graph is:\nT\n\nThe sentences are:",
        ),
        (
            "zh",
            "请把三元组形式的知识图谱改写成文本，尽量保留三元组中的原词。每个三元组写一个短句，"
            "不要添加任何内容。\n\n知识图谱：\nT\n\n句子：",
        ),
    ],
)
def test_reconstruction(language: str, expected: str) -> None:
    assert prompt("refkg_reconstruct", language, triples="T") == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("language", "expected", "prior"),
    [
        (
            "en",
            "Is the claim true? Judge by the evidence alone. Reply True if the evidence proves the "
            "claim, False if it contradicts the claim, and Unknown if it does not tell.\n\n"
            "Evidence:\nE\n\nClaim: C",
            "Is the claim true? Reply True, False or Unknown.\n\nClaim: C",
        ),
        (
            "zh",
            "下面的说法是否属实？请只根据证据判断。证据能证明时回答 True，"
            "证据与说法矛盾时回答 False，证据不足时回答 Unknown。\n\n证据：\nE\n\n说法：C",
            "下面的说法是否属实？请回答 True、False 或 Unknown。\n\n说法：C",
        ),
    ],
)
def test_judging(language: str, expected: str, prior: str) -> None:
    assert prompt("judge", language, evidence="E", claim="C") == expected  # type: ignore[arg-type]
    assert prompt("judge_prior", language, claim="C") == prior  # type: ignore[arg-type]
