"""The graphs as tools of the Model Context Protocol, for agents: all of them only read."""

from __future__ import annotations

import json
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, ToolAnnotations

from kgdb._version import __version__
from kgdb.connection import KnowledgeGraph
from kgdb.graph.retrieval.results import Rows
from kgdb.plain_text import answer_text, verdict_text
from kgdb.serving.access_keys import AccessKey
from kgdb.serving.problem_details import problem_of
from kgdb.serving.question_batches import Asking, Outcome
from kgdb.serving.service import Service
from kgdb.values import Verdict, as_json

_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_INSTRUCTIONS = (
    "Answers and verdicts come from knowledge graphs in Neo4j, with the facts that prove them. "
    "'I don't know' is an answer: do not fill it in. Call graphs first; a graph's schema is the "
    "resource kgdb://GRAPH/schema."
)


def mcp_server(service: Service, asker: AccessKey | None = None) -> MCPServer[Any]:
    """The tools, the schema as a resource, and a prompt, over the graphs of a service.

    ``asker`` is whoever starts the server and alone speaks with it, by standard input and output.
    Over HTTP there is none: each request has a key, and what has no request is refused.
    """

    def key_of(ctx: Context) -> AccessKey:
        if asker is not None:
            return asker
        request = getattr(ctx.request_context, "request", None)
        key = None if request is None else request.scope.get("state", {}).get("key")
        if not isinstance(key, AccessKey):
            raise ToolError("The request has no key.")
        return key

    server = _Server("kgdb", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING")

    @server.tool(annotations=_READS)
    async def graphs(ctx: Context) -> list[dict[str, Any]]:
        """The graphs that there are, with what each is about and its size."""
        found = await _told(service.look_up(service.access.visible, key_of(ctx)))
        fields = ("name", "title", "entities", "relations", "triples")
        return [{field: getattr(g.info, field) for field in fields} for g in found.values()]

    @server.tool(annotations=_READS)
    async def answer(graph: str, question: str, ctx: Context) -> str:
        """Answer a question from a graph, with the facts that prove the answer.

        The question is one sentence in plain words with the names that the graph has.
        """
        found = await _asked(service, key_of(ctx), graph, question, "question")
        assert not isinstance(found, Verdict)  # noqa: S101 - a question has an answer
        return answer_text(found)

    @server.tool(annotations=_READS)
    async def verify(graph: str, claim: str, ctx: Context) -> str:
        """Judge a claim by a graph: SUPPORTED, REFUTED or NOT ENOUGH EVIDENCE, with the facts."""
        found = await _asked(service, key_of(ctx), graph, claim, "claim")
        assert isinstance(found, Verdict)  # noqa: S101 - a claim has a verdict
        return verdict_text(found)

    @server.tool(annotations=_READS)
    async def link(graph: str, name: str, ctx: Context, limit: int = 5) -> dict[str, Any]:
        """Find the entities that a name may mean; their ids are what other tools take."""
        found = await _graph(service, key_of(ctx), graph)
        most = min(limit, 50)
        return await _rows(service.run(lambda: found.link([name], limit=most)[0]))

    @server.tool(annotations=_READS)
    async def neighbors(
        graph: str, ids: list[str], ctx: Context, limit: int = 30
    ) -> dict[str, Any]:
        """The facts around entities, by their ids; ask for more with a larger limit."""
        found, most = await _graph(service, key_of(ctx), graph), min(limit, service.options.rows)
        return await _rows(service.run(lambda: found.neighbors(ids, limit=most)))

    @server.tool(annotations=_READS)
    async def paths(
        graph: str, ids: list[str], ctx: Context, max_hops: int = 3, limit: int = 10
    ) -> dict[str, Any]:
        """The shortest paths between entities, by their ids."""
        found, most = await _graph(service, key_of(ctx), graph), min(limit, service.options.rows)
        hops = min(max(1, max_hops), 6)
        return await _rows(
            service.run(lambda: found.shortest_paths(ids, max_hops=hops, limit=most))
        )

    @server.tool(annotations=_READS)
    async def read_cypher(graph: str, query: str, ctx: Context) -> dict[str, Any]:
        """Run a Cypher query that only reads, over this graph alone, within two seconds."""
        if "cypher" not in key_of(ctx).rights:
            raise ToolError("The key has no right to run Cypher.")
        found, most = await _graph(service, key_of(ctx), graph), min(100, service.options.rows)
        read = await _told(service.run(lambda: found.read_cypher(query, max_rows=most)))
        problem = None if read.error is None else f"{read.error.code}: {read.error.message}"
        return {**as_json(read), "error": problem}

    @server.resource("kgdb://{graph}/schema", mime_type="application/json")
    async def schema(graph: str, ctx: Context) -> str:
        """The labels, properties and relations of a graph."""
        try:
            found = await _graph(service, key_of(ctx), graph)

            def read() -> dict[str, Any]:
                return found.schema.to_dict()

            return json.dumps(await _told(service.run(read)), default=str)
        except ToolError as error:  # which the SDK takes for a crash of a resource
            raise ResourceNotFoundError(str(error)) from error

    @server.prompt()
    def answer_with_proof(graph: str, question: str) -> str:
        """Ask a question so that the answer says nothing that the graph does not prove."""
        return (
            f"Answer with the tools of kgdb over the graph {graph}: {question}\n"
            "Cite the facts. Check each sentence of your answer with the tool verify, and leave "
            "out what is not SUPPORTED."
        )

    return server


class _Server(MCPServer[Any]):
    """A server whose prompts tell a wrong name or argument as the protocol does, not as a crash."""

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Any = None
    ) -> Any:
        """The prompt; raises :class:`MCPError` for the client's mistakes."""
        try:
            return await super().get_prompt(name, arguments, context)
        except ValueError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error


async def _asked(service: Service, key: AccessKey, graph: str, text: str, kind: Any) -> Outcome:
    found = await _graph(service, key, graph)
    (outcome,) = await _told(service.ask(Asking(found.name, kind), [text]))
    if outcome.error is not None:
        raise ToolError(_problem(outcome.error))
    result: Outcome = outcome
    return result


async def _graph(service: Service, key: AccessKey, name: str) -> KnowledgeGraph:
    graph: KnowledgeGraph = await _told(service.look_up(service.access.graph, key, name))
    return graph


async def _rows(work: Any) -> dict[str, Any]:
    """The rows of a search."""
    found: Rows[Any] = await _told(work)
    return found.to_dict()


async def _told(work: Any) -> Any:
    """What the work gives; its errors as the text that an agent reads.

    A mistake of the service is logged here, once.
    """
    try:
        return await work
    except Exception as error:
        raise ToolError(_problem(error)) from error


def _problem(error: Exception) -> str:
    _, problem, _ = problem_of(error)
    return " ".join(filter(None, [problem["detail"], problem.get("hint")]))
