"""``kgdb query`` and ``kgdb schema``: what they print of results that are given."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from scripted_method import connecting, path

from kgdb.cli.main import cli
from kgdb.errors import DatabaseError
from kgdb.graph.forms import Form, FormResult
from kgdb.graph.forms.operators import Count, FindAll, GroupBy, Property, Select, Verify
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.graph.schema import PropertyInfo, RelationEnds, Schema
from kgdb.values import AnsweredEntity, Entity, EntityValue, Path, Step

pytestmark = pytest.mark.unit

MOVIES = FindAll("Movie")
HEAT = Entity("1", "Heat")
RELEASED = Path((HEAT, Entity("1995", "1995")), (Step("released"),))
ROLE = PropertyInfo("role", "text", {"": 2}, ("Neo",))
SCHEMA = Schema(
    {"Movie": 38, "Person": 1_330},
    {
        "released": PropertyInfo("released", "date", {"Movie": 38}, (1999, 2003)),
        "born": PropertyInfo("born", "date", {"Person": 3}, ("x" * 100,), relation=True),
    },
    {
        "ACTED_IN": RelationEnds(
            "ACTED_IN",
            1_172,
            {"Person": 1_172},
            {"Show": 12, "Movie": 1_160},
            (ROLE,),
            {("Person", "Show"): 12, ("Person", "Movie"): 1_160},
            estimated=frozenset({("Person", "Show")}),
        ),
        "LIVES\nIN": RelationEnds("LIVES\nIN", 5, {"Person": 5}, {}),
        "KNOWS\x1b[2J": RelationEnds("KNOWS\x1b[2J", 1_000, {}, {}),
    },
    ("supplierID",),
    synonyms={"Movie": ("film", "fl\x1b[2Jick")},
)
FORM = '{"op": "Count", "form": {"op": "FindAll", "label": "Movie"}}'


class ScriptedGraph:
    """Gives one result, and keeps what was asked."""

    schema = SCHEMA
    relations: Mapping[str, RelationInfo] = {}

    def __init__(self, result: FormResult | None) -> None:
        self.result, self.asked = result, dict[str, Any]()

    def query(self, form: Form, **options: int) -> FormResult:
        self.asked = {"form": form, **options}
        if self.result is None:
            raise DatabaseError("the call did not end within 7 ms.", hint="Raise timeout_ms.")
        return self.result


class ScriptedConnection:
    def __init__(self, kg: ScriptedGraph) -> None:
        self.kg = kg

    def graph(self, name: str) -> ScriptedGraph:
        assert name == "movies"
        return self.kg


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    def run(
        *arguments: str, gives: FormResult | ScriptedGraph | None = None, form: str | None = FORM
    ) -> Result:
        kg = gives if isinstance(gives, ScriptedGraph) else ScriptedGraph(gives)
        for module in ("query_command", "schema_command"):
            connected = connecting(ScriptedConnection(kg))  # type: ignore[arg-type]
            monkeypatch.setattr(f"kgdb.cli.{module}.connected", connected)
        return CliRunner().invoke(cli, arguments, input=form)

    return run


def lines(result: Result) -> list[str]:
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return [line.strip() for line in result.stdout.splitlines() if line.strip()]


COUNTED = FormResult(
    Count(MOVIES), (), 38, (Path((HEAT,), ()), path("Ronin", "role", "Neo")), 38, True
)


def test_a_number_is_shown_with_what_was_counted(run: Run) -> None:
    done = run("query", "movies", "-", "--limit", "2", gives=COUNTED)
    assert lines(done) == [
        "the number of all Movie nodes",
        "38",
        "because",
        "├── Heat",
        "└── Ronin –role→ Neo",
        "38 entities (the first 2 are shown: --limit)",
    ]
    assert done.exit_code == 0


def test_the_form_and_the_limits_are_handed_on(run: Run) -> None:
    kg = ScriptedGraph(COUNTED)
    run("query", "movies", "-", "--limit", "0", "--timeout-ms", "7", gives=kg)
    assert kg.asked == {"form": Count(MOVIES), "limit": 0, "timeout_ms": 7}
    run("query", "movies", "-", gives=kg)
    assert kg.asked == {"form": Count(MOVIES), "limit": 20, "timeout_ms": 60_000}


def test_entities_are_shown_with_their_proofs(run: Run) -> None:
    found = AnsweredEntity(HEAT, (RELEASED,), 1)
    result = FormResult(Select(MOVIES, "released", "min"), (found,), total=1)
    assert lines(run("query", "movies", "-", gives=result))[1:] == [
        "Heat",
        "└── Heat –released→ 1995",
        "1 entity",
    ]


def test_values_are_a_table_and_namesakes_are_told_apart(run: Run) -> None:
    values = (EntityValue(HEAT, 1995), EntityValue(Entity("2", "Heat"), "x\x1b[2J"),
              EntityValue(Entity("3", "Ronin"), 1.5))  # fmt: skip
    result = FormResult(Property(MOVIES, "released"), (), values, total=9, truncated=True)
    shown = lines(run("query", "movies", "-", "--limit", "3", gives=result))
    rows = [line.split("  ") for line in shown[1:-1] if "─" not in line]
    assert [[cell.strip() for cell in row if cell] for row in rows] == [
        ["entity", "value"], ["Heat (1)", "1995"], ["Heat (2)", "x\ufffd[2J"], ["Ronin", "1.5"],
    ]  # fmt: skip
    assert shown[-1] == "9 values (the first 3 are shown: --limit)"


def test_groups_are_a_table(run: Run) -> None:
    result = FormResult(
        GroupBy(MOVIES, "ACTED_IN", "in"), (), (EntityValue(Entity("Al", "Al"), 2),), total=1
    )
    assert lines(run("query", "movies", "-", gives=result))[-2:] == ["Al       2", "1 value"]


@pytest.mark.parametrize(
    ("value", "shown", "code"), [(True, "yes", 0), (False, "no", 0), (None, "nothing", 3)]
)
def test_a_verdict_is_yes_no_or_nothing(
    run: Run, value: bool | None, shown: str, code: int
) -> None:
    done = run("query", "movies", "-", gives=FormResult(Verify(MOVIES), value=value))
    assert lines(done)[1] == shown
    assert done.exit_code == code


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (FormResult(MOVIES), "nothing"),
        (FormResult(MOVIES, total=7, truncated=True), "nothing is shown"),
        (FormResult(Property(MOVIES, "released"), value=()), "nothing"),
    ],
)
def test_nothing_ends_as_an_unanswered_question_does(
    run: Run, result: FormResult, shown: str
) -> None:
    done = run("query", "movies", "-", "--limit", "0", gives=result)
    assert lines(done)[1] == shown
    assert done.exit_code == 3


def test_a_count_of_none_is_an_answer(run: Run) -> None:
    done = run("query", "movies", "-", gives=FormResult(Count(MOVIES), value=0))
    assert lines(done)[1:] == ["0", "0 entities"]
    assert done.exit_code == 0


def test_json_has_the_form_the_value_and_the_evidence(run: Run) -> None:
    done = run("query", "movies", "-", "--json", gives=COUNTED)
    facts = [
        {"entities": [{"id": "1", "name": "Heat"}], "steps": []},
        {"entities": [{"id": "ronin", "name": "Ronin"}, {"id": "neo", "name": "Neo"}],
         "steps": ["role"]},
    ]  # fmt: skip
    assert json.loads(done.stdout) == {
        "graph": "movies",
        "interpretation": "the number of all Movie nodes",
        "form": json.loads(FORM),
        "kind": "number",
        "value": 38,
        "entities": [],
        "facts": facts,
        "evidence": facts,
        "total": 38,
        "truncated": True,
    }


def test_json_has_lists_of_values_with_their_entities(run: Run) -> None:
    result = FormResult(Property(MOVIES, "released"), (), (EntityValue(HEAT, 1995),), total=1)
    told = json.loads(run("query", "movies", "-", "--json", gives=result).stdout)
    assert told["value"] == [{"entity": {"id": "1", "name": "Heat"}, "value": 1995}]


def test_the_schema_of_forms_is_printed_without_a_form(run: Run) -> None:
    schema = json.loads(run("query", "movies", "--schema").stdout)
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid(json.loads(FORM))
    assert not validator.is_valid({"op": "FindAll", "label": "Show"})


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ("{", "The form is no JSON"),
        ('{"op": "Count"}', "form lacks form."),
        ("\ufeff" + FORM, None),
    ],
)
def test_what_is_no_form_is_told(run: Run, form: str, says: str | None) -> None:
    done = run("query", "movies", "-", gives=COUNTED, form=form)
    assert (says is None) == (done.exception is None)
    assert says is None or says in str(done.exception)


def test_a_form_is_required(run: Run) -> None:
    assert "No form is given" in str(run("query", "movies").exception)


def test_a_query_that_takes_too_long_says_so(run: Run) -> None:
    done = run("query", "movies", "-", "--timeout-ms", "7")
    assert "did not end within 7 ms" in str(done.exception)


def test_the_schema_has_a_table_of_each_kind(run: Run) -> None:
    shown = lines(run("schema", "movies"))
    cells = [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in shown]
    assert [row for row in cells if "─" not in row[0]] == [
        ["label", "nodes"],
        ["Movie", "38"],
        ["Person", "1,330"],
        ["property", "type", "of", "examples", "held as"],
        ["released", "date", "Movie", "1999, 2003", "property"],
        ["born", "date", "Person", "x" * 39 + "…", "relation"],
        ["relation", "facts", "joins", "its own properties"],
        ["ACTED_IN", "1,172", "Person → Movie 1,160", "role (text)"],
        ["Person → Show ≈12"],
        ["KNOWS\ufffd[2J", "1,000", "- → -"],
        ["LIVES IN", "5", "Person → -"],
        ["name", "also called"],
        ["Movie", "film, fl\ufffd[2Jick"],
        ["Left out, because relations say the same: supplierID"],
    ]


def test_the_schema_is_json(run: Run) -> None:
    told = json.loads(run("schema", "movies", "--json").stdout)
    assert told["graph"] == "movies"
    assert told["labels"] == {"Movie": 38, "Person": 1330}
    assert told["properties"][0] == {
        "name": "released", "type": "date", "labels": {"Movie": 38}, "examples": [1999, 2003],
        "relation": False,
    }  # fmt: skip
    assert told["relations"][0]["heads"] == {"Person": 1_172}
    assert told["relations"][0]["pairs"] == [["Person", "Show", 12], ["Person", "Movie", 1_160]]
    assert told["relations"][0]["estimated"] == [["Person", "Show"]]
    assert told["relations"][0]["properties"][0]["name"] == "role"
    assert told["foreign_keys"] == ["supplierID"]
    assert told["synonyms"] == {"Movie": ["film", "fl\x1b[2Jick"]}
