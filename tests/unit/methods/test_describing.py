"""Options of methods described from their dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from kgdb.methods.describing import Option, describe

pytestmark = pytest.mark.unit


DEEPEST = "deep and deeper are those of other, and deepest of nowhere."


def other() -> None:
    """``deep``: how deep it is.

    With ``deeper`` more is found. ``width``: another one's.
    """


@dataclass(frozen=True)
class Options:
    """The knobs.

    ``width``: how many are kept, the paper's k (2
    or 5). More are slower. ``loose`` things count twice. ``rank``: by what, ``degree`` (with
    ``damping``). ``left`` and ``right``: both sides.

    What weighs less than ``least`` is left out. Nobody says anything else here. ``deep`` and
    ``deeper`` are those of :func:`test_describing.other`, and ``deepest`` of :func:`nowhere`.
    """

    width: int = 3
    rank: Literal["degree", "none"] = "degree"
    damping: float = 0.5
    left: bool = True
    right: str | None = None
    least: float = 0.25
    deep: str = "x"
    deeper: str = "x"
    deepest: str = "x"
    loose: int = 0
    forgotten: int = 0


def test_definitions_and_sentences_describe_options() -> None:
    assert describe(Options) == (
        Option(
            *("width", "whole number", "3"),
            "how many are kept, the paper's k (2 or 5). More are slower.",
        ),
        Option("rank", "degree | none", "degree", "by what, degree (with damping)."),
        Option("damping", "number", "0.5", "rank: by what, degree (with damping)."),
        Option("left", "true | false", "true", "both sides."),
        Option("right", "str | None", "-", "both sides."),
        Option("least", "number", "0.25", "What weighs less than least is left out."),
        Option("deep", "text", "x", "how deep it is."),
        Option("deeper", "text", "x", "With deeper more is found."),
        Option("deepest", "text", "x", DEEPEST),
        Option("loose", "whole number", "0", "loose things count twice."),
        Option("forgotten", "whole number", "0", ""),
    )


@dataclass(frozen=True)
class Fewer(Options):
    """``width``: how few are kept: ``all``: none."""

    width: int = 1


def test_what_is_inherited_is_described_where_it_comes_from() -> None:
    own, inherited, *_ = describe(Fewer)
    assert own == Option("width", "whole number", "1", "how few are kept: all: none.")
    assert inherited == describe(Options)[1]
