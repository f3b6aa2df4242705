"""N-Triples and N-Quads: read fast or slow, and by another parser's reading."""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyoxigraph as rdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgdb.loading.reading import Source, read
from kgdb.loading.reading.ntriples import COLUMNS
from kgdb.loading.reading.ntriples_lines import MalformedLine, parse_line

pytestmark = pytest.mark.unit

NT = Source("t", "ntriples")
STRING = "http://www.w3.org/2001/XMLSchema#string"


def one(desk: Any, line: str) -> Any:
    """The row of a line, which the fast way and the parser must read alike."""
    common = "<a:b>\t<a:b>\t<a:b>\t.\n" * 3
    rows = desk.read(NT, desk.file((common + line + "\n").encode()))
    assert len(rows) == 4, desk.rows("SELECT * FROM rejected")
    (row,) = [row for row in rows if row != ("a:b", "a:b", "a:b", "iri", None, None)]
    parsed = parse_line(line)
    assert parsed is not None
    assert row == tuple(parsed[name] for name in COLUMNS)
    return row


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ('<a:s>\t<a:p>\t"x"\t.', ("a:s", "a:p", "x", "literal", None, None)),
        ('<a:s> <a:p> "x" .', ("a:s", "a:p", "x", "literal", None, None)),
        ('<a:s>\t<a:p>\t""@en-GB\t.', ("a:s", "a:p", "", "literal", None, "en-GB")),
        (f'<a:s>\t<a:p>\t"x"^^<{STRING}>\t.', ("a:s", "a:p", "x", "literal", None, None)),
        ('<a:s>\t<a:p>\t"1"^^<a:int>\t.', ("a:s", "a:p", "1", "literal", "a:int", None)),
        (r'<a:s> <a:p> "\"^^<a:b>" .', ("a:s", "a:p", '"^^<a:b>', "literal", None, None)),
        (r'<a:s> <a:p> "a\\nb\n\"@en"@fr .', ("a:s", "a:p", 'a\\nb\n"@en', "literal", None, "fr")),
        (
            r'<a:s> <a:p> "\t\b\n\r\f\"\'\\\u00e9\U0001F600" .',
            ("a:s", "a:p", "\t\b\n\r\f\"'\\é😀", "literal", None, None),
        ),
        (r'<a:s> <a:p> "\uD83D\uDE00" .', ("a:s", "a:p", "😀", "literal", None, None)),
        ('<a:s>\t<a:p>\t"a\tb"\t.', ("a:s", "a:p", "a\tb", "literal", None, None)),
        ('<a:s> <a:p> "\x01\\n" .', ("a:s", "a:p", "\x01\n", "literal", None, None)),
        ('<a:s><a:p>"x".', ("a:s", "a:p", "x", "literal", None, None)),
        ("  <a:s>\t \t<a:p> <a:o>.# so", ("a:s", "a:p", "a:o", "iri", None, None)),
        ("<a:s> <a:p> <a:o> <a:graph> .", ("a:s", "a:p", "a:o", "iri", None, None)),
        ('<a:s> <a:p> "x"@en _:g .', ("a:s", "a:p", "x", "literal", None, "en")),
        ('<a:s> <a:p>  "é"@pt-BR .', ("a:s", "a:p", "é", "literal", None, "pt-BR")),
        ('<a:s> <a:p> "é" @en-GB .', ("a:s", "a:p", "é", "literal", None, "en-GB")),
        ("<a:s> <a:p>  <a:50%> .", ("a:s", "a:p", "a:50%", "iri", None, None)),
        ("_:b1\t<a:p>\t_:x.y-z\t.", ("_:b1", "a:p", "_:x.y-z", "blank", None, None)),
        (r"<a:\u00e9> <a:p> <a:é/?#%20'()*> .", ("a:é", "a:p", "a:é/?#%20'()*", "iri", None, None)),
    ],
)
def test_terms(desk: Any, line: str, row: Any) -> None:
    assert one(desk, line) == row


