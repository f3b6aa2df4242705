"""First loader files for unknown sources: each loads at once, and says where it is unsure."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner
from drafts import drafted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgdb.cli.main import cli
from kgdb.errors import LoadError, UsageError
from kgdb.loading import prepare, read_spec, write_draft

pytestmark = pytest.mark.unit


TRIPLES = [("Ada Weir", "acted_in", f"Film {i}") for i in range(6)] + [
    ("Film 1", "directed_by", "Ben"),
    ("Film 2", "directed_by", "Ada Weir"),
]


@pytest.mark.parametrize("delimiter", ["\t", ",", ";", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_triples_without_a_header(tmp_path: Path, delimiter: str, end: str) -> None:
    content = "".join(delimiter.join(triple) + end for triple in TRIPLES)
    found = drafted(tmp_path, "kb.txt", content)
    assert (found.format, found.facts) == ("delimited", set(TRIPLES))
    assert found.counts.records == len(TRIPLES)


@pytest.mark.parametrize(
    "header",
    [
        "head,relation,tail",
        "subject,predicate,object",
        "from,type,to",
        "Source,Relationship,Target",
    ],
)
def test_triples_with_a_header(tmp_path: Path, header: str) -> None:
    content = header + "\n" + "".join(",".join(triple) + "\n" for triple in TRIPLES)
    found = drafted(tmp_path, "kb.csv", content)
    assert (found.format, found.facts, found.unsure) == ("csv", set(TRIPLES), 0)


def test_the_columns_of_a_triple_are_found_by_their_names(tmp_path: Path) -> None:
    found = drafted(
        tmp_path, "edges.csv", "weight,tail,head,relation\n0.5,b,a,likes\n0.7,c,b,knows\n"
    )
    assert found.facts == {("a", "likes", "b"), ("b", "knows", "c")}
    assert "Properties of the relationship: weight." in found.text


def test_the_relation_may_come_first_or_last(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    first = "".join(f"likes\ta{i}\tb{i}\n" for i in range(9)) + "knows\ta1\tb2\n"
    last = "".join(f"a{i}\tb{i}\tlikes\n" for i in range(9)) + "a1\tb2\tknows\n"
    for found in (drafted(tmp_path / "1", "a.tsv", first), drafted(tmp_path / "2", "b.tsv", last)):
        assert ("a3", "likes", "b3") in found.facts
        assert ("a1", "knows", "b2") in found.facts
        assert found.unsure == 1


def test_two_columns_are_related_somehow(tmp_path: Path) -> None:
    found = drafted(tmp_path, "edges.tsv", "a\tb\nb\tc\nc\ta\n")
    assert found.facts == {
        ("a", "related_to", "b"),
        ("b", "related_to", "c"),
        ("c", "related_to", "a"),
    }
    assert found.unsure == 1 + ("UNSURE: the first line" in found.text)


def test_values_are_literals(tmp_path: Path) -> None:
    found = drafted(tmp_path, "kb.csv", "head,relation,tail\na,born,1961\nb,born,1970\n")
    assert (found.counts.literals, found.counts.entities) == (2, 2)
    assert "UNSURE: tail contains numbers" in found.text


WIDE = """id,name,city,born,height,note,languages
p1,Ada Weir,Porto,1961-02-03,1.71,,Portuguese; French
p2,Otto Brandvik,Zamora,1970-11-30,1.85,"He said ""no"", twice",Norwegian
p3,Mei Castellan,,1980-01-01,,,Chinese; French; Welsh
"""


def test_a_wide_table_has_an_entity_a_row(tmp_path: Path) -> None:
    found = drafted(tmp_path, "people.csv", WIDE)
    assert found.format == "csv"
    assert found.names["p1"] == "Ada Weir"
    assert {(h, t) for h, r, t in found.facts if r == "languages"} == {
        ("p1", "Portuguese"),
        ("p1", "French"),
        ("p2", "Norwegian"),
        ("p3", "Chinese"),
        ("p3", "French"),
        ("p3", "Welsh"),
    }
    assert ("p2", "note", 'He said "no", twice') in found.facts
    assert {t for _, r, t in found.facts if r == "height"} == {"1.71", "1.85"}
    assert found.counts.literals == 5
    assert found.counts.skipped == 0
    assert "UNSURE: languages" in found.text


def test_a_wide_table_may_have_odd_columns(tmp_path: Path) -> None:
    content = "Name,right,Order By,it's,渡口\nA,r,x,u,甲\nB,r,y,v,乙\nC,s,y,v,乙\n"
    found = drafted(tmp_path, "odd.csv", content)
    assert found.facts >= {
        ("A", "Order_By", "x"),
        ("C", "right", "s"),
        ("B", "it's", "v"),
        ("C", "渡口", "乙"),
    }


def test_a_wide_table_without_a_header(tmp_path: Path) -> None:
    content = "".join(f"Town {i},River {i % 2} at {i},12{i},Mayor of {i}\n" for i in range(9))
    found = drafted(tmp_path, "towns.csv", content)
    assert ("Town 3", "column4", "Mayor of 3") in found.facts
    assert ("Town 3", "column3", "123") in found.facts


def test_json_lines(tmp_path: Path) -> None:
    rows = [
        {"head": "a", "relation": "likes", "tail": "b"},
        {"tail": "c", "relation": "likes", "head": "第七"},
    ]
    found = drafted(tmp_path, "kb.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert (found.format, found.facts) == ("jsonl", {("a", "likes", "b"), ("第七", "likes", "c")})


@pytest.mark.parametrize("separator", ["\u2028", "\x85", "\x0b", "\x1e"])
def test_only_line_ends_end_a_line(tmp_path: Path, separator: str) -> None:
    name = f"a{separator}b"
    text = json.dumps({"head": name, "relation": "r", "tail": "c"}, ensure_ascii=False)
    if separator >= " ":
        assert drafted(tmp_path, "facts.jsonl", f"{text}\n" * 3).facts == {(name, "r", "c")}
    (tmp_path / "mine.toml").unlink(missing_ok=True)
    made = drafted(tmp_path, "facts.tsv", f"head\trelation\ttail\n{name}\tr\tc\n")
    assert made.facts == {(name, "r", "c")}


def test_a_field_of_csv_may_be_long(tmp_path: Path) -> None:
    long = "long " * 40_000
    made = drafted(tmp_path, "facts.csv", f'id,name,about\na,A,"{long}"\nb,B,"c"\n')
    assert ("a", "about", long) in made.facts


def test_json_lines_of_entities(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "name": "Ada", "cities": ["Porto", "Zamora"], "born": 1961, "raw": [{"x": 1}]},
        {"id": 2, "name": "Ben", "cities": [], "alive": True},
        {"id": 3, "name": "Cid", "cities": None, "alive": False},
    ]
    found = drafted(tmp_path, "kb.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert found.facts == {
        ("1", "cities", "Porto"),
        ("1", "cities", "Zamora"),
        ("1", "born", "1961"),
        ("2", "alive", "true"),
        ("3", "alive", "false"),
    }
    assert found.names["2"] == "Ben"
    assert "because they contain objects: raw" in found.text


def test_parquet(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    source = tmp_path / "edges.parquet"
    duckdb.sql("SELECT 'a' AS source, 'r' AS rel, 'b' AS target").write_parquet(str(source))
    assert drafted(tmp_path, "edges.parquet", source.read_bytes()).facts == {("a", "r", "b")}
    source = tmp_path / "1" / "nodes.parquet"
    duckdb.sql(
        "SELECT 7 AS id, 'Ada' AS name, ['x', 'y'] AS tags, 1.5 AS size, DATE '2020-01-02' AS day"
    ).write_parquet(str(source))
    found = drafted(tmp_path / "1", "nodes.parquet", source.read_bytes())
    assert found.facts == {
        ("7", "tags", "x"),
        ("7", "tags", "y"),
        ("7", "size", "1.5"),
        ("7", "day", "2020-01-02"),
    }


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_packed_sources(tmp_path: Path, pack: object) -> None:
    content = "".join("\t".join(triple) + "\n" for triple in TRIPLES).encode()
    assert drafted(tmp_path, "kb.packed", pack(content)).facts == set(TRIPLES)  # type: ignore[operator]


@pytest.mark.slow
def test_only_the_beginning_is_looked_at(tmp_path: Path) -> None:
    line = "Ada Weir\tacted_in\tFilm 第{}\n"
    content = "".join(line.format(i) for i in range(60_000)).encode()
    assert len(content) > 1 << 20
    found = drafted(tmp_path, "kb.gz", gzip.compress(content))
    assert found.counts.triples == 60_000


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"a\0b\tc\n", "NUL bytes"),
        ("a\tr\tcaf\u00e9\n".encode("latin-1"), "is not UTF-8: byte 8"),
        (b"<?xml version='1.0'?>\n<rdf:RDF/>\n", "is RDF/XML, which has a loader of its own"),
        (b'[{"a": 1},\n {"a": 2}]\n', "fewer than two usable columns"),
        (b"[1, 2]\n", "a JSON array without objects"),
        (b'[{"a": 1, "b": 2},\n {"a": 1,\n', "line 3, column 1: this is not JSON"),
        (b'{"Name": "a", "name": "b"}\n', "'Name' and 'name', which are the same name"),
        (
            b"a," + b"b" * (1 << 20) + b"\n",
            "The first line of .* is longer than the sample of 1,048,576 bytes",
        ),
        (b"just\nwords\n", "only one column"),
        (gzip.compress(b"a\tr\tb\n" * 1000, mtime=0)[:-20], "cannot be unpacked"),
        (b"PAR1 and no more", "cannot be read as Parquet"),
    ],
)
def test_what_no_loader_reads_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    source = tmp_path / "source"
    source.write_bytes(content)
    with pytest.raises(UsageError, match=says) as failure:
        write_draft(str(tmp_path / "mine"), source)
    assert failure.value.hint
    assert not (tmp_path / "mine.toml").exists()


def test_a_header_without_rows_is_no_source(tmp_path: Path) -> None:
    for header in ("head,relation,tail\n", "id\tname\tborn\n"):
        (tmp_path / "empty").write_text(header)
        with pytest.raises(UsageError, match="has a header line and no rows"):
            write_draft(str(tmp_path / "mine"), tmp_path / "empty")


@pytest.mark.parametrize(
    ("values", "datatype"),
    [
        (("1", "-2"), "integer"),
        (("1.5", "2", ".5"), "decimal"),
        (("1.5e3", "2"), "double"),
        (("85.000,50", "1.234,5"), "decimal"),
        (("85,000", "1"), None),
        (("2024-01-02", "1066-10-14"), "date"),
        (("2024-01-02T10:00:00Z", "1066-10-14T09:00:00.5"), "dateTime"),
        (("2024-01-02 10:00", "1066-10-14 09:00"), None),
        (("true", "false"), "boolean"),
        (("2024-01-02 10:00:00", "1066-10-14 09:00:00.5"), "dateTime"),
        (("True", "False"), "boolean"),
        (("TRUE", "FALSE"), "boolean"),
    ],
)
def test_values_are_of_the_kind_that_all_of_them_are(
    tmp_path: Path, values: tuple[str, ...], datatype: str | None
) -> None:
    rows = "".join(f"e{i}\tE{i}\t{value}\n" for i, value in enumerate(values))
    source = tmp_path / "staff.tsv"
    source.write_text(f"id\tname\tsalary\n{rows}")
    path = write_draft(str(tmp_path / "mine"), source)
    with prepare(read_spec(str(path)), source) as prepared:
        (literals,) = prepared.literals(10)
    written = {"85.000,50": "85000.50", "1.234,5": "1234.5"}  # as the datatype has them
    if datatype == "dateTime":
        written |= {value: value.replace(" ", "T") for value in values}
    if datatype == "boolean":
        written |= {value: value.lower() for value in values}
    assert [literal["value"] for literal in literals] == [written.get(v, v) for v in values]
    datatypes = {(literal["datatype"] or "").partition("#")[2] or None for literal in literals}
    assert datatypes == {datatype}


def test_a_value_of_another_form_has_no_datatype(tmp_path: Path) -> None:
    days = ["1911-01-02"] * 9 + ["unknown"]
    source = tmp_path / "born.csv"
    source.write_text("id,born\n" + "".join(f"{i},{day}\n" for i, day in enumerate(days)))
    path = write_draft(str(tmp_path / "mine"), source)
    with prepare(read_spec(str(path)), source) as prepared:
        (literals,) = prepared.literals(10)
    assert {(each["value"], each["datatype"]) for each in literals} == {
        ("1911-01-02", "http://www.w3.org/2001/XMLSchema#date"),
        ("unknown", None),
    }


def test_what_apoc_exports_has_a_loader(tmp_path: Path) -> None:
    as_json, as_csv = tmp_path / "graph.json", tmp_path / "graph.csv"
    as_json.write_text(
        '{"type":"node","id":"0","labels":["A"],"properties":{"name":"Ann"}}\n'
        '{"id":"0","type":"relationship","label":"R","start":{"id":"0"},"end":{"id":"0"}}\n'
    )
    as_csv.write_text(
        '"_id","_labels","name","_start","_end","_type","since"\n'
        '"0",":A","Ann","","","",""\n"1",":A","Bo","","","",""\n,,,"0","1","R","1998"\n'
    )
    for source in (as_json, as_csv):
        with pytest.raises(UsageError) as caught:
            write_draft(str(tmp_path / "mine"), source)
        assert "kgdb load apoc" in (caught.value.hint or "")
    assert not (tmp_path / "mine.toml").exists()


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "kb.tsv"
    source.write_text("a\tr\tb\n", encoding="utf-8")
    (tmp_path / "mine.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="already exists"):
        write_draft(str(tmp_path / "mine"), source)
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8") == "mine"
    with pytest.raises(UsageError, match="cannot be the name of a graph"):
        write_draft(str(tmp_path / "Not A Name"), source)


def test_the_command_says_what_to_do_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my kb.tsv").write_text("a\tr\tb\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["load", "mine", "--init", "my kb.tsv"])
    assert result.exit_code == 0, result.output
    assert "kgdb load ./mine.toml 'my kb.tsv' --dry-run" in result.stdout
    shown = CliRunner().invoke(cli, ["load", "./mine.toml", "my kb.tsv", "--dry-run"])
    assert shown.exit_code == 0, shown.output
    assert "a –r→ b" in shown.stdout
    other = CliRunner().invoke(cli, ["load", "mine", "--init", "my kb.tsv", "--as", "other"])
    assert isinstance(other.exception, UsageError)
    assert other.exception.message.startswith("--as does not apply to --init")
    both = CliRunner().invoke(cli, ["load", "mine", "my kb.tsv", "--init", "my kb.tsv"])
    assert isinstance(both.exception, UsageError)


_CELL = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=6)


@pytest.mark.slow
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(2, 5).flatmap(
        lambda width: st.lists(
            st.lists(_CELL, min_size=width, max_size=width), min_size=1, max_size=12
        )
    ),
    st.sampled_from("\t,;|"),
)
def test_every_draft_is_a_loader(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], delimiter: str
) -> None:
    folder = tmp_path_factory.mktemp("draft")
    source = folder / "source.txt"
    source.write_text("".join(delimiter.join(row) + "\n" for row in rows), encoding="utf-8")
    try:
        path = write_draft(str(folder / "mine"), source)
    except UsageError:
        return
    spec = read_spec(str(path))
    # Rows of blanks hold no triple; but the SQL is never at fault.
    with suppress_no_triples(), prepare(spec, source, max_errors=100) as prepared:
        assert prepared.counts.triples


@contextmanager
def suppress_no_triples() -> Iterator[None]:
    try:
        yield
    except LoadError as error:
        if "contains no triple" not in error.message:
            raise


def test_an_array_of_objects(tmp_path: Path) -> None:
    rows = [{"who": f"P{at}", "boss": f"P{at // 2}", "born": 1950 + at} for at in range(40)]
    (tmp_path / "lines").mkdir()
    whole = drafted(tmp_path, "people.json", json.dumps(rows, indent=2).encode())
    lines = drafted(tmp_path / "lines", "people.jsonl", "\n".join(map(json.dumps, rows)).encode())
    assert whole.counts == lines.counts
    assert whole.counts.triples == 80


DESCRIBED = """{"subject": {"id": "p1", "label": "Ann"}, "predicate": "met", "object": {"id": "p2",
"label": "Bo"}, "when": {"year": 1999}}
{"subject": {"id": "p2", "label": "Bo"}, "predicate": "met", "object": {"id": "p3",
"label": "Cy"}, "when": {"year": 2001}}
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"predicate": "met"', '"predicate": "met"'),
        ('"predicate": "met"', '"predicate": {"id": "P9", "label": "met"}'),
        ('"label"', '"name"'),
        ('"subject"', '"from"'),
    ],
)
def test_ends_of_triples_may_be_objects(tmp_path: Path, before: str, after: str) -> None:
    content = DESCRIBED.replace(before, after)
    if after == '"from"':
        content = content.replace('"object"', '"to"')
    draft = drafted(tmp_path, "facts.jsonl", content)
    assert draft.facts == {("p1", "met", "p2"), ("p2", "met", "p3")}
    assert draft.names == {"p1": "Ann", "p2": "Bo", "p3": "Cy"}
    assert '"when.year\\"' in draft.text


