"""Every option of Python is one of its procedure, of the same values: as ``kgdb.help`` tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, get_origin, get_type_hints

import pytest
from reference import CASES

import kgdb
from kgdb.errors import DatabaseError, UsageError
from kgdb.graph.retrieval import retrieval_options as options
from kgdb.graph.retrieval.batch import LINK
from kgdb.graph.retrieval.retrieval_options import SearchOption, declared, key_of

pytestmark = pytest.mark.integration

PROCEDURES: dict[str, type] = {
    **{case.search.procedure: case.search.options for case in CASES.values()},
    LINK.procedure: LINK.options,
    "kgdb.got.match": options.MatchOptions,
    "kgdb.got.run": options.ThoughtOptions,
    "kgdb.cypher.read": options.ReadOptions,
}
GRAPH = "kg"
"""What the graph layer gives itself."""

_RANGE = re.compile(r"(INTEGER|FLOAT) ≥ (-?[\d.]+)(?:, (≤|<) (-?[\d.]+))?")
_HUGE = 2**31 - 1


def told(connection: kgdb.Connection, procedure: str) -> dict[str, dict[str, Any]]:
    rows = connection.call("kgdb.help", procedure)
    return {row["key"]: row for row in rows if row["key"] != GRAPH}


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_the_options_are_the_keys_of_the_procedure(
    connection: kgdb.Connection, procedure: str
) -> None:
    known = declared(PROCEDURES[procedure])
    assert {key_of(name) for name in known} == set(told(connection, procedure))


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_the_types_are_the_same(connection: kgdb.Connection, procedure: str) -> None:
    keys = told(connection, procedure)
    for name, type_ in get_type_hints(PROCEDURES[procedure]).items():
        assert (get_origin(type_) or type_) is python_type(keys[key_of(name)]["type"]), name


def python_type(told: str) -> type:
    """The type that a value of a procedure's option has in Python."""
    for word, type_ in (("INTEGER", int), ("FLOAT", float), ("BOOLEAN", bool), ("LIST", Sequence)):
        if told.startswith(word):
            return type_
    # The one option whose values are nodes, by their ids; a choice among words is a text.
    return Sequence if told == "as nodes, or null" else str


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_the_defaults_and_the_ranges_are_the_same(
    connection: kgdb.Connection, procedure: str
) -> None:
    keys = told(connection, procedure)
    for name, option in declared(PROCEDURES[procedure]).items():
        key = keys[key_of(name)]
        assert_default(name, option, key["fallback"])
        good, bad = values(key["type"])
        for value in good:
            option.read(name, value)
        for value in bad:
            with pytest.raises(UsageError):
                option.read(name, value)


def assert_default(name: str, option: SearchOption, told: str) -> None:
    written: dict[Any, str] = {None: "null", (): "[]", True: "true", False: "false"}
    default = option.default
    if isinstance(default, str):
        assert told == repr(default)
    elif isinstance(default, int | float) and not isinstance(default, bool):
        assert float(told) == default
    else:
        # Python leaves out what is not given; None says that the procedure's own default holds.
        assert default is None or told == written[default], (name, told)


def values(told: str) -> tuple[list[Any], list[Any]]:
    """Some values that a type allows, among them its ends, and some that it does not."""
    if range_ := _RANGE.fullmatch(told):
        kind, least, bound, most = range_.groups()
        if kind == "INTEGER":
            low, high = int(least), _HUGE if most is None else int(most)
            return [low, high], [low - 1, 0.5, "1", True, *([] if most is None else [high + 1])]
        low_, high_ = float(least), 1e9 if most is None else float(most)
        inside = high_ if bound == "≤" or most is None else high_ - 1e-9
        outside = [] if most is None else [high_ + 1e-6]
        return [low_, inside], [low_ - 1e-6, "1", *outside]
    if told == "BOOLEAN":
        return [True, False], ["true", 1]
    if told == "STRING":
        return ["x"], [1]
    if told == "LIST<STRING>":
        return [["r"], []], ["r", [1]]
    if told == "LIST<MAP>":
        condition = {"property": "since", "value": 1}
        return [[condition], []], ["r", [1], [{"property": "since"}]]
    if words := re.findall(r"'(\w+)'", told):
        return words, [{"out", "in", "both", "x"}.difference(words).pop(), 1]
    assert told == "as nodes, or null", told
    return [["a"]], [1]


def test_what_a_procedure_does_not_take_is_told_with_what_it_does(
    demo: kgdb.KnowledgeGraph,
) -> None:
    given: dict[str, Any] = {"in_memory": True}
    with pytest.raises(UsageError, match=r"no option 'in_memory'.* Options are: .*limit"):
        demo.link(["Ada Weir"], **given)


def every_option(known: Mapping[str, SearchOption], but: tuple[str, ...] = ()) -> dict[str, Any]:
    given = {name: option.default for name, option in known.items()}
    return {name: value for name, value in given.items() if value is not None and name not in but}


def call(
    method: str, arguments: Sequence[Any], graph: kgdb.KnowledgeGraph, given: dict[str, Any]
) -> object:
    return getattr(graph, method)(["Ada Weir"], *arguments, **given)


CALLS: dict[str, Callable[[kgdb.KnowledgeGraph, dict[str, Any]], object]] = {
    **{
        case.search.procedure: partial(call, method, case.arguments("directed_by"))
        for method, case in CASES.items()
    },
    "kgdb.got.match": lambda g, given: g.match(
        kgdb.graph.thought(("a", "r", "b")),
        {"a": ["Ada Weir"]},
        {"r": {"directed_by": 1.0}},
        **given,
    ),
    "kgdb.got.run": lambda g, given: g.run_thought("CREATE (:A {name: 'a'})", **given),
    "kgdb.cypher.read": lambda g, given: g.read_cypher("MATCH (n) RETURN n LIMIT 1", **given),
    "kgdb.entities.link": lambda g, given: g.link(["Ada Weir"], **given),
}


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_a_call_with_every_option_is_accepted(demo: kgdb.KnowledgeGraph, procedure: str) -> None:
    found = CALLS[procedure](demo, every_option(declared(PROCEDURES[procedure])))
    # A script that is refused does not raise, but tells so.
    assert getattr(found, "error", None) is None


def test_help_of_a_procedure_that_there_is_not(connection: kgdb.Connection) -> None:
    with pytest.raises(DatabaseError, match="did you mean"):
        connection.call("kgdb.help", "kgdb.neighbor")


@pytest.mark.parametrize("form", ["entities", "text"])
@pytest.mark.parametrize("judge", ["expert", "verifier"])
def test_the_judges_of_refkg_are_options_and_loaded_before_the_first_question(
    demo: kgdb.KnowledgeGraph, judge: str, form: str
) -> None:
    with pytest.raises(kgdb.KgdbError, match="nowhere"):
        demo.reasoner("refkg", llm="none", form=form, **{judge: "nowhere"})
