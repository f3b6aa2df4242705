"""Reading a source: every line is accounted for, and nothing but the source is read."""

from __future__ import annotations

import gzip
import importlib
import random
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kgdb.errors import LoadError, UsageError
from kgdb.loading import Counts, LoaderSpec, Malformed, Prepared, RelationText, prepare
from kgdb.loading.reading import Source
from kgdb.loading.spec import Option, SourceSpec, Tables

pytestmark = pytest.mark.unit

SPEC = LoaderSpec(
    name="mine",
    label="Mine",
    title="Mine",
    licence="-",
    options={},
    sources=(
        SourceSpec(
            Source("source", "delimited", ("head", "relation", "tail"), "|"),
            file=None,
            shipped=None,
            optional=False,
        ),
    ),
    views={},
    tables=Tables("SELECT head, relation, tail FROM source"),
    relations={"r": RelationText(text="the r of {}", inverse_question="what has the r {}?")},
    definition="",
)
"""Entities are their names, as in MetaQA."""


def reading(columns: tuple[str, ...], **tables: str) -> LoaderSpec:
    """The same with other columns and SELECTs."""
    main = SPEC.sources[0]
    source = replace(main, reads=replace(main.reads, columns=columns))
    return replace(SPEC, sources=(source,), tables=Tables(**tables))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "kb.txt"


def triples(prepared: Prepared) -> list[tuple[str, str, str]]:
    return [
        (row["head"], row["relation"], row["tail"])
        for batch in prepared.triples(2)
        for row in batch
    ]


def entities(prepared: Prepared) -> list[tuple[str, str]]:
    return [(row["id"], row["name"]) for batch in prepared.entities(2) for row in batch]


def counts(source: Path, content: str | bytes, *, max_errors: int = 100) -> Counts:
    source.write_bytes(content.encode() if isinstance(content, str) else content)
    with prepare(SPEC, source, max_errors=max_errors) as prepared:
        return prepared.counts


def refusal(source: Path, content: str | bytes, spec: LoaderSpec = SPEC) -> LoadError:
    source.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(LoadError) as failure, prepare(spec, source):
        pass
    return failure.value


def test_a_source_becomes_triples_entities_and_relations(source: Path) -> None:
    source.write_text("b|s|c\na|r|b\na|r|c\n")
    with prepare(SPEC, source) as prepared:
        assert triples(prepared) == [("a", "r", "b"), ("a", "r", "c"), ("b", "s", "c")]
        assert entities(prepared) == [("a", "a"), ("b", "b"), ("c", "c")]
        described, plain = prepared.relations()
        assert prepared.counts == Counts(3, 3, 0, 0, entities=3, relations=2)
    assert (described.id, described.count, described.text) == ("r", 2, "the r of {}")
    assert described.inverse_question == "what has the r {}?"
    assert (plain.id, plain.count, plain.text, plain.inverse) == ("s", 1, None, None)


def test_batches_have_the_size_that_is_asked_for(source: Path) -> None:
    source.write_text("".join(f"a{i}|r|b\n" for i in range(7)))
    with prepare(SPEC, source) as prepared:
        assert [len(batch) for batch in prepared.triples(3)] == [3, 3, 1]
        assert [len(batch) for batch in prepared.entities(8)] == [8]


def test_the_rows_come_in_a_fixed_order(source: Path) -> None:
    lines = [f"h{i % 7}|r{i % 3}|t{i % 11}\n" for i in range(231)]
    source.write_text("".join(lines))
    with prepare(SPEC, source) as prepared:
        first = triples(prepared), entities(prepared)
    source.write_text("".join(reversed(lines)))
    with prepare(SPEC, source) as prepared:
        assert (triples(prepared), entities(prepared)) == first


