"""What RoK retrieves: main paths and their ranks, neighbours beside them, chains that widen."""

from __future__ import annotations

import pytest
from fakes import MemoryDriver, memory_graph, opened, reasoner
from films import FILMS, JOINED, TEXTS, TWO_HOPS, films
from outcomes import names, ranked, said, stages
from scripted import ScriptedModel
from scripted_rok import ask, replies

from kgdb.values import Step

pytestmark = pytest.mark.unit


MANY = [("Snow Whale", f"relation_{number}", f"thing {number}") for number in range(80)]


def test_where_nothing_may_be_asked_of_many_relations_there_are_neighbours() -> None:
    # Two names that are not written as in the graph: all five round trips are used.
    given = replies("", ["quit shore", "snow whal"])
    driver = MemoryDriver([*FILMS, *MANY], TEXTS)
    answer = ask("who is behind it?", given, driver=driver, main_paths=1)
    assert {"main paths", "neighbors"} <= set(stages(answer))
    assert answer.usage.round_trips == 5


def test_in_a_graph_of_many_relations_too() -> None:
    for given in (None, replies("Ken Amagiri", ["quit shore"]), replies("", ["rex"])):
        driver = MemoryDriver([*FILMS, *MANY], TEXTS)
        answer = ask("who directed Snow Whale?", given, driver=driver)
        assert "Ken Amagiri" in {e.name for path in answer.retrieved for e in path.entities}
        assert answer.usage.round_trips <= 5


def test_paths_with_more_key_entities_come_first_then_those_of_higher_rank() -> None:
    question = "Ada Weir, Quiet Shore, Rex Hallorand?"
    main = said(ask(question, rank="pagerank"), "main paths")["main"]
    order = [(path["keys"], path["rank"]) for path in main]
    assert order == sorted(order, reverse=True)
    assert {keys for keys, _ in order} == {2, 3}
    flat = said(ask(question, buckets=False), "main paths")["main"]
    ranks = [path["rank"] for path in flat]
    assert ranks == sorted(ranks, reverse=True)
    assert [path["path"] for path in flat] != [path["path"] for path in main]


def test_the_ranks_are_means_of_the_pagerank_of_the_paths_sub_graph() -> None:
    driver = films()
    answer = ask(JOINED, driver=driver, max_hops=2, damping=0.5)
    ((_, asked),) = [call for call in driver.sent if call[0] == "pagerank"]
    assert sorted(asked["nodes"][0]) == ["Ken Amagiri", "Rex Hallorand", "Snow Whale"]
    assert sorted(asked["relationships"][0]) == [
        ("Snow Whale", "Ken Amagiri"), ("Snow Whale", "Rex Hallorand"),
    ]  # fmt: skip
    assert asked["config"] == {"kg": "test", "direction": "both", "dampingFactor": 0.5}
    (path,) = said(answer, "main paths")["main"]
    ranked = memory_graph(films()).pagerank(
        asked["nodes"][0], asked["relationships"][0], direction="both", damping_factor=0.5
    )
    assert path["rank"] == pytest.approx(sum(row.score for row in ranked) / 3, abs=1e-6)


@pytest.mark.parametrize(
    ("question", "relation"),
    [("who was behind Quiet Shore?", "directed_by"), ("when was Quiet Shore?", "release_year")],
)
def test_who_and_when_are_told_apart(question: str, relation: str) -> None:
    requests = {"directed_by": "who made {}?", "release_year": "when was {}?"}
    texts = {name: {"text": "the like of {}", "question": text} for name, text in requests.items()}
    driver = MemoryDriver(
        [("Quiet Shore", "directed_by", "Somebody"), ("Quiet Shore", "release_year", "1989")], texts
    )
    (best, *_) = said(ask(question, driver=driver), "widen")["chains"]
    assert best["chain"] == relation


@pytest.mark.parametrize("rank", ["degree", "random", "none"])
def test_other_ranks_ask_for_no_pagerank(rank: str) -> None:
    driver = films()
    answer = ask(JOINED, driver=driver, rank=rank)
    assert "pagerank" not in [name for name, _ in driver.sent]
    assert ranked(answer) == ["Snow Whale"]


@pytest.mark.parametrize(("main_paths", "ranked_by"), [(30, "none"), (1, "pagerank")])
def test_where_chains_need_the_round_trip_paths_are_ranked_only_to_leave_some_out(
    main_paths: int, ranked_by: str
) -> None:
    # The question names one entity alone, so chains are asked about too; of what the model names
    # one is not written as in the graph, which takes a second round trip.
    given = replies("", ["quit shore", "rex"], [], ["Ken Amagiri"])
    driver = MemoryDriver([*FILMS, *MANY], TEXTS)
    answer = ask(
        "who directed Snow Whale?", given, driver=driver, max_hops=4, main_paths=main_paths
    )
    assert said(answer, "main paths")["ranked_by"] == ranked_by
    asked = [name for name, _ in driver.sent]
    assert ("pagerank" in asked) == (ranked_by == "pagerank")
    assert answer.usage.round_trips <= 5
    # Without a question about the relations around it, nothing of many is known to follow.
    assert ("neighbors" in stages(answer)) == (ranked_by == "pagerank")