MALFORMED = [
    ("a b c .", "the subject of a triple must be an IRI or a blank node: a b c ."),
    ('"x" <a:p> <a:o> .', "the subject of a triple must be an IRI or a blank node"),
    ("<a:s> dbo:date <a:o> .", "the predicate of a triple must be an IRI: dbo:date"),
    ("<a:s> _:b <a:o> .", "the predicate of a triple must be an IRI"),
    ("<a:s> <a:p> .", "the object of a triple must be an IRI, a blank node or a literal: ."),
    ("<a:s> <a:p>", "unexpected end: the line ends"),
    ("<a:s> <a:p> '1' .", "is not allowed at the beginning of a prefix name: '1' ."),
    ("<a:s> <a:p> <152> .", "the IRI of the object is not absolute: 152"),
    ("<> <a:p> <a:o> .", "the IRI of the subject is not absolute"),
    ("<a:s> <a:p> <a:b c> .", "the IRI of the object contains a space: a:b c"),
    ("<a:s> <a:p> <a:{}> .", "the IRI of the object contains '{'"),
    (r"<a:s> <a:p> <a:\u0020> .", "the IRI of the object contains a space"),
    (r"<a:s> <a:p> <a:\n> .", r"unexpected escape character '\n'"),
    ("<a:s> <a:p> <a:o .", "unexpected end of the line: <a:o ."),
    ('<a:s> <a:p> "x .', 'unexpected end of the line: "x .'),
    (r'<a:s> <a:p> "\x" .', r"unexpected escape character '\x'"),
    (r'<a:s> <a:p> "\u12" .', "unexpected end of the line"),
    (r'<a:s> <a:p> "\uD800" .', r"'\uD800' must be followed by another surrogate"),
    (r'<a:s> <a:p> "\U00110000" .', "is not a valid unicode character"),
    ('<a:s> <a:p> "x"@ .', "a language code should always start with a letter: ."),
    ('<a:s> <a:p> "x"@en--ltr .', "the literal has a direction"),
    ('<a:s> <a:p> "x"^^<int> .', "the IRI of the datatype is not absolute: int"),
    ("<a:s> <a:p> _: .", "a blank node ID cannot be empty: _: ."),
    ("<a:s> <a:p> <a:o>", "triples must be followed by a dot: the line ends"),
    ("<a:s> <a:p> <a:o> . <a:s>", "only a single triple or quad can be written in a line"),
]


def test_an_object_that_is_no_absolute_iri_may_be_asked_for(desk: Any) -> None:
    content = (
        b"<a:s> <a:p> <152> .\n<a:s> <a:p> <a:o> .\n_:x <a:p> <caf\\u00e9> . # told\n"
        b"<a:s> <a:p> _:y .\n<a:s> <a:p> <> .\n<a:s> <a:p> <a b> .\n<152> <a:p> <a:o> .\n"
        b'<a:s> <152> <a:o> .\n<a:s> <a:p> "1"^^<int> .\n'
    )
    rows = desk.read(replace(NT, relative_iris=True), desk.file(content))
    assert [(*row[:4],) for row in sorted(rows)] == [
        ("_:x", "a:p", "café", "relative"),
        ("a:s", "a:p", "152", "relative"),
        ("a:s", "a:p", "_:y", "blank"),
        ("a:s", "a:p", "a:o", "iri"),
    ]
    assert [line for line, _ in desk.rejected()] == [5, 6, 7, 8, 9]


def test_malformed_lines(desk: Any) -> None:
    lines = [line for line, _ in MALFORMED]
    content = "<a:b> <a:b> <a:b> .\n# a comment\n\n \t\n" + "\n".join(
        [*lines, "<a:b> <a:b> <a:b> ."]
    )
    assert len(desk.read(NT, desk.file(content.encode()))) == 2
    for place, ((number, found), (_, problem)) in enumerate(
        zip(desk.rejected(), MALFORMED, strict=True)
    ):
        assert number == 5 + place
        assert problem in found