def test_tables_on_the_disk_are_the_same(source: Path, tmp_path: Path) -> None:
    source.write_text("b|s|c\na|r|b\nonly two\na|r|b\n")
    with prepare(SPEC, source, on_disk=False) as prepared:
        rows = (prepared.counts, list(prepared.entities(10)), list(prepared.triples(10)))
    work = tmp_path / "work"
    work.mkdir()
    with prepare(SPEC, source, on_disk=True, work=work) as prepared:
        assert (prepared.work / "tables.db").is_file()
        assert rows == (prepared.counts, list(prepared.entities(10)), list(prepared.triples(10)))
    assert not list(work.iterdir())


def test_malformed_lines_are_counted_and_shown(source: Path) -> None:
    content = b"a|r|b\na|r\nx\na|r|b|c|d\n\nb|r|caf\xe9\n|r|b\na||b\na|r|\na|r|b\n"
    source.write_bytes(content)
    with prepare(SPEC, source) as prepared:
        assert prepared.counts == Counts(
            records=9, triples=1, duplicates=1, skipped=7, entities=2, relations=1
        )
        assert [line.line for line in prepared.malformed] == [2, 3, 4, 6]
        assert prepared.malformed[0] == Malformed(source.name, 2, "missing columns", "a|r")
        assert prepared.malformed[2].problem == "too many columns"


def test_a_first_and_a_last_line_may_be_malformed_too(source: Path) -> None:
    assert counts(source, "a\na|r|b\nb|r").skipped == 2


# A source of which a tenth is control characters is refused as binary (see test_reading_files).
_FIELD = st.text(st.characters(exclude_characters="|", exclude_categories=["Cs", "Cc"]), max_size=3)
_LINE = st.lists(_FIELD, min_size=1, max_size=5).map("|".join)
_LINES = st.lists(
    st.one_of(_LINE, st.sampled_from(["a|r|b", "a|r|c", "", '"|r|"'])), min_size=5, max_size=50
)


def padded(record: list[str]) -> list[str]:
    return record + [""] * (3 - len(record))


@settings(max_examples=15, deadline=None)
@given(_LINES)
@example(["a|r|b|", "a|r|b||", "||", "|||", "||||", " ", "\u2028", "\x85", "\x0b"])
def test_every_line_becomes_a_triple_or_is_counted(
    tmp_path_factory: pytest.TempPathFactory, lines: Sequence[str]
) -> None:
    source = tmp_path_factory.mktemp("source") / "kb.txt"
    source.write_bytes("".join(f"{line}\n" for line in ["a|r|a", *lines]).encode())
    fields = [line.split("|") for line in ["a|r|a", *lines] if line]
    # Empty fields past the last column do no harm: some tools end a line by a delimiter.
    complete = [
        (h, r, t) for h, r, t, *more in map(padded, fields) if h and r and t and not any(more)
    ]
    with prepare(SPEC, source, max_errors=len(lines)) as prepared:
        found = prepared.counts
        assert set(triples(prepared)) == set(complete)
    assert found.records == len(fields) == found.triples + found.duplicates + found.skipped
    assert found.triples == len(set(complete))
    assert found.duplicates == len(complete) - len(set(complete))
    assert found.entities >= len({end for head, _, tail in complete for end in (head, tail)})


@pytest.mark.parametrize(
    "content",
    [
        b"a|r|b\r\nb|r|c\r\n",
        b"\xef\xbb\xbfa|r|b\nb|r|c\n",
        b"a|r|b\nb|r|c",
        b"\na|r|b\n\n\nb|r|c\n\n",
    ],
    ids=["crlf", "bom", "no newline at the end", "blank lines"],
)
def test_how_lines_end_does_not_matter(source: Path, content: bytes) -> None:
    source.write_bytes(content)
    with prepare(SPEC, source) as prepared:
        assert prepared.counts == Counts(2, 2, 0, 0, entities=3, relations=1)
        assert triples(prepared) == [("a", "r", "b"), ("b", "r", "c")]


