"""The PageRank that a load writes: what it is, and that no stopped load shows a part of it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sources import write_facts, write_loader

import kgdb
from kgdb import loading
from kgdb.errors import LoadError, UsageError

pytestmark = pytest.mark.integration

Source = tuple[loading.LoaderSpec, Path]


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """A graph whose ranking takes a moment."""
    tails = [f"x{i}" if i % 2 else f"e{i * i % 997}" for i in range(8_000)]
    facts = [(f"e{i % 997}", f"r{i % 7}", tail) for i, tail in enumerate(tails)]
    spec = loading.read_spec(str(write_loader(tmp_path, "ranked")))
    return spec, write_facts(tmp_path / "ranked.tsv", facts)


def ranks(db: kgdb.Connection, label: str) -> dict[str, float | None]:
    records, _, _ = db.driver.execute_query(
        "MATCH (n) WHERE $label IN labels(n) RETURN n.id, n.pagerank", label=label
    )
    return {record[0]: record[1] for record in records}


def catalog(db: kgdb.Connection) -> set[str]:
    return {row["graphName"] for row in db.call("gds.graph.list")}


def test_a_loaded_graph_has_the_ranks_of_gds(clean: kgdb.Connection, source: Source) -> None:
    with loading.prepare(*source) as prepared:
        assert loading.load(prepared, clean).graph.pagerank
    graph = clean.graph("ranked")
    assert graph.info.pagerank
    with graph.project() as projection:
        records, _, _ = clean.driver.execute_query(
            "CALL gds.pageRank.stream($name) YIELD nodeId, score "
            "RETURN gds.util.asNode(nodeId).id, score",
            name=projection.name,
        )
    expected = {record[0]: record[1] for record in records}
    assert len(expected) == graph.info.entities
    assert len(set(expected.values())) > 10
    assert ranks(clean, "Ranked") == pytest.approx(expected)


def test_ranks_can_be_left_out(clean: kgdb.Connection, source: Source) -> None:
    with loading.prepare(*source) as prepared:
        loading.load(prepared, clean, pagerank=False)
    assert not clean.graph("ranked").info.pagerank
    assert set(ranks(clean, "Ranked").values()) == {None}


def test_a_load_that_is_killed_while_ranking_is_never_shown_and_leaves_nothing(
    clean: kgdb.Connection, source: Source, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "kgdb", "load", str(tmp_path / "ranked.toml"), str(source[1])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while not any(name.startswith("kgdb-load:ranked:") for name in catalog(clean)):
            assert process.poll() is None, process.communicate()
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    assert {info.name: info.state for info in clean.graphs()}["ranked"] == "loading"
    with pytest.raises(UsageError, match="not complete"):
        clean.graph("ranked")
    with loading.prepare(*source) as prepared:
        loading.load(prepared, clean)
    assert clean.graph("ranked").info.pagerank
    assert None not in ranks(clean, "Ranked").values()
    assert not any(name.startswith("kgdb-load:") for name in catalog(clean))


def test_unloading_drops_what_a_killed_load_left(clean: kgdb.Connection, source: Source) -> None:
    with loading.prepare(*source) as prepared:
        graph = loading.load(prepared, clean, pagerank=False).graph
    clean.call("gds.graph.project", "kgdb-load:ranked:x", "Ranked", "*")
    with clean.graph("ranked").project("kgdb-load:ranked-too:x"):
        loading.unload(clean, graph)
        assert "kgdb-load:ranked:x" not in catalog(clean)
        assert "kgdb-load:ranked-too:x" in catalog(clean)


def test_a_load_that_is_overtaken_while_ranking_writes_no_rank(
    clean: kgdb.Connection, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kgdb.loading.writing import pageranks

    projected = pageranks.projected
    overtaking: list[loading.LoadResult] = []

    @contextmanager
    def overtaken(*arguments: Any) -> Iterator[Any]:
        with projected(*arguments) as projection:
            if not overtaking:
                monkeypatch.setattr(pageranks, "projected", projected)
                with loading.prepare(*source) as prepared:
                    overtaking.append(loading.load(prepared, clean, pagerank=False))
            yield projection

    monkeypatch.setattr(pageranks, "projected", overtaken)
    with (
        loading.prepare(*source) as prepared,
        pytest.raises(LoadError, match="took over, or another process removes the graph"),
    ):
        loading.load(prepared, clean)
    assert clean.graph("ranked").info == overtaking[0].graph
    assert set(ranks(clean, "Ranked").values()) == {None}
    assert not any(name.startswith("kgdb-load:") for name in catalog(clean))