ESCAPES = {
    "\t": "\\t",
    "\n": "\\n",
    "\r": "\\r",
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
}
CHARACTERS = st.characters(exclude_categories=["Cs"])
FORBIDDEN = set('<>"{}|^`\\') | {chr(code) for code in range(0x21)}
IRIS = st.builds(
    "{}:{}".format,
    st.sampled_from(["http", "urn", "a+b.c-d"]),
    st.text(CHARACTERS.filter(lambda character: character not in FORBIDDEN), max_size=8),
)
LABELS = st.from_regex("[A-Za-z0-9_éÿ][A-Za-z0-9_·-]{0,5}", fullmatch=True).map("_:{}".format)


@st.composite
def escaped(draw: Any, text: str, always: str) -> str:
    """The text with some characters as escapes: those of ``always``, and any others."""
    out = ""
    for character in text:
        way = draw(st.integers(0, 3))
        if way == 1 and ord(character) < 0x10000:
            out += f"\\u{ord(character):04x}"
        elif way == 2:
            out += f"\\U{ord(character):08X}"
        elif character in always:
            out += ESCAPES[character]
        else:
            out += character
    return out


@st.composite
def statements(draw: Any) -> tuple[str, tuple[Any, ...]]:
    """A line, and the row that it must become."""

    def iri(value: str) -> str:
        return f"<{draw(escaped(value, ''))}>"

    subject = draw(st.one_of(IRIS, LABELS))
    predicate = draw(IRIS)
    kind = draw(st.sampled_from(["iri", "blank", "literal"]))
    datatype = language = None
    if kind == "literal":
        value = draw(st.text(CHARACTERS, max_size=12))
        text = f'"{draw(escaped(value, always="".join(ESCAPES)))}"'
        language = draw(st.sampled_from([None, "en", "zh-Hans"]))
        if language:
            text += f"@{language}"
        else:
            datatype = draw(st.none() | IRIS)
            text += f"^^{iri(datatype)}" if datatype else ""
    else:
        value = draw(IRIS if kind == "iri" else LABELS)
        text = iri(value) if kind == "iri" else value
    gap = st.sampled_from([" ", "\t", "  ", " \t"])
    written = subject if subject.startswith("_:") else iri(subject)
    line = f"{written}{draw(gap)}{iri(predicate)}{draw(gap)}{text}{draw(gap)}."
    return line, (subject, predicate, value, kind, datatype, language)


@pytest.mark.slow
@settings(max_examples=25)
@given(st.lists(statements(), max_size=6))
def test_what_is_written_is_read_back(tmp_path_factory: Any, cases: list[Any]) -> None:
    folder = tmp_path_factory.mktemp("nt")
    path = folder / "x.nt"
    path.write_text("# one\n" + "".join(f"{line}\n" for line, _ in cases), "utf-8", newline="\n")
    with duckdb.connect() as connection:
        read(connection, NT, [path], folder)
        rows = connection.execute("SELECT * FROM t").fetchall()
        assert connection.execute("FROM rejected").fetchall() == []
    assert sorted(rows, key=repr) == sorted((row for _, row in cases), key=repr)


@pytest.mark.parametrize("gap", ["\t", " "])
def test_one_wrong_character_anywhere_is_seen(desk: Any, gap: str) -> None:
    line = gap.join(["<http://a.b/c>", "<http://a/b#c>", "<http://c/d?e>", "."])
    signs = [chr(code) for code in range(1, 0x21) if chr(code) not in "\r\n"]
    signs += [*'<>"{}|^`\\\x7f.:_', "é", "\u2028", "\\u00e9", "\\t", f"<http://x>{gap}"]
    lines = [line, *(line[:at] + line[at + 1 :] for at in range(len(line)))]
    lines += [line[:at] + sign + line[at:] for sign in signs for at in range(len(line) + 1)]
    expected, malformed = Counter[Any](), []
    for number, each in enumerate(lines, start=1):
        try:
            parsed = parse_line(each)
        except MalformedLine:
            malformed.append(number)
        else:
            assert parsed is not None
            expected[tuple(parsed[name] for name in COLUMNS)] += 1
    rows = desk.read(NT, desk.file("\n".join(lines).encode()))
    assert Counter(rows) == expected
    assert [number for number, _ in desk.rejected()] == malformed
    assert len(malformed) > len(lines) / 2 > 500