def test_quotation_marks_and_spaces_are_part_of_a_name(source: Path) -> None:
    source.write_text('"a|r|b"\n a |r|it\'s\nNULL|r|\\N\n')
    with prepare(SPEC, source) as prepared:
        assert sorted(triples(prepared)) == [
            (" a ", "r", "it's"),
            ('"a', "r", 'b"'),
            ("NULL", "r", "\\N"),
        ]


def test_gzip_is_read_as_it_is(tmp_path: Path) -> None:
    plain, zipped = tmp_path / "kb.txt", tmp_path / "kb.txt.gz"
    assert counts(plain, "a|r|b\na|r\n") == counts(zipped, gzip.compress(b"a|r|b\na|r\n"))


def test_a_broken_gzip_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "kb.gz"
    whole = gzip.compress("".join(f"a{i}|r|b\n" for i in range(5000)).encode())
    assert "truncated" in refusal(source, whole[:-900]).message


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n\n",
        "a,r,b\nb,r,c\n",
        "a\tr\tb\n",
        "<html>\n<body>\n",
        "a|r|b\nb|r|c\n".encode("utf-16"),
        "a|r|b\nb|r|c\n".encode("utf-32"),
        bytes(range(256)) * 40,
        b"\0" * 5000,
        b"\x89PNG\r\n\x1a\n" + bytes(range(250, 0, -1)) * 40,
    ],
    ids=["empty", "blank", "comma", "tab", "html", "utf-16", "utf-32", "binary", "zeros", "png"],
)
def test_another_format_is_refused_with_what_is_expected(
    source: Path, content: str | bytes
) -> None:
    error = refusal(source, content)
    assert str(source) in error.message
    assert "(head, relation, tail)" in error.message + (error.hint or "")


def test_too_many_malformed_lines_are_refused_and_shown(source: Path) -> None:
    content = "a|r|b\n" + "a|r\n" * 8
    assert counts(source, content, max_errors=8).skipped == 8
    with pytest.raises(LoadError, match="8 of 9 records are malformed, and at most 7") as failure:
        counts(source, content, max_errors=7)
    assert "line 2: missing columns: 'a|r'" in failure.value.message
    assert "--max-errors" in (failure.value.hint or "")
    with pytest.raises(LoadError):
        counts(source, "a|r|b\na|r|\n", max_errors=0)


def test_a_disk_that_is_too_small_is_refused_beforehand(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.write_text("a|r|b\n" * 1000)
    packed = tmp_path / "kb.gz"
    packed.write_bytes(gzip.compress(random.Random(1).randbytes(2000)))
    for free, path in ((5_999, source), (20_000, packed)):
        usage = shutil.disk_usage(tmp_path)._replace(free=free)
        monkeypatch.setattr(shutil, "disk_usage", lambda folder, usage=usage: usage)
        with (
            pytest.raises(LoadError, match=r"of text, and .* free") as failure,
            prepare(SPEC, path, work=tmp_path),
        ):
            pass
        assert "--work" in (failure.value.hint or "")


def test_a_source_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(UsageError, match=r"none\.txt does not exist"),
        prepare(SPEC, tmp_path / "none.txt"),
    ):
        pass
    with pytest.raises(UsageError, match="is a folder"), prepare(SPEC, tmp_path):
        pass


def test_a_loader_without_data_asks_for_a_file() -> None:
    with pytest.raises(UsageError, match="comes without data") as failure, prepare(SPEC):
        pass
    assert failure.value.hint == "kgdb load mine SOURCE"


def test_a_loader_may_come_with_its_data(source: Path, tmp_path: Path) -> None:
    source.write_text("a|r|b\n")
    other = tmp_path / "other.txt"
    other.write_text("a|r|b\nb|r|c\n")
    own = replace(SPEC, sources=(replace(SPEC.sources[0], shipped=source),))
    with prepare(own) as prepared:
        assert (prepared.source, prepared.counts.triples) == (source, 1)
    with prepare(own, other) as prepared:
        assert (prepared.source, prepared.counts.triples) == (other, 2)


