"""Options of methods described from their dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from kgdb.methods.describing import Option, describe

pytestmark = pytest.mark.unit


@dataclass(frozen=True)
class Options:
    """The knobs.

    ``width``: how many are kept, the paper's k (2
    or 5). ``rank``: by what, ``degree`` (with ``damping``). ``left`` and ``right``: both sides.

    What weighs less than ``least`` is left out. Nobody says anything else here. See
    :func:`kgdb.methods.reading.read_answers` for ``deep``, of which ``width`` knows nothing.
    """

    width: int = 3
    rank: Literal["degree", "none"] = "degree"
    damping: float = 0.5
    left: bool = True
    right: str | None = None
    least: float = 0.25
    deep: str = "x"
    forgotten: int = 0


def test_definitions_and_sentences_describe_options() -> None:
    assert describe(Options) == (
        Option("width", "whole number", "3", "how many are kept, the paper's k (2 or 5)."),
        Option("rank", "degree | none", "degree", "by what, degree (with damping)."),
        Option("damping", "number", "0.5", "rank: by what, degree (with damping)."),
        Option("left", "true | false", "true", "both sides."),
        Option("right", "str | None", "-", "both sides."),
        Option("least", "number", "0.25", "What weighs less than least is left out."),
        Option("deep", "text", "x", "See read_answers for deep, of which width knows nothing."),
        Option("forgotten", "whole number", "0", ""),
    )