@pytest.mark.slow
def test_line_numbers_among_many_lines(desk: Any) -> None:
    bad = set(range(3, 300_000, 997)) | {300_000}
    lines = []
    for number in range(1, 300_001):
        if number in bad:
            lines.append(b"\xff\n" if number % 2 else b"<a:b>\t<bad>\t<a:b>\t.\n")
        elif number % 100 == 0:
            lines.append(b'<a:b> <a:b>\t"\\u00e9" .\n')
        else:
            lines.append(b"<a:b>\t<a:b>\t<a:b>\t.\n")
    assert len(desk.read(NT, desk.file(b"".join(lines)))) == 300_000 - len(bad)
    assert [number for number, _ in desk.rejected()] == sorted(bad)


def test_blank_nodes_of_several_files_are_not_mixed_up(desk: Any) -> None:
    first = desk.file(b"_:a <a:p> _:b .\n_:a <a:p>  _:a.b .\nx\n", "1")
    second = desk.file(b"_:a <a:p>  _:b .\nx\n", "2")
    rows = desk.read(NT, first, second)
    assert sorted((row[0], row[2]) for row in rows) == [
        ("_:1-a", "_:1-a.b"),
        ("_:1-a", "_:1-b"),
        ("_:2-a", "_:2-b"),
    ]
    assert desk.rows("SELECT file, line FROM rejected ORDER BY ALL") == [
        (str(first), 3),
        (str(second), 2),
    ]


def test_a_small_memory_and_a_file_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "x.nt.gz"
    with gzip.open(path, "wt", compresslevel=1) as stream:
        for i in range(150_000):
            stream.write(f'<http://e/{i}>\t<http://e/name>\t"{i} has a name"@en\t.\n')
    (tmp_path / "work").mkdir()
    with duckdb.connect(tmp_path / "db") as connection:
        connection.execute("SET memory_limit = '300MB'")
        read(connection, NT, [path], tmp_path / "work")
        assert connection.execute("SELECT count(DISTINCT subject) FROM t").fetchall() == [
            (150_000,)
        ]


def reference(path: Path) -> dict[int, tuple[Any, ...]]:
    """What another parser reads on each line."""
    found: dict[int, tuple[Any, ...]] = {}
    with gzip.open(path, "rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                quads = list(rdf.parse(line, format=rdf.RdfFormat.N_TRIPLES))
            except SyntaxError:
                continue
            for quad in quads:
                value = quad.object
                literal = isinstance(value, rdf.Literal)
                datatype = value.datatype.value if literal and not value.language else None
                found[number] = (
                    quad.subject.value,
                    quad.predicate.value,
                    value.value,
                    "literal" if literal else "iri",
                    None if datatype == STRING else datatype,
                    value.language.lower() if literal and value.language else None,
                )
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rejected", "pairs"),
    [
        ("dbpedia/malformed.nt.gz", 600, 0),
        ("dbpedia/sample.nt.gz", 4_653, 0),
        ("freebase/basekb_10k.nt.gz", 0, 1),
        ("freebase/dump_2014-09-28_1000_lines.nt.gz", 0, 0),
        ("freebase/dump_slice.nt.gz", 0, 0),
    ],
)
def test_published_dumps(desk: Any, data: Path, name: str, rejected: int, pairs: int) -> None:
    path = data / name
    rows = desk.read(NT, path)
    bad = {number for number, problem in desk.rejected() if problem}
    assert len(desk.rejected()) == len(bad) == rejected
    other = reference(path)
    ours = Counter((*row[:5], row[5].lower() if row[5] else None) for row in rows)
    theirs = Counter(other.values())
    # What both read is the same; a character as a pair of escapes is read here only.
    assert not set(other) & bad
    assert not theirs - ours
    assert (ours - theirs).total() == pairs


def test_a_comment_is_no_triple() -> None:
    assert parse_line(" # nothing") is None
    with pytest.raises(MalformedLine):
        parse_line("nothing")