def test_random_ranks_are_drawn_by_the_seed() -> None:
    def order(seed: int) -> list[str]:
        answer = ask("Ada Weir, Rex Hallorand, Barnaby Crake?", rank="random", seed=seed)
        return [path["path"] for path in said(answer, "main paths")["main"]]

    assert order(1) == order(1)
    assert len({tuple(order(seed)) for seed in range(5)}) > 1


@pytest.mark.parametrize("most", [1, 2, 4])
def test_no_more_main_paths_than_asked(most: int) -> None:
    answer = ask("Ada Weir, Rex Hallorand, Barnaby Crake?", main_paths=most)
    assert len(said(answer, "main paths")["main"]) == most


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_no_path_is_longer_than_asked(hops: int) -> None:
    for question in (TWO_HOPS, JOINED):
        assert all(len(path.steps) <= hops for path in ask(question, max_hops=hops).retrieved)


def test_a_branch_never_takes_a_relation_that_the_main_path_takes_there() -> None:
    answer = ask(JOINED, max_hops=2, neighbors_kept=100)
    (main, *branches) = answer.retrieved
    assert [entity.id for entity in main.entities] == ["Ken Amagiri", "Snow Whale", "Rex Hallorand"]
    directed, acted = Step("directed_by", reverse=True), Step("starred_actors", reverse=True)
    taken = {("Ken Amagiri", directed), ("Rex Hallorand", acted)}
    assert not taken & {(path.entities[0].id, path.steps[0]) for path in branches}
    assert said(ask(JOINED, max_hops=2), "neighbors")["neighbors"] == 0


def test_neighbours_that_the_model_finds_relevant_are_kept() -> None:
    answer = ask("Snow Whale?", replies("", [], [2], ["1989"]), chains=1, max_hops=1)
    (branch,) = said(answer, "filter neighbors")["kept"]
    assert said(answer, "filter neighbors")["of"] > 1
    assert answer.retrieved[-1].entities[0].id == "Snow Whale"
    assert branch.startswith("Snow Whale –")
    none = ask("Snow Whale?", replies("", [], []), chains=1, max_hops=1)
    assert said(none, "filter neighbors")["kept"] == []


def test_without_neighbours_nothing_is_asked_about_them() -> None:
    for question in (TWO_HOPS, JOINED):
        answer = ask(question, replies("", [], [1], []), neighbors=False)
        assert "filter neighbors" not in stages(answer)
        assert answer.usage.calls == 3


def test_widening_can_be_switched() -> None:
    never = ask(TWO_HOPS, widen="never")
    assert "widen" not in stages(never)
    assert all(len(path.steps) == 1 for path in never.retrieved)
    assert "widen" not in stages(ask(JOINED))
    always = ask(JOINED, widen="always")
    assert {"main paths", "widen"} <= set(stages(always))
    assert ranked(always)[0] == "Snow Whale"


def test_entities_that_no_path_joins_are_widened() -> None:
    answer = ask("who directed Snow Whale and Loner?", driver=MemoryDriver(
        FILMS, TEXTS, {"Loner": "Loner"}
    ))  # fmt: skip
    assert "main paths" not in stages(answer)
    assert ranked(answer) == ["Ken Amagiri"]


def test_entities_of_one_name_are_one_key_entity() -> None:
    twins = {"Ada Weir": "Ada Weir", "other": "Ada Weir"}
    driver = MemoryDriver([*FILMS, ("Quiet Shore", "written_by", "other")], TEXTS, twins)
    answer = ask(TWO_HOPS, driver=driver)
    assert "main paths" not in stages(answer)
    assert names(answer) == {"Ken Amagiri", "Harriet Coldmoor"}


def test_a_model_reads_neighbours_and_something_of_each_chain_however_much_one_leads_to() -> None:
    model = ScriptedModel(replies("", [], [1], ["actor 1"]))
    cast = [("Snow Whale", "starred_actors", f"actor {number}") for number in range(90)]
    graph = opened(films(*cast))
    options = {"chains": 3, "max_hops": 1, "max_evidence": 20, "ends_per_chain": 90}
    answer = reasoner("rok", graph, model, **options).answer("who starred in Snow Whale?")
    (kept,) = said(answer, "filter neighbors")["kept"]
    chains = [chain["chain"] for chain in said(answer, "widen")["chains"]]
    assert chains[0] == "starred_actors"
    assert len(chains) == 3
    facts = model.asked[-1].prompt
    for relation in [*chains[1:], kept.split("–")[1].partition("→")[0]]:
        assert TEXTS[relation]["text"].format("Snow Whale") in facts
