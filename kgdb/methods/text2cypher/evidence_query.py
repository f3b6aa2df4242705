"""The query that also returns what it matched: the facts, and the values of properties.

A model's query returns what the question asks for, and not what proves it. Here each pattern of its
``MATCH`` gets a path variable, and each ``WITH`` and ``RETURN`` carries the facts of these paths
and the values of the properties that the query uses; where
rows are grouped, those of a group are collected.

The database runs it in the same sandbox. The rows of the model's own query stay the answer: where
the changed query fails or gives other rows, only evidence is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

from kgdb.graph.connection.statements import quoted_text
from kgdb.methods.text2cypher.cypher_tokens import Clause, Token, clauses_of, parts_of, unquoted

MOST_FACTS = 100
"""Facts that prove one row, such as those that were counted for it."""

_AGGREGATES = frozenset(
    "COUNT COLLECT SUM AVG MIN MAX STDEV STDEVP PERCENTILECONT PERCENTILEDISC".split()
)


_WORDS = frozenset(
    "TRUE FALSE NULL CASE WHEN THEN ELSE END AND OR NOT XOR IN IS AS STARTS ENDS WITH "
    "CONTAINS".split()
)
_MOST_NAMES = 10_000
"""Names that are made for one query."""


@dataclass(frozen=True, slots=True)
class EvidenceQuery:
    """The changed query: its last two columns are the matched facts, and values of properties.

    ``owners`` tells of a column which of the values it shows.
    """

    text: str
    owners: dict[int, int]


@dataclass(slots=True)
class _Carried:
    """Something that is carried along: what it is computed from, until it is under its name."""

    name: str
    source: str

    def expression(self, *, grouped: bool) -> str:
        return f"collect({self.source})[..{MOST_FACTS}]" if grouped else self.source


@dataclass(slots=True)
class _Branch:
    """What is known at a place of a query, or of one branch of a ``UNION``."""

    numbers: Iterator[int]
    bound: set[str] = field(default_factory=set)
    facts: list[_Carried] = field(default_factory=list)
    values: list[_Carried] = field(default_factory=list)
    # The properties that the clauses since the last projection use, and names of earlier values.
    uses: dict[tuple[str, str], _Carried] = field(default_factory=dict)
    aliases: dict[str, _Carried] = field(default_factory=dict)

    def use(self, variable: str, key: str) -> _Carried | None:
        """The carried value of a property, if the variable is a node's or a relationship's."""
        if variable not in self.bound:
            return None
        if (variable, key) not in self.uses:
            source = f"[{variable}, {quoted_text(unquoted(key))}, {variable}.{key}]"
            self.uses[variable, key] = _Carried(f"kgdb_v{next(self.numbers)}", source)
        return self.uses[variable, key]


@dataclass(frozen=True, slots=True)
class Item:
    """What a projection returns: its expression, and the name of its column."""

    tokens: tuple[Token, ...]
    alias: str | None

    @property
    def is_all(self) -> bool:
        """Whether it is ``*``."""
        return self.tokens[0].text == "*"

    @property
    def variable(self) -> str | None:
        """The variable, where it is nothing else."""
        return self.tokens[0].text if [t.kind for t in self.tokens] == ["name"] else None

    @property
    def property_key(self) -> tuple[str, str] | None:
        """Variable and key, where it is a property."""
        shape = [token.kind if token.kind != "other" else token.text for token in self.tokens]
        return (
            (self.tokens[0].text, self.tokens[2].text) if shape == ["name", ".", "name"] else None
        )

    def depends_on_graph(self, constants: Set[str] = frozenset()) -> bool:
        """Whether it depends on what the query reads; ``constants`` are variables that do not."""
        for token, after in zip(self.tokens, (*self.tokens[1:], None), strict=True):
            called = after is not None and after.text in ("(", ":")
            if token.text == "*" and token.inside.endswith("("):
                return True  # count(*)
            is_variable = token.kind == "name" and not called and token.word not in _WORDS
            if is_variable and unquoted(token.text) not in constants:
                return True
        return False


def items_of(clause: Clause) -> list[Item]:
    """The items of a ``WITH`` or a ``RETURN``."""
    tokens = clause.tokens
    if tokens and tokens[0].word == "DISTINCT":
        tokens = tokens[1:]
    items = []
    for part in parts_of(tokens):
        if len(part) > 2 and part[-2].word == "AS" and not part[-2].inside:
            items.append(Item(part[:-2], unquoted(part[-1].text)))
        else:
            items.append(Item(part, part[0].text if len(part) == 1 else None))
    return items


def evidence_query(query: str) -> EvidenceQuery | None:
    """The query that also returns its evidence; ``None`` for one whose form is not known here."""
    clauses = clauses_of(query)
    edits: list[tuple[int, int, str]] = []
    branch = _Branch(iter(range(_MOST_NAMES)))
    owners: list[dict[int, int]] = []
    for place, clause in enumerate(clauses):
        match clause.keyword:
            case "MATCH":
                edits += _with_paths(clause, branch)
            case "UNWIND":
                _bind_unwound(clause, branch)
            case "WHERE" | "ORDER":
                _uses(clause.tokens, branch)
            case "UNION":
                branch = _Branch(branch.numbers)
            case "WITH" | "RETURN":
                last = clause.keyword == "RETURN"
                items = items_of(clause)
                if not items or (last and items[0].is_all):
                    return None
                if items[0].is_all:
                    continue  # Everything that is carried is in scope as it is.
                _uses(clause.tokens, branch)
                _uses_of_order(clauses[place + 1 :], branch)
                new, columns = _projected(clause, items, branch, last=last)
                edits += new
                owners += [columns] if last else []
    if not owners:
        return None
    # A column of a UNION shows a property where all its branches show it at one place.
    first = owners[0].items()
    same = {column: place for column, place in first if all(o.get(column) == place for o in owners)}
    return EvidenceQuery(_edited(query, edits), same)


def _uses_of_order(following: Sequence[Clause], branch: _Branch) -> None:
    """Note what a projection is ordered by: it may use what was in scope before it."""
    if following and following[0].keyword == "ORDER":
        _uses(following[0].tokens, branch)


def _edited(query: str, edits: Sequence[tuple[int, int, str]]) -> str:
    for start, end, text in sorted(edits, reverse=True):
        query = query[:start] + text + query[end:]
    return query


def _with_paths(clause: Clause, branch: _Branch) -> Iterator[tuple[int, int, str]]:
    for part in parts_of(clause.tokens):
        path = part[0].text if len(part) > 1 and part[1].text == "=" else None
        if path is None:
            path = f"kgdb_p{next(branch.numbers)}"
            yield part[0].start, part[0].start, f"{path} = "
        name = f"kgdb_f{next(branch.numbers)}"
        branch.facts.append(_Carried(name, f"[nodes({path}), relationships({path})]"))
    tokens = clause.tokens
    owner = None
    for before, token, after in zip(tokens, tokens[1:], (*tokens[2:], None), strict=False):
        if before.text in ("(", "[") and token.kind == "name":
            owner = token.text
            branch.bound.add(owner)
        elif before.text in ("(", "["):
            owner = None
        elif (
            owner
            and token.kind == "name"
            and before.text in ("{", ",")
            and token.inside.endswith("{")
            and after is not None
            and after.text == ":"
        ):
            branch.use(owner, token.text)


def _bind_unwound(clause: Clause, branch: _Branch) -> None:
    kinds = [token.kind for token in clause.tokens]
    if kinds == ["name", "name", "name"] and clause.tokens[1].word == "AS":
        branch.bound.add(clause.tokens[2].text)


def _uses(tokens: Sequence[Token], branch: _Branch) -> None:
    """Note the properties that an expression uses, but for those inside of lists and subqueries."""
    for n, (variable, dot, key) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        if (variable.kind, dot.text, key.kind) != ("name", ".", "name"):
            continue
        before = tokens[n - 1].text if n else ""
        after = tokens[n + 3].text if n + 3 < len(tokens) else ""
        if before != "." and after not in (".", "(") and not set("[{") & set(key.inside):
            branch.use(variable.text, key.text)


def _projected(
    clause: Clause, items: Sequence[Item], branch: _Branch, *, last: bool
) -> tuple[list[tuple[int, int, str]], dict[int, int]]:
    """The changes of a projection, and what is carried behind it."""
    distinct = bool(clause.tokens) and clause.tokens[0].word == "DISTINCT"
    grouped = distinct or any(_aggregates(item) for item in items)
    carried = [*branch.values, *branch.uses.values()]
    shown: dict[str, _Carried] = {}
    columns: dict[int, int] = {}
    for column, item in enumerate(items):
        value = branch.uses.get(item.property_key) if item.property_key else None
        value = value or (branch.aliases.get(item.variable) if item.variable else None)
        if value is not None:
            columns[column] = carried.index(value)
            if item.alias:
                shown[item.alias] = value
    expressions = [each.expression(grouped=grouped) for each in branch.facts]
    values = [each.expression(grouped=grouped) for each in carried]
    if last:
        # A list without an aggregate would be a group: without matches there would be no row.
        empty = "collect(null)" if grouped else ""
        facts, shown_values = ", ".join(expressions) or empty, ", ".join(values) or empty
        added = f", [{facts}] AS kgdb_facts, [{shown_values}] AS kgdb_values"
    else:
        named = zip([*expressions, *values], [*branch.facts, *carried], strict=True)
        added = "".join(f", {expression} AS {each.name}" for expression, each in named)
        branch.bound = {
            item.alias for item in items if item.alias and (item.variable in branch.bound)
        }
        for each in (*branch.facts, *carried):
            each.source = each.name
        branch.values, branch.uses, branch.aliases = carried, {}, shown
    edits = [(clause.end, clause.end, added)]
    if distinct:  # what is collected is grouped by the rest
        edits.append((clause.tokens[0].start, clause.tokens[0].end, ""))
    return edits, columns


def _aggregates(item: Item) -> bool:
    return any(
        token.word in _AGGREGATES and after.text == "("
        for token, after in zip(item.tokens, item.tokens[1:], strict=False)
        if "{" not in token.inside
    )
