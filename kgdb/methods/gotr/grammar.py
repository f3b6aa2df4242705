"""The grammar that holds a language model to a graph of thought (GoT-R, section 3.3).

What a grammar ensures needs no repair: a small model writes a thought that can be run, of the
relations that it was shown, about what the question names. It is the part of what ``kgdb.got.run``
takes that the prompt's examples are written in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from kgdb.graph.connection.statements import quoted

_NAMED = ("a", "b", "c", "d", "e")
"""The variables of named nodes: each is declared once, which no grammar can see to otherwise."""

_STATEMENTS, _EDGES = 7, 3
"""Further statements with relationships, and relationships of one: a model that does not end by
itself says nothing new."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_REST = r"""
node: "(" VARIABLE ")"
edge: "-[:" type "]->" | "<-[:" type "]-"
VARIABLE: /[a-z][a-z0-9_]{0,15}/
NAME: /([^"\\\n]|\\["\\]){1,100}/
TYPE: /[A-Za-z_][A-Za-z0-9_]{0,40}/
"""


def thought_grammar(relations: Sequence[str], mentions: Sequence[str]) -> str:
    """The grammar, in Lark's notation, of thoughts of these relations about one of the mentions.

    The first statement names what the thought is about; what else is named may follow, and then
    come relationships, at first of that. Without ``relations`` there may be any type, without
    ``mentions`` any name.
    """
    names = " | ".join(_text(_escaped(mention)) for mention in mentions) or "NAME"
    types = " | ".join(_text(_spelt(relation)) for relation in relations) or "TYPE"
    first, *others = _NAMED
    rules = [
        f'start: {_named(first, "name")} others? tied "\\n" more{_STATEMENTS}? "```"?',
        f"others: {_some_of([_named(variable, 'NAME') for variable in others])}",
        *_nested("more", _STATEMENTS, 'statement "\\n"'),
        f'topic: "(" "{first}" ")"',
        f'tied: "CREATE " (topic edges{_EDGES} | node edge topic edges{_EDGES - 1}?)',
        f'statement: "CREATE " node edges{_EDGES}',
        *_nested("edges", _EDGES, "edge node"),
        f"name: {names}",
        f"type: {types}",
    ]
    return "\n".join(rules) + _REST


def _named(variable: str, name: str) -> str:
    """The statement of a named node."""
    # In these parts, for a lexer takes the longest text that it knows: "CREATE (" would leave no
    # "CREATE " to be found. In double quotes, for older versions of vLLM turn single ones into
    # them without a word.
    return rf'"CREATE " "(" "{variable}" " {{name: \"" {name} "\"}}" ")" "\n"'


def _some_of(connected_patterns: Sequence[str]) -> str:
    """A rule for the first of the parts, or the first two, and so on."""
    first, *rest = connected_patterns
    return f"{first} ({_some_of(rest)})?" if rest else first


def _nested(rule: str, most: int, repeated: str) -> list[str]:
    """Rules for one to ``most`` repetitions: not every library knows how to count them."""
    return [
        f"{rule}{left}: {repeated}" + (f" {rule}{left - 1}?" if left > 1 else "")
        for left in range(most, 0, -1)
    ]


def _spelt(relation: str) -> str:
    """A relation as Cypher spells a type."""
    return relation if _PLAIN.fullmatch(relation) else quoted(relation)


def _escaped(name: str) -> str:
    """A name inside double quotes."""
    return name.replace("\\", "\\\\").replace('"', '\\"')


def _text(literal: str) -> str:
    # JSON may hold DEL as it is, Lark may not.
    return json.dumps(literal, ensure_ascii=False).replace("\x7f", "\\u007f")
