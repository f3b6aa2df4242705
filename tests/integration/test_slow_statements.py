"""A statement that takes long is no sign of a server that does not answer."""

from __future__ import annotations

import time

import pytest

import kgdb
from kgdb.graph.connection import silence

pytestmark = pytest.mark.integration

SLOW = "UNWIND range(1, 4_000_000) AS i WITH i % 7 AS r, sqrt(i) AS s RETURN sum(r * s) AS sum"


def test_a_statement_that_takes_long_is_waited_for(
    connection: kgdb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "PATIENCE_S", 0.1)
    asked: list[bool] = []
    answers = silence.SilenceWatch._answers
    monkeypatch.setattr(
        silence.SilenceWatch, "_answers", lambda watch: asked.append(answers(watch)) or asked[-1]
    )
    start = time.monotonic()
    while not asked and time.monotonic() - start < 60:
        assert connection.query(SLOW)[0]["sum"] > 0
    assert asked
    assert all(asked)
