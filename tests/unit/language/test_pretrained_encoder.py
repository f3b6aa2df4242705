"""What tells encoders apart, whose vectors are kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kgdb.language.encoders.sentence_encoder import pretrained_encoder

pytestmark = [pytest.mark.unit, pytest.mark.slow]


def test_an_encoder_that_was_trained_anew_has_another_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Else questions would be compared with vectors of the one before."""
    monkeypatch.setattr("sentence_transformers.SentenceTransformer", lambda path: None)
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(b"1")

    def name() -> str:
        return pretrained_encoder("./mine", str(tmp_path)).name

    before = name()
    assert before.startswith("./mine@")
    assert name() == before
    weights.write_bytes(b"2")
    os.utime(weights, ns=(1, 1))
    assert name() != before
