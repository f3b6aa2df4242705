"""Drafts for lines of fields: quotation marks, comments, Neo4j's headers, and what rows lack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from drafts import drafted

from kgdb.errors import LoadError

pytestmark = pytest.mark.unit


def test_quotation_marks_that_stand_around_fields(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    body = '"Weir, Ada",acted_in,"The ""Sea"""\nBen,acted_in,Rain\nBen,directed,Snow\n'
    named = drafted(tmp_path, "kb.csv", "head,relation,tail\n" + body)
    assert named.format == "csv"
    assert ("Weir, Ada", "acted_in", 'The "Sea"') in named.facts
    plain = '"Ada",acted_in,"The ""Sea"""\n"Ben",acted_in,Rain\n"Ben",directed,Snow\n'
    bare = drafted(tmp_path / "1", "kb.csv", plain)
    assert bare.facts == {
        ("Ada", "acted_in", 'The "Sea"'),
        ("Ben", "acted_in", "Rain"),
        ("Ben", "directed", "Snow"),
    }
    assert bare.format == "csv"


def test_quotation_marks_that_are_part_of_names(tmp_path: Path) -> None:
    content = 'head\trelation\ttail\nAda\tcalled\t"Sea" dog\n5" pipe\tfits\tAda\n'
    found = drafted(tmp_path, "kb.tsv", content)
    assert found.format == "delimited"
    assert found.facts == {("Ada", "called", '"Sea" dog'), ('5" pipe', "fits", "Ada")}
    assert (found.counts.records, found.counts.other) == (2, 0)


def test_quotation_marks_in_lines_of_another_width(tmp_path: Path) -> None:
    content = 'head\trelation\ttail\nAda\tcalled\tdog\nAda\tcalled\t"\tdog\nb\tfits\tAda\n'
    with pytest.raises(LoadError, match="1 of 3 records is malformed") as failure:
        drafted(tmp_path, "kb.tsv", content)
    assert "line 3: too many columns" in failure.value.message  # as CSV the field would not end


def test_quoted_fields_may_hold_anything_and_columns_need_no_name(tmp_path: Path) -> None:
    content = (
        ",name,bio,city\n"
        '0,"Weir, Ann","Born in Rome, Italy\nlives in Oslo, Norway",Oslo\n1,Bob,short,Rome\n'
    )
    found = drafted(tmp_path, "pandas.csv", content)
    assert found.format == "csv"
    assert ("Weir, Ann", "city", "Oslo") in found.facts
    assert ("Weir, Ann", "bio", "Born in Rome, Italy\nlives in Oslo, Norway") in found.facts
    assert (found.counts.skipped, found.counts.relations) == (0, 2)
    assert "Left out: column1, which only numbers the rows." in found.text


def test_quoted_lines_without_a_header(tmp_path: Path) -> None:
    found = drafted(tmp_path, "kb.csv", '"Weir, Ada","acted in","Rain"\n"Ben","acted in","Snow"\n')
    assert found.facts == {("Weir, Ada", "acted in", "Rain"), ("Ben", "acted in", "Snow")}


@pytest.mark.parametrize(
    ("comments", "facts"),
    [
        ("# made by hand\n# licence, CC0\n", {("Porto", "country", "Portugal")}),
        ("sep=,\n", {("Porto", "country", "Portugal")}),
        ("# 2 towns\nsep=,\n", {("Porto", "country", "Portugal")}),
    ],
)
def test_lines_before_the_table_are_no_facts(
    tmp_path: Path, comments: str, facts: set[tuple[str, str, str]]
) -> None:
    found = drafted(tmp_path, "towns.csv", f"{comments}name,country,river\nPorto,Portugal,Douro\n")
    assert found.facts == facts | {("Porto", "river", "Douro")}
    assert found.counts.records == 2


def test_a_comment_may_name_the_columns(tmp_path: Path) -> None:
    content = "# Nodes: 3 Edges: 3\n# FromNodeId\tToNodeId\n1\t2\n1\t3\n2\t3\n"
    found = drafted(tmp_path, "edges.txt", content)
    assert found.facts == {(a, "related_to", b) for a, b in ("12", "13", "23")}
    assert "UNSURE: the last of them is read as the header" in found.text


def test_rows_may_begin_as_comments_do(tmp_path: Path) -> None:
    content = "#sea\tused_by\tAda\n#rain\tused_by\tBo\nAda\tknows\tBo\n"
    assert len(drafted(tmp_path, "tags.tsv", content).facts) == 3


def test_edges_as_neo4j_imports_them(tmp_path: Path) -> None:
    content = (
        ":START_ID(Person),role,:END_ID(Movie),:TYPE,since:int\n"
        "keanu,Neo,matrix,ACTED_IN,1999\nlana,,matrix,DIRECTED,1999\n"
    )
    found = drafted(tmp_path, "edges.csv", content)
    assert found.facts == {("keanu", "ACTED_IN", "matrix"), ("lana", "DIRECTED", "matrix")}
    assert "Properties of the relationship: role, since." in found.text


def test_nodes_as_neo4j_imports_them(tmp_path: Path) -> None:
    content = (
        "movieId:ID(Movie),title,year:int,tags:string[],:LABEL\n"
        "m1,The Matrix,1999,a;b,Movie\nm2,Revolutions,2003,c,Movie;Sequel\n"
    )
    found = drafted(tmp_path, "nodes.csv", content)
    assert found.names["m1"] == "The Matrix"
    assert ("m1", "year", "1999") in found.facts
    assert {("m1", "tags", "a"), ("m1", "tags", "b"), ("m2", "tags", "c")} <= found.facts
    assert not {fact for fact in found.facts if "LABEL" in fact[1]}
    assert found.labels["m2"] == ["Movie", "Sequel"]


def test_numbers_may_be_ids_of_other_rows(tmp_path: Path) -> None:
    content = "id,name,manager_id,age\n1,Ann,,1\n2,Bob,1,2\n3,Cy,1,3\n"
    found = drafted(tmp_path, "staff.csv", content)
    assert {("2", "manager_id", "1"), ("3", "manager_id", "1")} <= found.facts
    assert found.counts.literals == 3
    assert "UNSURE: the values of manager_id are read as ids in id." in found.text


def test_what_a_row_lacks_is_not_malformed(tmp_path: Path) -> None:
    rows = "".join(f"{i},f{i},X; Y;\n" for i in range(150)) + ",g,Z\n" * 150
    found = drafted(tmp_path, "films.csv", f"id,name,actors\n{rows}")
    assert (found.counts.skipped, found.counts.triples, found.counts.other) == (0, 300, 150)
    (tmp_path / "1").mkdir()
    lists = "".join(json.dumps({"id": str(i), "tags": ["a", None, ""]}) + "\n" for i in range(150))
    found = drafted(tmp_path / "1", "tags.jsonl", lists)
    assert (found.counts.skipped, found.counts.triples) == (0, 150)
    (tmp_path / "2").mkdir()
    empty = "".join(f'<u:{i}> <u:p> "" .\n<u:{i}> <u:q> <u:b> .\n' for i in range(150))
    found = drafted(tmp_path / "2", "empty.nt", empty)
    assert (found.counts.skipped, found.counts.triples, found.counts.other) == (0, 150, 150)


def test_an_entity_of_several_names_keeps_them(tmp_path: Path) -> None:
    content = "id,name,city\n1,Ann,Rome\n1,Anna,Oslo\n2,Bob,Rome\n"
    found = drafted(tmp_path, "staff.csv", content)
    assert (found.names["1"], found.aliases["1"]) == ("Ann", ["Anna"])
