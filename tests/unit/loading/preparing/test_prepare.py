"""Reading a source: every line is accounted for, in an order that never changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from three_fields import SPEC, entities, triples

from kgdb.errors import LoadError, UsageError
from kgdb.loading import Counts, prepare
from kgdb.loading.loaders.loader_spec import Option, Tables
from kgdb.loading.reading import Source

pytestmark = pytest.mark.unit


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
    with prepare(SPEC, source, on_disk=True, temp_folder=work) as prepared:
        assert (prepared.folder / "tables.db").is_file()
        assert rows == (prepared.counts, list(prepared.entities(10)), list(prepared.triples(10)))
    assert not list(work.iterdir())


# A source of which a tenth is control characters is refused as binary (see test_reading_files).
_FIELD = st.text(st.characters(exclude_characters="|", exclude_categories=["Cs", "Cc"]), max_size=3)
_LINE = st.lists(_FIELD, min_size=1, max_size=5).map("|".join)
_LINES = st.lists(
    st.one_of(_LINE, st.sampled_from(["a|r|b", "a|r|c", "", '"|r|"'])), min_size=5, max_size=50
)


def padded(record: list[str]) -> list[str]:
    return record + [""] * (3 - len(record))


@pytest.mark.slow
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
                input=Source("source", "{form}", ("{of}", "relation", "tail"), "{between}"),
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
        pytest.raises(UsageError, match="delimiter 'space' is not one character"),
        prepare(spec, source, options={"between": "space"}),
    ):
        pass
    source.write_text("")
    with pytest.raises(LoadError), prepare(spec, source):
        pass
