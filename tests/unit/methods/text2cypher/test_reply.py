"""The query in what models reply: wrappers are taken off, and nothing else is taken for one."""

from __future__ import annotations

import json
import time

import pytest

from kgdb.methods.text2cypher.reply import query_in

pytestmark = pytest.mark.unit

QUERY = "MATCH (m:Movie)\nWHERE m.released > 1999\nRETURN m.title\nORDER BY m.title LIMIT 3"
LINE = "MATCH (m:Movie) RETURN m.title"

WRAPPED = {
    "alone": QUERY,
    "fence": f"```cypher\n{QUERY}\n```",
    "fence without a language": f"Here it is:\n\n```\n{QUERY}\n```\nIt lists the titles.",
    "fence that is not closed": f"```cypher\n{QUERY}",
    "inline fence": f"```cypher {QUERY} ```",
    "second fence": f"Run it so:\n```\npip install x\n```\n```cypher\n{QUERY}\n```",
    "thoughts": f"<think>MATCH (x) is what I'd write.\n</think>\n\n{QUERY}",
    "thoughts without their beginning": f"We need MATCH (x) here.</think>{QUERY}",
    "control tokens": f"<|im_start|>{QUERY}<|im_end|>\n<|im_start|>user",
    "end of turn": f"{QUERY}</s>[INST] more",
    "wide bars": f"{QUERY}<｜end▁of▁sentence｜>",
    "Answer:": f"Answer: {QUERY}",
    "Cypher:": f"Cypher:\n{QUERY}",
    "bold heading": f"**Cypher query:** {QUERY}",
    "a list": f"1. {QUERY}",
    "prose before": f"This query finds the titles of the films:\n\n{QUERY}",
    "prose behind": f"{QUERY}\n\nThis query returns the titles.",
    "prose at once behind": f"{QUERY}\nThis query returns the titles.",
    "prose with words of Cypher": f"With this query you return what you match.\n{QUERY}",
    "JSON": json.dumps({"reasoning": "films", "query": QUERY}),
    "byte order mark": f"\ufeff{QUERY}",
}


@pytest.mark.parametrize("reply", WRAPPED.values(), ids=WRAPPED)
def test_wrappers_are_taken_off(reply: str) -> None:
    assert query_in(reply) == QUERY


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        (f"`{LINE}`", LINE),
        (f"Use `{LINE}` for that.", LINE),
        ("`MATCH (n:`A b`) RETURN n` is it.", "MATCH (n:`A b`) RETURN n"),
        (f"The query is {LINE}", LINE),
        ("match (m:Movie) return m", "match (m:Movie) return m"),
        (f"{LINE}; This lists titles.", f"{LINE};"),
        ("MATCH (m)\nRETURN m.a,\n  m.b\n\nDone.", "MATCH (m)\nRETURN m.a,\n  m.b"),
        (
            "MATCH (m) RETURN m.a\nUNION\nMATCH (m) RETURN m.b",
            "MATCH (m) RETURN m.a\nUNION\nMATCH (m) RETURN m.b",
        ),
        (
            "MATCH (m) WHERE m.t = 'RETURN\\'s end' RETURN m\n// all films",
            "MATCH (m) WHERE m.t = 'RETURN\\'s end' RETURN m\n// all films",
        ),
    ],
)
def test_the_query_is_all_that_is_left(reply: str, query: str) -> None:
    assert query_in(reply) == query


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I don't know.",
        "With all respect, the graph cannot return what you match.",
        "<think>MATCH (n) RETURN n",
        "```python\nprint('hello')\n```",
        '{"query": null}',
        "[" * 50_000,
    ],
)
def test_a_reply_without_a_query_has_none(reply: str) -> None:
    assert query_in(reply) is None


@pytest.mark.parametrize(
    "reply",
    [
        "MATCH (n) DETACH DELETE n",
        "CALL dbms.listConfig() YIELD name RETURN name",
        "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
        "MATCH (n) RETURN n; MATCH (m) DETACH DELETE m",
        "MATCH (n) RETURN n;\nDROP INDEX x",
        "CREATE (n:X) RETURN n",
        "MATCH (n) RETURN n // then\nSET n.x = 1",
        "DROP DATABASE neo4j",
    ],
)
def test_what_is_not_allowed_is_not_hidden_from_the_database(reply: str) -> None:
    """The sandbox refuses it, and the trace shows it: nothing of it is cut off."""
    assert query_in(reply) == reply


@pytest.mark.parametrize(
    "reply",
    [
        "a" * 10_000_000,
        "`" * 10_000_000,
        "```\n" * 2_500_000,
        "MATCH (" * 1_500_000,
        "<think>" * 1_500_000,
        "RETURN 'x\n" * 1_000_000,
        "\n" * 10_000_000,
        " " * 10_000_000 + LINE,
        " " * 99_000 + LINE,
        "`" * 99_000,
        "```\n" * 24_000,
        "MATCH (" * 14_000,
        "<|im_end|>" * 9_000,
        "RETURN 'x\n" * 9_000,
        "RETURN (" + " " * 99_000,
        "'\\" * 49_000,
        "MATCH " + "\n \t" * 33_000,
        "<think>" * 9_000_00 + "</think>" * 100 + LINE,
    ],
    ids=lambda reply: repr(reply[:8]),
)
def test_no_reply_takes_long(reply: str) -> None:
    begun = time.perf_counter()
    query = query_in(reply)
    assert time.perf_counter() - begun < 2
    assert query is None or len(query) <= 100_000
