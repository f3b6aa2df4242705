"""The SQL of a loader: what it may give, and what it may not do."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from three_fields import SPEC, counts, entities, reading, refusal

from kgdb.errors import LoadError, UsageError
from kgdb.loading import LoaderSpec, prepare
from kgdb.loading.loaders.loader_spec import Option, SourceSpec, Tables
from kgdb.loading.reading import Source
from kgdb.loading.scratch.disk_space import memory_limit
from kgdb.progress import Event, Message

pytestmark = [pytest.mark.unit, pytest.mark.slow]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT column0 AS head, 'r' AS relation, 'x' AS tail FROM read_csv('{}')",
        "SELECT content AS head, 'r' AS relation, 'x' AS tail FROM read_text('{}')",
        "SELECT 'a' AS head, 'r' AS relation, filename AS tail FROM glob('{}')",
        "SELECT 'a' AS head, 'r' AS relation, 'x' AS tail FROM '{}'",
        "SELECT * FROM source); COPY source TO '{}.out'; SELECT * FROM (SELECT * FROM source",
        "SELECT * FROM source); ATTACH '{}.db' AS other; SELECT * FROM (SELECT * FROM source",
        "SELECT * FROM source); SET enable_external_access = true; CREATE TABLE stolen AS "
        "SELECT * FROM (SELECT content AS head, 'r' AS relation, 'x' AS tail FROM read_text('{}')",
    ],
)
def test_the_sql_of_a_loader_cannot_touch_files(source: Path, tmp_path: Path, query: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("password\n")
    spec = replace(SPEC, tables=Tables(query.format(secret)))
    refusal(source, "a|r|b\n", spec)
    assert {path.name for path in tmp_path.iterdir()} == {"kb.txt", "secret.txt"}


@pytest.mark.parametrize(
    "query",
    [
        "SELECT no_such_column AS head, relation, tail FROM source",
        "SELECT head, relation, tail FROM elsewhere",
        "SELEKT",
        "SELECT * FROM source WHERE error('no')",
    ],
)
def test_sql_that_fails_is_an_error_with_its_reason(source: Path, query: str) -> None:
    error = refusal(source, "a|r|b\n", replace(SPEC, tables=Tables(query)))
    assert "Error" in error.message
    assert "\n" not in error.message


OUTSIDE = (
    "SELECT * FROM source); DROP TABLE source; SELECT * FROM (SELECT * FROM source",
    "SELECT * FROM source); SET memory_limit = '1GB'; SELECT * FROM (SELECT * FROM source",
    "SELECT * FROM source) UNION ALL (SELECT * FROM source",
    "SELECT * FROM source; SET threads = 1",
    "SELECT * FROM source /*",
    "SELECT * FROM source WHERE 'x",
    "SELECT * FROM source WHERE $x$",
    "SET threads = 1",
    "CREATE TABLE x AS SELECT 1",
    "DROP TABLE source",
    "-- nothing",
)


@pytest.mark.parametrize("query", OUTSIDE)
@pytest.mark.parametrize(
    "table", ["triples", "literals", "entities", "relations", "other", "notes", "view"]
)
def test_the_sql_of_a_loader_stays_between_its_brackets(
    source: Path, table: str, query: str
) -> None:
    if table == "view":
        spec, key = replace(SPEC, views={"seen": query}), "views.seen"
    else:
        spec, key = replace(SPEC, tables=replace(SPEC.tables, **{table: query})), f"tables.{table}"
    error = refusal(source, "a|r|b\n", spec)
    assert error.message.startswith(f"The loader's `{key}` is no")
    assert "Write one SELECT" in (error.hint or "")


@pytest.mark.parametrize(
    "query",
    [
        "FROM source",
        "(SELECT * FROM source)",
        "WITH seen AS (FROM source) SELECT * FROM seen",
        "VALUES ('a', 'r', 'b')",
        "PIVOT source ON relation USING count(*)",
        "SELECT ')' AS head, '(' AS relation, ';' AS tail -- );",
    ],
)
def test_whatever_selects_may_be_written(source: Path, query: str) -> None:
    source.write_text("a|r|b\n")
    with prepare(replace(SPEC, views={"seen": query}), source) as prepared:
        assert prepared.counts.triples == 1


def test_a_loader_cannot_change_how_it_is_read(source: Path) -> None:
    source.write_text("a|r|b\n")
    with (
        prepare(SPEC, source) as prepared,
        pytest.raises(duckdb.Error, match="configuration has been locked"),
    ):
        prepared.tables.execute("SET memory_limit = '1TB'")


@pytest.mark.parametrize(
    "memory",
    ["-1GB", "0", "0GB", "-1", "1B", "49MB", "80%", "none", "NaNGB", "many", "", "1e3GB", 7],
)
def test_a_memory_that_is_no_amount_is_wrong_usage(source: Path, memory: Any) -> None:
    source.write_text("a|r|b\n")
    with (
        pytest.raises(UsageError, match=r"^memory is "),
        prepare(SPEC, source, memory=memory),
    ):
        pass


@pytest.mark.parametrize(
    ("memory", "held"), [("400MB", 400_000_000), ("0.5 gib", 1 << 29), ("1TB", 10**12)]
)
def test_a_memory_is_a_number_with_a_unit(memory: str, held: int) -> None:
    assert memory_limit(memory) == held


@pytest.mark.parametrize(
    ("tables", "problem"),
    [
        (Tables("SELECT head, tail FROM source"), "triples` has no column 'relation'; it has: "),
        (Tables("FROM source", literals="FROM source"), "literals` has no column 'value'"),
        (Tables("FROM source", entities="FROM source"), "entities` has no column 'id'"),
        (Tables("FROM source", other="FROM source"), "other` has no column 'reason'"),
        (Tables("FROM source", notes="FROM source"), "notes` has no column 'note'"),
    ],
)
def test_a_column_that_a_table_needs_is_told(source: Path, tables: Tables, problem: str) -> None:
    error = refusal(source, "a|r|b\n", replace(SPEC, tables=tables))
    assert problem in error.message
    assert error.hint


@pytest.mark.parametrize("end", [";", " ; ", "\n-- the end", "; \n"])
def test_sql_may_end_in_a_semicolon_or_a_comment(source: Path, end: str) -> None:
    seen = "SELECT head, relation, tail, head AS id, 'said' AS reason, 1 AS records FROM seen" + end
    spec = replace(
        SPEC,
        views={"seen": f"SELECT * FROM source{end}"},
        tables=Tables(
            seen,
            literals="SELECT 1 AS head, '' AS relation, '' AS value, '' AS datatype, "
            f"'' AS language WHERE false{end}",
            entities=seen,
            relations=seen,
            other=seen,
        ),
    )
    source.write_text("a|r|b\n")
    with prepare(spec, source) as prepared:
        assert prepared.counts.triples == 1


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("delimited", "a,r,b\n"),
        ("csv", "head,relation,tail\na,r,b\n"),
        ("jsonl", '{"head": "a", "relation": "r", "tail": "b"}\n'),
        ("ntriples", "<u:a> <u:r> _:x .\n"),
        ("turtle", "<u:a> <u:r> _:x .\n"),
    ],
)
def test_tables_and_options_may_be_called_by_words_of_sql(
    source: Path, kind: str, content: str
) -> None:
    source.write_text(content)
    fields = ("subject", "predicate", "object") if "u:" in content else ("head", "relation", "tail")
    columns = () if "u:" in content else fields
    main = SourceSpec(Source("order", kind, columns, ","), None, None, optional=False)
    none = SourceSpec(Source("group", "csv", ("x",), ","), "none.csv", None, optional=True)
    select = ", ".join(map(" AS ".join, zip(fields, ("head", "relation", "tail"), strict=True)))
    spec = replace(
        SPEC,
        sources=(main, none),
        views={"select": 'SELECT * FROM "order"'},
        options={"table": Option("r", "the relation", ())},
        tables=Tables(
            f"SELECT {select} FROM \"select\" WHERE {fields[1]} LIKE '%' || getvariable('table')"
        ),
    )
    with prepare(spec, source) as prepared:
        assert prepared.counts.triples == 1


def naming(entities: str) -> LoaderSpec:
    """A loader with that SELECT of entities."""
    return replace(SPEC, tables=replace(SPEC.tables, entities=entities))


def test_an_entity_that_is_not_listed_goes_by_its_id(source: Path) -> None:
    spec = naming("SELECT head AS id, 'head ' || head AS name FROM source")
    source.write_text("a|r|b\nb|r|orphan\n")
    with prepare(spec, source) as prepared:
        assert entities(prepared) == [("a", "head a"), ("b", "head b"), ("orphan", "orphan")]


def test_an_entity_has_one_name_whatever_the_source_repeats(source: Path) -> None:
    spec = reading(
        ("id", "name"),
        triples="SELECT id AS head, 'r' AS relation, id AS tail FROM source",
        entities="SELECT id, name FROM source",
    )
    source.write_text("1|one\n1|ein\n2|two\n")
    with prepare(spec, source) as prepared:
        assert entities(prepared) == [("1", "ein"), ("2", "two")]


def test_an_entity_may_have_other_names(source: Path) -> None:
    spec = reading(
        ("id", "name", "aliases"),
        triples="SELECT id AS head, 'r' AS relation, id AS tail FROM source",
        entities="SELECT id, name, string_split(aliases, ';') AS aliases FROM source",
    )
    source.write_text("1|one|uno;ein\n1|one|;one;uno\n2|two|\n")
    with prepare(spec, source) as prepared:
        (rows,) = prepared.entities(5)
        assert [row["aliases"] for row in rows] == [["ein", "uno"], None]
        assert not prepared.has_long_names()


def test_aliases_that_are_no_list_are_refused(source: Path) -> None:
    spec = naming("SELECT head AS id, head AS name, 1 AS aliases FROM source")
    source.write_text("a|r|a\n")
    with pytest.raises(LoadError, match="SQL of the loader"), prepare(spec, source):
        pass


def test_a_name_too_long_for_an_index_is_told(source: Path) -> None:
    spec = naming("SELECT head AS id, repeat('é', 3501) AS name FROM source")
    source.write_text("a|r|b\n")
    with prepare(spec, source) as prepared:
        assert prepared.has_long_names()


def test_more_relations_than_neo4j_can_hold_are_refused(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The package has a function of that name too.
    monkeypatch.setattr(
        importlib.import_module("kgdb.loading.preparing.source_checks"), "MAX_RELATIONS", 2
    )
    assert counts(source, "a|r|b\na|s|b\n").relations == 2
    assert "has 3 relations" in refusal(source, "a|r|b\na|s|b\na|t|b\n").message


def test_the_graphs_own_label_may_be_said_again_and_those_of_kgdb_not(source: Path) -> None:
    source.write_text("a|r|b\n")
    with prepare(naming("SELECT head AS id, ['Mine', 'Town'] AS labels FROM source"), source) as p:
        assert p.labels() == ["Town"]
    spec = naming("SELECT head AS id, ['Literal'] AS labels FROM source")
    assert "the label 'Literal'" in refusal(source, "a|r|b\n", spec).message


_IN_ONE_PIECE = "SELECT md5(list(range)::VARCHAR) AS text FROM range(50_000_000)"


def test_sql_that_needs_more_memory_than_there_may_be(source: Path) -> None:
    query = f"SELECT text AS head, 'r' AS relation, 'x' AS tail FROM ({_IN_ONE_PIECE})"
    spec = replace(SPEC, tables=Tables(query))
    source.write_text("a|r|b\n")
    with (
        pytest.raises(LoadError, match="DuckDB's memory limit is too low") as caught,
        prepare(spec, source, memory="300MB"),
    ):
        pass
    assert "--memory" in (caught.value.hint or "")


def test_reading_the_tables_may_need_more_memory_too(source: Path) -> None:
    source.write_text("a|r|b\n")
    with (
        pytest.raises(LoadError, match="memory") as caught,
        prepare(SPEC, source, memory="300MB") as prepared,
    ):
        prepared.tables.execute(_IN_ONE_PIECE)
    assert "--memory" in (caught.value.hint or "")


@pytest.mark.parametrize("reads", ["source", "seen"])
def test_notes_may_read_the_source_the_views_and_the_entities(source: Path, reads: str) -> None:
    source.write_text("a|r|b\na|r|c\n")
    spec = replace(
        SPEC,
        views={"seen": "SELECT * FROM source"},
        tables=Tables(
            "SELECT head, relation, tail FROM source",
            notes=f"SELECT (SELECT count(*) FROM {reads}) || ' lines, ' || "
            "(SELECT count(*) FROM entities) || ' entities' AS note",
        ),
    )
    events: list[Event] = []
    with prepare(spec, source, report=events.append):
        pass
    assert Message("2 lines, 3 entities") in events
