"""Options of methods: declared once, and read, checked and described from their declarations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest

from kgdb.errors import UsageError
from kgdb.methods import all_methods
from kgdb.methods.option_declarations import Group, MethodOptions, Option, Range, describe, parse

pytestmark = pytest.mark.unit

_SEARCH = Group("Search")
_Hops = Annotated[int, Range(1, 4), "hops of the longest path"]


@dataclass(frozen=True, slots=True)
class Options(MethodOptions):
    width: Annotated[int, Range(1, 10_000), "paths that are kept", _SEARCH] = 3
    hops: Annotated[_Hops, _SEARCH] = 2
    seed: Annotated[int, Range(0), "seed of the draw"] = 0
    damping: Annotated[float, Range(0, 1, exclusive=True), "damping factor"] = 0.5
    alpha: Annotated[float | None, Range(0, 1), "threshold"] = None
    rank: Annotated[Literal["degree", "none"], "how paths are ranked"] = "degree"
    refine: Annotated[bool, "drop evidence"] = True
    label: Annotated[str, "a label"] = "x"


@dataclass(frozen=True, slots=True)
class Wider(Options):
    hops: _Hops = 4


def test_tables_show_what_is_declared() -> None:
    assert describe(Options) == (
        Option("width", "whole number, 1 to 10,000", "3", "paths that are kept", "Search"),
        Option("hops", "whole number, 1 to 4", "2", "hops of the longest path", "Search"),
        Option("seed", "whole number, 0 or more", "0", "seed of the draw", ""),
        Option("damping", "number, 0 to less than 1", "0.5", "damping factor", ""),
        Option("alpha", "number, 0 to 1, or none", "none", "threshold", ""),
        Option("rank", "degree | none", "degree", "how paths are ranked", ""),
        Option("refine", "true | false", "true", "drop evidence", ""),
        Option("label", "text", "x", "a label", ""),
    )


def test_a_default_may_change_in_a_subclass() -> None:
    assert describe(Wider)[1] == Option(
        "hops", "whole number, 1 to 4", "4", "hops of the longest path", ""
    )
    assert describe(Wider)[2:] == describe(Options)[2:]
    with pytest.raises(UsageError, match="hops is 5; expected 1 to 4"):
        Wider(hops=5)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("width", "10000", 10_000),
        ("width", 7, 7),
        ("width", 7.0, 7),
        ("seed", "12345678901", 12_345_678_901),
        ("damping", "0", 0.0),
        ("alpha", "none", None),
        ("alpha", "1", 1.0),
        ("rank", "none", "none"),
        ("refine", "no", False),
        ("refine", True, True),
        ("label", "", ""),
    ],
)
def test_texts_and_values_are_read(name: str, text: Any, value: Any) -> None:
    found = getattr(parse(Options, {name: text}, "this"), name)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("width", "0", "width is 0; expected 1 to 10,000."),
        ("width", 10_001, "width is 10001; expected 1 to 10,000."),
        ("width", "2.5", "width is '2.5'; expected a whole number."),
        ("width", True, "width is True; expected a whole number."),
        ("seed", -1, "seed is -1; expected 0 or more."),
        ("damping", 1, "damping is 1.0; expected 0 to less than 1."),
        ("damping", "nan", "damping is nan; expected 0 to less than 1."),
        ("alpha", "x", "alpha is 'x'; expected a number."),
        ("alpha", 1.5, "alpha is 1.5; expected 0 to 1."),
        ("rank", "None", "rank is 'None'; expected degree, none."),
        ("refine", "maybe", "refine is 'maybe'; expected true or false."),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_expected(
    name: str, value: Any, message: str
) -> None:
    with pytest.raises(UsageError) as refused:
        parse(Options, {name: value}, "this")
    assert refused.value.message == message


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="no option 'widht' of this") as refused:
        parse(Options, {"widht": 1}, "this")
    assert refused.value.hint == "Did you mean width?"


@pytest.mark.parametrize("method", all_methods())
def test_every_option_of_every_method_has_a_help_text_and_a_range(method: str) -> None:
    for option in describe(all_methods()[method].options):
        assert option.help[:1].islower(), option
        assert not option.help.endswith("."), option
        if option.takes.startswith(("whole number", "number")):
            assert any(character.isdigit() for character in option.takes), option


@pytest.mark.parametrize("method", all_methods())
def test_groups_are_not_interrupted(method: str) -> None:
    groups = [option.group for option in describe(all_methods()[method].options)]
    assert groups == sorted(groups, key=groups.index)


def test_every_method_has_a_summary_of_its_own() -> None:
    summaries = [kind.summary for kind in all_methods().values()]
    assert len(set(summaries)) == len(all_methods())
    assert all(summary.endswith(".") for summary in summaries)
