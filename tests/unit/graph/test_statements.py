"""Cypher statements: one file each, values as parameters, hostile identifiers quoted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgdb
from kgdb import shipped_files
from kgdb.errors import UsageError
from kgdb.graph.connection.statements import (
    Place,
    Statement,
    Types,
    call_text,
    in_one_record,
    quoted,
    statement,
)
from kgdb.graph.retrieval.batch import BEAM

pytestmark = pytest.mark.unit

FILES = sorted(shipped_files.statements().rglob("*.cypher"))
WORDS = {
    "plain": {"''", "'^'", "'in'", "'out'", "'limit'", "'maxPaths'", "'perPair'", "'perRelation'"},
    "plain/link": {"'index'", "'text'", "'vector'"},
    "plain/link/named": {"'text'"},
    "load/fulltext": {"'standard-folding'"},
    "adopt/fulltext": {"'standard-folding'"},
    "adopt/indexes": {"'NODE'"},
    "embed/index": {"'cosine'"},
    "embed/write": {"'embedding'"},
    "embed/relations": {"'embedding'", "'inverse_embedding'"},
    "forms/key/date": {r"'-?\\d{4}(-\\d{2}(-\\d{2}([T ].*)?)?)?'", "'-'"},
    "adopt/typing": {"''"},
    "forms/key/duration": {
        r"'[-+]?P(?=[-+\\dT])([-+]?\\d+(\\.\\d+)?Y)?([-+]?\\d+(\\.\\d+)?M)?([-+]?\\d+"
        r"(\\.\\d+)?W)?([-+]?\\d+(\\.\\d+)?D)?(T(?=[-+\\d])([-+]?\\d+(\\.\\d+)?H)?([-"
        r"+]?\\d+(\\.\\d+)?M)?([-+]?\\d+(\\.\\d+)?S)?)?'"
    },
    "forms/key/number": {
        r"'\\s*[+-]?\\d{1,18}\\s*'",
        r"'\\s*[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,2})?\\s*'",
    },
    "load/take_over": {"'loading'"},
    "load/thought_names": {
        "'KgdbThought'", "'KGDB_THOUGHT'", "'name'", "'position'", "'type'"
    },
}  # fmt: skip
IDENTIFIERS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


def unquoted(text: str) -> str:
    """What Cypher reads a quoted identifier as; an error if it is not exactly one."""
    found = re.fullmatch(r"`((?:[^`]|``)+)`", text)
    assert found, f"{text!r} is not one quoted identifier"
    return found[1].replace("``", "`")


@pytest.mark.parametrize(
    "name", ["Film", "a`b", "`", "``", "x`) DETACH DELETE n //", "\\u0060", "電影", " ", "%label%"]
)
def test_a_hostile_identifier_stays_one_identifier(name: str) -> None:
    assert unquoted(quoted(name)) == name


@given(IDENTIFIERS)
def test_quoting_is_undone_by_reading(name: str) -> None:
    assert unquoted(quoted(name)) == name


@pytest.mark.parametrize("name", ["", "\0", "a\0b"])
def test_what_cannot_be_an_identifier_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a label") as failure:
        quoted(name)
    assert repr(name) in failure.value.message


def test_identifiers_go_into_their_places() -> None:
    text = statement("load/constraint_entity", label="A`B", constraint="c")
    assert text.strip() == (
        "CREATE CONSTRAINT `c` IF NOT EXISTS FOR (e:`A``B`) REQUIRE e.id IS UNIQUE"
    )


def test_an_identifier_is_not_read_for_places_or_escapes_again() -> None:
    text = statement("load/constraint_entity", label=r"`%constraint%` \1", constraint="c")
    assert r"(e:```%constraint%`` \1`)" in text


@pytest.mark.parametrize(
    ("types", "pattern", "predicate"),
    [
        (Types(), "", ":%"),
        (Types(frozenset()), ":!%", ":!%"),
        (Types(frozenset({"b", "a`", "关系"})), ":`a```|`b`|`关系`", ":`a```|`b`|`关系`"),
        (Types(None, frozenset({"b", "a"})), ":!(`a`|`b`)", ":!(`a`|`b`)"),
    ],
)
def test_relationship_types_are_sorted_and_quoted(
    types: Types, pattern: str, predicate: str
) -> None:
    assert (types.pattern(), types.predicate()) == (pattern, predicate)


def test_types_without_others_and_together() -> None:
    a, ab = Types(frozenset("a")), Types(frozenset("ab"))
    assert ab.without(a) == Types(frozenset("b"))
    assert Types().without(a) == Types(None, frozenset("a"))
    assert Types(None, frozenset("b")).without(a) == Types(None, frozenset("ab"))
    assert a | Types(frozenset("b")) == ab
    assert a | Types(None, frozenset("a")) == Types()


def test_each_kind_of_place_is_filled_in_its_own_way() -> None:
    part = statement("plain/degree/out", relation="a`b")
    assert part == "COUNT { (node)-[:`a``b`]->() }\n"
    places: dict[str, Place] = {"hop": 7, "degrees": part, "best": Statement()}
    places |= {"out": Types(frozenset("r")), "in": Types()}
    text = statement("plain/beam/expand", label="L", id="id", name="name", **places)
    assert "$hops[batch][7]" in text
    assert "[COUNT { (node)-[:`a``b`]->() }\n] AS degrees" in text
    assert "MATCH (node)-[r:`r`]->(other:`L`)" in text
    assert "MATCH (node)<-[r]-(other:`L`)" in text
    assert "`%" not in text


def test_a_place_cannot_be_left_unfilled() -> None:
    with pytest.raises(KeyError, match="label"):
        statement("load/constraint_entity", constraint="c")


@pytest.mark.parametrize("name", ["gds.pageRank.stream", "db.labels", "kgdb.version", "_x1"])
def test_a_procedure_is_called_with_parameters(name: str) -> None:
    assert call_text(name, 0) == f"CALL {name}()"
    assert call_text(name, 2) == f"CALL {name}($a0, $a1)"


@pytest.mark.parametrize(
    "name",
    ["", "a b", "a()", "a.b(1) MATCH", "a..b", ".a", "a.", "1a", "a;b", "`a`", "a\n", "$a", "a-b"],
)
def test_what_is_no_procedure_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="is not a procedure name") as failure:
        call_text(name, 1)
    assert repr(name) in failure.value.message
    assert failure.value.hint


@cache
def trees() -> tuple[tuple[Path, ast.Module], ...]:
    (package,) = kgdb.__path__
    paths = sorted(Path(package).rglob("*.py"))
    return tuple((path, ast.parse(path.read_text(encoding="utf-8"))) for path in paths)


def calls(*methods: str) -> Iterator[tuple[str, ast.Call]]:
    """Every ``….run("name", …)`` of the package and the like, with the statement's name."""
    for _, tree in trees():
        for node in ast.walk(tree):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr=method), args=[ast.Constant(value=str(name)), *_]
                ) if method in methods and re.fullmatch(r"[\w/]+", name):
                    yield name, node


