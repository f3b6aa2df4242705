"""The subgraphs of WebQSP and CWQ: names for ids, mediators, and paths to be turned round."""

from __future__ import annotations

from pathlib import Path

import pytest
from loaded import count, lines, load, load_once, sample

pytestmark = [pytest.mark.unit, pytest.mark.slow]

FILES = {
    "webqsp_cwq_triples.tsv": [
        ("Ada Weir", "film.actor.film", "m.1"),
        ("m.1", "film.performance.film", "Tide"),
        ("Tide", "film.performance.film", "m.2"),
        ("Tide", "film.film.country", "Portugal"),
        ("Tide", "film.film.country", "Portugal"),
        ("Ebbe", "film.film.country", "Spain"),
        ("Tide", "film.film.sequel", "Tide"),
        ("Tide", "freebase.valuenotation.is_reviewed", "Country"),
    ],
    "webqsp_cwq_paths.tsv": [
        ("m.3", "film.actor.film", "Bo Lind"),
        ("Spain", "film.film.country", "Tide"),
        ("Ebbe", "film.film.country", "Portugal"),
        ("Ebbe", "film.film.initial_release_date", "1988-02-01"),
        ("Somewhere", "film.film.country", "Something"),
        ("Something", "unheard.of.relation", "Else"),
    ],
    "schema_roles.txt": [
        ("film.actor film.actor.film film.performance",),
        ("film.performance film.performance.actor film.actor",),
        ("film.performance film.performance.film film.film",),
        ("film.film film.film.country location.country",),
        ("film.film film.film.initial_release_date type.datetime",),
    ],
    "mediator_properties.csv": [("/film/actor/film",)],
    "reverse_properties.txt": [
        ("film.performance.actor", "film.actor.film"),
        ("film.actor.film", "film.performance.actor"),
    ],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("webqsp")
    for name, rows in FILES.items():
        (folder / name).write_text("".join("\t".join(row) + "\n" for row in rows))
    return folder


def test_the_triples_alone(folder: Path) -> None:
    loaded = load_once("webqsp-cwq", folder)
    assert loaded.triples == {
        ("Ada Weir", "film.actor.film", "m.1"),
        ("m.1", "film.performance.film", "Tide"),
        ("m.2", "film.performance.film", "Tide"),  # turned: a performance is of a film
        ("Tide", "film.film.country", "Portugal"),
        ("Ebbe", "film.film.country", "Spain"),
        ("Tide", "film.film.sequel", "Tide"),
    }
    assert loaded.counts.duplicates == 1
    assert loaded.other_records["paths"] == 6
    assert loaded.counts.records == sum(map(len, FILES.values()))
    assert loaded.labels("m.1") == ["Mediator"]
    assert loaded.labels("Tide") == []


def test_relations_tell_where_mediators_are_and_what_stands_against_them(folder: Path) -> None:
    relations = load_once("webqsp-cwq", folder).relations
    at = {id_: (each.mediator_heads, each.mediator_tails) for id_, each in relations.items()}
    assert at == {
        "film.actor.film": (False, True),
        "film.performance.film": (True, False),
        "film.film.country": (False, False),
        "film.film.sequel": (False, False),
    }
    assert relations["film.film.country"].inverse == "the film with {} as country"


def test_paths_are_turned_where_the_ontology_tells_their_direction(folder: Path) -> None:
    loaded = load_once("webqsp-cwq", folder, paths="known")
    assert loaded.triples - load_once("webqsp-cwq", folder).triples == {
        ("Bo Lind", "film.actor.film", "m.3"),
        ("Tide", "film.film.country", "Spain"),
        ("Ebbe", "film.film.country", "Portugal"),
    }
    assert loaded.literals == {
        (
            "Ebbe",
            "film.film.initial_release_date",
            "1988-02-01",
            "http://www.w3.org/2001/XMLSchema#date",
            None,
        )
    }
    assert loaded.other_records["paths whose direction the ontology does not tell"] == 2


def test_the_other_paths_as_they_are(folder: Path) -> None:
    loaded = load_once("webqsp-cwq", folder, paths="all")
    assert {
        ("Somewhere", "film.film.country", "Something"),
        ("Something", "unheard.of.relation", "Else"),
    } <= loaded.triples
    assert "paths whose direction the ontology does not tell" not in loaded.other_records


def test_a_property_and_its_inverse(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "reverse_properties.txt").symlink_to(folder / "reverse_properties.txt")
    path = tmp_path / "alone.tsv"
    path.write_text("m.1\tfilm.performance.actor\tAda Weir\n")
    once = load("webqsp-cwq", path)
    assert once.triples == {("Ada Weir", "film.actor.film", "m.1")}
    assert once.relations["film.actor.film"].inverse == "the actor of {}"
    both = load("webqsp-cwq", path, inverses="both")
    assert both.triples == {("m.1", "film.performance.actor", "Ada Weir")}


@pytest.mark.parametrize(
    ("paths", "facts"),
    [("none", (10_953, 722, 2_527, 0)), ("known", (42_588, 1_343, 13_666, 701))],
)
def test_the_published_files(data: Path, paths: str, facts: tuple[int, ...]) -> None:
    files = sample(
        data,
        "freebase/webqsp_cwq_triples.tsv.gz",
        "freebase/webqsp_cwq_paths_direction_unverified.tsv.gz",
        "freebase/reverse_properties.txt.gz",
        "freebase/schema_roles.txt.gz",
        "freebase/mediator_properties.csv.gz",
    )
    counts = count("webqsp-cwq", files[0], paths=paths)
    assert (counts.triples, counts.relations, counts.mediators, counts.literals) == facts
    assert counts.records == lines(files)
    assert counts.skipped == 2  # lines of the ontology that ran into one another


def test_turned_paths_agree_with_what_is_known(data: Path, tmp_path: Path) -> None:
    """Of triples that are sure, half of them swapped, 97 of a hundred come back as they were."""
    files = sample(
        data,
        "freebase/webqsp_cwq_triples.tsv.gz",
        "freebase/schema_roles.txt.gz",
        "freebase/mediator_properties.csv.gz",
    )
    for file in files:
        (tmp_path / file.name).symlink_to(file)
    known = sorted(load("webqsp-cwq", tmp_path).triples)
    sure = [triple for number, triple in enumerate(known) if number % 4]
    asked = known[::4]
    (tmp_path / files[0].name).unlink()
    for name, triples in (("triples", sure), ("paths", asked)):
        rows = (
            (tail, relation, head) if name == "paths" and number % 2 else (head, relation, tail)
            for number, (head, relation, tail) in enumerate(triples)
        )
        text = "".join("\t".join(row) + "\n" for row in rows)
        (tmp_path / f"webqsp_cwq_{name}.tsv").write_text(text)
    turned = load("webqsp-cwq", tmp_path, paths="known").triples - set(sure)
    assert len(turned) > 0.8 * len(asked)
    assert len(turned & set(asked)) > 0.97 * len(turned)


def test_an_inverse_stays_where_its_forward_property_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "reverse_properties.txt").write_text(
        "measurement_unit.dimension.units\tfreebase.unit_profile.dimension\n"
    )
    path = tmp_path / "alone.tsv"
    path.write_text("Length\tmeasurement_unit.dimension.units\tMetre\n")
    triples = load("webqsp-cwq", path).triples
    assert triples == {("Length", "measurement_unit.dimension.units", "Metre")}
    everything = load("webqsp-cwq", path, leave_out="").triples
    assert everything == {("Metre", "freebase.unit_profile.dimension", "Length")}


def test_values_have_the_datatype_of_their_form(tmp_path: Path) -> None:
    (tmp_path / "schema_roles.txt").write_text("tv.show tv.show.air_time type.datetime\n")
    path = tmp_path / "alone.tsv"
    types = {
        "1988": "gYear",
        "-0912": "gYear",
        "1988-02": "gYearMonth",
        "1988-02-01": "date",
        "1988-02-01T05:12:00Z": "dateTime",
        "T17:00": None,
        "-930": None,
    }
    path.write_text("".join(f"Tide\ttv.show.air_time\t{value}\n" for value in types))
    loaded = load("webqsp-cwq", path)
    xsd = "http://www.w3.org/2001/XMLSchema#"
    assert {row[2]: row[3] for row in loaded.literals} == {
        value: type_ and xsd + type_ for value, type_ in types.items()
    }
