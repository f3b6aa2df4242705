"""Delimited lines, CSV, JSON lines and Parquet: what is read, and what is told of the rest."""

from __future__ import annotations

import bz2
import gzip
import json
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgdb.errors import LoadError, UsageError
from kgdb.loading.reading import Source, read

pytestmark = pytest.mark.unit

LINES = Source("t", "delimited", ("a", "b"))
CSV = Source("t", "csv", ("a",), delimiter=",")
JSON = Source("t", "jsonl")


def test_delimited_lines_have_no_quoting(desk: Any) -> None:
    content = b'x "y\t z\nonly one\na\tb\tc\n\xff\td\n"a"\t\'b\'\n'
    assert desk.read(LINES, desk.file(content)) == [('x "y', " z"), ('"a"', "'b'")]
    assert desk.rejected() == [
        (2, "missing columns"),
        (3, "too many columns"),
        (4, "is not UTF-8"),
    ]


@pytest.mark.parametrize("format", ["delimited", "ntriples", "jsonl"])
def test_line_ends_of_all_kinds(desk: Any, format: str) -> None:
    bad, good = {
        "delimited": (b"bad", b"a\tb"),
        "ntriples": (b"bad", b"<a:b> <a:b> <a:b> ."),
        "jsonl": (b"bad", b'{"a":1}'),
    }[format]
    source = Source("t", format, ("a", "b") if format == "delimited" else ())
    for ends in ("\n", "\r\n", "\r", "\n\r\n", "\r\n\n", "\n\r"):
        lines = [good, good, bad, good, bad]
        content = b"".join(line + ends.encode() for line in lines)
        # A line end of two kinds is a line end and an empty line.
        factor = 1 if ends in {"\n", "\r\n", "\r"} else 2
        assert len(desk.read(source, desk.file(content))) == 3, repr(ends)
        assert [line for line, _ in desk.rejected()] == [
            1 + 2 * factor,
            1 + 4 * factor,
        ], repr(ends)


def test_a_mixture_of_line_ends(desk: Any) -> None:
    content = b"a\tb\r\nbad\nc\td\re\tf\n"
    for compressed in (content, gzip.compress(content), bz2.compress(content)):
        rows = desk.read(LINES, desk.file(compressed))
        assert rows == [("a", "b"), ("c", "d"), ("e", "f")]
        assert [line for line, _ in desk.rejected()] == [2]


def test_a_line_end_on_the_edge_of_a_block(desk: Any) -> None:
    first = b"x" * ((1 << 20) - 3) + b"\ty\r"
    content = first + b"\nbad\nc\td\n"
    assert [b for _, b in desk.read(LINES, desk.file(content))] == ["y", "d"]
    assert [line for line, _ in desk.rejected()] == [2]


@pytest.mark.parametrize("format", ["delimited", "ntriples"])
def test_very_long_lines(desk: Any, format: str) -> None:
    source = Source("t", format, ("a", "b") if format == "delimited" else ())
    good = b"<a:b> <a:b> <a:b> .\n" if format == "ntriples" else b"a\tb\n"
    content = good + b"x" * 10_000_000 + b"\n" + b"y" * 20_000_000 + b"\n" + good + b"bad\n"
    assert len(desk.read(source, desk.file(content))) == 2
    assert [line for line, _ in desk.rejected()] == [2, 3, 5]
    assert desk.rows("SELECT max(length(text)) FROM rejected") == [(200,)]


def test_csv_as_its_standard_says(desk: Any) -> None:
    content = '\ufeffa,b\r\n1,"x\r\ny, ""z"""\r\né,\r\n'.encode()
    assert desk.read(CSV, desk.file(content)) == [("1", 'x\r\ny, "z"'), ("é", None)]
    assert desk.columns("t") == ["a", "b"]
    assert desk.rejected() == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress])