@pytest.mark.parametrize("name", ["kb[1].txt", "kb*.txt", "kb?.txt", "it's.txt", "a|b.txt", "電.x"])
def test_a_file_name_is_no_pattern(tmp_path: Path, name: str) -> None:
    for decoy in ("kb1.txt", "kb2.txt", "kbx.txt"):
        (tmp_path / decoy).write_text("decoy|r|decoy\n")
    assert counts(tmp_path / name, "a|r|b\n").records == 1


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
        "SELECT head, tail FROM source",
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


def test_an_entity_that_is_not_listed_goes_by_its_id(source: Path) -> None:
    tables = replace(SPEC.tables, entities="SELECT head AS id, 'head ' || head AS name FROM source")
    source.write_text("a|r|b\nb|r|orphan\n")
    with prepare(replace(SPEC, tables=tables), source) as prepared:
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
    spec = reading(
        ("head", "relation", "tail"),
        triples=SPEC.tables.triples,
        entities="SELECT head AS id, head AS name, 1 AS aliases FROM source",
    )
    source.write_text("a|r|a\n")
    with pytest.raises(LoadError, match="SQL of the loader"), prepare(spec, source):
        pass


def test_a_name_too_long_for_an_index_is_told(source: Path) -> None:
    spec = reading(
        ("head", "relation", "tail"),
        triples=SPEC.tables.triples,
        entities="SELECT head AS id, repeat('é', 3501) AS name FROM source",
    )
    source.write_text("a|r|b\n")
    with prepare(spec, source) as prepared:
        assert prepared.has_long_names()


def test_more_relations_than_neo4j_can_hold_are_refused(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The package has a function of that name too.
    monkeypatch.setattr(importlib.import_module("kgdb.loading.prepare"), "MAX_RELATIONS", 2)
    assert counts(source, "a|r|b\na|s|b\n").relations == 2
    assert "has 3 relations" in refusal(source, "a|r|b\na|s|b\na|t|b\n").message


def test_the_hash_tells_sources_and_loaders_apart(source: Path, tmp_path: Path) -> None:
    source.write_text("a|r|b\n")
    changed = tmp_path / "changed.txt"
    changed.write_text("a|r|c\n")
    hashes = []
    for spec, path in ((SPEC, source), (SPEC, changed), (replace(SPEC, definition="#"), source)):
        with prepare(spec, path) as prepared:
            hashes.append(prepared.sha256)
    assert len(set(hashes)) == 3
    with prepare(SPEC, source) as prepared:
        assert prepared.sha256 == hashes[0]


def test_what_goes_wrong_while_it_is_used_is_not_blamed_on_the_source(source: Path) -> None:
    source.write_text("a|r|b\n")
    with pytest.raises(KeyError, match="mine"), prepare(SPEC, source):
        raise KeyError("mine")


def test_the_values_of_a_source_are_taken_from_the_options(source: Path) -> None:
    names = {"of": "head", "between": ";", "form": "csv"}
    spec = replace(
        SPEC,
        options={name: Option(default, "-", ()) for name, default in names.items()},
        sources=(
            replace(
                SPEC.sources[0],
                reads=Source("source", "{form}", ("{of}", "relation", "tail"), "{between}"),
            ),
        ),
        tables=Tables("SELECT {of} AS head, relation, tail FROM source"),
    )
    source.write_text("the head;relation;tail\na;r;b\n")
    with prepare(spec, source, options={"of": "the head"}) as prepared:
        assert triples(prepared) == [("a", "r", "b")]
    with pytest.raises(UsageError, match="no column 'head'"), prepare(spec, source):
        pass
    with (
        pytest.raises(UsageError, match="delimiter 'TAB' is not one character"),
        prepare(spec, source, options={"between": "TAB"}),
    ):
        pass
    source.write_text("")
    with pytest.raises(LoadError), prepare(spec, source):
        pass
