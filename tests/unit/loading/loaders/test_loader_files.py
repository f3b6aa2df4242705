"""Loader files: what they say, and refusals that name the file and the key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kgdb.errors import UsageError
from kgdb.loading import LoaderSpec, RelationText, available, read_spec
from kgdb.loading.loaders.loader_spec import SourceSpec, Tables
from kgdb.loading.reading import Source

pytestmark = pytest.mark.unit

LINES = {
    "name": 'name = "mine"',
    "label": 'label = "Mine"',
    "title": "",
    "licence": "",
    "relations_from": "",
    "tables_from": "",
    "source": "[source]",
    "delimiter": 'delimiter = "|"',
    "columns": 'columns = ["head", "relation", "tail"]',
    "file": "",
    "tables": "[tables]",
    "triples": 'triples = "SELECT * FROM source"',
    "entities": 'entities = "SELECT head AS id, head AS name FROM source"',
    "relations": "",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def read(path: Path, **lines: str) -> LoaderSpec:
    """A valid loader file with some lines replaced."""
    path.write_text("\n".join((LINES | lines).values()), encoding="utf-8")
    return read_spec(str(path))


def test_the_shipped_loaders_can_be_read_by_name() -> None:
    assert {"demo", "metaqa"} <= set(available())
    for name in available():
        spec = read_spec(name)
        assert spec.name == name
        assert all("{}" in (text.text or "{}") for text in spec.relations.values())


def test_the_demo_comes_with_its_data_and_takes_over_metaqas_relations() -> None:
    demo, metaqa = read_spec("demo"), read_spec("metaqa")
    shipped = demo.sources[0].shipped
    assert shipped is not None
    assert shipped.is_file()
    assert metaqa.sources[0].shipped is None
    assert demo.relations == metaqa.relations
    assert metaqa.definition in demo.definition


def test_a_loader_file_is_read_as_it_is(path: Path) -> None:
    spec = read(
        path,
        title='title = "My graph"\nmetadata = "facts.json"',
        file='file = "data/kb.txt"',
        delimiter=r'delimiter = "\t"',
        relations='[relations."people.person.nationality"]\ntext = "the country of {}"',
    )
    assert spec == LoaderSpec(
        name="mine",
        label="Mine",
        title="My graph",
        licence="unknown",
        metadata="facts.json",
        options={},
        sources=(
            SourceSpec(
                Source("source", "delimited", ("head", "relation", "tail"), "\t"),
                file="data/kb.txt",
                shipped=None,
                optional=False,
            ),
        ),
        views={},
        tables=Tables(
            "SELECT * FROM source", entities="SELECT head AS id, head AS name FROM source"
        ),
        relations={"people.person.nationality": RelationText("the country of {}")},
        definition=path.read_text(),
    )


def test_what_may_be_left_out(path: Path) -> None:
    spec = read(path)
    assert (spec.title, spec.licence, spec.sources[0].file) == ("mine", "unknown", None)
    assert spec.relations == {}


def test_own_texts_come_before_those_taken_over(path: Path) -> None:
    spec = read(
        path,
        relations_from='relations_from = "metaqa"',
        relations='[relations.directed_by]\ntext = "who made {}"',
    )
    assert spec.relations["directed_by"] == RelationText("who made {}")
    assert spec.relations["has_tags"] == read_spec("metaqa").relations["has_tags"]


def test_own_tables_come_before_those_taken_over(path: Path) -> None:
    own = {"triples": 'triples = "SELECT 1"', "entities": ""}
    views = '[views]\nfew = "SELECT 2"'
    spec = read(path, tables_from='tables_from = "csv"', relations=views, **own)
    csv = read_spec("csv")
    assert spec.tables == replace(csv.tables, triples="SELECT 1")
    assert spec.views == {**csv.views, "few": "SELECT 2"}
    assert spec.definition.endswith(csv.definition)
    nothing = {"tables": "", "triples": "", "entities": ""}
    assert read(path, tables_from='tables_from = "csv"', **nothing).tables == csv.tables


def test_a_byte_order_mark_is_no_part_of_the_file(path: Path) -> None:
    read(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_spec(str(path)).name == "mine"


@pytest.mark.parametrize(
    ("key", "lines"),
    [
        ("name", {"name": ""}),
        ("name", {"name": 'name = "Mine"'}),
        ("name", {"name": 'name = "../mine"'}),
        ("name", {"name": "name = 3"}),
        ("name", {"name": 'name = "mine\\n"'}),
        ("label", {"label": ""}),
        ("label", {"label": 'label = "My label"'}),
        ("label", {"label": 'label = "A`B"'}),
        ("label", {"label": 'label = "1st"'}),
        ("label", {"label": 'label = "Entity"'}),
        ("label", {"label": 'label = "KnowledgeGraph"'}),
        ("title", {"title": "title = 3"}),
        ("licence", {"licence": 'licence = ["MIT"]'}),
        ("colour", {"title": 'colour = "red"'}),
        ("relations_from", {"relations_from": 'relations_from = "metaqu"'}),
        ("relations_from", {"relations_from": "relations_from = 5"}),
        ("relations_from", {"relations_from": 'relations_from = "mine.toml"'}),
        ("source", {"source": "", "delimiter": "", "columns": ""}),
        ("source", {"title": "source = 3", "source": "", "delimiter": "", "columns": ""}),
        ("source.delimeter", {"delimiter": 'delimeter = "|"'}),
        ("source.delimiter", {"delimiter": ""}),
        ("source.delimiter", {"delimiter": 'delimiter = "||"'}),
        ("source.delimiter", {"delimiter": 'delimiter = ""'}),
        ("source.delimiter", {"delimiter": "delimiter = 1"}),
        ("source.columns", {"columns": ""}),
        ("source.columns", {"columns": "columns = []"}),
        ("source.columns", {"columns": 'columns = "head"'}),
        ("source.columns", {"columns": 'columns = ["head", 3]'}),
        ("source.columns", {"columns": 'columns = ["head", "head"]'}),
        ("source.columns", {"columns": 'columns = ["head", " "]'}),
        ("source.skip", {"file": "skip = -1"}),
        ("source.skip", {"file": "skip = true"}),
        ("source.skip", {"file": 'format = "jsonl"\nskip = 1'}),
        ("source.names", {"file": 'names = ["head"]'}),
        ("source.names", {"file": 'format = "csv"\nnames = ["head", ""]'}),
        ("source.header", {"file": 'format = "csv"\nheader = false'}),
        ("source.header", {"file": 'format = "csv"\nheader = 0'}),
        ("source.required_if_set", {"file": 'required_if_set = ["{name}"]'}),
        ("source.required_if_set", {"file": 'required_if_set = ["name"]'}),
        ("source.columns", {"columns": 'columns = ["{head}"]'}),
        ("source.delimiter", {"delimiter": 'delimiter = "{separator}"'}),
        ("source.format", {"file": 'format = "excel"'}),
        ("source.format", {"file": 'format = "{syntax}"'}),
        ("source.format", {"file": 'format = ["csv"]'}),
        ("sources", {"source": "[sources]", "delimiter": "", "columns": ""}),
        ("tables_from", {"tables_from": 'tables_from = "mine.toml"'}),
        (
            "source.format",
            {
                "file": 'format = "{syntax}"',
                "relations": '[options.syntax]\ndefault = "n3"\nchoices = ["n3"]\nhelp = "-"',
            },
        ),
        ("sources.triples", {"source": "[sources.triples]"}),
        ("views.entities", {"relations": '[views]\nentities = "SELECT 1"'}),
        ("source.file", {"file": "file = 3"}),
        ("source.relative_iris", {"file": 'relative_iris = "yes"'}),
        ("source.optional", {"file": "optional = 1"}),
        ("source.encoding", {"file": 'encoding = "latin-1"'}),
        ("tables", {"tables": "", "triples": "", "entities": ""}),
        ("tables.triples", {"triples": ""}),
        ("tables.triples", {"triples": 'triples = ""'}),
        ("tables.entities", {"entities": "entities = 3"}),
        ("tables.nodes", {"entities": 'nodes = "SELECT 1"'}),
        ("relations", {"title": "relations = 3"}),
        ("relations", {"title": 'relations = "abc"'}),
        ("relations.r", {"relations": "[relations]\nr = 3"}),
        ("relations.a.b.test", {"relations": '[relations."a.b"]\ntest = "of {}"'}),
        ("relations.r.text", {"relations": '[relations.r]\ntext = "no place"'}),
        ("relations.r.inverse", {"relations": '[relations.r]\ninverse = "{} and {}"'}),
        ("relations.r.question", {"relations": "[relations.r]\nquestion = 3"}),
    ],
)
def test_a_refusal_names_the_file_and_the_key(path: Path, key: str, lines: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as failure:
        read(path, **lines)
    assert failure.value.message.startswith(f"{path}: `{key}` ")
    assert failure.value.hint


def test_a_refusal_says_what_was_found_and_what_is_expected(path: Path) -> None:
    with pytest.raises(UsageError, match=r"`source\.delimiter` is '\|\|'; expected one character"):
        read(path, delimiter='delimiter = "||"')
    with pytest.raises(UsageError, match=r"`colour` is not a known key; expected one of: label, "):
        read(path, title='colour = "red"')
    with pytest.raises(UsageError, match=r"`name` is missing"):
        read(path, name="")


@pytest.mark.parametrize("content", [b"name = ", b"\xff\xfe\x00", b"name = 1\nname = 2"])
def test_what_is_not_toml_is_refused_by_file(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"mine\.toml is not valid TOML"):
        read_spec(str(path))


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.toml cannot be read: No such file"):
        read_spec(str(tmp_path / "none.toml"))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(UsageError, match=r"folder\.toml cannot be read"):
        read_spec(str(tmp_path / "folder.toml"))


@pytest.mark.parametrize("name", ["", "nothing", "../demo", "/etc/passwd", "demo.txt", "DEMO"])
def test_an_unknown_loader_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match=r"There is no loader .*demo, .*metaqa") as failure:
        read_spec(name)
    assert repr(name) in failure.value.message
    assert "kgdb load" in (failure.value.hint or "")


def test_a_file_in_the_place_of_a_loader_is_told_how_to_be_loaded(tmp_path: Path) -> None:
    file = tmp_path / "cities.csv"
    file.touch()
    with pytest.raises(UsageError) as failure:
        read_spec(str(file))
    assert f"kgdb load csv {file}" in (failure.value.hint or "")
    with pytest.raises(UsageError) as failure:
        read_spec("cities.tsv")
    assert "mine.toml" in (failure.value.hint or "")


def test_a_slip_of_the_pen_is_answered_with_the_name_that_was_meant() -> None:
    with pytest.raises(UsageError, match=r"Did you mean metaqa\?"):
        read_spec("metqa")


def test_values_of_a_source_may_be_options(path: Path) -> None:
    spec = read(
        path,
        source='[options.of]\ndefault = "head"\nhelp = "-"\n'
        '[options.between]\ndefault = ";"\nhelp = "-"\n'
        '[options.form]\ndefault = "csv"\nchoices = ["csv", "delimited"]\nhelp = "-"\n[source]',
        delimiter='delimiter = "{between}"',
        columns='columns = ["{of}", "relation", "tail"]',
        file='format = "{form}"',
    )
    input = spec.sources[0].input
    assert input == Source("source", "{form}", ("{of}", "relation", "tail"), "{between}")