def test_csv_lines_are_counted_as_an_editor_does(desk: Any, end: str, compress: Any) -> None:
    lines = ["a,b", '1,"x', 'y"', "", "one", "1,2,3", "2,z", '3,"p"q', "é,ok", "last"]
    content = end.join([*lines, ""]).encode()
    assert [a for a, _ in desk.read(CSV, desk.file(compress(content)))] == ["1", "2", "é"]
    assert desk.rejected() == [
        (5, "missing columns"),
        (6, "too many columns"),
        (8, "has a quotation mark that does not close or is misplaced"),
        (10, "missing columns"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("inside", ["\n", "\r\n", "\r"])
def test_line_ends_in_fields_may_be_of_another_kind(desk: Any, end: str, inside: str) -> None:
    lines = ["a,b", f'1,"x{inside}y"', *("one" for _ in range(20)), "2,z"]
    assert desk.read(CSV, desk.file(end.join([*lines, ""]).encode())) == [
        ("1", f"x{inside}y"),
        ("2", "z"),
    ]
    assert desk.rejected() == [(line, "missing columns") for line in range(4, 24)]


def test_a_line_end_of_two_characters_on_the_edge_of_a_block_is_one(desk: Any) -> None:
    first = "a,b\r\n" + "x" * ((1 << 20) - 8) + ",y\r\n"
    desk.read(CSV, desk.file(f"{first}bad\r\n".encode()))
    assert first.encode()[: 1 << 20].endswith(b"\r")
    assert desk.rejected() == [(3, "missing columns")]


@pytest.mark.slow
@settings(max_examples=25)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.text('ab,"\n', max_size=4), st.text('ab,"\n', max_size=4)), st.none()
        ),
        max_size=12,
    )
)
def test_csv_round_trip(tmp_path_factory: Any, records: list[tuple[str, str] | None]) -> None:
    folder = tmp_path_factory.mktemp("csv")
    content, line, bad, good = "a,b\n", 2, [], []
    for record in records:
        if record is None:
            text = "one field"
            bad.append(line)
        else:
            text = ",".join('"' + field.replace('"', '""') + '"' for field in record)
            good.append(tuple(field or None for field in record))
        content += text + "\n"
        line += text.count("\n") + 1
    path = folder / "x.csv"
    path.write_bytes(content.encode())
    with duckdb.connect() as connection:
        read(connection, CSV, [path], folder)
        assert connection.execute("SELECT a, b FROM t").fetchall() == good
        found = connection.execute("SELECT line FROM rejected ORDER BY line").fetchall()
        assert [row[0] for row in found] == bad


ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@pytest.mark.slow
@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.one_of(
                st.none(),
                st.just(("u", "v")),
                st.tuples(ENDS.map("p{}q".format), st.one_of(ENDS.map("{}z".format), st.just("z"))),
            ),
            ENDS,
        ),
        max_size=8,
    ),
    ENDS,
)
def test_csv_with_a_mixture_of_line_ends(
    tmp_path_factory: Any, records: list[tuple[tuple[str, str] | None, str]], header_end: str
) -> None:
    folder = tmp_path_factory.mktemp("csv")
    content, line, bad, good = f"a,b{header_end}", 2, [], []
    for record, end in records:
        if record is None:
            text = "one field"
            bad.append(line)
        else:
            text = ",".join(f'"{field}"' for field in record)
            good.append(tuple(map(even, record)))
        content += text + end
        line += even(text).count("\n") + 1
    path = folder / "x.csv"
    path.write_bytes(content.encode())
    with duckdb.connect() as connection:
        read(connection, CSV, [path], folder)
        rows = connection.execute("SELECT a, b FROM t").fetchall()
        assert [tuple(map(even, row)) for row in rows] == good
        found = connection.execute("SELECT line FROM rejected ORDER BY line").fetchall()
        assert [row[0] for row in found] == bad


