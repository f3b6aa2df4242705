"""The REST routes: answers, verdicts, retrieval, forms and Cypher over the graphs of a key."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from kgdb.connection import KnowledgeGraph
from kgdb.errors import KgdbError
from kgdb.graph.forms import form_schema, form_text, read_form
from kgdb.graph.forms.printing import words_of
from kgdb.serving.access_keys import AccessKey
from kgdb.serving.open_methods import check_choice
from kgdb.serving.problem_details import MEDIA_TYPE, Refused, problem_of
from kgdb.serving.question_batches import Asking
from kgdb.serving.request_bodies import (
    Claims,
    CypherBody,
    FormBody,
    Ids,
    Mentions,
    Nodes,
    PathEnds,
    Questions,
    TextBody,
)
from kgdb.serving.result_json import outcome_json, text_json
from kgdb.serving.service import Service
from kgdb.values import Stage, as_json

_EVENTS = "text/event-stream"
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"description": told, "content": {MEDIA_TYPE: {}}}
    for code, told in {
        400: "A value is wrong; `detail` names it.",
        401: "There is no key, or it was revoked.",
        403: "The key has no right to this.",
        404: "There is no such graph for the key.",
        429: "Asked too often; `Retry-After` tells when.",
        503: "The database or a model is not there, or too much waits.",
    }.items()
}

router = APIRouter(prefix="/v1", responses=_PROBLEMS)


def service_of(request: Request) -> Service:
    """The service behind a request."""
    service: Service = request.app.state.service
    return service


def key_of(request: Request) -> AccessKey:
    """The key of a request."""
    key: AccessKey = request.state.key
    return key


async def graph_of(graph: str, request: Request) -> KnowledgeGraph:
    """The graph that the path names, if the key may see it."""
    return await service_of(request).look_up(
        service_of(request).access.graph, key_of(request), graph
    )


Graph = Annotated[KnowledgeGraph, Depends(graph_of)]


@router.get("/graphs", summary="The graphs that the key may see")
async def graphs(request: Request) -> dict[str, Any]:
    """Each with its title, its size and its licence."""
    service = service_of(request)
    found = await service.look_up(service.access.visible, key_of(request))
    fields = ("name", "title", "entities", "relations", "triples", "licence")
    return {"graphs": [{f: getattr(graph.info, f) for f in fields} for graph in found.values()]}


@router.get("/graphs/{graph}/schema", summary="Labels, properties and relations")
async def schema(graph: Graph, request: Request) -> dict[str, Any]:
    """With how many there are of each, and what the relations join."""

    def read() -> dict[str, Any]:
        return {"graph": graph.name, **graph.schema.to_dict()}

    return await service_of(request).run(read)


@router.post(
    "/graphs/{graph}/answer",
    summary="Answer a question, or several",
    description="With `Accept: text/event-stream` one question's stages come as they end.",
)
async def answer(graph: Graph, body: Questions, request: Request) -> Response:
    """Answers with the paths that prove them, or with the reason why there is none."""
    asking = _asking(graph, body.method, body.llm, body.options, "question")
    if body.question is not None and body.after:
        found = await service_of(request).after(asking, [*body.after, body.question])
        if found.error is not None:
            raise found.error
        return JSONResponse(outcome_json(found))
    return await _outcomes(request, asking, body.question, body.questions, "answers")


@router.post(
    "/graphs/{graph}/verify",
    summary="Judge a claim, or several",
    description="With `Accept: text/event-stream` one claim's stages come as they end.",
)
async def verify(graph: Graph, body: Claims, request: Request) -> Response:
    """Verdicts with the facts for the claim and against it."""
    asking = _asking(graph, body.method, body.llm, body.options, "claim")
    return await _outcomes(request, asking, body.claim, body.claims, "verdicts")


@router.post("/graphs/{graph}/verify-text", summary="Judge the claims of a text one by one")
async def verify_text(graph: Graph, body: TextBody, request: Request) -> dict[str, Any]:
    """Each claim with its place in the text, its verdict and its facts."""
    asking = _asking(graph, body.method, body.llm, body.options, "claim")
    return text_json(await service_of(request).text(asking, body.text))


@router.post("/graphs/{graph}/link", summary="Find the entities that names may mean")
async def link(graph: Graph, body: Mentions, request: Request) -> dict[str, Any]:
    """For each mention its candidates, the best first."""
    found = await service_of(request).run(lambda: graph.link(body.mentions, limit=body.limit))
    return {"candidates": [[as_json(each) for each in rows] for rows in found]}


@router.post("/graphs/{graph}/entities", summary="Labels and properties of entities")
async def entities(graph: Graph, body: Ids, request: Request) -> dict[str, Any]:
    """Of each entity, in the order of their ids."""
    found = await service_of(request).run(lambda: graph.properties(body.nodes))
    return {"entities": [as_json(each) for each in found]}


@router.post("/graphs/{graph}/neighbors", summary="Expand entities by one hop")
async def neighbors(graph: Graph, body: Nodes, request: Request) -> dict[str, Any]:
    """The neighbors with the relations that lead to them."""
    service = service_of(request)
    limit = min(body.limit, service.options.rows)
    found = await service.run(
        lambda: graph.neighbors(body.nodes, relations=body.relations, limit=limit)
    )
    return found.to_dict()


@router.post("/graphs/{graph}/paths", summary="The shortest paths between entities")
async def paths(graph: Graph, body: PathEnds, request: Request) -> dict[str, Any]:
    """The paths, the shortest first."""
    service = service_of(request)
    limit = min(body.limit, service.options.rows)
    found = await service.run(
        lambda: graph.shortest_paths(
            body.nodes, max_hops=body.max_hops, relations=body.relations, limit=limit
        )
    )
    return found.to_dict()


@router.get("/graphs/{graph}/form-schema", summary="The JSON schema of logical forms")
async def forms(graph: Graph, request: Request) -> dict[str, Any]:
    """As a grammar for a language model that writes forms."""
    return await service_of(request).run(lambda: form_schema(graph.schema))


@router.post("/graphs/{graph}/query", summary="Run a logical form")
async def query(graph: Graph, body: FormBody, request: Request) -> dict[str, Any]:
    """Its value or its entities, with the facts that prove it."""
    service = service_of(request)

    def run() -> dict[str, Any]:
        form = read_form(body.form)
        limit = min(body.limit, service.options.rows)
        result = graph.query(form, limit=limit, timeout_ms=service.milliseconds)
        return {
            "interpretation": form_text(form, words_of(graph.relations)),
            **result.to_dict(),
        }

    return await service.run(run)


@router.post("/graphs/{graph}/cypher", summary="Run a Cypher query that only reads")
async def cypher(graph: Graph, body: CypherBody, request: Request) -> dict[str, Any]:
    """The rows; what is wrong with the query is told as its `error`."""
    if "cypher" not in key_of(request).rights:
        raise Refused(
            403,
            "No right",
            "The key has no right to run Cypher.",
            "A key with it is made by: kgdb keys add NAME --cypher",
        )
    service = service_of(request)
    found = await service.run(
        lambda: graph.read_cypher(
            body.query, timeout_ms=service.milliseconds, max_rows=service.options.rows
        )
    )
    read: dict[str, Any] = as_json(found)
    return read


def _asking(
    graph: KnowledgeGraph, method: str, llm: str | None, options: Mapping[str, Any], kind: Any
) -> Asking:
    check_choice(method, options)
    return Asking(graph.name, kind, method, llm, tuple(sorted(options.items())))


async def _outcomes(
    request: Request, asking: Asking, one: str | None, several: Sequence[str] | None, name: str
) -> Response:
    service = service_of(request)
    if _EVENTS in request.headers.get("accept", "") and one is not None:
        service.admit(asking, 1)
        return StreamingResponse(_staged(service, asking, one), media_type=_EVENTS)
    texts = [one] if one is not None else several or []
    if len(texts) > service.options.questions:
        most = service.options.questions
        raise Refused(400, "Too many", f"{len(texts)} were asked; at most {most} go together.")
    found = await service.ask(asking, texts)
    if one is not None:
        if found[0].error is not None:
            raise found[0].error
        return JSONResponse(outcome_json(found[0]))
    return JSONResponse({name: [outcome_json(each) for each in found]})


async def _staged(service: Service, asking: Asking, text: str) -> AsyncIterator[str]:
    """The stages as they end, then the outcome, or the problem that ended it."""
    stages: asyncio.Queue[Stage | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def watch(_: str, stage: Stage) -> None:
        loop.call_soon_threadsafe(stages.put_nowait, stage)

    task = asyncio.ensure_future(service.alone(asking, text, watch))
    task.add_done_callback(lambda _: stages.put_nowait(None))
    try:
        while (stage := await stages.get()) is not None:
            yield _event("stage", {"name": stage.name, "seconds": stage.usage.seconds})
        outcome = await task
        if outcome.error is not None:
            raise outcome.error
        yield _event("answer" if asking.kind == "question" else "verdict", outcome_json(outcome))
    except (KgdbError, Refused) as error:
        yield _event("problem", problem_of(error)[1])
    finally:
        task.cancel()


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data, default=str)}\n\n"