def looped_over() -> Iterator[str]:
    """Statement names that stand in the tuple of a loop, or are the values of a table."""
    for _, tree in trees():
        for node in ast.walk(tree):
            match node:
                case ast.For(iter=ast.Tuple(elts=elements)) | ast.Dict(values=elements):
                    for element in elements:
                        if isinstance(element, ast.Constant) and "load/" in str(element.value):
                            yield str(element.value)


def stem(path: Path) -> str:
    """A statement's name: its path below the folder of statements."""
    return path.relative_to(shipped_files.statements()).with_suffix("").as_posix()


def parts() -> Iterator[str]:
    """Names of statements that are composed, and of their parts, wherever they are written."""
    for path, tree in trees():
        for node in ast.walk(tree):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="_statement"), args=[ast.Constant(value=name)]
                ):
                    yield f"plain/{name}"
                case ast.Call(func=ast.Name(id="statement"), args=[ast.Constant(value=name)]):
                    yield name
                case ast.Call(
                    func=ast.Name(id="write_constraint"),
                    args=[_, ast.Constant(value=name), *_],
                ):
                    yield name
                case ast.Constant(value=str(name)) if re.fullmatch(r"plain(/\w+)+", name):
                    yield name
                case ast.Call(
                    func=ast.Name(id="statement"),
                    args=[ast.JoinedStr(values=[ast.Constant(value=str(folder)), _])],
                ):
                    # One of the parts of a folder, chosen by a table.
                    for chosen in (shipped_files.statements() / folder).glob("*.cypher"):
                        yield stem(chosen)
                case ast.Constant(value=str(name)) if (
                    path.parent.name == "plain" and name.startswith("follow/")
                ):
                    yield f"plain/{name}"


