"""Freebase: a made dump that has each kind of line, and the published samples."""

from __future__ import annotations

from pathlib import Path

import pytest
from loaded import lines, load, load_once, sample

from kgdb.errors import LoadError

pytestmark = [pytest.mark.unit, pytest.mark.slow]

NS = "http://rdf.freebase.com/ns/"
ONTOLOGY = ("reverse_properties.txt.gz", "schema_roles.txt.gz", "mediator_properties.csv.gz")
KEY = "http://rdf.freebase.com/key/"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"

DUMP = [
    ("m.1", "type.object.name", '"Ada Weir"@en'),
    ("m.1", f"{RDFS}label", '"Ada Weir"@en'),
    ("m.1", "type.object.name", '"Ада Вейр"@ru'),
    ("m.1", "common.topic.alias", '"A. Weir"@en'),
    ("m.1", "type.object.type", "common.topic"),
    ("m.1", "type.object.type", "people.person"),
    ("m.1", "type.object.type", "base.popstra.celebrity"),
    ("m.1", "film.actor.film", "m.perf"),
    ("m.perf", "film.performance.actor", "m.1"),
    ("m.perf", "film.performance.film", "m.2"),
    ("m.perf", "type.object.type", "film.performance"),
    ("film.performance", "freebase.type_hints.mediator", '"true"'),
    ("film.actor.film", "type.property.reverse_property", "film.performance.actor"),
    ("film.actor.film", "type.property.expected_type", "film.performance"),
    ("film.actor.film", "type.object.name", '"Film performances"@en'),
    ("film.performance.actor", "type.object.name", '"Actor"@en'),
    ("film.performance.actor", "type.property.master_property", "film.actor.film"),
    ("m.2", "type.object.name", '"Tide"@en'),
    ("m.3", "type.object.name", '"Tide"@en'),
    ("m.3", "type.object.name", '"Ebbe"@de'),
    ("m.3", "film.film.sequel", "m.3"),
    ("m.4", "type.object.name", '"Flut"@de'),
    ("m.3", "film.film.prequel", "m.4"),
    ("m.2", "film.film.initial_release_date", '"1988"'),
    ("m.3", "film.film.initial_release_date", '"1988"'),
    ("m.3", "film.film.initial_release_date", '"1988"'),
    ("m.3", "film.film.initial_release_date", '"1989-02-01"'),
    ("m.3", "film.film.tagline", '"All flows"@en'),
    ("m.3", "film.film.tagline", '"Alles fließt"@de'),
    ("m.3", "film.film.tagline", '""@en'),
    ("m.3", "film.film.soundtrack", "_:b1"),
    ("m.3", "film.film.trailer_page", "http://tide.example/"),
    ("m.3", "common.topic.notable_types", "m.5"),
    ("m.3", "base.popstra.thing.seen", "m.1"),
    ("m.3", "user.someone.default.rated", "m.1"),
    ("m.3", "freebase.valuenotation.is_reviewed", "m.5"),
    ("m.3", f"{KEY}wikipedia.en", '"Tide"'),
]


def term(text: str) -> str:
    if text.startswith(('"', "_:")):
        return text
    return f"<{text}>" if "://" in text else f"<{NS}{text}>"


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dump") / "freebase.nt"
    path.write_text("".join("\t".join(map(term, line)) + "\t.\n" for line in DUMP))
    return path


def test_every_line_is_accounted_for(dump: Path) -> None:
    for subset in ("commons", "kbqa", "all"):
        loaded = load_once("freebase", dump, subset=subset)
        assert loaded.counts.records == len(DUMP)
        assert loaded.counts.skipped == 0


def test_ids_names_aliases_and_types(dump: Path) -> None:
    loaded = load_once("freebase", dump)
    assert loaded.entities["m.1"] == {
        "id": "m.1",
        "name": "Ada Weir",
        "aliases": ["A. Weir"],
        "labels": ["people.person"],
    }
    # Things of one name stay apart; without a name in the language the id is shown.
    assert (loaded.name("m.2"), loaded.name("m.3"), loaded.name("m.4")) == ("Tide", "Tide", "m.4")
    assert not any(entity.startswith("film.") for entity in loaded.entities)


def test_another_language_and_a_second_one(dump: Path) -> None:
    russian = load_once("freebase", dump, language="ru")
    assert (russian.name("m.1"), russian.name("m.2")) == ("Ада Вейр", "m.2")
    german = load_once("freebase", dump, language="de", fallback="en")
    assert [german.name(f"m.{number}") for number in (1, 2, 3, 4)] == [
        "Ada Weir",
        "Tide",
        "Ebbe",
        "Flut",
    ]
    tag = ("m.3", "film.film.tagline", "Alles fließt", None, "de")
    assert tag in german.literals


def test_a_property_and_its_inverse_are_one_relation(dump: Path) -> None:
    loaded = load_once("freebase", dump)
    assert ("m.1", "film.actor.film", "m.perf") in loaded.triples
    assert "film.performance.actor" not in loaded.relations
    # Twice the same fact, said the other way round, and a date that is repeated.
    assert loaded.counts.duplicates == 2
    assert loaded.text("film.actor.film") == "the film performances of {}"
    assert loaded.relations["film.actor.film"].inverse == "the actor of {}"
    kept = load_once("freebase", dump, inverses="both")
    assert ("m.perf", "film.performance.actor", "m.1") in kept.triples


