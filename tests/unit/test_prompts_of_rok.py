"""The prompts of RoK, MindMap and the reading, word for word."""

from __future__ import annotations

import pytest

from kgdb.language.prompts import prompt

pytestmark = pytest.mark.unit


def test_the_thinking_prompt() -> None:
    assert prompt("rok_think", question="Who made Heat?") == (
        "Question: Who made Heat?\n\n"
        "Think step by step. Name the people, things, places and events that the question is about "
        "and those that lead to its answer, then give the answer. Keep it short."
    )
    assert prompt("rok_think", "zh", question="谁导演了《热》？") == (
        "问题：谁导演了《热》？\n\n"
        "请一步一步地思考：说出问题所涉及的人物、事物、地点和事件，以及通向答案的那些，然后给出答案。请简短。"
    )


def test_the_prompt_for_key_entities() -> None:
    assert prompt("rok_entities", question="Who made Heat?", thought="Mann did.") == (
        "List the names of all entities in the question and in the thoughts about it: people, "
        "works, places, organisations, diseases, dates and other things that have a name. Copy "
        "each name as it is written, the most important first.\n\n"
        "Question: Who made Heat?\n\nThoughts: Mann did."
    )
    assert prompt("rok_entities", "zh", question="谁？", thought="他。") == (
        "列出问题以及相关思考中所有实体的名称：人物、作品、地点、机构、疾病、日期等有名称的事物。"
        "名称请照原文抄写，最重要的排在最前面。\n\n问题：谁？\n\n思考：他。"
    )


def test_the_prompt_that_filters_neighbours() -> None:
    assert prompt("rok_neighbors", facts="1. a\n2. b", question="Who?") == (
        "Which of these facts help to answer the question? Give their numbers.\n\n"
        "Facts:\n1. a\n2. b\n\nQuestion: Who?"
    )
    assert prompt("rok_neighbors", "zh", facts="1. 甲", question="谁？") == (
        "下面哪些事实有助于回答问题？请给出它们的编号。\n\n事实：\n1. 甲\n\n问题：谁？"
    )


def test_the_answering_prompt() -> None:
    assert prompt("answer", facts="1. a", question="Who?") == (
        "Answer the question with the facts below and nothing else. Give every answer that the "
        "facts prove, the best first.\n\nFacts:\n1. a\n\nQuestion: Who?"
    )
    assert prompt("answer", "zh", facts="1. 甲", question="谁？") == (
        "请只根据下面的事实回答问题。给出事实能够证明的所有答案，最好的排在最前面。\n\n"
        "事实：\n1. 甲\n\n问题：谁？"
    )


def test_the_prompts_of_mindmap() -> None:
    assert prompt("mindmap_entities", question="Who?") == (
        "List the names of all entities in the question. Copy each name as it is written.\n\n"
        "Question: Who?"
    )
    assert prompt("mindmap_entities", "zh", question="谁？") == (
        "列出问题中所有实体的名称。名称请照原文抄写。\n\n问题：谁？"
    )
    assert prompt("mindmap_words", facts="1. a", question="Who?") == (
        "Facts:\n1. a\n\nPut these facts into a few connected sentences. Keep every name, and "
        "mention first what matters for this question: Who?"
    )
    assert prompt("mindmap_words", "zh", facts="1. 甲", question="谁？") == (
        "事实：\n1. 甲\n\n"
        "请把这些事实写成几句连贯的话。保留所有名称，并先说与这个问题有关的内容：谁？"
    )
    assert prompt("mindmap_answer", facts="1. a", words="So.", question="Who?") == (
        "Facts:\n1. a\n\nIn other words:\nSo.\n\nQuestion: Who?\n\nFirst write how the facts lead "
        "to the answer: a tree of steps, each with the numbers of its facts. Then give every "
        "answer, the best first."
    )
    assert prompt("mindmap_answer", "zh", facts="1. 甲", words="乙。", question="谁？") == (
        "事实：\n1. 甲\n\n换句话说：\n乙。\n\n问题：谁？\n\n"
        "请先写出事实如何通向答案：一棵由步骤组成的树，"
        "每一步注明所用事实的编号。然后给出所有答案，最好的排在最前面。"
    )
