"""FB15k-237, EMCKG and CMCKG, as they are published."""

from __future__ import annotations

from pathlib import Path

import pytest
from loaded import count, lines, load, sample

from kgdb.errors import UsageError
from kgdb.loading import prepare, read_spec

pytestmark = pytest.mark.unit

SPLITS = {
    "train.txt": "/m/1\t/film/film/genre\t/m/2\n/m/1\t/film/film/genre\t/m/2\n"
    "/m/1\t/film/film/starring./film/performance/actor\t/m/3\n",
    "valid.txt": "/m/3\t/people/person/spouse_s./people/marriage/spouse\t/m/3\n",
    "test.txt": "/m/3\t/influence/influence_node/influenced_by\t/m/4\n",
    "entity2text.txt": "/m/1\tTide\n/m/3\tTide\n/m/9\tNowhere\n",
}


@pytest.fixture
def splits(tmp_path: Path) -> Path:
    for name, text in SPLITS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_splits_of_fb15k(splits: Path) -> None:
    loaded = load("fb15k-237", splits)
    assert len(loaded.triples) == 4
    assert (loaded.counts.duplicates, loaded.counts.records) == (1, 8)
    assert loaded.name("/m/1") == loaded.name("/m/3") == "Tide"
    assert loaded.name("/m/4") == "/m/4"
    assert "/m/9" not in loaded.entities
    train = load("fb15k-237", splits, splits="train valid")
    assert train.other_records == {"names": 3, "the split test": 1}
    assert train.counts.records == 8


def test_relations_of_two_steps_read_as_two(splits: Path) -> None:
    loaded = load("fb15k-237", splits)
    assert {relation: loaded.text(relation) for relation in loaded.relations} == {
        "/film/film/genre": "the genre of {}",
        "/film/film/starring./film/performance/actor": "the actor of the starring of {}",
        "/people/person/spouse_s./people/marriage/spouse": "the spouse of the spouses of {}",
        "/influence/influence_node/influenced_by": "what {} is influenced by",
    }


def test_fb15k_needs_its_train_split(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"reads train\.txt\*, but"):
        load("fb15k-237", tmp_path)


@pytest.mark.slow
def test_the_published_fb15k(data: Path) -> None:
    names = ("train", "valid", "test", "entity2text")
    paths = sample(data, *(f"fb15k-237/{name}.txt.gz" for name in names))
    counts = count("fb15k-237", paths[0].parent)
    assert (counts.triples, counts.entities, counts.relations) == (310_116, 14_541, 237)
    assert (counts.records, counts.other) == (lines(paths), 14_951)


def test_the_published_emckg(data: Path) -> None:
    (path,) = sample(data, "emckg/train.txt.gz")
    loaded = load("emckg", path)
    counts = loaded.counts
    assert (counts.triples, counts.duplicates, counts.entities) == (5_798, 4, 1_123)
    assert counts.records == lines([path])
    assert loaded.name("Abscess_of_the_lung") == "Abscess of the lung"
    assert all(
        relation.text and relation.inverse and relation.question and relation.inverse_question
        for relation in loaded.relations.values()
    )


def test_what_only_describes_a_disease_is_its_own(tmp_path: Path) -> None:
    path = tmp_path / "cmckg.tsv"
    path.write_text(
        "甲\t治愈率\t90%\n乙\t治愈率\t90%\n甲\t症状\t发热\n甲\t别名\t丙\n甲\t症状\t发热\n"
    )
    loaded = load("cmckg", path)
    assert loaded.literals == {
        ("甲", "治愈率", "90%", None, "zh"),
        ("乙", "治愈率", "90%", None, "zh"),
    }
    assert loaded.triples == {("甲", "症状", "发热"), ("甲", "别名", "丙")}
    assert loaded.entities["甲"]["aliases"] == ["丙"]
    shared = load("cmckg", path, values="entities")
    assert {("甲", "治愈率", "90%"), ("乙", "治愈率", "90%")} <= shared.triples
    assert shared.counts.records == loaded.counts.records == 5


def test_the_published_chinese_graph(data: Path) -> None:
    (path,) = sample(data, "cmkg/triples.tsv.gz")
    with prepare(read_spec("cmckg"), path) as prepared:
        counts = prepared.counts
        assert not prepared.unused_texts()
        assert all(
            relation.text and relation.inverse and relation.question and relation.inverse_question
            for relation in prepared.relations()
        )
    assert (counts.triples, counts.entities, counts.literals) == (229_362, 31_546, 54_278)
    assert counts.records == lines([path])
    assert count("cmckg", path, values="entities").entities == 37_832
