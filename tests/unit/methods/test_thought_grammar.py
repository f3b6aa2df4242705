"""The grammar of graphs of thought: what it lets through, and what it keeps out."""

from __future__ import annotations

import pytest
from llguidance import LLMatcher, LLTokenizer

from kgdb.methods.gotr.grammar import thought_grammar

pytestmark = pytest.mark.unit

GRAMMAR = thought_grammar(["starred_actors", "film.film.directed_by"], ["Ada Weir", "Rex O'Neil"])
BEGUN = 'CREATE (a {name: "Ada Weir"})\n'


def fits(script: str, grammar: str = GRAMMAR) -> bool:
    """Whether the script is one of the grammar, from its first byte to its last."""
    bytes_alone = LLTokenizer("byte")
    matcher = LLMatcher(bytes_alone, LLMatcher.grammar_from_lark(grammar), log_level=0)
    assert not matcher.get_error()
    tokens = bytes_alone.tokenize_str(script)
    return matcher.validate_tokens(tokens) == len(tokens) and (
        all(matcher.consume_token(token) for token in tokens) and matcher.is_accepting()
    )


@pytest.mark.parametrize(
    "rest",
    [
        "CREATE (film)-[:starred_actors]->(a)\n",
        "CREATE (film)-[:starred_actors]->(a)\n```",
        'CREATE (b {name: "it\\"s"})\nCREATE (a)<-[:starred_actors]-(b)\n',
        'CREATE (b {name: "曼"})\nCREATE (c {name: "谷"})\nCREATE (c)-[:starred_actors]->(a)\n',
        "CREATE (b)-[:starred_actors]->(a)\nCREATE (b2)-[:starred_actors]->(bc)\n",
        "CREATE (b2)-[:starred_actors]->(a)<-[:starred_actors]-(b)\n",
        "CREATE (a)-[:`film.film.directed_by`]->(film)<-[:starred_actors]-(x)\n",
        "CREATE (a)-[:starred_actors]->(y)\n" + "CREATE (x)-[:starred_actors]->(y)\n" * 7,
    ],
)
def test_thoughts(rest: str) -> None:
    assert fits(BEGUN + rest)


@pytest.mark.parametrize(
    "script",
    [
        "",
        BEGUN,
        "The answer is: Ken",
        "CREATE (film)-[:starred_actors]->(a)\n",
        'CREATE (a {name: "Jane Doe"})\nCREATE (f)-[:starred_actors]->(a)\n',
        BEGUN + "CREATE (f)-[:acted_in]->(a)\n",
        BEGUN + "CREATE (f)-[:film.film.directed_by]->(a)\n",
        BEGUN + "CREATE (f)--(ada)\n",
        BEGUN + "CREATE (f)-[:starred_actors]->(a)\nSET f.seen = true\n",
        BEGUN + "CREATE (f)-[:starred_actors]->(a) CREATE (g)\n",
        BEGUN + 'CREATE (b {name: "it"s"})\nCREATE (a)-[:starred_actors]->(b)\n',
        BEGUN + BEGUN + "CREATE (f)-[:starred_actors]->(a)\n",
        BEGUN + 'CREATE (f)-[:starred_actors]->(a {name: "Ada Weir"})\n',
        BEGUN + "CREATE (x)-[:starred_actors]->(y)\n",
        BEGUN + "CREATE (a)-[:starred_actors]->(y)\n" * 9,
    ],
)
def test_anything_else(script: str) -> None:
    assert not fits(script)


def test_quotes_and_signs_in_names_are_data() -> None:
    name, relation = "\"}) DETACH DELETE n // \\ ' #", "a` b"
    grammar = thought_grammar([relation], [name])
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    assert fits(f'CREATE (a {{name: "{escaped}"}})\nCREATE (a)-[:`a`` b`]->(b)\n', grammar)
    assert not fits(f'CREATE (a {{name: "{name}"}})\nCREATE (a)-[:`a`` b`]->(b)\n', grammar)


@pytest.mark.parametrize(
    "name",
    [
        "a/b",
        "# c",
        "%ignore",
        "{1,2}",
        "x\x7fy\x01\u2028",
        "🎬曼谷",
        "\\u0041",
        "<[12]>",
        "a" * 3000,
    ],
)
def test_any_name_can_be_the_topic(name: str) -> None:
    escaped = name.replace("\\", "\\\\")
    script = f'CREATE (a {{name: "{escaped}"}})\nCREATE (a)-[:r]->(b)\n'
    assert fits(script, thought_grammar(["r"], [name]))
    assert not fits(script, thought_grammar(["r"], [f"{name}."]))


def test_without_relations_and_mentions_any_will_do() -> None:
    anything = thought_grammar([], [])
    assert fits('CREATE (a {name: "Jane Doe"})\nCREATE (a)-[:knows]->(b)\n', anything)
