"""A corpus from questions with answers: which chains are found, chosen and put beside them."""

from __future__ import annotations

import pytest
from fakes import BagOfWords, memory_graph
from films import films

from kgdb.evaluation import Question
from kgdb.graph import Graph
from kgdb.lab.training.corpus import (
    CorpusReport,
    HeldOut,
    RelationRow,
    corpus_from_questions,
    wordings,
)
from kgdb.lab.training.corpus.chain_choice import (
    MAX_TIED,
    ONLY,
    OTHER_CHAIN,
    SAME_WORDS,
    SIMILARITY,
    TOO_MANY,
    Supervised,
    choose_chains,
)
from kgdb.lab.training.corpus.chain_finding import Search, find_chains
from kgdb.lab.training.corpus.from_questions import (
    IS_HELD_OUT,
    NO_ANSWERS,
    NO_CHAIN,
    NO_TOPIC,
    TWICE,
)
from kgdb.lab.training.corpus.negatives import MAX_NEGATIVES, hard_negatives
from kgdb.lab.training.corpus.neighborhood import PER_RELATION, Neighborhood
from kgdb.values import Entity, Step, chain_text

pytestmark = pytest.mark.unit


def chain(*steps: str) -> tuple[Step, ...]:
    return tuple(map(Step.parse, steps))


def question(text: str, *gold: str, number: int = 0) -> Question:
    return Question(f"{number}: {text}", text, frozenset(gold), unanswerable=not gold)


def found(graph: Graph, start: str, *gold: str, max_hops: int = 3, min_f1: float = 1.0) -> set[str]:
    """The chains from an entity that give the answers."""
    search = Search((start,), frozenset(gold), lambda entity: entity.name, min_f1=min_f1)
    (chains,) = find_chains(graph, Neighborhood(graph), [search], max_hops)
    return {chain_text(each) for each in chains.right}


def corpus(
    *questions: Question,
    graph: Graph | None = None,
    held_out: HeldOut | None = None,
    min_f1: float = 1.0,
) -> tuple[list[RelationRow], CorpusReport]:
    return corpus_from_questions(
        graph or memory_graph(films()), questions, BagOfWords(), held_out=held_out, min_f1=min_f1
    )


def test_the_chains_are_found_whose_ends_are_exactly_the_answers() -> None:
    graph = memory_graph(films())
    assert found(graph, "Rex Hallorand", "Harriet Coldmoor", "Ken Amagiri", max_hops=2) == {
        "^starred_actors → directed_by"
    }
    assert found(graph, "Rex Hallorand", "Harriet Coldmoor") == set()
    assert found(graph, "Rex Hallorand", "Harriet Coldmoor", "Ken Amagiri", "Ada Weir") == set()


def test_in_a_graph_that_lacks_facts_the_chain_that_agrees_best_is_right() -> None:
    graph = memory_graph(films())
    directors = "^starred_actors → directed_by"
    # Of two directors one is no answer (F1 of 2/3), or one answer is missing (4/5).
    for gold in (["Harriet Coldmoor"], ["Harriet Coldmoor", "Ken Amagiri", "Nobody Here"]):
        assert directors in found(graph, "Rex Hallorand", *gold, max_hops=2, min_f1=0.6)
        assert directors not in found(graph, "Rex Hallorand", *gold, max_hops=2, min_f1=0.9)
    # An exact one leaves the others out.
    both = found(graph, "Rex Hallorand", "Harriet Coldmoor", "Ken Amagiri", max_hops=2, min_f1=0.1)
    assert both == {directors}


def test_an_answer_that_the_graph_lacks_counts_only_where_all_are_asked_for() -> None:
    asked = question("who directed [Rex Hallorand]?", "Harriet Coldmoor", "Ken Amagiri", "Nobody")
    rows, told = corpus(asked)
    assert rows == []
    assert set(told.dropped) == {NO_CHAIN}
    (row,), _ = corpus(asked, min_f1=0.9)
    assert row.chain == ("^starred_actors", "directed_by")


