"""What a query does to its answer: the rows that it leaves out, the texts that it relies on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from kgdb.methods.text2cypher.cypher_tokens import Clause, Token, clauses_of, tokens_of, value_of
from kgdb.methods.text2cypher.evidence_query import Item, items_of

_FOLDING = frozenset(["TOLOWER", "TOUPPER", "LOWER", "UPPER"])


_ORDER_COLUMN = "kgdb_order"


@dataclass(frozen=True, slots=True)
class RowLimit:
    """A ``LIMIT``: how many rows are kept, and whether of rows in an order.

    ``is_last`` tells that it is that of the answer. ``unlimited`` reads the rows that the limit is
    set to, where that is known; ``order_column`` is its column by which they are ordered.
    """

    number: int
    order: str | None
    is_last: bool
    unlimited: str | None
    order_column: str | None


def limits_of(query: str) -> list[RowLimit]:
    """The limits of a query outside of its subqueries; those that are no number are left out."""
    clauses = clauses_of(query)
    in_union = any(clause.keyword == "UNION" for clause in clauses)
    found = []
    for place, clause in enumerate(clauses):
        number = clause.tokens[0].text if len(clause.tokens) == 1 else ""
        if clause.keyword != "LIMIT" or not number.isdigit():
            continue
        before = clauses[max(0, place - 3) : place]
        order = _order(query, next((c for c in before if c.keyword == "ORDER"), None))
        projection = next((c for c in reversed(before) if c.keyword in ("WITH", "RETURN")), None)
        unlimited, column = None, None
        if projection is not None and not in_union:
            unlimited, column = _unlimited(query, projection, clause, order)
        is_last = place + 1 == len(clauses) and not in_union
        found.append(RowLimit(int(number), order, is_last, unlimited, column))
    return found


def _unlimited(
    query: str, projection: Clause, limit: Clause, order: str | None
) -> tuple[str, str | None]:
    """The query up to a limit, whose projection is what it returns, and the column of the order."""
    column, added = order, ""
    names = {item.alias for item in items_of(projection)}
    if order is not None and order not in names:
        distinct = projection.tokens[0].word == "DISTINCT"
        column = None if distinct else _ORDER_COLUMN
        added = "" if distinct else f", {order} AS {_ORDER_COLUMN}"
    shown = query[projection.start + len(projection.keyword) : projection.end]
    rest = query[projection.end : limit.start]
    return f"{query[: projection.start]}RETURN{shown}{added}{rest}".rstrip(), column


def _order(query: str, clause: Clause | None) -> str | None:
    """The first expression of ``ORDER BY``, as it is written."""
    if clause is None:
        return None
    tokens = list(clause.tokens[1:])  # without BY
    end = next((n for n, t in enumerate(tokens) if t.text == "," and not t.inside), len(tokens))
    tokens = tokens[:end]
    while tokens and tokens[-1].word in ("ASC", "DESC", "ASCENDING", "DESCENDING"):
        tokens.pop()
    return query[tokens[0].start : tokens[-1].end] if tokens else None


def returned(query: str) -> list[Item]:
    """What the query returns, an item for each column; empty for ``RETURN *``."""
    last = [clause for clause in clauses_of(query) if clause.keyword == "RETURN"][-1:]
    items = items_of(last[0]) if last else []
    return [] if any(item.is_all for item in items) else items


def reads_graph(query: str) -> bool:
    """Whether what the query returns comes from the graph, and not from the model."""
    clauses = clauses_of(query)
    if not any(clause.keyword == "MATCH" for clause in clauses):
        # A subquery reads, too: RETURN COUNT { (:Movie) }.
        return any(token.text in ("-", ":") for token in tokens_of(query) if "{" in token.inside)
    constants: set[str] = set()
    for clause in clauses:
        if clause.keyword in ("WITH", "UNWIND"):
            constants |= {
                item.alias
                for item in items_of(clause)
                if item.alias and not item.depends_on_graph(constants)
            }
    return all(item.depends_on_graph(constants) for item in returned(query))


def own_texts(query: str) -> set[str]:
    """The texts that the model wrote into the query."""
    return {value_of(token) for token in tokens_of(query) if token.kind == "text"}


def compared_texts(query: str) -> list[str]:
    """The texts that values of the graph must be equal to, each once."""
    tokens = tokens_of(query)
    found: dict[str, None] = {}
    for n, token in enumerate(tokens):
        if token.kind == "text" and n and _is_compared(tokens, n):
            found.setdefault(value_of(token))
    return list(found)


def negates(query: str) -> bool:
    """Whether the query asks for what is not so."""
    tokens = tokens_of(query)
    unequal = any(a.text == "<" and b.text == ">" for a, b in pairwise(tokens))
    words = (b.word for a, b in pairwise(tokens) if a.text != ".")
    return unequal or any(word in ("NOT", "NONE") for word in words)


def folds_case(query: str) -> bool:
    """Whether the query compares texts in lower or upper case, or by patterns."""
    tokens = tokens_of(query)
    return any(token.word in _FOLDING for token in tokens) or "=~" in query


def _is_compared(tokens: list[Token], n: int) -> bool:
    sign = "".join(token.text for token in tokens[max(0, n - 2) : n])
    if sign.endswith((":", "=", "<>")) and not sign.endswith((">=", "<=")):
        return True
    if n + 1 < len(tokens) and tokens[n + 1].word == "IN":
        return True
    # An item of a list: IN ['a', 'b'].
    inside = tokens[n].inside
    if not inside.endswith("["):
        return False
    opening = max(m for m in range(n) if tokens[m].text == "[" and tokens[m].inside == inside[:-1])
    return opening > 0 and tokens[opening - 1].word == "IN"
