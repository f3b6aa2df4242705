"""Plain neighbor retrieval: everything around the question's entities is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from kgdb.graph.retrieval.results import Neighbor, Rows
from kgdb.methods.answering.abstention import cannot_verify, no_entity_named
from kgdb.methods.answering.completion import DiscardedEvidence
from kgdb.methods.answering.extraction import Evidence, extract_answers
from kgdb.methods.answering.llm_reader import LLMReader
from kgdb.methods.context import QuestionContext
from kgdb.methods.option_declarations import AllowUnsupported, MethodOptions, ProofPaths, Range
from kgdb.values import Answer, Entity, Path, Step, Verdict
from kgdb.wording import counted, plural


@dataclass(frozen=True, slots=True)
class NeighborsOptions(MethodOptions):
    """The options of the method."""

    hops: Annotated[int, Range(1, 4), "hops around the question's entities"] = 1
    neighbors_fetched: Annotated[
        int, Range(1, 100_000), "neighbours that are read from the graph for each hop at most"
    ] = 1000
    max_evidence: Annotated[
        int, Range(1, 10_000), "paths that are read as evidence at most, the shortest first"
    ] = 300
    paths: ProofPaths = 3
    allow_unsupported: AllowUnsupported = False


class Neighbors:
    """Reads the answer out of whatever is near."""

    name = "neighbors"

    def __init__(self, options: NeighborsOptions | None = None) -> None:
        self._options = options or NeighborsOptions()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The answers that the surroundings give: a round trip to link, and one per hop."""
        options = self._options
        with ctx.stage("link") as stage:
            links = await ctx.graph.mentions(ctx.question)
            starts = list(dict.fromkeys(entity for link in links for entity in link.entities))
            stage.record(entities=[entity.id for entity in starts])
        if not starts:
            return no_entity_named(ctx, self.name)
        with ctx.stage("retrieve") as stage:
            retrieved, more = await around(ctx, starts, options.hops, options.neighbors_fetched)
            stage.record(paths=len(retrieved))
            if len(retrieved) > options.max_evidence:
                ctx.note(
                    f"Only {options.max_evidence} of {counted(len(retrieved), 'path')} around "
                    f"{plural(options.max_evidence, 'was', 'were')} read."
                )
        with ctx.stage("read"):
            cut = {path.steps for path in retrieved[options.max_evidence :]}
            return await extract_answers(
                ctx,
                self.name,
                Evidence(
                    retrieved[: options.max_evidence],
                    [link.ids for link in links],
                    discarded=DiscardedEvidence(cut=cut | more),
                ),
                LLMReader(allow_unsupported=options.allow_unsupported),
                max_proofs=options.paths,
            )

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """It only answers questions."""
        raise cannot_verify(self.name, ctx.question)


async def around(
    ctx: QuestionContext, starts: Sequence[Entity], hops: int, limit: int
) -> tuple[list[Path], set[tuple[Step, ...]]]:
    """A path to each entity within some hops of the starts, one for each way in, near ones first.

    A mediator is passed through. At most ``limit`` neighbors of each hop are taken; also the steps
    of paths of which there may be more for that reason.
    """
    reached = {entity.id: Path((entity,), ()) for entity in starts}
    border = list(reached)
    paths: list[Path] = []
    cut: set[tuple[Step, ...]] = set()
    for _ in range(hops):
        if not border:
            break
        rows = await ctx.graph.neighbors(border, limit=limit, mediators=True)
        _note_truncation(ctx, rows)
        new: dict[str, Path] = {}
        for neighbor in rows:
            before = reached[neighbor.source]
            if neighbor.entity in before.entities:
                continue
            path = _extended(before, neighbor)
            paths.append(path)
            if neighbor.entity.id not in reached:
                new.setdefault(neighbor.entity.id, path)
        if rows.truncated:
            cut |= {path.steps for path in new.values()}
        reached |= new
        border = list(new)
    return paths, cut


def _note_truncation(ctx: QuestionContext, rows: Rows[Neighbor]) -> None:
    if rows.truncated:
        ctx.note("There is more around the question's entities than was fetched.")


def _extended(path: Path, neighbor: Neighbor) -> Path:
    """A path with one more hop, through a mediator where there is one."""
    entities, steps = path.entities, path.steps
    if neighbor.via is not None and neighbor.via_step is not None:
        mediator = Entity(neighbor.via, neighbor.via)
        ends = (mediator, neighbor.entity)
        return Path((*entities, *ends), (*steps, neighbor.step, neighbor.via_step))
    return Path((*entities, neighbor.entity), (*steps, neighbor.step))