def test_a_path_uses_no_relationship_twice() -> None:
    """The films of its actors are not the film itself, as when the chain is followed."""
    graph = memory_graph(films())
    shore = found(graph, "Quiet Shore", "The Salt Ledger", "Snow Whale", max_hops=2)
    assert shore == {"starred_actors → ^starred_actors"}
    assert found(graph, "Quiet Shore", "Quiet Shore", max_hops=2) == set()


def test_parallel_relationships_lead_back() -> None:
    """With two of them, one leads there and the other back."""
    graph = memory_graph(films(("Quiet Shore", "directed_by", "Harriet Coldmoor")))
    assert found(graph, "Quiet Shore", "Quiet Shore", max_hops=2) == {"directed_by → ^directed_by"}


def test_a_chain_through_a_node_of_which_not_all_is_read_is_checked_in_the_database() -> None:
    years = [(f"Film {n}", "release_year", "2001") for n in range(PER_RELATION + 9)]
    graph = memory_graph(films(*years))
    wanted = [f"Film {n}" for n in range(PER_RELATION + 9)]
    assert found(graph, "2001", *wanted, max_hops=1) == {"^release_year"}
    assert found(graph, "2001", *wanted[:-1], max_hops=1) == set()


def test_several_entities_of_one_name_are_one_answer() -> None:
    driver = films(("Quiet Shore", "directed_by", "twin"))
    driver.names["twin"] = "Harriet Coldmoor"
    assert found(memory_graph(driver), "Quiet Shore", "Harriet Coldmoor", max_hops=1) == {
        "directed_by"
    }


def test_a_row_masks_its_question_as_the_pipeline_does() -> None:
    text = "who directed the films that the actor [Rex Hallorand] is in"
    (row,), told = corpus(question(text, "Harriet Coldmoor", "Ken Amagiri"))
    assert row.question == "who directed the films that this is in"
    assert row.chain == ("^starred_actors", "directed_by")
    assert row.entities == ("Rex Hallorand",)
    assert row.wordings == (
        "the director of the films starring this",
        "who directed the films starring this?",
    )
    assert (told.rows, told.hops, told.chosen) == (1, {2: 1}, {ONLY: 1})


def test_negatives_are_wordings_of_other_chains_around_the_topic() -> None:
    (row,), _ = corpus(
        question("who directed films with [Rex Hallorand]", "Harriet Coldmoor", "Ken Amagiri")
    )
    assert 0 < len(row.negatives) <= MAX_NEGATIVES
    assert ("the films starring this", "which films did this act in?") in row.negatives
    assert row.wordings not in row.negatives
    assert len(set(row.negatives)) == len(row.negatives)


def test_hard_negatives_are_of_every_kind() -> None:
    import random

    right = chain("a", "b")
    kinds = [
        chain("a"),
        chain("b"),
        chain("a", "b", "c"),
        chain("a", "^b"),
        chain("a", "c"),
        chain("c", "b"),
    ]
    far = [chain("x", "y", f"z{n}") for n in range(50)]
    chosen = hard_negatives(right, [*far, right, *kinds], [], random.Random(0))
    assert set(kinds) <= set(chosen)
    assert len(chosen) == MAX_NEGATIVES
    assert right not in chosen


def test_a_chain_that_gives_the_same_answers_is_no_negative() -> None:
    import random

    others = [chain("a"), chain("b")]
    assert hard_negatives(chain("c"), others, [chain("a")], random.Random(0)) == [chain("b")]


def test_what_is_unclear_is_dropped_and_counted() -> None:
    rows, told = corpus(
        question("who directed [Quiet Shore]", "Harriet Coldmoor"),
        question("Who  directed [Quiet Shore]", "Harriet Coldmoor", number=1),
        question("who directed [Quiet Shore] of all", "Mallory"),
        question("who directed [Nothing At All]", "Mallory"),
        question("who filmed [Snow Whale]"),
    )
    assert len(rows) == 1
    assert told.dropped == {TWICE: 1, NO_CHAIN: 1, NO_TOPIC: 1, NO_ANSWERS: 1}
    assert told.dropped_examples[NO_CHAIN] == ["who directed [Quiet Shore] of all"]
    assert told.read == 5


