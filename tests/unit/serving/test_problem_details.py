"""What a client is told of errors: its own mistakes as they are, nothing of the inside."""

from __future__ import annotations

import inspect
import logging
from typing import Any

import pytest
from neo4j.exceptions import Neo4jError

from kgdb import errors
from kgdb.graph.connection.failures import failed
from kgdb.serving.access_keys import ANYBODY
from kgdb.serving.graph_access import GraphAccess
from kgdb.serving.problem_details import problem_of
from kgdb.serving.result_json import outcome_json, text_json
from kgdb.values import Answer, TextClaim, TextVerdict, Verdict

pytestmark = pytest.mark.unit

KINDS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, errors.KgdbError)
]
SECRET = "bolt://db.inside:7687 has the graphs acme, globex"


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_caller_can_mend_is_told_and_all_else_is_logged(
    kind: type[errors.KgdbError], caplog: pytest.LogCaptureFixture
) -> None:
    status, problem, _ = problem_of(kind(SECRET))
    if issubclass(kind, errors.UsageError):
        assert 400 <= status < 500
        assert problem["detail"] == SECRET
        assert not caplog.records
    else:
        assert status >= 500
        assert "inside" not in str(problem)
        assert SECRET in caplog.text


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (errors.UsageError, 400),
        (errors.ArgumentRefused, 400),
        (errors.EntityNotFound, 404),
        (errors.GraphNotFound, 404),
        (errors.GdsMissing, 501),
        (errors.DatabaseError, 502),
        (errors.StartFailed, 503),
        (errors.TimedOut, 504),
        (errors.LoadError, 500),
    ],
)
def test_each_kind_has_its_status(kind: type[errors.KgdbError], status: int) -> None:
    assert problem_of(kind("It is wrong."))[0] == status


def of_server(code: str, message: str) -> errors.KgdbError:
    error = Neo4jError._hydrate_neo4j(code=code, message=message)
    return failed(error, None, "neo4j", "bolt://x", None)  # type: ignore[arg-type]


CALL_FAILED = "Neo.ClientError.Procedure.ProcedureCallFailed"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (
            "kgdb.neighbors: no entity 'Zed' in graph 'demo'; nodes takes ids (property id), "
            "not names: kgdb.entities.link finds the ids of a name",
            errors.EntityNotFound,
        ),
        ("kgdb.neighbors: no relation 'x' in graph 'demo'", errors.ArgumentRefused),
        ("kgdb.neighbors: no graph 'demo'; loaded: acme, globex", errors.GraphNotFound),
        (
            "Failed to invoke procedure `kgdb.follow`: Caused by: "
            "io.github.kgdb.KgdbException: limit is -1; expected 0 or more.",
            errors.ArgumentRefused,
        ),
        (
            "Failed to invoke procedure `kgdb.follow`: Caused by: java.lang.Error: x",
            errors.DatabaseError,
        ),
        (
            "Failed to invoke procedure `gds.x`: Caused by: java.lang.IllegalArgumentException: y",
            errors.DatabaseError,
        ),
    ],
)
def test_what_a_procedure_refuses_is_the_callers_mistake(
    message: str, kind: type[errors.KgdbError]
) -> None:
    error = of_server(CALL_FAILED, message)
    assert type(error) is kind
    assert "globex" not in str(error)


@pytest.mark.parametrize(
    "code",
    [
        "Neo.ClientError.Procedure.ProcedureTimedOut",
        "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
    ],
)
def test_a_time_limit_is_a_kind_of_its_own(code: str) -> None:
    assert type(of_server(code, "kgdb.paths.all: stopped after 5 ms")) is errors.TimedOut


def test_an_outcome_among_others_tells_no_more(caplog: pytest.LogCaptureFixture) -> None:
    failure = errors.DatabaseError(SECRET)
    with caplog.at_level(logging.ERROR):
        answer = outcome_json(Answer("Who?", "films", "auto", error=failure))
    assert answer["error"]["type"] == "DatabaseError"
    assert "inside" not in str(answer)
    verdict = Verdict("It is.", "films", "auto", error=failure)
    text = text_json(TextVerdict("films", "auto", (TextClaim("It is.", 0, 6, verdict),)))
    assert text["claims"][0]["text"] == "It is."
    assert "inside" not in str(text)


def test_a_wrong_setting_of_the_service_is_no_mistake_of_a_client() -> None:
    def open_connection() -> Any:
        raise errors.UsageError(SECRET)

    with pytest.raises(errors.ConnectionFailed) as failure:
        GraphAccess(open_connection).visible(ANYBODY)
    assert problem_of(failure.value)[0] == 503
