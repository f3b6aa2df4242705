"""Text2Cypher: a capable language model writes the query, and the graph answers it.

The prompt has the part of the schema that the question needs. The database runs what the model
writes in its sandbox (``kgdb.cypher.read``): a query that only reads, within limits. A refused
query is repaired once. The rows are the answer, and what the query matched is its evidence.
Whatever else the model writes is no answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from kgdb.graph import ReadAnswer
from kgdb.graph.value_types import plain_value
from kgdb.language import CompletionRequest
from kgdb.language.text.lines import one_line
from kgdb.language.text.replies import MAX_REPLY
from kgdb.methods.answering.abstention import cannot_verify, no_model
from kgdb.methods.context import QuestionContext
from kgdb.methods.text2cypher.cypher_rows import Result, Table, result_of
from kgdb.methods.text2cypher.evidence import (
    NO_EVIDENCE,
    evidence_by_row,
    row_key,
    value_as_text,
)
from kgdb.methods.text2cypher.evidence_query import MOST_FACTS, evidence_query
from kgdb.methods.text2cypher.inspection import negates, own_texts, reads_graph, returned
from kgdb.methods.text2cypher.left_out import left_out_rows, unknown_text
from kgdb.methods.text2cypher.prompting import query_prompt, repair_prompt
from kgdb.methods.text2cypher.reply import query_in
from kgdb.methods.text2cypher.text2cypher_options import Options
from kgdb.values import Answer, Verdict
from kgdb.wording import counted, short, value_text

METHOD = "text2cypher"

_CALLS = 2
"""Calls of the language model for one question: the query and its repair."""
_MAX_PATH_LENGTH = 4
_ROWS_IN_TRACE = 20
_NO_CYPHER = "the language model wrote no Cypher query"


@dataclass(slots=True)
class _Attempts:
    """The queries that the model wrote, and the reason why the last one gave no rows."""

    queries: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    reason: str | None = None


class Text2Cypher:
    """Answers questions over one graph; see the module for what it does."""

    name = METHOD

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The rows of the model's query as an answer, or the reason why there is none."""
        blank = Answer(ctx.question, ctx.graph.name, METHOD)
        if not ctx.llm.available:
            return replace(blank, reason=no_model(METHOD))
        ctx.budget.limit(calls=_CALLS)
        with ctx.stage("schema") as stage:
            asked, trace = await query_prompt(ctx, self._options)
            stage.record(**trace)
        attempts = _Attempts()
        with ctx.stage("query") as stage:
            rows = await self._query(ctx, asked, attempts)
            stage.record(cypher=attempts.queries, errors=attempts.errors)
            if rows is not None:
                shown = [plain_value(row) for row in rows.rows[:_ROWS_IN_TRACE]]
                stage.record(columns=list(rows.columns), rows=shown, row_count=len(rows.rows))
        if rows is None:
            return replace(blank, reason=attempts.reason, interpretation=_shown(attempts))
        blank = replace(blank, interpretation=_shown(attempts))
        return await self._answer_of(ctx, blank, attempts.queries[-1], rows)

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """Raises :class:`kgdb.errors.UsageError`: a query has no verdict."""
        raise cannot_verify(METHOD, ctx.question)

    async def _query(
        self, ctx: QuestionContext, asked: str, attempts: _Attempts
    ) -> ReadAnswer | None:
        """The rows of the query that the model writes, repaired once if it is refused."""
        text = asked
        for _ in range(2 if self._options.repair else 1):
            reply = await ctx.llm.complete(
                CompletionRequest(text, max_tokens=self._options.reply_tokens)
            )
            query = query_in(reply.text)
            if query is None:
                attempts.reason = _why_no_query(reply.text)
                return None
            attempts.queries.append(query)
            rows = await self._read(ctx, query)
            if rows.error is None:
                return rows
            attempts.errors.append(f"{rows.error.code}: {rows.error}")
            attempts.reason = (
                "the database refused or stopped the query of the language model: "
                f"{one_line(str(rows.error))}"
            )
            text = repair_prompt(ctx, asked, query, str(rows.error))
        return None

    async def _read(self, ctx: QuestionContext, query: str, *, max_rows: int = 0) -> ReadAnswer:
        return await ctx.graph.read_cypher(
            query,
            max_rows=max_rows or self._options.max_rows,
            max_path_length=_MAX_PATH_LENGTH,
            timeout_ms=self._options.timeout_ms,
        )

    async def _answer_of(
        self, ctx: QuestionContext, blank: Answer, query: str, rows: ReadAnswer
    ) -> Answer:
        if not reads_graph(query):
            texts = [value_as_text(value) for row in rows.rows for value in plain_value(row)]
            return replace(
                blank,
                reason="what the query of the language model returns is not from the graph",
                unsupported=tuple(dict.fromkeys(texts)) if self._options.allow_unsupported else (),
            )
        table = Table(
            rows.columns,
            tuple(tuple(plain_value(row)) for row in rows.rows),
            (NO_EVIDENCE,) * len(rows.rows),
            tuple(returned(query)),
            frozenset(own_texts(query)),
            frozenset(await _dates(ctx)),
        )
        with ctx.stage("evidence") as stage:
            table = await self._with_evidence(ctx, query, table)
            result = result_of(table, self._options.paths)
            answer = replace(
                blank,
                entities=result.entities,
                value=result.value,
                facts=result.facts[:MOST_FACTS],
                truncated=rows.truncated,
            )
            answer = replace(answer, retrieved=answer.evidence, text=_sentence(result))
            stage.record(facts=len(answer.evidence))
        if answer.is_empty:
            return replace(
                blank, reason="the query of the language model found nothing in the graph"
            )
        # A count of 0, a "no", and what has not to do with a name say nothing if it is misspelt.
        rests_on_absence = answer.value in (0, False) or negates(query)
        if rests_on_absence and (text := await unknown_text(ctx, query)) is not None:
            return replace(
                blank,
                reason=f"the graph has no {short(text)}, which the query of the language model "
                "compares with",
            )
        if rows.truncated:
            ctx.note(
                f"Rows, or parts of a list, beyond the first {self._options.max_rows:,} of the "
                "query were not read (max_rows)."
            )
        cut = await left_out_rows(ctx, query, rows, self._read)
        return replace(answer, truncated=answer.truncated or cut)

    async def _with_evidence(self, ctx: QuestionContext, query: str, table: Table) -> Table:
        """The rows with what proves each; a row without any where the query cannot be changed."""
        changed = evidence_query(query)
        found = {}
        if changed is not None and table.rows:
            most = max(self._options.max_rows, MOST_FACTS)
            matched = await self._read(ctx, changed.text, max_rows=most)
            if matched.error is None:
                found = evidence_by_row(changed, matched)
        evidence = tuple(found.get(row_key(row), NO_EVIDENCE) for row in table.rows)
        missing = sum(each is NO_EVIDENCE for each in evidence)
        if missing:
            ctx.note(
                f"What {counted(missing, 'row')} of the query matched could not be read; the rows "
                "are their own evidence."
            )
        return replace(table, evidence=evidence)


async def _dates(ctx: QuestionContext) -> list[str]:
    """The properties of entities whose values are dates."""
    schema = await ctx.graph.schema()
    return [info.name for info in schema.properties.values() if info.type == "date"]


def _why_no_query(reply: str) -> str:
    if len(reply) > MAX_REPLY:
        return f"{_NO_CYPHER} but {len(reply):,} characters"
    said = one_line(reply, 80)
    return f"{_NO_CYPHER}: {short(said)}" if said else _NO_CYPHER


def _shown(attempts: _Attempts) -> str | None:
    """The last query, as the question is understood."""
    return one_line(attempts.queries[-1]) if attempts.queries else None


def _sentence(result: Result) -> str | None:
    """The answer in one sentence, where it is yes or no."""
    if isinstance(result.value, bool):
        return f"{value_text(result.value).capitalize()}."
    return None
