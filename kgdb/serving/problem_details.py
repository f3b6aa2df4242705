"""Errors as problems of RFC 9457, with the hints of the command line."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from kgdb.errors import (
    ConnectionFailed,
    DatabaseError,
    DatabaseHalted,
    EntityNotFound,
    GdsMissing,
    GraphNotFound,
    KgdbError,
    MethodFailed,
    ModelError,
    ModelUnavailable,
    PluginMissing,
    ServerError,
    TimedOut,
    UsageError,
)
from kgdb.wording import one_line

_LOG = logging.getLogger("kgdb.serve")
MEDIA_TYPE = "application/problem+json"

_T = TypeVar("_T")

_MISTAKES: Mapping[type[KgdbError], int] = {
    GraphNotFound: 404,
    EntityNotFound: 404,
    UsageError: 400,
}
"""What a caller can mend: these alone are told as they are, the special kinds first."""


class _Told(NamedTuple):
    status: int
    detail: str
    hint: str


_LOG_HAS_IT = "Whoever runs the service finds the reason in its log."
_AGAIN = "Ask again in a moment."
_FAILURES: Mapping[type[KgdbError], _Told] = {
    ConnectionFailed: _Told(503, "The database does not answer.", _AGAIN),
    DatabaseHalted: _Told(503, "The database does not answer.", _AGAIN),
    ServerError: _Told(503, "The database does not answer.", _AGAIN),
    PluginMissing: _Told(501, "The database has no plugin that can do this.", _LOG_HAS_IT),
    GdsMissing: _Told(501, "The database has no Graph Data Science.", _LOG_HAS_IT),
    TimedOut: _Told(504, "The database takes too long for this.", "Ask something simpler."),
    DatabaseError: _Told(502, "The database failed.", _LOG_HAS_IT),
    ModelUnavailable: _Told(503, "A model does not answer.", _AGAIN),
    ModelError: _Told(502, "A model failed.", _LOG_HAS_IT),
    MethodFailed: _Told(
        500, "The method failed on this question.", "Please report it as a mistake."
    ),
    KgdbError: _Told(500, "The request failed.", _LOG_HAS_IT),
}
"""What is told of all others, whose messages name addresses, files and graphs: they are logged."""

_RETRY_SECONDS = 5

_TOLD = 10
"""Mistakes of one body that are told."""


class Refused(Exception):
    """A request that is not taken; ``retry_after`` in seconds where asking again may help."""

    def __init__(
        self,
        status: int,
        title: str,
        detail: str,
        hint: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.title, self.detail = status, title, detail
        self.hint, self.retry_after = hint, retry_after


def problem_of(error: Exception) -> tuple[int, dict[str, Any], dict[str, str]]:
    """The status, the problem and the headers of an error; nothing else of it is told."""
    headers: dict[str, str] = {}
    if isinstance(error, Refused):
        status, title, detail, hint = error.status, error.title, error.detail, error.hint
        if error.retry_after is not None:
            headers["Retry-After"] = str(error.retry_after)
        if status == 401:
            headers["WWW-Authenticate"] = "Bearer"
    elif isinstance(error, UsageError):
        status = _of_kind(_MISTAKES, error)
        title, detail, hint = type(error).__name__, error.message, error.hint
    elif isinstance(error, KgdbError):
        title = type(error).__name__
        trace = error if isinstance(error, MethodFailed) else None
        _LOG.error("%s: %s", title, one_line(error.message), exc_info=trace)
        status, detail, hint = _of_kind(_FAILURES, error)
        if status == 503:
            headers["Retry-After"] = str(_RETRY_SECONDS)
    else:
        _LOG.error("a request failed", exc_info=error)
        status, title, detail, hint = 500, "Internal error", "The request failed.", None
    problem = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return status, problem | ({"hint": hint} if hint else {}), headers


def _of_kind(told: Mapping[type[KgdbError], _T], error: KgdbError) -> _T:
    """What the first of the kinds says that the error is of."""
    return next(each for kind, each in told.items() if isinstance(error, kind))


def response_of(error: Exception) -> JSONResponse:
    """The error as the answer to a request."""
    status, problem, headers = problem_of(error)
    return JSONResponse(problem, status, headers, MEDIA_TYPE)


def add_handlers(app: FastAPI) -> None:
    """Have every error of the app told as a problem."""

    async def told(_: Request, error: Exception) -> JSONResponse:
        return response_of(error)

    async def invalid(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
        told = [
            f"{'.'.join(str(part) for part in each['loc'][1:]) or 'the body'}: {each['msg']}"
            for each in error.errors()[:_TOLD]
        ]
        return response_of(Refused(422, "Invalid request", "; ".join(told)))

    async def http(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
        if isinstance(error.__cause__, Refused):  # while FastAPI read the body
            return response_of(error.__cause__)
        found = response_of(Refused(error.status_code, error.detail, error.detail))
        found.headers.update(error.headers or {})
        return found

    for kind in (KgdbError, Refused, Exception):
        app.add_exception_handler(kind, told)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