ABOUT = ("http://e/a", "http://e/p", "http://e/b", "iri", None, None)
STAR = [
    (
        '<< <http://e/a> <http://e/p> <http://e/b> >> <http://e/since> "1999" .',
        (*ABOUT, "http://e/since", "1999", "literal", None, None, None),
    ),
    (
        '<<<http://e/a><http://e/p>"x"@de>> <http://e/by> _:me .',
        (
            *("http://e/a", "http://e/p", "x", "literal", None, "de"),
            *("http://e/by", "_:me", "blank", None, None, None),
        ),
    ),
    (
        "<http://e/a> <http://e/p> <http://e/b> <http://e/g> .",
        (*ABOUT, "graph", "http://e/g", "iri", None, None, None),
    ),
]


@pytest.mark.parametrize(("line", "row"), STAR)
def test_annotations_of_triples(desk: Any, line: str, row: Any) -> None:
    rows = desk.read(NT, desk.file(f"{line}\n<http://e/a> <http://e/p> <http://e/c> .\n".encode()))
    assert [each[2] for each in rows if each[2] != "http://e/b"] == ["http://e/c"]
    assert desk.rows("SELECT * FROM t_annotations") == [row]


def test_names_of_triples_in_rdf_1_2(desk: Any) -> None:
    content = """_:r <http://e/since> "1999" .
_:r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( <http://e/a> <http://e/p> _:b )>> .
_:b <http://e/p> <http://e/a> .
"""
    one, two = desk.file(content.encode(), "1"), desk.file(content.encode(), "2")
    assert [row[0] for row in desk.read(NT, one, two)] == ["_:1-b", "_:2-b"]
    notes = desk.rows("SELECT object, reifier FROM t_annotations ORDER BY object")
    assert notes == [("_:1-b", "_:1-r"), ("_:2-b", "_:2-r")]


RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def test_statements_are_annotations_of_their_triple(desk: Any) -> None:
    content = f"""<http://e/s1> <{RDF}type> <{RDF}Statement> .
<http://e/s1> <{RDF}subject> <http://e/a> .
<http://e/s1> <{RDF}predicate> <http://e/p> .
<http://e/s1> <http://e/since> "1999" .
<http://e/s1> <{RDF}object> <http://e/b> .
<http://e/s1> <{RDF}object> <http://e/b> .
_:s2 <{RDF}subject> <http://e/a> .
_:s2 <{RDF}predicate> <http://e/p> .
_:s2 <{RDF}object> "b"@en .
<http://e/a> <http://e/p> <http://e/b> .
<http://e/s3> <{RDF}subject> <http://e/a> .
<http://e/s3> <{RDF}predicate> <http://e/p> .
<http://e/s4> <{RDF}subject> "a" .
<http://e/s4> <{RDF}predicate> <http://e/p> .
<http://e/s4> <{RDF}object> <http://e/b> .
"""
    rows = desk.read(NT, desk.file(content.encode()))
    assert sorted(row for row in rows if row[0] == "http://e/a") == [
        ("http://e/a", "http://e/p", "b", "literal", None, "en"),
        ABOUT,
    ]
    assert desk.rows("FROM t_annotations") == [
        (*ABOUT, "http://e/since", "1999", "literal", None, None, "http://e/s1")
    ]
    # A node that lacks a part, and one whose subject is a text, stay as they are.
    assert {row[0] for row in rows} == {"http://e/a", "http://e/s3", "http://e/s4"}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("<< <a:s> <a:p> << <a:s> <a:p> <a:o> >> >> <a:q> <a:o> .", "the object of a triple must"),
        (
            "<a:r> <a:q> <<( <a:s> <a:p> <<( <a:s> <a:p> <a:o> )>> )>> .",
            "a triple about a triple about a triple",
        ),
        ("<< <a:s> <a:p> <a:o> <a:q> <a:o> .", "the subject of a triple must be"),
        ("<< # >> <a:q> <a:o> .", "not hold one statement"),
        ("<< <a:s> <a:p> <a:o> >> <a:q> <<( <a:s> <a:p> <a:o> )>> .", "both the subject and"),
    ],
)
def test_malformed_annotations(desk: Any, line: str, problem: str) -> None:
    desk.read(NT, desk.file(f"<a:s> <a:p> <a:o> .\n{line}\n".encode()))
    ((number, found),) = desk.rejected()
    assert (number, problem in found) == (2, True)