def test_rows_can_travel_in_one_record() -> None:
    columns, text = in_one_record(BEAM.call)
    assert columns[:3] == ("batch", "ids", "names")
    assert columns[-1] == "cut"
    assert text.endswith(f"RETURN collect([{', '.join(columns)}]) AS rows\n")
    assert text.count("RETURN") == 1


@pytest.mark.slow
def test_every_statement_is_used_and_every_use_has_a_statement() -> None:
    called = {name for name, _ in calls("collected", "run", "stream", "write")}
    assert called | set(looped_over()) | set(parts()) == {stem(path) for path in FILES}


def test_a_call_gives_exactly_the_identifiers_and_parameters_of_its_statement() -> None:
    checked = 0
    for name, call in calls("collected", "run", "stream", "write"):
        if ast.unparse(call.func) in ("self.write", "job.write"):
            continue  # the loader's own, which adds to what it is given
        text = statement_file(name)
        places = {keyword.arg for keyword in call.keywords}
        assert_same(places, set(re.findall(r"%(\w+)(?:\([\w.\[\]-]+\))?%", text)), name)
        parameters = set(re.findall(r"\$(\w+)", text))
        batched = ast.unparse(call.func).endswith(".stream")
        match call.args[2:] if batched else call.args[1:]:
            case []:
                assert not parameters, name
            case [ast.Dict(keys=keys)]:
                assert_same({key and ast.literal_eval(key) for key in keys}, parameters, name)
            case _:
                continue  # put together elsewhere
        checked += 1
    assert checked >= 8


def assert_same(given: set[str | None], used: set[str], name: str) -> None:
    """The same, or at most that where some of it is put together elsewhere."""
    if None in given:
        assert given - {None} <= used, name
    else:
        assert given == used, name


def statement_file(name: str) -> str:
    return (shipped_files.statements() / f"{name}.cypher").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=stem)
def test_a_statement_holds_no_value_and_no_other_way_to_put_one_in(path: Path) -> None:
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    outside = re.sub(r"`%\w+(?:\([\w.\[\]-]+\))?%`|'[^']*'", "", text).replace("{}", "")
    assert not re.search(r"[{%]\w*[}%]", outside), "an unquoted place"
    assert ";" not in text
    # Words of the procedures' rows and the names of what kgdb itself makes are all that stands in
    # quotation marks, and no number is larger than the two halves of a hop.
    words = WORDS.get(stem(path), WORDS["plain"] if stem(path).startswith("plain/") else set())
    assert set(re.findall(r"'[^']*'|\"[^\"]*\"", text)) <= words
    numbers = re.findall(r"(?<![\w$.])\d+(?:\.\d+)?", re.sub(r"'[^']*'", "", text))
    # where the parts of a date stand, and the seconds of what a duration counts
    if stem(path) not in ("forms/key/date", "forms/key/duration"):
        assert set(numbers) <= {"0", "1", "0.0", "1.0", "2"}


@pytest.mark.slow
def test_no_cypher_is_written_outside_of_cypher() -> None:
    keyword = re.compile(r"\b(?:MATCH|MERGE|UNWIND|DETACH DELETE)\b\s*[(\w]")
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not keyword.search(node.value), f"{path}, line {node.lineno}"