def test_ends_of_triples_may_be_objects_with_an_id_alone(tmp_path: Path) -> None:
    content = '{"subject": {"id": "Q1"}, "predicate": "P1", "object": {"id": "Q2"}}\n' * 2
    assert drafted(tmp_path, "facts.jsonl", content).facts == {("Q1", "P1", "Q2")}


def test_values_inside_objects_are_values_of_their_row(tmp_path: Path) -> None:
    content = """[{"id": "x1", "name": "Ash", "home": {"town": "Rye", "at": {"lat": 50.9}}},
    {"id": "x2", "name": "Elm", "home": {"town": "Hay", "at": {"lat": 52}}, "visits": [{"by": 1}]}]
    """
    draft = drafted(tmp_path, "trees.json", content)
    assert draft.facts == {
        ("x1", "home.town", "Rye"),
        ("x2", "home.town", "Hay"),
        ("x1", "home.at.lat", "50.9"),
        ("x2", "home.at.lat", "52"),
    }
    assert "UNSURE: left out, because they contain objects: visits." in draft.text


def test_records_within_one_object_are_named_with_a_command(tmp_path: Path) -> None:
    source = tmp_path / "reply.json"
    source.write_text('{"count": 2, "my items": [{"id": 1, "x": "a"}, {"id": 2, "x": "b"}]}')
    with pytest.raises(UsageError, match="whose list 'my items' has the records") as failure:
        write_draft(str(tmp_path / "mine"), source)
    assert """jq -c '.["my items"][]' """ in str(failure.value.hint)
