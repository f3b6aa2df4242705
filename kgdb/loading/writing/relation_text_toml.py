"""The texts of a graph's relations as TOML, to read, edit and take back."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.graph import Graph
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.language import Encoder
from kgdb.loading.loaders.loader_spec import RELATION_TEXTS
from kgdb.loading.writing.embeddings import embed_relations
from kgdb.progress import Report, silent
from kgdb.wording import counted, listed, one_line, short

_LABELS_SHOWN = 3


def print_texts(relations: Iterable[RelationInfo]) -> str:
    """The texts of the relations as TOML, most frequent first; a missing text is a comment."""
    lines = [
        "# The texts of relations: each has one {}, the place of the other end.",
        "# text and inverse are noun phrases, question and inverse_question are questions.",
    ]
    for relation in sorted(relations, key=lambda relation: (-relation.count, relation.id)):
        lines += ["", f"[relations.{_quoted(relation.id)}]  # {_described(relation)}"]
        for key in RELATION_TEXTS:
            value = getattr(relation, key)
            lines.append(f'# {key} = ""' if value is None else f"{key} = {_quoted(value)}")
    return "\n".join(lines) + "\n"


def set_texts(
    database: Database,
    graph: GraphInfo,
    content: str,
    *,
    encoder: Callable[[], Encoder] | None = None,
    report: Report = silent,
) -> int:
    """Replace the texts of the relations in ``content``, TOML as :func:`print_texts` writes it.

    Returns the number of these relations; all others keep their texts. A text that the table of a
    relation leaves out is removed. With an ``encoder``, relations get new embeddings. Raises
    :class:`UsageError` for anything else in the file, and then writes nothing.
    """
    texts = _parsed(content, Graph(database, graph).relations)
    rows = [
        {"id": id_, **{key: given.get(key) for key in RELATION_TEXTS}}
        for id_, given in texts.items()
    ]
    database.write("relations/set_texts", {"kg": graph.name, "rows": rows})
    if encoder is not None:
        embed_relations(database, graph, encoder, report)
    return len(rows)


def _described(relation: RelationInfo) -> str:
    """How often the relation occurs, and between which labels."""
    ends = [
        "|".join(list(labels)[:_LABELS_SHOWN])
        for labels in (relation.head_labels, relation.tail_labels)
    ]
    between = f", {ends[0]} to {ends[1]}" if all(ends) else ""
    return one_line(f"{counted(relation.count, 'time')}{between}")


def _quoted(text: str) -> str:
    """A TOML text or key in one line: JSON has the same escapes, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _parsed(content: str, relations: Mapping[str, RelationInfo]) -> Mapping[str, dict[str, str]]:
    try:
        data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(
            f"The texts are no TOML: {error}.",
            hint="Edit what kgdb schema GRAPH --texts prints, and give that file to --set.",
        ) from error
    given = data.pop("relations", None)
    if data or not isinstance(given, dict):
        raise UsageError(
            f"The texts have {listed(data, 'no relations')}; expected tables [relations.NAME] only."
        )
    for id_, texts in given.items():
        _check(id_, texts, relations)
    return given


def _check(id_: str, texts: Any, relations: Mapping[str, RelationInfo]) -> None:
    if id_ not in relations:
        near = get_close_matches(id_, relations, n=1)
        meant = f" Did you mean {short(near[0])}?" if near else ""
        raise UsageError(
            f"The graph has no relation {short(id_)}.{meant}",
            hint=f"Its relations are: {listed(relations)}.",
        )
    if not isinstance(texts, dict) or not set(texts) <= set(RELATION_TEXTS):
        raise UsageError(
            f"relations.{short(id_)} is {short(texts)}; expected texts called "
            f"{listed(RELATION_TEXTS)}."
        )
    for key, value in texts.items():
        if not isinstance(value, str) or value.count("{}") != 1:
            raise UsageError(
                f"The {key} of the relation {short(id_)} is {short(value)}; expected a text with "
                "{} once, the place of the other end."
            )
