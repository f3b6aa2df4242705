"""What a query leaves out in silence: rows behind a ``LIMIT``, and names that are not there."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from itertools import takewhile

from kgdb.graph import ReadAnswer
from kgdb.graph.forms.named_values import MOST_NODES
from kgdb.graph.value_types import plain_value
from kgdb.methods.context import QuestionContext
from kgdb.methods.text2cypher.inspection import RowLimit, compared_texts, folds_case, limits_of
from kgdb.wording import counted, short

_NUMBER_WORDS = {
    word: number
    for number, words in {
        2: "two pair both 两 二",
        3: "three 三",
        4: "four 四",
        5: "five 五",
        6: "six 六",
        7: "seven 七",
        8: "eight 八",
        9: "nine 九",
        10: "ten 十",
    }.items()
    for word in words.split()
}
_WORD = re.compile(r"\d+|[a-z]+|[两二三四五六七八九十]", re.IGNORECASE)

_LETTER = re.compile(r"[^\W\d_]")
_MOST_TEXTS = 20
"""Texts of a query that are looked up."""

Read = Callable[[QuestionContext, str], Awaitable[ReadAnswer]]


async def left_out_rows(ctx: QuestionContext, query: str, rows: ReadAnswer, read: Read) -> bool:
    """Note the rows that limits of the query left out, and whether the question asks for more.

    *The three oldest* has three rows, and *the oldest* one, whatever follows: then only a note
    tells that the next row has the same value.
    """
    cut = False
    for limit in limits_of(query):
        asked = _is_asked(ctx.question, limit)
        if limit.is_last and len(rows.rows) < limit.number:
            continue
        every = await read(ctx, limit.unlimited) if limit.unlimited else None
        if every is None or every.error is not None:
            if not asked:
                ctx.note(f"The query keeps only the first {limit.number:,} of its rows (LIMIT).")
                cut = True
        elif len(every.rows) > limit.number and not asked:
            more = "more than " if every.truncated else ""
            ctx.note(
                f"The query keeps only the first {limit.number:,} of {more}"
                f"{counted(len(every.rows), 'row')} (LIMIT)."
            )
            cut = True
        elif asked and (tied := _tied(limit, every)) > 0:
            ctx.note(
                f"{counted(tied, 'row')} that the query leaves out (LIMIT {limit.number}) "
                f"{'has' if tied == 1 else 'have'} the same {short(limit.order)} as the last one."
            )
            cut = True
    return cut


def _is_asked(question: str, limit: RowLimit) -> bool:
    """Whether the question says the number, or asks for the first one of an order."""
    if limit.number == 1:
        return limit.order is not None
    words = (found[0].lower() for found in _WORD.finditer(question))
    return limit.number in {
        int(word) if word.isdigit() else _NUMBER_WORDS.get(word) for word in words
    }


def _tied(limit: RowLimit, every: ReadAnswer) -> int:
    """The rows behind the limit that rank like the last one before it, where a column tells."""
    if limit.order_column not in every.columns:
        return 0
    column = every.columns.index(limit.order_column)
    values = [plain_value(row[column]) for row in every.rows]
    kept, others = values[: limit.number], values[limit.number :]
    return len(list(takewhile(lambda value: value == kept[-1], others))) if kept else 0


async def unknown_text(ctx: QuestionContext, query: str) -> str | None:
    """The first text that the query compares with and that nothing in the graph is called.

    Numbers, dates and names of the schema are not looked up, and in a graph whose values are too
    many to be searched nothing is.
    """
    schema = await ctx.graph.schema()
    sizes = [*schema.labels.values(), *(ends.count for ends in schema.relations.values())]
    if max(sizes, default=0) > MOST_NODES:
        return None
    own = {*schema.labels, *schema.relations}
    texts = [text for text in compared_texts(query) if _LETTER.search(text) and text not in own]
    texts = texts[:_MOST_TEXTS]
    if not texts:
        return None
    links = await ctx.graph.mentions_all([f"[{text}]" for text in texts])
    _, values = await ctx.graph.named([], [text.lower() for text in texts])
    known = {entity.name for each in links for link in each for entity in link.entities}
    known |= {value.value for value in values}
    if folds_case(query):
        lower = {name.lower() for name in known}
        return next((text for text in texts if text.lower() not in lower), None)
    return next((text for text in texts if text not in known), None)
