"""The service as an ASGI app: REST, chat models and MCP behind one gate."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import Response

from kgdb._version import __version__
from kgdb.serving import chat_completions, page_routes, rest_routes
from kgdb.serving.gatekeeping import Gate
from kgdb.serving.mcp_tools import mcp_server
from kgdb.serving.problem_details import Refused, add_handlers
from kgdb.serving.service import Service
from kgdb.serving.service_metrics import CONTENT_TYPE, ServiceMetrics


def create_app(service: Service) -> FastAPI:
    """The app over a service, which it closes when it ends."""
    metrics = ServiceMetrics(lambda: service.batches.waiting)
    tools = mcp_server(service)
    # The gate checks hosts, origins and keys of all routes alike.
    over_http = tools.streamable_http_app(
        streamable_http_path="/mcp",
        stateless_http=True,
        json_response=True,
        max_request_body_size=service.options.body,
        transport_security=_checked_by_the_gate(),
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with tools.session_manager.run():
            yield
        await service.close()

    app = FastAPI(
        title="kgdb",
        version=__version__,
        summary="Answers and verdicts from knowledge graphs in Neo4j, with the facts that prove "
        "them.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        max_body_size=service.options.body,
    )
    app.state.service = service
    app.include_router(rest_routes.router)
    app.include_router(chat_completions.router)
    app.include_router(page_routes.router)

    @app.get("/health", tags=["operation"], summary="Whether the service runs")
    async def health() -> dict[str, str]:
        return {"status": "ok", "version": __version__}

    @app.get("/ready", tags=["operation"], summary="Whether the database answers")
    async def ready() -> dict[str, str]:
        await service.look_up(service.access.check)
        return {"status": "ready"}

    @app.get("/metrics", tags=["operation"], summary="Counts for Prometheus")
    async def counts(request: Request) -> Response:
        if request.state.key.graphs:
            raise Refused(
                403,
                "No right",
                "The counts are those of all keys.",
                "A key that sees them is made without --graph: kgdb keys add NAME",
            )
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    app.router.routes.extend(over_http.routes)
    add_handlers(app)
    app.add_middleware(Gate, service=service, metrics=metrics)
    return app


def _checked_by_the_gate() -> Any:
    from mcp.server.transport_security import TransportSecuritySettings

    return TransportSecuritySettings(enable_dns_rebinding_protection=False)