def test_a_question_that_is_held_out_gives_no_row() -> None:
    asked = question("who directed the film [Quiet Shore]?", "Harriet Coldmoor")
    same = HeldOut([question("Who directed [Quiet Shore]", "Harriet Coldmoor", number=7)])
    rows, told = corpus(asked, held_out=same)
    assert (rows, told.dropped) == ([], {IS_HELD_OUT: 1})


def test_wrong_answers_give_no_row() -> None:
    """Poisoned: each tenth question has the answers of another."""
    facts = [(f"Film {n}", "directed_by", f"Director {n}") for n in range(40)]
    facts += [(f"Film {n}", "written_by", f"Director {(n + 1) % 40}") for n in range(40)]
    asked = [
        question(f"who directed [Film {n}]", f"Director {n + 1 if n % 10 == 0 else n}", number=n)
        for n in range(40)
    ]
    rows, told = corpus(*asked, graph=memory_graph(films(*facts)))
    assert {row.chain for row in rows} == {("directed_by",)}
    assert (len(rows), told.dropped) == (36, {OTHER_CHAIN: 4})


def choose(*given: tuple[str, list[tuple[Step, ...]]]) -> list[tuple[str | None, str]]:
    graph = memory_graph(films())
    choices = choose_chains(
        [Supervised(masked, tuple(right)) for masked, right in given],
        BagOfWords(),
        graph.relations,
    )
    return [(each.chain and chain_text(each.chain), each.how) for each in choices]


DIRECTED, WRITTEN = chain("directed_by"), chain("written_by")


def test_questions_of_the_same_words_choose_among_right_chains() -> None:
    words = "whose work is this"
    chosen = choose((words, [DIRECTED, WRITTEN]), (f"{words}?", [WRITTEN]), (words, [WRITTEN]))
    assert chosen == [
        ("written_by", SAME_WORDS),
        ("written_by", ONLY),
        ("written_by", ONLY),
    ]


def test_the_most_similar_chain_is_chosen_where_words_do_not_decide() -> None:
    assert choose(("who directed this", [WRITTEN, DIRECTED])) == [("directed_by", SIMILARITY)]


def test_a_chain_that_other_questions_of_the_words_contradict_is_dropped() -> None:
    words = "who made this"
    others = [(words, [DIRECTED])] * 3
    assert choose((words, [WRITTEN]), *others)[0] == (None, OTHER_CHAIN)
    assert choose((words, [WRITTEN]), *others[:2])[0] == ("written_by", ONLY)


def test_of_too_many_chains_none_is_chosen() -> None:
    right = [chain("directed_by", f"^r{n}") for n in range(MAX_TIED + 1)]
    assert choose(("who", right)) == [(None, TOO_MANY)]


def test_the_same_questions_give_the_same_rows() -> None:
    asked = [
        question("who directed films with [Rex Hallorand]", "Harriet Coldmoor", "Ken Amagiri"),
        question("when was [Quiet Shore] released", "1989"),
    ]
    assert corpus(*asked)[0] == corpus(*asked)[0]


def test_the_report_has_the_share_that_agrees_with_the_true_chains() -> None:
    asked = [
        question("who directed [Quiet Shore]", "Harriet Coldmoor"),
        question("when was [Quiet Shore] released", "1989"),
    ]
    _, told = corpus_from_questions(
        memory_graph(films()), asked, BagOfWords(), true_chain=lambda _: DIRECTED
    )
    assert told.agreement == 0.5
    assert told.to_dict()["agreement"] == 0.5


def test_a_known_neighbor_has_its_name() -> None:
    graph = memory_graph(films())
    around = Neighborhood(graph)
    around.read(["Quiet Shore"])
    assert around.entity("Rex Hallorand") == Entity("Rex Hallorand", "Rex Hallorand")
    assert wordings(DIRECTED, graph.relations)[1] == "who directed this?"