def test_an_inverse_alone_is_turned_round(tmp_path: Path) -> None:
    path = tmp_path / "part.nt"
    line = ("m.perf", "film.performance.actor", "m.1")
    path.write_text("\t".join(map(term, line)) + "\t.\n")
    (tmp_path / "reverse_properties.txt").write_text(
        "film.performance.actor\tfilm.actor.film\nfilm.actor.film\tfilm.performance.actor\n"
    )
    loaded = load("freebase", path)
    assert loaded.triples == {("m.1", "film.actor.film", "m.perf")}
    assert loaded.counts.records == 3


def test_mediators_are_told_from_the_ontology(dump: Path, tmp_path: Path) -> None:
    assert load_once("freebase", dump).labels("m.perf") == ["Mediator", "film.performance"]
    assert load_once("freebase", dump).counts.mediators == 1
    acted_in = load_once("freebase", dump).relations["film.actor.film"]
    assert (acted_in.mediator_heads, acted_in.mediator_tails) == (False, True)
    part = tmp_path / "part.nt"
    part.write_text(
        "".join(
            "\t".join(map(term, line)) + "\t.\n" for line in DUMP if line[1] == "film.actor.film"
        )
    )
    assert load("freebase", part).counts.mediators == 0
    (tmp_path / "mediator_properties.csv").write_text("/film/actor/film\n")
    assert load("freebase", part).labels("m.perf") == ["Mediator"]


def test_literals_belong_to_one_subject_and_keep_their_kind(dump: Path) -> None:
    loaded = load_once("freebase", dump)
    dates = {row for row in loaded.literals if row[1] == "film.film.initial_release_date"}
    assert {(row[0], row[2]) for row in dates} == {
        ("m.2", "1988"),
        ("m.3", "1988"),
        ("m.3", "1989-02-01"),
    }
    page = ("m.3", "film.film.trailer_page", "http://tide.example/")
    assert (*page, "http://www.w3.org/2001/XMLSchema#anyURI", None) in loaded.literals
    assert ("m.3", "film.film.tagline", "All flows", None, "en") in loaded.literals
    assert loaded.other_records["texts in other languages"] == 1
    assert loaded.other_records["empty values"] == 1


def test_loops_and_blank_nodes_are_kept(dump: Path) -> None:
    loaded = load_once("freebase", dump)
    assert ("m.3", "film.film.sequel", "m.3") in loaded.triples
    assert ("m.3", "film.film.soundtrack", "_:b1") in loaded.triples
    assert loaded.name("_:b1") == "_:b1"


def test_what_a_subset_has(dump: Path) -> None:
    def relations(**options: str) -> set[str]:
        return set(load_once("freebase", dump, **options).relations)

    commons = relations()
    assert not {relation for relation in commons if not relation.startswith("film.")}
    assert relations(subset="kbqa") - commons == {
        "base.popstra.thing.seen",
        "common.topic.notable_types",
    }
    assert relations(also="user.someone key") - commons == {
        "user.someone.default.rated",
        "key.wikipedia.en",
    }
    assert commons - relations(leave_out="film.film") == {
        relation for relation in commons if relation.startswith("film.film.")
    }
    assert {"freebase.valuenotation.is_reviewed", "key.wikipedia.en"} <= relations(subset="all")
    assert "base.popstra.celebrity" in load_once("freebase", dump, subset="kbqa").labels("m.1")


def test_an_inverse_stays_where_its_forward_property_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "reverse_properties.txt").write_text(
        "media_common.quotation.author\tpeople.person.quotations\n"
    )
    path = tmp_path / "dump.nt"
    path.write_text(f"<{NS}m.1>\t<{NS}people.person.quotations>\t<{NS}m.2>\t.\n")
    turned = load("freebase", path).triples
    assert turned == {("m.2", "media_common.quotation.author", "m.1")}
    left_out = load("freebase", path, leave_out="media_common").triples
    assert left_out == {("m.1", "people.person.quotations", "m.2")}


def test_basekb_is_the_same_in_another_namespace(dump: Path, tmp_path: Path) -> None:
    other = tmp_path / "basekb.nt"
    other.write_text(dump.read_text().replace("rdf.freebase.com", "rdf.basekb.com"))
    first, second = load_once("freebase", dump), load("freebase", other)
    assert (first.triples, first.literals) == (second.triples, second.literals)
    assert first.entities == second.entities


@pytest.mark.parametrize(
    ("name", "options", "facts"),
    [
        ("dump_slice.nt.gz", {}, (23_870, 422, 3_783, 3_007)),
        ("dump_slice.nt.gz", {"subset": "kbqa"}, (26_597, 559, 4_246, 3_178)),
        ("basekb_10k.nt.gz", {}, (3_191, 324, 374, 631)),
        ("dump_2014-09-28_1000_lines.nt.gz", {"subset": "all"}, (956, 3, 0, 5)),
    ],
)
def test_the_published_samples(
    data: Path, name: str, options: dict[str, str], facts: tuple[int, ...]
) -> None:
    paths = sample(data, f"freebase/{name}", *(f"freebase/{each}" for each in ONTOLOGY))
    loaded = load("freebase", paths[0], **options)
    counts = loaded.counts
    assert (counts.triples, counts.relations, counts.mediators, counts.literals) == facts
    assert counts.records == lines(paths)
    assert counts.skipped == 2  # lines of the ontology that ran into one another
    assert not any(
        row["name"] != row["id"] for row in loaded.entities.values() if "Mediator" in row["labels"]
    )


def test_a_part_that_holds_no_fact_is_refused(data: Path) -> None:
    (path,) = sample(data, "freebase/dump_2014-09-28_1000_lines.nt.gz")
    with pytest.raises(LoadError, match="contains no triple"):
        load("freebase", path)
