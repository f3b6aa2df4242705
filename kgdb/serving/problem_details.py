"""Errors as problems of RFC 9457, with the hints of the command line."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from kgdb.errors import (
    ConnectionFailed,
    DatabaseError,
    DatabaseHalted,
    GdsMissing,
    GraphNotFound,
    KgdbError,
    MethodFailed,
    ModelError,
    ModelUnavailable,
    PluginMissing,
    ServerError,
    UsageError,
)

_LOG = logging.getLogger("kgdb.serve")
MEDIA_TYPE = "application/problem+json"

STATUS: Mapping[type[Exception], int] = {
    GraphNotFound: 404,
    UsageError: 400,
    ConnectionFailed: 503,
    DatabaseHalted: 503,
    PluginMissing: 501,
    GdsMissing: 501,
    DatabaseError: 502,
    ServerError: 503,
    ModelUnavailable: 503,
    ModelError: 502,
    MethodFailed: 500,
}
"""The status of each kind of error, the special kinds before the general ones."""

_RETRY_SECONDS = 5

_TOLD = 10
"""Mistakes of one body that are told."""

_AWAY = (ConnectionFailed, DatabaseHalted, ServerError)
"""Their messages name addresses and files: those are for the log."""


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
    elif isinstance(error, KgdbError):
        status = next(code for kind, code in STATUS.items() if isinstance(error, kind))
        title, detail, hint = type(error).__name__, error.message, error.hint
        if isinstance(error, _AWAY):
            _LOG.error("%s", error.message)
            detail, hint = "The database does not answer.", "Ask again in a moment."
        if isinstance(error, MethodFailed):
            _LOG.error("a method failed", exc_info=error)
            detail, hint = "The method failed on this question.", "Please report it as a mistake."
        if status == 503:
            headers["Retry-After"] = str(_RETRY_SECONDS)
    else:
        _LOG.error("a request failed", exc_info=error)
        status, title, detail, hint = 500, "Internal error", "The request failed.", None
    problem = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return status, problem | ({"hint": hint} if hint else {}), headers


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
        found = response_of(Refused(error.status_code, error.detail, error.detail))
        found.headers.update(error.headers or {})
        return found

    for kind in (KgdbError, Refused, Exception):
        app.add_exception_handler(kind, told)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
