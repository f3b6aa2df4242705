"""Loading into the real server: whole, once, and never half."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from command import run
from sources import write_facts, write_loader

import kgdb
from kgdb import loading
from kgdb.errors import LoadError, UsageError
from kgdb.language import Encoder
from kgdb.progress import Event, Progress

pytestmark = pytest.mark.integration


@pytest.fixture
def loader(tmp_path: Path) -> str:
    return str(write_loader(tmp_path, "small"))


def write_source(path: Path, triples: int) -> Path:
    """A ring of entities with chords: every line is a different triple."""
    facts = ((f"e{i % 997}", f"r{i % 7}", f"e{(i * i + 1) % 1009}x{i}") for i in range(triples))
    return write_facts(path, facts)


def load(db: kgdb.Connection, loader: str, source: Path, **options: bool) -> loading.LoadResult:
    with loading.prepare(loading.read_spec(loader), source) as prepared:
        return loading.load(prepared, db, **options)


def stored(db: kgdb.Connection, label: str) -> tuple[int, int]:
    """How many nodes and relationships of a label the store holds, by plain Cypher."""
    records, _, _ = db.driver.execute_query(
        "MATCH (n) WHERE $label IN labels(n) OPTIONAL MATCH (n)-[r]->() "
        "RETURN count(DISTINCT n) AS nodes, count(r) AS relationships",
        label=label,
    )
    return records[0]["nodes"], records[0]["relationships"]


def test_a_load_stores_what_the_source_says(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    result = load(clean, loader, write_source(tmp_path / "source.tsv", 12_000))
    assert result.loaded
    assert stored(clean, "Small") == (result.graph.entities, 12_000)
    assert result.graph.relations == 7
    assert sum(info.count for info in clean.graph("small").relations.values()) == 12_000


def test_an_index_that_a_killed_load_left_without_its_constraint_is_no_obstacle(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    """Neo4j makes the index of a constraint first, and may end between the two."""
    clean.driver.execute_query("CREATE INDEX kgdb_Small_id FOR (n:Small) ON (n.id)")
    graph = load(clean, loader, write_source(tmp_path / "source.tsv", 100)).graph
    records, _, _ = clean.driver.execute_query(
        "SHOW INDEXES YIELD name, owningConstraint AS owner WHERE name = 'kgdb_Small_id' "
        "RETURN owner"
    )
    assert [record["owner"] for record in records] == ["kgdb_Small_id"]
    loading.unload(clean, graph)
    clean.driver.execute_query("CREATE INDEX kgdb_Small_id FOR (n:Small) ON (n.id)")
    loading.unload(clean, graph)
    records, _, _ = clean.driver.execute_query("SHOW INDEXES YIELD name RETURN name")
    assert not [record for record in records if "Small" in record["name"]]


def test_the_same_source_again_does_nothing(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source.tsv", 100)
    first = load(clean, loader, source)
    assert not load(clean, loader, source).loaded
    assert clean.graph("small").info == first.graph


def test_another_source_is_refused_and_replaces_when_told(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    load(clean, loader, write_source(tmp_path / "source.tsv", 100))
    other = write_source(tmp_path / "other.tsv", 60)
    with pytest.raises(UsageError, match="--replace"):
        load(clean, loader, other)
    assert stored(clean, "Small")[1] == 100
    load(clean, loader, other, replace=True)
    assert stored(clean, "Small")[1] == 60


def test_relations_that_a_replacement_has_not_are_gone(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    old = write_facts(tmp_path / "old.tsv", [("a", "stays", "b"), ("a", "goes", "c")])
    load(clean, loader, old)
    clean.driver.execute_query("MATCH (r:Relation {kg: 'small'}) SET r.embedding = [1.0]")
    new = write_facts(tmp_path / "new.tsv", [("a", "stays", "b"), ("a", "comes", "c")])
    load(clean, loader, new, replace=True)
    assert set(clean.graph("small").relations) == {"stays", "comes"}
    records, _, _ = clean.driver.execute_query(
        "MATCH (r:Relation {kg: 'small'}) RETURN r.id AS id, r.embedding AS embedding ORDER BY id"
    )
    assert [record.values() for record in records] == [["comes", None], ["stays", None]]


def test_a_label_of_another_graph_is_refused(
    clean: kgdb.Connection, demo: kgdb.KnowledgeGraph, tmp_path: Path
) -> None:
    loader = write_loader(tmp_path, "small", label="Demo")
    before = stored(clean, "Demo")
    with pytest.raises(UsageError, match="'Demo' belongs to the graph 'demo'"):
        load(clean, str(loader), write_source(tmp_path / "source.tsv", 10))
    assert stored(clean, "Demo") == before


def test_nodes_of_somebody_else_are_refused_and_never_removed(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source.tsv", 100)
    clean.driver.execute_query("CREATE (:Small {id: 'mine'})")
    try:
        with pytest.raises(UsageError, match="'Small' that kgdb did not load"):
            load(clean, loader, source)
        assert stored(clean, "Small") == (1, 0)
        clean.driver.execute_query("MATCH (n:Small) REMOVE n:Small SET n:Mine")
        load(clean, loader, source)
        clean.driver.execute_query("MATCH (n:Mine) SET n:Small")
        loading.unload(clean, clean.graph("small").info)
        assert stored(clean, "Small") == (1, 0)
    finally:
        clean.driver.execute_query("MATCH (n {id: 'mine'}) DETACH DELETE n")


def test_a_replacement_that_cannot_be_stored_leaves_the_graph_alone(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    load(clean, loader, write_source(tmp_path / "source.tsv", 100))
    long = tmp_path / "long.tsv"
    long.write_text("a\tr\t" + "b" * 100_000 + "\n", encoding="utf-8")
    with pytest.raises(LoadError, match="an id longer than 7,000 bytes"):
        load(clean, loader, long, replace=True)
    assert stored(clean, "Small")[1] == 100


def test_a_malformed_source_leaves_the_database_alone(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    source = tmp_path / "source.tsv"
    source.write_text("no tabs here\n" * 200 + "a\tr\tb\n", encoding="utf-8")
    with pytest.raises(LoadError, match="200 of 201 records are malformed"):
        load(clean, loader, source)
    assert "small" not in {info.name for info in clean.graphs()}


def test_relations_that_cannot_be_described_stop_a_load_which_then_goes_on(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    def broken() -> Encoder:
        raise OSError("the model file is cut off")

    source = write_source(tmp_path / "source.tsv", 6_000)
    with (
        loading.prepare(loading.read_spec(loader), source) as prepared,
        pytest.raises(OSError, match="cut off"),
    ):
        loading.load(prepared, clean, encoder=broken)
    assert {info.name: info.state for info in clean.graphs()}["small"] == "loading"
    result = load(clean, loader, source)
    assert stored(clean, "Small") == (result.graph.entities, 6_000)
    assert clean.graph("small").info.state == "ready"


def test_batches_that_are_written_side_by_side_never_deadlock(
    clean: kgdb.Connection,
    loader: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Hundreds of small batches, all of the same 60 entities.
    monkeypatch.setattr("kgdb.loading.writing.load_job.BATCH", 20)
    draw = random.Random(7)
    nodes = [f"e{number}" for number in range(60)]
    facts = {(draw.choice(nodes), f"r{draw.randrange(9)}", draw.choice(nodes)) for _ in range(9000)}
    source = write_facts(tmp_path / "source.tsv", sorted(facts))
    with caplog.at_level("WARNING", logger="neo4j"):
        load(clean, loader, source)
    assert stored(clean, "Small") == (60, len(facts))
    assert [record.getMessage() for record in caplog.records] == []  # the driver tells retries


def test_unloading_leaves_nothing(clean: kgdb.Connection, loader: str, tmp_path: Path) -> None:
    schema_before = schema(clean)
    load(clean, loader, write_source(tmp_path / "source.tsv", 100))
    loading.unload(clean, clean.graph("small").info)
    assert stored(clean, "Small") == (0, 0)
    assert schema(clean) == schema_before
    records, _, _ = clean.driver.execute_query(
        "MATCH (n) WHERE n.kg = 'small' OR n.name = 'small' RETURN n"
    )
    assert records == []


def test_unloading_the_last_graph_leaves_no_constraint(
    clean: kgdb.Connection, demo: kgdb.KnowledgeGraph, loader: str, tmp_path: Path
) -> None:
    def constraints() -> set[str]:
        records, _, _ = clean.driver.execute_query("SHOW CONSTRAINTS YIELD name RETURN name")
        return {record["name"] for record in records}

    load(clean, loader, write_source(tmp_path / "source.tsv", 100))
    try:
        loading.unload(clean, clean.graph("small").info)
        assert constraints() == {"kgdb_graph", "kgdb_relation", "kgdb_Demo_id"}
        loading.unload(clean, demo.info)
        assert constraints() == set()
    finally:
        with loading.prepare(loading.read_spec("demo")) as prepared:
            loading.load(prepared, clean)
    assert constraints() == {"kgdb_graph", "kgdb_relation", "kgdb_Demo_id"}


def test_what_is_left_of_an_unload_that_was_stopped_is_not_shown_as_ready(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source.tsv", 12_000)
    whole = load(clean, loader, source).graph

    def interrupt(event: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loading.unload(clean, whole, report=interrupt)
    assert 0 < stored(clean, "Small")[0] < whole.entities
    assert {info.name: info.state for info in clean.graphs()}["small"] == "removing"
    with pytest.raises(UsageError, match="is being removed, or its removal was stopped") as refused:
        clean.graph("small")
    assert refused.value.hint == "kgdb remove small removes the rest."
    again = load(clean, loader, source)
    assert again.loaded
    assert (again.graph.state, stored(clean, "Small")) == ("ready", (whole.entities, 12_000))


def test_a_load_tells_that_its_graph_is_removed(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source.tsv", 30_000)
    removed = threading.Event()

    def remove() -> None:
        (begun,) = (info for info in clean.graphs() if info.name == "small")
        loading.unload(clean, begun)

    remover = threading.Thread(target=remove)

    def watch(event: Event) -> None:
        if (
            isinstance(event, Progress)
            and event.stage == "loading triples"
            and not removed.is_set()
        ):
            removed.set()
            remover.start()

    with (
        loading.prepare(loading.read_spec(loader), source) as prepared,
        pytest.raises(LoadError, match="or another process removes the graph"),
    ):
        loading.load(prepared, clean, report=watch)
    remover.join()
    assert "small" not in {info.name for info in clean.graphs()}
    assert stored(clean, "Small") == (0, 0)


def test_the_command_accounts_for_every_record_to_a_program(
    clean: kgdb.Connection, tmp_path: Path
) -> None:
    edges = tmp_path / "edges.csv"
    edges.write_text("head,relation,tail,since\na,likes,b,1\na,likes,b,1\nbroken\n,likes,b,1\n")
    done = run("load", "csv", str(edges), "--as", "mine", "--json")
    found = json.loads(done.stdout)
    loading.unload(clean, clean.graph("mine").info)
    counted = {key: found[key] for key in ("records", "triples", "duplicates", "skipped", "other")}
    assert counted == {"records": 4, "triples": 1, "duplicates": 1, "skipped": 2, "other": 0}
    assert found["other_records"] == []
    assert [(each["line"], each["file"]) for each in found["malformed"]] == [
        (4, "edges.csv"),
        (None, None),
    ]
    assert found["notes"] == ["Properties of the relationships: since (whole number)"]
    assert found["notes"][0] in done.stderr


def schema(db: kgdb.Connection) -> set[str]:
    """The names of every index and constraint of single graphs."""
    records, _, _ = db.driver.execute_query("SHOW INDEXES YIELD name RETURN name")
    return {record["name"] for record in records} - {"kgdb_graph", "kgdb_relation"}


def test_a_killed_load_is_never_shown_and_starts_over(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source.tsv", 20_000)
    command = [sys.executable, "-m", "kgdb", "load", loader, str(source)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while not stored(clean, "Small")[0]:
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    assert {info.name: info.state for info in clean.graphs()}["small"] == "loading"
    with pytest.raises(UsageError, match="not complete"):
        clean.graph("small")
    result = load(clean, loader, source)
    assert stored(clean, "Small") == (result.graph.entities, 20_000)


def test_of_two_loads_at_once_one_wins_and_nothing_is_doubled(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source.tsv", 15_000)
    outcomes: list[str] = []

    def load_it() -> None:
        try:
            load(clean, loader, source)
            outcomes.append("loaded")
        except LoadError as error:
            outcomes.append(error.message)

    threads = [threading.Thread(target=load_it) for _ in range(2)]
    threads[0].start()
    time.sleep(0.3)
    threads[1].start()
    for thread in threads:
        thread.join()
    assert "loaded" in outcomes, outcomes
    assert stored(clean, "Small")[1] == 15_000


def test_a_load_that_meets_what_a_later_one_has_written_says_that_it_was_overtaken(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source.tsv", 600)
    later: list[bool] = []

    def overtake(event: Event) -> None:
        if isinstance(event, Progress) and event.stage == "loading entities" and not later:
            later.append(True)
            assert load(clean, loader, source).loaded

    with (
        loading.prepare(loading.read_spec(loader), source) as prepared,
        pytest.raises(LoadError, match="another load took over") as failure,
    ):
        loading.load(prepared, clean, report=overtake)
    assert later
    assert "constraint" not in str(failure.value)
    assert stored(clean, "Small")[1] == 600


def test_a_load_of_another_source_waits_for_one_that_runs_or_replaces_it_when_told(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source.tsv", 20_000)
    other = write_source(tmp_path / "other.tsv", 60)
    refusals: list[UsageError] = []

    def watch(event: Event) -> None:
        if isinstance(event, Progress) and event.stage == "loading triples" and not refusals:
            with pytest.raises(UsageError, match="is being loaded as 'small'") as refused:
                load(clean, loader, other)
            refusals.append(refused.value)

    with loading.prepare(loading.read_spec(loader), source) as prepared:
        assert loading.load(prepared, clean, report=watch).loaded
    (refusal,) = refusals
    assert str(source) in refusal.message
    for way_out in ("Wait", "--as NAME", "--replace"):
        assert way_out in (refusal.hint or "")
    assert stored(clean, "Small")[1] == 20_000


def test_a_load_that_was_stopped_is_replaced_by_another_source_only_when_told(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source.tsv", 20_000)
    other = write_source(tmp_path / "other.tsv", 60)

    def stop(event: Event) -> None:
        if isinstance(event, Progress) and event.stage == "loading triples" and event.done:
            raise KeyboardInterrupt

    def begin_and_stop() -> None:
        with (
            loading.prepare(loading.read_spec(loader), source) as prepared,
            pytest.raises(KeyboardInterrupt),
        ):
            loading.load(prepared, clean, report=stop)

    begin_and_stop()
    with pytest.raises(UsageError, match="or its load was interrupted"):
        load(clean, loader, other)
    assert load(clean, loader, source).loaded  # the same one goes on
    assert stored(clean, "Small")[1] == 20_000
    loading.unload(clean, clean.graph("small").info)
    begin_and_stop()
    assert load(clean, loader, other, replace=True).loaded
    assert stored(clean, "Small")[1] == 60


def test_of_two_sources_that_begin_at_once_under_one_name_one_is_refused(
    clean: kgdb.Connection, loader: str, tmp_path: Path
) -> None:
    sources = [
        write_facts(tmp_path / f"{name}.tsv", [(f"{name}{i}", "r", name) for i in range(6000)])
        for name in ("one", "other")
    ]
    begin = threading.Barrier(2)
    outcomes: dict[Path, object] = {}

    def load_it(source: Path) -> None:
        with loading.prepare(loading.read_spec(loader), source) as prepared:
            begin.wait()
            try:
                outcomes[source] = loading.load(prepared, clean).loaded
            except UsageError as error:
                outcomes[source] = error.message

    threads = [threading.Thread(target=load_it, args=[source]) for source in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (loaded,) = (source for source in sources if outcomes[source] is True)
    (refused,) = (outcomes[source] for source in sources if source != loaded)
    assert str(loaded) in str(refused)
    assert clean.graph("small").info.source == str(loaded)
    assert stored(clean, "Small") == (6001, 6000)


def test_metaqa_loads_whole(clean: kgdb.Connection, data: Path) -> None:
    result = load(clean, "metaqa", data / "metaqa" / "kb.txt.gz")
    graph = result.graph
    assert (graph.triples, graph.entities, graph.relations) == (133_582, 43_234, 9)
    assert stored(clean, "MetaQA") == (43_234, 133_582)
