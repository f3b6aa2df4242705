"""The grammar that constrains a language model to a graph of thought (GoT-R, section 3.3).

With the grammar even a small model writes a valid script, with relations from its prompt, about the
entities of the question. The grammar is the subset of the language of ``kgdb.got.run`` that the
prompt's examples use.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from kgdb.graph.connection.statements import quoted

_VARIABLES = ("a", "b", "c", "d", "e")
"""The variables of named nodes; the fixed order ensures that a script declares each once."""

_STATEMENTS, _EDGES = 7, 3
"""The maximum of further statements, and of relationships in one: a model that does not stop by
itself adds nothing new."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_REST = r"""
node: "(" VARIABLE ")"
edge: "-[:" type "]->" | "<-[:" type "]-"
VARIABLE: /[a-z][a-z0-9_]{0,15}/
NAME: /([^"\\\n]|\\["\\]){1,100}/
TYPE: /[A-Za-z_][A-Za-z0-9_]{0,40}/
"""


def thought_grammar(relations: Sequence[str], mentions: Sequence[str]) -> str:
    """The grammar, in Lark's notation, of thoughts with these relations about one of the mentions.

    The first statement creates the topic node; other named nodes may follow, and then
    relationships, the first of them of the topic. Without ``relations`` any type is valid, without
    ``mentions`` any name.
    """
    names = " | ".join(_text(_escaped(mention)) for mention in mentions) or "NAME"
    types = " | ".join(_text(_spelt(relation)) for relation in relations) or "TYPE"
    first, *others = _VARIABLES
    rules = [
        f'start: {_named_node(first, "name")} others? tied "\\n" more{_STATEMENTS}? "```"?',
        f"others: {_prefixes([_named_node(variable, 'NAME') for variable in others])}",
        *_nested("more", _STATEMENTS, 'statement "\\n"'),
        f'topic: "(" "{first}" ")"',
        f'tied: "CREATE " (topic edges{_EDGES} | node edge topic edges{_EDGES - 1}?)',
        f'statement: "CREATE " node edges{_EDGES}',
        *_nested("edges", _EDGES, "edge node"),
        f"name: {names}",
        f"type: {types}",
    ]
    return "\n".join(rules) + _REST


def _named_node(variable: str, name: str) -> str:
    """The statement of a named node."""
    # The literals are split because a lexer takes the longest match: with "CREATE (" it would not
    # find "CREATE ". Names have double quotes because older versions of vLLM silently turn single
    # quotes into double ones.
    return rf'"CREATE " "(" "{variable}" " {{name: \"" {name} "\"}}" ")" "\n"'


def _prefixes(parts: Sequence[str]) -> str:
    """A rule for the first part, or the first two, and so on."""
    first, *rest = parts
    return f"{first} ({_prefixes(rest)})?" if rest else first


def _nested(rule: str, maximum: int, repeated: str) -> list[str]:
    """Rules for one to ``maximum`` repetitions; not every library supports a count."""
    return [
        f"{rule}{n}: {repeated}" + (f" {rule}{n - 1}?" if n > 1 else "")
        for n in range(maximum, 0, -1)
    ]


def _spelt(relation: str) -> str:
    """A relation as Cypher spells a type."""
    return relation if _PLAIN.fullmatch(relation) else quoted(relation)


def _escaped(name: str) -> str:
    """A name inside double quotes."""
    return name.replace("\\", "\\\\").replace('"', '\\"')


def _text(literal: str) -> str:
    # Lark requires an escape for DEL, JSON does not.
    return json.dumps(literal, ensure_ascii=False).replace("\x7f", "\\u007f")
