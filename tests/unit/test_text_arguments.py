"""What is no text is refused where it comes in, by every public method and in one way."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fakes import BagOfWords, MemoryDriver, graph_info
from neo4j import GraphDatabase
from reference import CASES

import kgdb
from kgdb import interop, loading
from kgdb.api import open_connection
from kgdb.errors import UsageError
from kgdb.graph import Batch, CheapestPaths, Graph, Projection, thought
from kgdb.graph.gds.cheapest import Costs
from kgdb.graph.retrieval.retrieval_options import CheapestOptions, Config, declared
from kgdb.graph.retrieval.step_filter import StepFilter
from kgdb.methods import Reasoner, Resources, create
from kgdb.progress import silent
from kgdb.settings import load_settings
from kgdb.text_arguments import text, texts

pytestmark = pytest.mark.unit

HALF = "Ada \udc80 Weir"
LONG = "x" * 100_000
NO_TEXT: tuple[Any, ...] = (b"Ada", bytearray(b"Ada"), 7, 2.5, True, ["Ada"], {"Ada": 1}, HALF)
NO_TEXTS: tuple[Any, ...] = (
    "Ada", b"Ada", 7, True, {"Ada": "Weir"},
    [b"Ada"], [7], [None], [HALF], ["Ada", ["Weir"]],
)  # fmt: skip
NO_KEYS: tuple[Any, ...] = ("r", b"r", 7, ["r"], {b"r": 1.0}, {7: 1.0}, {HALF: 1.0}, {"": 1.0})
NO_NUMBER: tuple[Any, ...] = ("many", b"1", -1, 1.5, True, [1], HALF)


def lists_of(hostile: tuple[Any, ...]) -> tuple[Any, ...]:
    """Lists whose item is no list of texts, and what is no list at all."""
    return ("Ada", b"Ada", 7, *([each] for each in hostile))


NO_LABELS = tuple(value for value in NO_TEXTS if not isinstance(value, str))
"""One label may stand alone."""
NO_NAMES = (b"Ada", 7, True, ["Ada"], {"Film": 7}, {"Film": [b"Ada"]}, "")
"""A property for all labels, or properties by label."""


@dataclass(frozen=True)
class Argument:
    """One that takes texts: the values that are none, and whether it may be None, or empty."""

    name: str
    bad: tuple[Any, ...] = NO_TEXT
    optional: bool = False
    empty: bool = False

    @property
    def hostile(self) -> Iterator[Any]:
        yield from self.bad
        if not self.optional:
            yield None
        if self.bad is NO_TEXT and not self.empty:
            yield ""


class Refusing(MemoryDriver):
    """A server that nothing may reach."""

    def __init__(self) -> None:
        super().__init__([("ada", "acted", "salt")])

    def get_server_info(self) -> SimpleNamespace:
        """It answers."""
        return SimpleNamespace(agent="Neo4j/5.26.23")


@pytest.fixture
def connection(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> kgdb.Connection:
    monkeypatch.setattr(GraphDatabase, "driver", lambda *_, **__: Refusing())
    monkeypatch.setenv("KGDB_HOME", str(tmp_path))
    settings = load_settings({"KGDB_HOME": str(tmp_path)}, uri="bolt://x", plugin="never")
    return open_connection(settings, silent)


Make = Callable[[kgdb.Connection], Any]


def graph_of(connection: kgdb.Connection) -> kgdb.KnowledgeGraph:
    graph = kgdb.KnowledgeGraph(connection, graph_info())
    assert graph.relations
    return graph


def reasoner_of(connection: kgdb.Connection) -> Reasoner:
    encoder = BagOfWords()
    tools = Resources(graph_of(connection), encoder, None)
    return Reasoner(create("neighbors"), tools)


def cheapest_of(connection: kgdb.Connection) -> CheapestPaths:
    costs = Costs(StepFilter.of(Config.of(CheapestOptions, {})), {}, 1.0)
    return CheapestPaths(Projection("p", 1, 1, None, connection, graph_info()), graph_info(), costs)


NODES = Argument("nodes", NO_TEXTS)
STARTS = Argument("starts", lists_of(NO_TEXTS))
MODEL = Argument("encoder", optional=True)
LLM = Argument("llm", optional=True)
OF_NODES = [Argument(name, NO_TEXTS, optional=True) for name in ("relations", "exclude")]
OF_LABELS = [Argument("labels", NO_TEXTS, optional=True)]
NUMBERS = [Argument("limit", NO_NUMBER, optional=True)]
CHAIN = Argument("relations", NO_TEXTS)
HOPS = Argument("hops", ("r", b"r", 7, ["r"], [[7]], *([each] for each in NO_KEYS[4:])))
PAIRS = ("ab", b"ab", 7, ["ab"], [b"ab"], [("a",)], [("a", 7)], [("a", HALF)], [(b"a", "b")])
VECTORS = Argument(
    "vectors", ("ab", 7, ["ab"], [7], [["x"]], [[b"x"]], [[float("nan")]], [[None]]), optional=True
)
LIMITS = Argument("limits", ("1", 7, [0], ["x"], [None]), optional=True)


def searches(
    given: dict[str, Any], first: Argument
) -> dict[str, tuple[dict[str, Any], list[Argument]]]:
    """For each search what it takes, from a set of entities or from several."""
    several = first is STARTS
    pairs = ("ab", 7, *([pair] for pair in PAIRS)) if several else PAIRS
    known = {
        "relations": CHAIN, "hops": HOPS,
        "relationships": Argument("relationships", pairs, optional=True),
    }  # fmt: skip
    options = [*OF_NODES, *OF_LABELS, *NUMBERS, Argument("source_nodes", NO_TEXTS, optional=True)]
    return {
        method: (
            given | dict(zip(case.search.arguments[1:], case.arguments("acted"), strict=False)),
            [
                first,
                *(known[name] for name in case.search.arguments[1:]),
                *(option for option in options if option.name in declared(case.search.options)),
                *([LIMITS] if several and method == "follow" else ()),
            ],
        )
        for method, case in CASES.items()
    }


ASKED = [
    Argument("method"), LLM, MODEL, Argument("hops", NO_NUMBER),
]  # fmt: skip

CALLS: dict[tuple[str, str], tuple[Make, dict[str, Any], list[Argument]]] = {
    **{
        (owner, name): (make, given, arguments)
        for owner, make, methods in (
            ("Connection", lambda db: db, {
                "graph": ({"name": "x"}, [Argument("name", optional=True)]),
                "adopt": (
                    {"name": "x", "labels": ["X"]},
                    [Argument("name"), Argument("labels", NO_LABELS),
                     Argument("id_property", optional=True),
                     Argument("name_properties", NO_NAMES, optional=True),
                     Argument("alias_properties", NO_TEXTS),
                     Argument("title", optional=True)],
                ),
                "encoder": ({}, [Argument("name", optional=True)]),
                "relation_encoder": ({}, [Argument("name", optional=True)]),
                "expert": ({}, [Argument("name", optional=True)]),
                "llm": ({}, [Argument("name", optional=True)]),
                "untuned_llm": ({}, [Argument("name", optional=True)]),
                "verifier": ({}, [Argument("name", optional=True)]),
                "models": ({}, [LLM, MODEL]),
                "call": ({"procedure": "db.info"}, [Argument("procedure")]),
                "query": (
                    {"text": "RETURN 1"},
                    [Argument("text"), Argument("timeout_ms", NO_NUMBER)],
                ),
                "run": ({}, [Argument("name")]),
                "collected": ({}, [Argument("name")]),
                "write": ({}, [Argument("name")]),
                "write_checked": ({"parameters": {}, "check": print}, [Argument("name")]),
                "stream": ({"batch": 1}, [Argument("name")]),
            }),
            ("KnowledgeGraph", graph_of, {
                **searches({"nodes": ["ada"]}, NODES),
                "run_thought": ({"script": "x"}, [Argument("script", empty=True)]),
                "ground_thoughts": ({"scripts": ["x"]}, [Argument("scripts", NO_TEXTS)]),
                "match": (
                    {"pattern": thought(("a", "r", "b")), "nodes": {"a": ["ada"]},
                     "relations": {"r": {"acted": 1.0}}},
                    [Argument("pattern"),
                     Argument("nodes", (*NO_KEYS[:6], {"a": "ada"}, {"a": [7]}, {"a": [HALF]},
                                        {"a": {b"ada": 1.0}}, {"a": 7}, {"a": None})),
                     Argument("relations", (*NO_KEYS[:6], {"r": "acted"}, {"r": {7: 1.0}},
                                            {"r": {HALF: 1.0}}, {"r": {"acted": "x"}})),
                     Argument("answer", optional=True)],
                ),
                "read_cypher": ({"script": "x"}, [Argument("script", empty=True)]),
                "link": ({"mentions": ["ada"]}, [Argument("mentions", NO_TEXTS), VECTORS]),
                "candidate_relations": (
                    {"nodes": ["ada"], "chains": [[]]},
                    [NODES, Argument("chains", lists_of(NO_TEXTS)), Argument("ends", NO_NUMBER)],
                ),
                "fulltext": (
                    {"queries": ["x"]},
                    [Argument("queries", NO_TEXTS), Argument("limit", NO_NUMBER)],
                ),
                "named": (
                    {"phrases": [["x"]], "misspelt": [None], "limit": 1, "misspelt_limit": 1},
                    [Argument("phrases", lists_of(NO_TEXTS)),
                     Argument("misspelt", tuple(b for b in NO_TEXTS if b != [None])),
                     Argument("limit", NO_NUMBER), Argument("misspelt_limit", NO_NUMBER)],
                ),
                "properties": ({"nodes": ["ada"]}, [NODES]),
                "project": (
                    {},
                    [Argument("relations", NO_TEXTS, optional=True),
                     Argument("weights", NO_KEYS, optional=True)],
                ),
                "cheapest": ({}, [Argument("weights", NO_KEYS, optional=True), *OF_NODES]),
                "shortest_weighted": (
                    {"source": "a", "target": "b"},
                    [Argument("weights", NO_KEYS, optional=True), *OF_NODES],
                ),
                "relation_vectors": ({}, [Argument("encoder")]),
                "to_py2neo": ({}, [Argument("found")]),
                "answer": (
                    {"question": "Who?", "method": "neighbors"},
                    [Argument("question"), *ASKED],
                ),
                "verify": ({"claim": "So.", "method": "neighbors"}, [Argument("claim"), *ASKED]),
                "verify_text": ({"text": "So.", "method": "neighbors"}, [Argument("text"), *ASKED]),
                "reasoner": ({"method": "neighbors"}, ASKED),
                "conversation": ({}, [Argument("method"), LLM, MODEL]),
            }),
            ("Batch", lambda db: graph_of(db).batch, {
                **searches({"starts": [["ada"]]}, STARTS),
                "candidate_relations": (
                    {},
                    [Argument("chains", ("ab", b"ab", 7, ["ab"], [(["ada"],)], [("ada", [])],
                                         [(["ada"], "r")], [([7], [])], [([HALF], [])],
                                         [(["ada"], [HALF])]))],
                ),
                "link": ({"mentions": ["ada"]}, [Argument("mentions", NO_TEXTS), VECTORS]),
            }),
            ("Reasoner", reasoner_of, {
                "answer": ({}, [Argument("question")]),
                "verify": ({}, [Argument("claim")]),
                "answers": ({}, [Argument("questions", tuple(b for b in NO_TEXTS if b != [HALF]))]),
                "verdicts": ({}, [Argument("claims", tuple(b for b in NO_TEXTS if b != [HALF]))]),
            }),
            ("CheapestPaths", cheapest_of, {
                "between": (
                    {"source": "a", "target": "b"},
                    [Argument("source", empty=True), Argument("target", empty=True),
                     Argument("k", (*NO_NUMBER, 0))],
                ),
            }),
            ("kgdb", lambda _: kgdb, {
                "connect": (
                    {"uri": "bolt://x"},
                    [Argument("uri", optional=True), Argument("username", optional=True),
                     Argument("password", optional=True, empty=True),
                     Argument("database", optional=True), Argument("instance", optional=True),
                     Argument("plugin", optional=True)],
                ),
            }),
            ("loading", lambda _: loading, {
                "engine": ({}, [Argument("name")]),
                "read_spec": ({}, [Argument("loader")]),
                "write_draft": ({"source": Path("x")}, [Argument("name")]),
            }),
            ("interop", lambda _: interop, {
                "to_pandas": ({}, [Argument("results")]),
                "to_polars": ({}, [Argument("results")]),
                "to_networkx": ({}, [Argument("results")]),
            }),
        )
        for name, (given, arguments) in methods.items()
    }
}  # fmt: skip

WITHOUT_TEXTS = {
    "Connection": {"graphs", "py2neo", "close", "gds", "plugin_version"},
    # Forms have tests of their own; what a text names is asked with words of a question.
    "KnowledgeGraph": {"facts", "query", "named_in_text"},
    "Graph": {"query", "named_in_text"},
}
PLACES = {"run", "collected", "write", "write_checked", "stream"}
"""Their first argument is by position alone."""


def public(owner: type) -> set[str]:
    return {
        name
        for name, member in inspect.getmembers(owner, inspect.isfunction)
        if not name.startswith("_")
    }


@pytest.mark.parametrize(
    "owner", [kgdb.Connection, kgdb.KnowledgeGraph, Batch, Reasoner, CheapestPaths, Graph]
)
def test_every_public_method_is_walked_over(owner: type) -> None:
    name = "KnowledgeGraph" if owner is Graph else owner.__name__
    walked = {method for other, method in CALLS if other == name}
    missing = public(owner) - walked - WITHOUT_TEXTS.get(name, set())
    assert missing == set()


@pytest.mark.parametrize(("owner", "method"), CALLS)
def test_what_is_no_text_is_refused_by_name_before_anything_is_sent(
    owner: str, method: str, connection: kgdb.Connection
) -> None:
    make, given, arguments = CALLS[owner, method]
    target = getattr(make(connection), method)
    driver: Any = connection.driver
    for argument in arguments:
        for value in argument.hostile:
            driver.sent.clear()
            with pytest.raises(UsageError) as refusal:
                call(target, given | {argument.name: value}, method)
            message = refusal.value.message
            assert len(message) < 400, (argument.name, value)
            assert "mistake in kgdb" not in str(refusal.value)
            assert driver.sent == [], (argument.name, value)


def call(target: Callable[..., Any], arguments: dict[str, Any], method: str) -> None:
    if method in PLACES:
        named = dict(arguments)
        order = ("name", "batch", "parameters", "check")
        result = target(*(named[key] for key in order if key in named))
    else:
        result = target(**arguments)
    if hasattr(result, "__next__"):
        next(result)
    if hasattr(result, "__enter__"):
        with result:
            pass


@pytest.mark.parametrize(("owner", "method"), CALLS)
def test_a_value_is_never_repeated_at_its_full_length(
    owner: str, method: str, connection: kgdb.Connection
) -> None:
    make, given, arguments = CALLS[owner, method]
    target = getattr(make(connection), method)
    for argument in arguments:
        for value in (LONG.encode(), [LONG.encode()], {LONG.encode(): 1.0}, [[LONG.encode()]]):
            with pytest.raises(UsageError) as refusal:
                call(target, given | {argument.name: value}, method)
            assert len(str(refusal.value)) < 800, argument.name


def test_the_refusal_names_the_argument_the_value_and_what_was_expected() -> None:
    with pytest.raises(UsageError) as refusal:
        text("question", b"Who?", "a question")
    assert refusal.value.message == "question is b'Who?'; expected a question."
    assert refusal.value.hint == 'Decode them first: .decode("utf-8").'
    with pytest.raises(UsageError) as refusal:
        texts("nodes", ["ada", HALF], "entity ids")
    assert refusal.value.message == (
        r"nodes contains 'Ada \udc80 Weir', which is not valid UTF-8; expected entity ids."
    )
    assert "half of a character" in (refusal.value.hint or "")
    with pytest.raises(UsageError) as refusal:
        texts("nodes", "ada", "entity ids")
    assert refusal.value.message == "nodes is 'ada'; expected a list of entity ids."
    assert refusal.value.hint == "Write ['ada']."


def test_texts_may_come_from_anything_that_gives_them() -> None:
    assert texts("nodes", (name for name in ("a", "b"))) == ["a", "b"]
    assert texts("nodes", {"a": 1}.keys()) == ["a"]
    assert texts("nodes", (), "ids") == []


def test_a_question_that_cannot_be_asked_fails_alone_among_others(
    connection: kgdb.Connection,
) -> None:
    half, empty = reasoner_of(connection).answers([HALF, " "])
    assert isinstance(half.error, UsageError)
    assert isinstance(empty.error, UsageError)


@pytest.mark.parametrize("value", [HALF, {"x": [HALF]}, object(), 2**70, {7: 1}])
def test_a_value_that_the_driver_cannot_send_is_wrong_usage(
    value: Any, connection: kgdb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def packed(*_: Any, **__: Any) -> None:
        from neo4j._codec.packstream.v1 import PackableBuffer, Packer

        Packer(PackableBuffer()).pack(value)

    monkeypatch.setattr(connection.driver, "execute_query", packed)
    with pytest.raises(UsageError, match="cannot be sent to the database"):
        connection.call("db.info", value)


def messages() -> Iterator[tuple[Path, int, ast.FormattedValue]]:
    """Every value that an f-string of the package writes."""
    for path in sorted(Path(kgdb.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FormattedValue):
                yield path, node.lineno, node


SHOWN_WHOLE = {
    "results.py",
    "prepared_source.py",
    "load_preview.py",
    "replay_model.py",
    "rdf_draft.py",
}
SHOWN_WHOLE |= {"column_roles.py", "table_draft.py"}
"""A repr, samples that are short already, and constants."""


@pytest.mark.slow
def test_no_message_repeats_a_value_but_through_the_one_function() -> None:
    whole = [
        f"{path.name}:{line}"
        for path, line, value in messages()
        if value.conversion == ord("r") and path.name not in SHOWN_WHOLE
    ]
    assert whole == []
