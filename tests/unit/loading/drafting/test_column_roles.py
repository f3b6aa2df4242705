"""What a draft takes the columns of a table for, and a file for."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from drafts import drafted

from kgdb.errors import UsageError

pytestmark = [pytest.mark.unit, pytest.mark.slow]

Facts = set[tuple[str, str, str]]


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        (
            "id,schema:name,rdfs:label\n1,Ann,A\n",
            {("1", "schema:name", "Ann"), ("1", "rdfs:label", "A")},
        ),
        (
            "id,type,name\n1,City,Porto\n2,City,Braga\n",
            {("1", "type", "City"), ("2", "type", "City")},
        ),
        ("id,label,country\np,Porto,Portugal\n", {("p", "country", "Portugal")}),
        ("source,type,target\na,knows,b\n", {("a", "knows", "b")}),
        (
            "source,value,target\na,3,b\nb,4,c\n",
            {("a", "related_to", "b"), ("b", "related_to", "c")},
        ),
        (":START_ID(P),value,:END_ID(M),:TYPE\na,3,b,R\n", {("a", "R", "b")}),
        ("code,:ID,name\nx,1,Ann\n", {("1", "code", "x")}),
        ("event,start,end\nWWI,1914,1918\n", {("WWI", "start", "1914"), ("WWI", "end", "1918")}),
        ("1,Ann,\n2,Bob,\n", {("1", "related_to", "Ann"), ("2", "related_to", "Bob")}),
        (
            ",population,capital\n2001,10,Porto\n",
            {("2001", "population", "10"), ("2001", "capital", "Porto")},
        ),
        (",city,country\n0,Porto,Portugal\n", {("Porto", "country", "Portugal")}),
        ('id,{x},name\na,5" disc,B\n', {("a", "column2", '5" disc')}),
        ("{x},name,city\na,B,C\n", {("a", "city", "C")}),
        ('id,"5"" x\'",b\n1,2,c\n', {("1", "5\"_x'", "2"), ("1", "b", "c")}),
        (
            "id:ID,tags:string[],skip:IGNORE\n1,a;b,z\n2,c|d,z\n3,e,z\n",
            {("1", "tags", "a"), ("1", "tags", "b"), ("2", "tags", "c|d"), ("3", "tags", "e")},
        ),
    ],
)
def test_columns(tmp_path: Path, content: str, facts: Facts) -> None:
    found = drafted(tmp_path, "table.csv", content)
    assert (found.facts, found.counts.skipped) == (facts, 0)


def test_kinds_that_kgdb_uses_itself_are_left_out(tmp_path: Path) -> None:
    found = drafted(tmp_path, "nodes.csv", ":ID,:LABEL,x\n1,Person;Entity,y\n")
    assert found.labels["1"] == ["Person"]


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        ('{"head":"a","relation":"r","tail":["b","c"]}\n', {("a", "r", "b"), ("a", "r", "c")}),
        (
            '{"id":"b1","tags":["X"]}\n{"id":"b2","tags":"Y"}\n{"id":"b3","tags":""}\n',
            {("b1", "tags", "X"), ("b2", "tags", "Y")},
        ),
        (
            '{"tags":["X"],"name":["A","B"],"key":"k"}\n',
            {("k", "tags", "X"), ("k", "name", "A"), ("k", "name", "B")},
        ),
    ],
)
def test_lists(tmp_path: Path, content: str, facts: Facts) -> None:
    found = drafted(tmp_path, "table.jsonl", content)
    assert (found.facts, found.counts.skipped) == (facts, 0)


@pytest.mark.parametrize(
    ("name", "content", "delimiter"),
    [
        ("prices.csv", "name;price\n" + "".join(f"P{i};{i},5\n" for i in range(300)), ";"),
        ("prices.CSV.bz2", "name|about\n" + "".join(f"P{i}|a, b\n" for i in range(300)), "|"),
        ("quoted.csv", '"name";"price, EUR"\n"A";"1,5"\n', ";"),
        ("said.csv", "sep=|\nname|a,b\nX|1,2\n", "|"),
        ("tab.csv", "sep=\t\nname\ta,b\nX\t1,2\n", "\\t"),
    ],
)
def test_delimiters(tmp_path: Path, name: str, content: str, delimiter: str) -> None:
    found = drafted(tmp_path, name, content)
    assert f'delimiter = "{delimiter}"' in found.text
    assert found.counts.skipped == 0


def test_row_names_of_r_have_no_header(tmp_path: Path) -> None:
    found = drafted(tmp_path, "r.txt", '"name"\t"age"\n"1"\t"Ann"\t3\n"2"\t"Bob"\t4\n')
    assert found.facts == {("Ann", "age", "3"), ("Bob", "age", "4")}


def test_the_beginning_may_end_within_a_quoted_field(tmp_path: Path) -> None:
    rows = (f'"n{i}","a ""line"" of {i}\nthe second\nthe third","City"\n' for i in range(25_000))
    found = drafted(tmp_path, "big.csv", "id,note,kind\n" + "".join(rows))
    assert (found.format, found.counts.records, found.counts.skipped) == ("csv", 50_000, 0)


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("x.ttl", '@prefix x: <http://x/> .\n<http://a> <http://p> "0"^^x:integer .\n', "turtle"),
        ("y.tsv", "<A>\t<wasBornIn>\t<B>\n<C>\t<wasBornIn>\t<B>\n", "delimited"),
        ("z.ttl", "[] a <http://e/X> ; <http://e/p> <http://e/y> .\n", "turtle"),
        ("k.ttl", "<http://e/a>\n  <http://e/p> <http://e/y> .\n", "turtle"),
        ("l.ttl", "<http://e/a> <http://e/p> <http://e/b> , <http://e/c> .\n", "turtle"),
        ("u.nt", "<http://e/a> <http://e/p> <http://e/Caf%E9> .\n", "ntriples"),
        ("hash.tsv", "#a\tr\t1\n#b\tr\t2\n", "delimited"),
        ("empty.csv", "\n\nhead,relation,tail\na,r,b\n", "csv"),
    ],
)
def test_formats(tmp_path: Path, name: str, content: str, format: str) -> None:
    found = drafted(tmp_path, name, content)
    assert (found.format, found.counts.skipped) == (format, 0)


@pytest.mark.parametrize(
    ("name", "content", "says", "hint"),
    [
        (
            "names.csv",
            "id,name\n1,Ann\n2,Bob\n",
            "nothing that relates entities",
            "edges.csv",
        ),
        (
            "nested.jsonl",
            '{"subjects": [{"id": "Q1"}], "predicate": "P1", "objects": [{"id": "Q2"}]}\n',
            "fewer than two usable columns",
            "Objects (subjects, objects) cannot be values",
        ),
    ],
)
def test_what_makes_no_graph(tmp_path: Path, name: str, content: str, says: str, hint: str) -> None:
    with pytest.raises(UsageError, match=says) as failure:
        drafted(tmp_path, name, content)
    assert hint in (failure.value.hint or "")


_PRIMEKG = """relation,display_relation,x_index,x_id,x_type,x_name,x_src,y_index,y_id,y_type,y_name
drug_protein,carrier,14012,DB09130,drug,Copper,DrugBank,0,9796,gene/protein,PHYHIP
disease_protein,associated with,27158,9796,disease,Osteogenesis,MONDO,0,9796,gene/protein,PHYHIP
"""


def test_what_a_table_of_triples_says_of_both_ends(tmp_path: Path) -> None:
    found = drafted(tmp_path, "primekg.csv", _PRIMEKG)
    assert found.facts == {
        ("14012", "drug_protein", "0"),
        ("27158", "disease_protein", "0"),
    }
    assert found.names == {"14012": "Copper", "27158": "Osteogenesis", "0": "PHYHIP"}
    assert found.labels == {"14012": ["drug"], "27158": ["disease"], "0": ["gene/protein"]}
    assert found.unsure == 0
    assert "# Left out: x_id, x_src, y_id.\n" in found.text
    assert "# Properties of the relationship: display_relation.\n" in found.text


@pytest.mark.parametrize(
    ("content", "fact", "names", "labels"),
    [
        (
            "PREDICATE,SUBJECT_CUI,SUBJECT_NAME,SUBJECT_SEMTYPE,OBJECT_CUI,OBJECT_NAME,"
            "OBJECT_SEMTYPE\nTREATS,C1,Aspirin,phsu,C2,Headache,sosy\n",
            ("C1", "TREATS", "C2"),
            {"C1": "Aspirin", "C2": "Headache"},
            {"C1": ["phsu"], "C2": ["sosy"]},
        ),
        (
            "head,head_type,relation,tail,tail_type\nAspirin,Entity,treats,Pain,Symptom\n",
            ("Aspirin", "treats", "Pain"),
            {"Aspirin": "Aspirin", "Pain": "Pain"},
            {"Aspirin": [], "Pain": ["Symptom"]},
        ),
        (
            "source,source_id,target,target_id\nAda,1,Charles,2\n",
            ("1", "related_to", "2"),
            {"1": "Ada", "2": "Charles"},
            {"1": [], "2": []},
        ),
    ],
)
def test_ends_by_other_names(
    tmp_path: Path,
    content: str,
    fact: tuple[str, str, str],
    names: dict[str, str],
    labels: dict[str, list[str]],
) -> None:
    found = drafted(tmp_path, "table.csv", content)
    assert found.facts == {fact}
    assert found.names == names
    assert {id_: kinds or [] for id_, kinds in found.labels.items()} == labels


def test_rows_without_an_end_are_counted(tmp_path: Path) -> None:
    found = drafted(tmp_path, "table.csv", _PRIMEKG + "ppi,ppi,1,7,drug,Tin,X,,,,\n")
    assert (found.counts.triples, found.counts.records, found.names["1"]) == (2, 3, "Tin")


@pytest.mark.parametrize("middle", ["metaedge", "how", "interaction"])
def test_what_stands_between_both_ends_is_the_relation(tmp_path: Path, middle: str) -> None:
    found = drafted(tmp_path, "e.sif", f"source\t{middle}\ttarget\nG::1\tGpBP\tP::2\n")
    assert found.facts == {("G::1", "GpBP", "P::2")}


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        (
            "Entity\tRelation\tValue\tProbability\tSource\nparis\tin\tfrance\t0.9\tMBL\n",
            {("paris", "in", "france")},
        ),
        ("protein1 protein2 score\nP1 P2 490\nP1 P3 198\n", {("P1", "P2"), ("P1", "P3")}),
        (
            "id\tnode1\tlabel\tnode2\tnode1;label\tnode2;label\nE1\tQ42\tP31\tQ5\tAdams\thuman\n",
            {("Q42", "P31", "Q5")},
        ),
        (
            "entity\tentity_type\tproperty\tvalue\tvalue_type\nPorto\tCity\tarea\t41\tint\n",
            {("Porto", "area", "41")},
        ),
        ("entity\ttype\tcountry\nPorto\tCity\tPortugal\n", {("Porto", "country", "Portugal")}),
        ("name\tphone1\tphone2\nAnn\tx1\ty1\n", {("Ann", "phone1", "x1")}),
    ],
)
def test_ends_of_nell_string_and_kgtk(
    tmp_path: Path, content: str, facts: set[tuple[str, ...]]
) -> None:
    found = drafted(tmp_path, "edges.txt", content)
    wanted = {fact if len(fact) == 3 else (fact[0], "related_to", fact[1]) for fact in facts}
    assert wanted <= found.facts


def test_items_of_a_list_are_ids_of_other_rows(tmp_path: Path) -> None:
    rows = (
        '{"id": 1, "name": "Ada", "knows": [2], "n": [7]}\n{"id": 2, "name": "Bob", "knows": []}\n'
    )
    found = drafted(tmp_path, "people.jsonl", rows)
    assert found.facts == {("1", "knows", "2"), ("1", "n", "7")}
    assert set(found.names) == {"1", "2"}


def test_tabs_separate_whatever_the_file_is_called(tmp_path: Path) -> None:
    rows = '/a/[x,y]\t/r/IsA\t/c/cat\t/c/animal\t{"w": 1, "s": 2}\n' * 2
    found = drafted(tmp_path, "conceptnet.csv", rows)
    assert ("/a/[x,y]", "column2", "/r/IsA") in found.facts


_SPARQL = """item,itemLabel,country,countryLabel,population
http://w/Q64,Berlin,http://w/Q183,Germany,3769000
http://w/Q90,Paris,http://w/Q142,France,2161000
http://w/Q1718,Bonn,http://w/Q183,Germany,
"""


def test_names_beside_the_ids_of_a_row_and_of_what_it_links_to(tmp_path: Path) -> None:
    found = drafted(tmp_path, "cities.csv", _SPARQL)
    assert found.facts == {
        ("http://w/Q64", "country", "http://w/Q183"),
        ("http://w/Q64", "population", "3769000"),
        ("http://w/Q90", "country", "http://w/Q142"),
        ("http://w/Q90", "population", "2161000"),
        ("http://w/Q1718", "country", "http://w/Q183"),
    }
    assert found.names["http://w/Q183"] == "Germany"
    assert found.names["http://w/Q64"] == "Berlin"
    assert found.unsure == 0


def test_a_column_of_ids_with_names_is_a_relation_to_what_they_name(tmp_path: Path) -> None:
    rows = "drug_id,drug_title,disease_id,disease\n1,Aspirin,D1,Pain\n1,Aspirin,D2,Fever\n"
    found = drafted(tmp_path, "drugs.csv", rows)
    assert found.facts == {("1", "disease", "D1"), ("1", "disease", "D2")}
    assert found.names == {"1": "Aspirin", "D1": "Pain", "D2": "Fever"}


def test_labels_are_of_the_rows_and_not_of_what_they_link_to(tmp_path: Path) -> None:
    rows = "id:ID,name,city,city_name,:LABEL\na,Acme,C1,Porto,Firm\nb,Blue,C2,Braga,Firm\n"
    found = drafted(tmp_path, "firms.csv", rows)
    assert (found.labels["a"], found.labels["C1"] or []) == (["Firm"], [])
    assert found.names["C2"] == "Braga"
    assert found.aliases["C2"] in ([], None)


def test_numbers_are_no_ids_of_what_a_row_links_to(tmp_path: Path) -> None:
    rows = "id,name,city_id,city_name\n1,Acme,2,Porto\n2,Blue,1,Braga\n3,Corp,7,Braga\n"
    found = drafted(tmp_path, "firms.csv", rows)
    assert found.names["1"] == "Acme"
    assert ("1", "city_name", "Porto") in found.facts


def test_an_end_that_is_a_list_has_no_name_of_its_own(tmp_path: Path) -> None:
    row = '{"head": "a", "head_type": "T", "rel": "r", "tail": ["b", "c"], "tail_type": "T"}\n'
    assert drafted(tmp_path, "lists.jsonl", row).facts == {("a", "r", "b"), ("a", "r", "c")}


def test_ends_in_parquet_are_of_any_type(tmp_path: Path) -> None:
    duckdb.sql(
        "SELECT 7 AS x_index, 'Tin' AS x_name, 'ppi' AS relation, 9 AS y_index, 'Zinc' AS y_name"
    ).write_parquet(str(tmp_path / "made.parquet"))
    found = drafted(tmp_path, "edges.parquet", (tmp_path / "made.parquet").read_bytes())
    assert (found.facts, found.names) == ({("7", "ppi", "9")}, {"7": "Tin", "9": "Zinc"})