def even(text: str) -> str:
    """The text with line ends of one kind, as those within fields have after a mixture."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def test_a_quotation_mark_that_does_not_close(desk: Any) -> None:
    with pytest.raises(LoadError, match="line 3: a quotation mark is not closed"):
        desk.read(CSV, desk.file(b'a,b\n1,2\n3,"x\n4,5\n6,7\n'))


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (b"Name,Country\nx,y\n", "no column 'a'. It has: Name, Country"),
        (b"aa,b\n", "Did you mean 'aa'"),
        (b"a,b,A\n", "column 3 of the header line repeats the name 'A'"),
        (b"a,,b\n", "column 2 of the header line has no name"),
        (b"a;b\n1;2\n", "has no ','"),
        (b"\n\n", "its first line is empty"),
    ],
)
def test_csv_headers(desk: Any, header: bytes, said: str) -> None:
    with pytest.raises(UsageError) as error:
        desk.read(CSV, desk.file(header))
    assert said in error.value.message


@pytest.mark.parametrize(
    ("header", "hint"),
    [
        (b"Porto,in,Portugal\n", "has no header line: kgdb load tsv … --set delimiter=,"),
        (b"from,relation,tail\n", "--set head=COLUMN with csv"),
        (b"head;relation;tail\na;r;b\n", "--set delimiter=';'"),
        (b"head\trelation\ttail\na\tr\tb\n", "--set delimiter=tab"),
    ],
)
def test_a_hint_for_csv_says_what_to_type(desk: Any, header: bytes, hint: str) -> None:
    with pytest.raises(UsageError) as error:
        desk.read(Source("edges", "csv", ("head", "relation", "tail"), ","), desk.file(header))
    assert hint in (error.value.hint or "")


def test_a_column_that_an_option_names_is_not_taken_for_the_option(desk: Any) -> None:
    with pytest.raises(UsageError) as error:
        desk.read(Source("edges", "jsonl", ("town",)), desk.file(b'{"city": "Porto"}\n'))
    assert "--set OPTION=COLUMN" in (error.value.hint or "")
    assert "header line" not in (error.value.hint or "")


def test_csv_files_of_different_columns(desk: Any) -> None:
    first, second = desk.file(b"a,b\n1,2\n", "1"), desk.file(b"c,A\n3,4\nx\n", "2")
    assert desk.read(CSV, first, second) == [("1", "2", None), ("4", None, "3")]
    assert desk.rows("SELECT source, file, line FROM rejected") == [("t", str(second), 3)]


def test_json_lines(desk: Any) -> None:
    content = (
        b'{"a": 1, "b": {"c": [1, "x"]}}\n\n[1]\nnot json\n'
        b'{"a": "caf\\u00e9", "d": true, "b": null}\n'
        b'{"a":\n{"it\'s": "x\\ty"}\n\xff\n{"a": 1.5}\n"text"\n'
    )
    assert desk.read(JSON, desk.file(content)) == [
        ("1", '{"c":[1,"x"]}', None, None),
        ("café", None, "true", None),
        (None, None, None, "x\ty"),
        ("1.5", None, None, None),
    ]
    assert desk.columns("t") == ["a", "b", "d", "it's"]
    assert desk.rejected() == [
        (3, "is JSON, but not an object"),
        (4, "is not valid JSON"),
        (6, "is not valid JSON"),
        (8, "is not UTF-8"),
        (10, "is JSON, but not an object"),
    ]


def test_json_that_is_no_table(desk: Any) -> None:
    with pytest.raises(LoadError, match="no line is a JSON object"):
        desk.read(JSON, desk.file(b"{}\nx\n"))
    with pytest.raises(UsageError, match="the keys 'a' and 'A'"):
        desk.read(JSON, desk.file(b'{"a": 1}\n{"A": 2}\n'))
    with pytest.raises(UsageError, match=r"has no column 'nme'\. Did you mean 'name'"):
        desk.read(Source("t", "jsonl", ("nme",)), desk.file(b'{"name": 1}\n'))
    keys = "\n".join(json.dumps({f"k{i}": 1}) for i in range(1_001))
    with pytest.raises(LoadError, match="more than 1,000 different keys"):
        desk.read(JSON, desk.file(keys.encode()))


def test_lines_of_several_files_are_told_apart(desk: Any) -> None:
    first = desk.file(b'{"a": 1}\nx\n\xff\n{"a": 2}\ny\n', "1")
    second = desk.file(b'\xff\nz\n{"a": 3}\n', "2")
    assert desk.read(JSON, first, second) == [("1",), ("2",), ("3",)]
    assert desk.rows("SELECT file, line, text FROM rejected WHERE text <> '?' ORDER BY ALL") == [
        (str(first), 2, "x"),
        (str(first), 5, "y"),
        (str(second), 2, "z"),
    ]


def test_parquet_keeps_columns_and_types(desk: Any, tmp_path: Any) -> None:
    path = tmp_path / "x.parquet"
    desk.connection.execute(f"COPY (SELECT 1 AS a, ['x'] AS b) TO '{path}' (FORMAT parquet)")
    assert desk.read(Source("t", "parquet", ("B",)), path) == [(1, ["x"])]
    with pytest.raises(UsageError, match=r"no column 'c'.* It has: a, b"):
        desk.read(Source("t", "parquet", ("c",)), path)


def test_published_files(desk: Any, data: Any) -> None:
    metaqa = Source("kb", "delimited", ("head", "relation", "tail"), delimiter="|")
    assert len(desk.read(metaqa, data / "metaqa" / "kb.txt.gz")) == 133_582
    questions = Source("questions", "jsonl")
    assert len(desk.read(questions, data / "webquestions" / "train.jsonl.gz")) == 3_778
    assert desk.rejected() == []


ARRAY = b"""
[ {"a": "x", "b": {"c": [1, 2.5]}},
  7, {"a":
   "y\\n \xc3\xa9", "b": null}, {"a": 1, "a": 2},
  {"a": "z"}
]
"""


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress])
def test_an_array_of_objects(desk: Any, compress: Any) -> None:
    rows = desk.read(JSON, desk.file(compress(ARRAY)))
    assert rows == [("x", '{"c":[1,2.5]}'), ("y\n é", None), ("z", None)]
    assert desk.rejected() == [(3, "is JSON, but not an object"), (4, "has a key twice")]


def test_objects_of_several_lines_each(desk: Any) -> None:
    content = b'{\n "a": 1\n}\n{\n "a": 2}\n3\n'
    assert desk.read(JSON, desk.file(content)) == [("1",), ("2",)]
    assert desk.rejected() == [(6, "is JSON, but not an object")]


def test_keys_of_objects_inside(desk: Any) -> None:
    source = Source("t", "jsonl", ("subject.id", "r", "deep.a b.c"))
    content = b'[{"subject": {"id": "x"}, "r": "y", "deep": {"a b": {"c": 4}}}, {"subject": 1}]'
    desk.read(source, desk.file(content))
    rows = desk.rows('SELECT "subject.id", r, "deep.a b.c" FROM t')
    assert rows == [("x", "y", "4"), (None, None, None)]
    with pytest.raises(UsageError, match=r"no column 'who\.id'"):
        desk.read(Source("t", "jsonl", ("who.id",)), desk.file(content))


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b'[{"a": 1},\n{"a": 2', "line 2, column 8"),
        (b'[{"a": 1}\n{"a": 2}]', "line 2, column 1"),
        (b'[{"a": 1},\n{"a": nul}]', "line 2, column 7"),
        (b'{\n"a": 1}\n}', "line 3, column 1"),
        (b'[{"a": 1}] [', "line 1, column 12"),
    ],
)
def test_a_mistake_in_a_document_is_named_by_line(desk: Any, content: bytes, place: str) -> None:
    with pytest.raises(LoadError, match="this is not JSON") as failure:
        desk.read(JSON, desk.file(content))
    assert place in failure.value.message
    assert failure.value.hint
