"""A cross-encoder with weights at random: what it says is nonsense, but always the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import kgdb
from kgdb.errors import ModelMissing, UsageError
from kgdb.language import load_cross_encoder
from kgdb.settings import Settings, load_settings

pytestmark = pytest.mark.integration

WORDS = "who directed heat ? michael mann made the film , : al pacino acted in it".split()
PAIRS = [("who directed heat ?", f"{name} {verb} it") for name in WORDS for verb in WORDS]


def cross_encoder(folder: Path, labels: int) -> Path:
    """A tiny BERT over a tiny vocabulary."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = {word: i for i, word in enumerate(dict.fromkeys([*special, *WORDS]))}
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=labels,
        initializer_range=0.3,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab=vocabulary).save_pretrained(folder)
    return folder


def chosen(reranker: str) -> Settings:
    return load_settings({}, reranker=reranker)


def test_each_pair_is_judged_as_if_it_were_alone(tmp_path: Path) -> None:
    reranker = load_cross_encoder(chosen(f"hf:{cross_encoder(tmp_path / 'one', 1)}"))
    scores = reranker.scores(PAIRS + PAIRS[:3])
    assert len(scores) == len(PAIRS) + 3
    assert scores[-3:] == scores[:3]
    assert all(0 <= score <= 1 for score in scores)
    assert len(set(scores)) > 10
    alone = [reranker.scores([pair])[0] for pair in PAIRS[:5]]
    assert scores[:5] == pytest.approx(alone, abs=1e-5)
    assert reranker.scores([]) == []
    assert reranker.name.endswith("one (cross-encoder)")


def test_a_model_of_several_scores_is_refused(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path / "three", 3)
    with pytest.raises(ModelMissing, match=r"one score, and this model gives 3"):
        load_cross_encoder(chosen(f"hf:{folder}"))


@pytest.mark.parametrize("name", ["minilm", "hf:", "bge", "openai:x"])
def test_what_names_no_reranker_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="names no reranker") as refusal:
        load_cross_encoder(chosen(name))
    assert "hf:NAME_OR_FOLDER of a cross-encoder" in (refusal.value.hint or "")


def test_the_settings_choose_what_answers_are_reranked_by(
    demo: kgdb.KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert demo.reasoner(llm="none").resources.reranker.name == "all-MiniLM-L6-v2 (bi-encoder)"
    monkeypatch.setenv("KGDB_RERANKER", f"hf:{cross_encoder(tmp_path / 'two', 1)}")
    with kgdb.connect() as db:
        graph = db.graph("demo")
        reranker = graph.reasoner(llm="none").resources.reranker
        assert reranker.name.endswith("two (cross-encoder)")
        assert graph.reasoner(llm="none").resources.reranker is reranker


def test_a_reranker_of_chains_is_named_in_the_trace(
    demo: kgdb.KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its adapter is made by hand; facts are judged by the cross-encoder without it."""
    from kgdb.lab.training.relations.compression import write_adapter
    from kgdb.language.encoders.pair_model import untuned, weights

    base = cross_encoder(tmp_path / "base", 1)
    before = weights(untuned(str(base)))
    after = {name: value + 0.1 for name, value in before.items()}
    write_adapter(before, after, tmp_path / "tuned", rank=4)
    monkeypatch.setenv("KGDB_RERANKER", f"hf:{base}+{tmp_path / 'tuned'}")
    with kgdb.connect() as db:
        reasoner = db.graph("demo").reasoner("refkg", llm="none")
        assert reasoner.resources.reranker.name.endswith("base (cross-encoder)")
        answer = reasoner.answer("Who directed the films that Ada Weir acted in?")
    (stage,) = [stage for stage in answer.trace if stage.name == "rerank"]
    assert "+tuned@" in stage.output["reranker"]
    assert len(stage.output["reranked"]) == 8
