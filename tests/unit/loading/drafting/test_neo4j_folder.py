"""Drafts for files of Neo4j's importer: nodes and relationships by their headers, ids by groups."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from drafts import drafted

from kgdb.loading import Counts, OtherRecords, prepare, read_spec, write_draft

pytestmark = pytest.mark.unit

PERSONS = (
    "personId:ID(Person),name,born:int,:LABEL\n1,Ada Weir,1964,Person;Writer\n2,Bo Lind,,Person\n"
)
MOVIES = "movieId:ID(Movie),title,genres:string[]\n1,Salt Ledger,Drama;War\n2,Quiet Shore,\n"
ROLES = (
    ":START_ID(Person),role,since:int,:END_ID(Movie),:TYPE\n"
    "1,cook,1999,2,ACTED_IN\n2,,2001,1,ACTED_IN\n2,,,,ACTED_IN\n"
)
KNOWS = ":START_ID(Person),:END_ID(Person)\n1,2\n2,1\n"


@dataclass(frozen=True)
class Folder:
    """What a draft made of a folder; facts by names."""

    text: str
    counts: Counts
    other: tuple[OtherRecords, ...]
    ids: dict[str, str]
    labels: dict[str, list[str]]
    facts: set[tuple[str, str, str]]
    properties: dict[tuple[str, str, str], dict[str, object]]


def load(folder: Path, **files: str) -> Folder:
    source = folder / "dump"
    source.mkdir()
    for name, content in files.items():
        (source / f"{name}.csv").write_text(content, encoding="utf-8")
    path = write_draft(str(folder / "mine"), source)
    with prepare(read_spec(str(path)), source, max_errors=0) as prepared:
        rows = [row for batch in prepared.entities(100) for row in batch]
        names = {row["id"]: row["name"] for row in rows}
        ends = names | {row["id"]: row["name"] for b in prepared.literals(100) for row in b}
        triples = {
            (ends[row["head"]], row["relation"], ends[row["tail"]]): row.get("properties", {})
            for batch in prepared.triples(100)
            for row in batch
        }
        return Folder(
            path.read_text(encoding="utf-8"),
            prepared.counts,
            prepared.other_records,
            {row["id"]: row["name"] for row in rows},
            {row["id"]: row["labels"] for row in rows},
            set(triples),
            triples,
        )


def test_one_id_in_two_groups_is_two_nodes(tmp_path: Path) -> None:
    made = load(tmp_path, persons=PERSONS, movies=MOVIES, roles=ROLES, knows=KNOWS)
    assert made.ids == {
        "Person:1": "Ada Weir",
        "Person:2": "Bo Lind",
        "Movie:1": "Salt Ledger",
        "Movie:2": "Quiet Shore",
    }
    assert made.facts == {
        ("Ada Weir", "ACTED_IN", "Quiet Shore"),
        ("Bo Lind", "ACTED_IN", "Salt Ledger"),
        ("Ada Weir", "KNOWS", "Bo Lind"),
        ("Bo Lind", "KNOWS", "Ada Weir"),
        ("Ada Weir", "born", "1964"),
        ("Salt Ledger", "genres", "Drama"),
        ("Salt Ledger", "genres", "War"),
    }
    assert "Ids are unique within their group only" in made.text


def test_headers_may_have_files_of_their_own(tmp_path: Path) -> None:
    (person_header, *persons), (movie_header, *movies), (knows_header, *knows) = (
        text.splitlines(keepends=True) for text in (PERSONS, MOVIES, KNOWS)
    )
    files = {
        "persons-header": person_header,
        "persons-1": persons[0],
        "persons_part2": persons[1],
        "movies_header": movie_header,
        "movies": "".join(movies),
        "knows-header": knows_header,
        "knows-1": knows[0],
        "knows-2": knows[1],
        "roles": ROLES,
    }
    made = load(tmp_path, **files)
    (tmp_path / "together").mkdir()
    together = load(tmp_path / "together", persons=PERSONS, movies=MOVIES, roles=ROLES, knows=KNOWS)
    assert (made.ids, made.labels, made.properties) == (
        together.ids,
        together.labels,
        together.properties,
    )
    assert "persons_part2.csv: The header is that of persons-header.csv." in made.text


def test_labels_properties_and_incomplete_rows(tmp_path: Path) -> None:
    made = load(tmp_path, persons=PERSONS, movies=MOVIES, roles=ROLES)
    assert made.labels["Person:1"] == ["Person", "Writer"]
    assert made.labels["Movie:1"] == ["Movie"]  # no column says it: the group does
    cook = made.properties["Ada Weir", "ACTED_IN", "Quiet Shore"]
    assert cook == {"role": "cook", "since": 1999}
    assert OtherRecords("rows of roles.csv without both ends and a type", 1) in made.other


@pytest.mark.parametrize(
    ("persons", "movies", "ids"),
    [
        (":ID(P),name\np1,Ada\n", ":ID(M),name\nm1,Salt\n", {"p1", "m1"}),
        (":ID(P),name\nx,Ada\n", ":ID(M),name\nx,Salt\n", {"P:x", "M:x"}),
        (":ID(P),name\n1,Ada\n", ":ID(M),name\n2,Salt\n", {"P:1", "M:2"}),
        (":ID,name\n1,Ada\n", ":ID,name\n2,Salt\n", {"1", "2"}),
        (":ID(All),name\n1,Ada\n", ":ID(All),name\n2,Salt\n", {"1", "2"}),
        ("i:ID(P){label:Q},name\n1,Ada\n", "i:ID(M),name\n1,Salt\n", {"P:1", "M:1"}),
    ],
)
def test_groups_stand_before_ids_that_may_collide(
    persons: str, movies: str, ids: set[str], tmp_path: Path
) -> None:
    group, other = (
        (text.partition("(")[2].partition(")")[0] if "(" in text.partition(",")[0] else "")
        for text in (persons, movies)
    )
    start, end = (f"({name})" if name else "" for name in (group, other))
    first, second = (text.splitlines()[1].partition(",")[0] for text in (persons, movies))
    edges = f":START_ID{start},:END_ID{end},:TYPE\n{first},{second},MADE\n"
    made = load(tmp_path, persons=persons, movies=movies, edges=edges)
    assert set(made.ids) == ids
    assert made.facts == {("Ada", "MADE", "Salt")}


def test_a_file_without_such_a_header_is_left_out_and_counted(tmp_path: Path) -> None:
    made = load(tmp_path, persons=PERSONS, knows=KNOWS, notes="id,text\n1,x\n2,y\n")
    assert "UNSURE: notes.csv has no header for an importer" in made.text
    assert OtherRecords("rows of notes.csv", 2) in made.other


def test_ends_of_two_groups_in_one_file(tmp_path: Path) -> None:
    """Without a file of nodes the id is the name."""
    rows = ":START_ID(Person),:END_ID(Movie),:TYPE\n1,2,ACTED_IN\n2,1,ACTED_IN\n"
    found = drafted(tmp_path, "roles.csv", rows)
    assert found.facts == {
        ("Person:1", "ACTED_IN", "Movie:2"),
        ("Person:2", "ACTED_IN", "Movie:1"),
    }
    assert found.names == {"Person:1": "1", "Person:2": "2", "Movie:1": "1", "Movie:2": "2"}


def test_ends_of_one_group_in_one_file(tmp_path: Path) -> None:
    rows = ":START_ID(Person),:END_ID(Person),:TYPE\n1,2,KNOWS\n2,1,KNOWS\n"
    assert drafted(tmp_path, "knows.csv", rows).facts == {("1", "KNOWS", "2"), ("2", "KNOWS", "1")}


NEPTUNE = {
    "ports": "~id,~label,desc:String,berths:Int(single),open:Bool,tags:String[]\n"
    "p1,port;harbour,Kolari Quay,3,true,ice;ferry\np2,port,Vissby Quay,1,false,\n",
    "lines": "~id,~from,~to,~label,km:Double\ne1,p1,p2,ferry_to,81.5\ne2,p2,p1,ferry_to,\n",
}


def test_headers_of_neptune(tmp_path: Path) -> None:
    made = load(tmp_path, **NEPTUNE)
    assert made.ids == {"p1": "Kolari Quay", "p2": "Vissby Quay"}
    assert made.labels == {"p1": ["harbour", "port"], "p2": ["port"]}
    assert made.facts == {
        ("Kolari Quay", "ferry_to", "Vissby Quay"),
        ("Vissby Quay", "ferry_to", "Kolari Quay"),
        ("Kolari Quay", "berths", "3"),
        ("Vissby Quay", "berths", "1"),
        ("Kolari Quay", "open", "true"),
        ("Vissby Quay", "open", "false"),
        ("Kolari Quay", "tags", "ice"),
        ("Kolari Quay", "tags", "ferry"),
    }
    assert made.properties[("Kolari Quay", "ferry_to", "Vissby Quay")] == {"km": 81.5}


KGX = {
    "genes_nodes": "id,category,name,xref\nHGNC:1,biolink:Gene|biolink:NamedThing,TP99,\n"
    "MONDO:5,biolink:Disease,limb rot,X:1\nCHEBI:7,biolink:Drug,curalin,X:2\n",
    "genes_edges": "id,subject,predicate,object,knowledge_source\n"
    "a,HGNC:1,biolink:related_to,MONDO:5,infores:a\n"
    "b,CHEBI:7,biolink:treats,MONDO:5,infores:b\n",
}


def test_tables_of_kgx(tmp_path: Path) -> None:
    made = load(tmp_path, **KGX)
    assert made.labels == {
        "HGNC:1": ["Gene", "NamedThing"],
        "MONDO:5": ["Disease"],
        "CHEBI:7": ["Drug"],
    }
    assert made.facts == {
        ("TP99", "related_to", "limb rot"),
        ("curalin", "treats", "limb rot"),
        ("limb rot", "xref", "X:1"),
        ("curalin", "xref", "X:2"),
    }
    treats = made.properties[("curalin", "treats", "limb rot")]
    assert treats == {"knowledge_source": "infores:b"}


def test_a_category_alone_is_no_sign_of_kgx(tmp_path: Path) -> None:
    files = {
        "products": "id,category,name\n1,Tea,Chai\n2,Beer,Chang\n",
        "orders": "order_id,product_id,amount\n10,1,5\n11,2,3\n",
    }
    assert ("Chai", "category", "Tea") in load(tmp_path, **files).facts
