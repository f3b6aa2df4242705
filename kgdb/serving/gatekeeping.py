"""Who may come in: known hosts, no page of another site, a key, not too often, not too many."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable
from contextlib import ExitStack

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kgdb.errors import UsageError
from kgdb.serving.access_keys import ANYBODY, ASKER, AccessKey
from kgdb.serving.page_routes import is_of_the_page
from kgdb.serving.problem_details import Refused, response_of
from kgdb.serving.serve_options import ServeOptions
from kgdb.serving.service import Service
from kgdb.serving.service_metrics import ServiceMetrics
from kgdb.wording import short

_LOG = logging.getLogger("kgdb.serve.access")
_OPEN = ("/health", "/ready")
"""Routes that tell nothing of any graph: who runs the service asks them without a key."""

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?")
_FORWARDED = frozenset({"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"})
_MCP = "/mcp"

_GONE = 499
"""The status in the log of a request whose client went before the response was there."""


class Gate:
    """Lets a request in, or refuses it with a problem; counts and logs each.

    A log line has the method, the route, the status, the seconds and the name of the key: never a
    secret, a question or an answer.
    """

    def __init__(self, app: ASGIApp, service: Service, metrics: ServiceMetrics) -> None:
        self._app = app
        self._service = service
        self._metrics = metrics
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), 500
        name = "-"

        client = _Client(receive, send, began + self._service.options.seconds)

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await client.send(message)

        self._open += 1
        self._metrics.open.set(self._open)
        open_requests = ExitStack()
        try:
            try:
                if scope["path"] == _MCP and scope["method"] != "POST":
                    raise Refused(405, "Only POST", "The server sends nothing by itself.")
                key = self._admitted(scope)
                name = key.name
                scope.setdefault("state", {})["key"] = key
                ASKER.set(key)
                open_requests.enter_context(self._service.limits.request(key))
            except Refused as refused:
                await response_of(refused)(scope, receive, noted)
                return
            if not await client.waits_for(self._app(scope, client.receive, noted)):
                status = _GONE
        finally:
            open_requests.close()
            self._open -= 1
            self._metrics.open.set(self._open)
            seconds = time.monotonic() - began
            # Of what MCP serves the router tells no route.
            route = _MCP if scope["path"] == _MCP else getattr(scope.get("route"), "path", "other")
            self._metrics.ended(route, status, seconds)
            _LOG.info(
                json.dumps(
                    {
                        "method": scope["method"],
                        "route": route,
                        "status": status,
                        "seconds": round(seconds, 4),
                        "key": name,
                    }
                )
            )

    def _admitted(self, scope: Scope) -> AccessKey:
        options, headers = self._service.options, Headers(scope=scope)
        if self._open > options.open_requests:
            raise Refused(503, "Busy", "Too many requests are open.", retry_after=1)
        if scope["path"] in _OPEN:
            return ANYBODY
        if "content-length" in headers and "transfer-encoding" in headers:
            raise Refused(400, "Two lengths", "The request tells the length of its body twice.")
        _check_host(headers, options)
        if is_of_the_page(scope["path"]):
            return ANYBODY
        scheme, _, secret = headers.get("authorization", "").partition(" ")
        try:
            key = self._service.keys.find(secret.strip()) if scheme.lower() == "bearer" else None
        except UsageError as error:
            _LOG.error("%s", error.message)
            raise Refused(503, "No keys", "The keys cannot be read.") from error
        # What a proxy brings comes from elsewhere, also on this machine.
        is_here = options.is_local and not options.hosts and _FORWARDED.isdisjoint(headers.keys())
        if key is None and is_here and not options.require_key:
            return ANYBODY  # clients of chat models always send some key
        if key is None:
            raise Refused(
                401,
                "No key",
                "The request has no key, or one that is not known.",
                "Send Authorization: Bearer KEY; a key is made by: kgdb keys add NAME",
            )
        return key


def _check_host(headers: Headers, options: ServeOptions) -> None:
    """Refuse what a page of another site may have sent."""
    host, known = headers.get("host", ""), options.known_hosts
    found = _HOST.fullmatch(host.lower())
    name = found[1].strip("[]") if found else host
    if found is None or (known is not None and name not in known):
        raise Refused(
            421,
            "Wrong host",
            f"The service is not reached as {short(name)}.",
            "Name it when it is started: kgdb serve --allow-host NAME",
        )
    origin = headers.get("origin")
    if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
        raise Refused(403, "Another site", f"Pages of {short(origin)} may not ask this service.")


class _Client:
    """Who sent a request: it may send its body slowly, and go before the response is there."""

    def __init__(self, receive: Receive, send: Send, until: float) -> None:
        self._receive = receive
        self._send = send
        self._until = until
        self._read, self._gone = asyncio.Event(), asyncio.Event()
        self._is_answered = False

    async def receive(self) -> Message:
        """What the client sends; one that sends its body slowly is not waited for."""
        if self._read.is_set():
            await self._gone.wait()
            return {"type": "http.disconnect"}
        try:
            message = await asyncio.wait_for(
                self._receive(), max(0.0, self._until - time.monotonic())
            )
        except TimeoutError as error:
            raise Refused(408, "Too slow", "The body did not come in time.") from error
        if not message.get("more_body"):
            self._read.set()
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the response."""
        if message["type"] == "http.response.body" and not message.get("more_body"):
            self._is_answered = True
        await self._send(message)

    async def waits_for(self, response: Awaitable[None]) -> bool:
        """Make the response; whether the client was there until its end.

        Where it goes before, the response is cancelled, and with it what it asks of the database.
        """
        making = asyncio.ensure_future(response)
        leaving = asyncio.create_task(self._leaves())
        try:
            await asyncio.wait({making, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not making.done() and not self._is_answered:
                making.cancel()
            await making
        except asyncio.CancelledError:
            if not self._gone.is_set():
                raise
            return False
        finally:
            leaving.cancel()
            making.cancel()
        return True

    async def _leaves(self) -> None:
        await self._read.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._gone.set()
