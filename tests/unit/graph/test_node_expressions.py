"""The Cypher expressions for the id and the name of a node."""

from __future__ import annotations

import pytest

from kgdb.graph.connection.node_expressions import (
    IdExpression,
    KeyExpression,
    NameExpression,
    NameSource,
)
from kgdb.graph.connection.statements import Labels, quoted_text, statement

pytestmark = pytest.mark.unit


def name(*sources: NameSource, labels: tuple[str, ...], key: str | None = None) -> str:
    return NameExpression(sources, labels, key).over("n")


def test_a_graph_of_one_label() -> None:
    source = NameSource("Film", ("title",))
    assert name(source, labels=("Film",), key="id") == (
        "coalesce(toStringOrNull(n.`title`), toString(n.`id`), elementId(n))"
    )
    assert (
        IdExpression("id").over("at.node") == "coalesce(toString(at.node.`id`), elementId(at.node))"
    )
    assert KeyExpression("id").over("n") == "n.`id`"


def test_labels_with_names_of_their_own() -> None:
    sources = (
        NameSource("A`B", ("title",)),
        NameSource("C", ("title",)),
        NameSource("D", ("first", "last")),
        NameSource("Order", ("nr",), with_label=True),
    )
    assert name(*sources, labels=("A`B", "C", "D", "Order")) == (
        "coalesce(CASE WHEN n:`A``B`|`C` THEN toStringOrNull(n.`title`) END, "
        "CASE WHEN n:`D` THEN toStringOrNull(n.`first`) + ' ' + toStringOrNull(n.`last`) END, "
        "CASE WHEN n:`Order` THEN 'Order' + ' ' + toStringOrNull(n.`nr`) END, elementId(n))"
    )
    assert (IdExpression(None).over("n"), KeyExpression(None).over("n")) == ("elementId(n)",) * 2


def test_a_graph_without_names_shows_ids() -> None:
    assert name(labels=("A",)) == "elementId(n)"


def test_the_expression_stands_for_the_node_that_the_place_names() -> None:
    places = {
        "label": Labels(("B", "A")),
        "id": IdExpression(None),
        "key": KeyExpression(None),
        "name": NameExpression((), ("B", "A"), None),
    }
    text = statement("entities", **places)
    assert "MATCH (e:`A`|`B`) WHERE elementId(e) IN $ids" in text
    assert "RETURN elementId(e) AS id, elementId(e) AS name" in text


@pytest.mark.parametrize(
    ("value", "expected"),
    [("Order", "'Order'"), ("O'B", "'O\\'B'"), ("a\\", "'a\\\\'"), ("\\'", "'\\\\\\''")],
)
def test_a_text_stays_one_literal(value: str, expected: str) -> None:
    assert quoted_text(value) == expected
