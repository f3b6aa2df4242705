"""A follow-up in words that stand alone: the name of an entity in the place of *he* or of another.

So is asked what no form says: questions over graphs with too many relations to read, and those that
a method answers by chains.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.graph import Link
from kgdb.graph.forms.operators import Count, Find
from kgdb.methods.context import QuestionContext
from kgdb.methods.follow_ups.antecedents import found_entities
from kgdb.methods.follow_ups.follow_up_words import ReferringWords
from kgdb.methods.follow_ups.last_turn import Turn, labels_of_finds, mentioned
from kgdb.methods.follow_ups.lead import Lead, lead_of
from kgdb.methods.follow_ups.plan import Plan
from kgdb.methods.follow_ups.references import Mention, Reference, ReferenceFinder, references_in
from kgdb.methods.understanding.cues import Cues
from kgdb.methods.understanding.grammar.spoken_language import spoken_language
from kgdb.methods.understanding.question import Anchor, take_apart
from kgdb.wording import counted, listed, short

_OPERATORS = "more than a name can stand for, and the graph has too many relations to read"


async def plan_by_names(
    ctx: QuestionContext, last: Turn | None, words: ReferringWords, cues: Cues
) -> Plan | None:
    """How a question goes on over a graph whose relations are too many to be read one by one."""
    links = await ctx.graph.mentions(ctx.question)
    names = [Mention(one.start, one.end, frozenset(), is_name=True) for one in links]
    if (language := spoken_language(ctx.question)) != "en":
        lead, references = Lead(ctx.question), references_in(ctx.question, language)
    else:
        lead = lead_of(ctx.question, [(one.start, one.end) for one in links], words)
        finder = ReferenceFinder(lead.text.lower(), lead.begin, names, frozenset(), words)
        references = finder.references()
    anchors = [Anchor(one.mention, one.start, one.end, None, frozenset()) for one in links]
    parts = take_apart(lead.text, anchors, cues)
    bare = not parts.words and not links and parts.counts
    if not references and not bare:
        swaps = (lead.swaps or lead.opens) and len(links) == 1 and not parts.words
        return await _swapped(ctx, last, links[0]) if swaps and last else None
    said = " ".join(one.text for one in references) or ctx.question.strip(" ?.!")
    if last is None:
        return Plan(reason=nothing_before(said))
    entities = last.answer.entities
    found = [found_entities(entities)] if entities else await mentioned(ctx, last.question)
    if parts.counts and not parts.words and found:
        return Plan(form=Count(found[0]), keeps=True)
    if len(found) != 1 or (entities and len(entities) > 1):
        number = counted(len(entities), "entity", "entities") if entities else "nothing"
        return Plan(reason=f"{short(said)} refers to {number}: {_OPERATORS}")
    return Plan(question=with_names(lead, references, found[0].name))


async def _swapped(ctx: QuestionContext, last: Turn, link: Link) -> Plan:
    """The last question with the entity in the place of the one of its kind."""
    new = Find(link.mention, link.ids)
    named = await mentioned(ctx, last.question)
    labels = await labels_of_finds(ctx, [new, *named])
    same = [find for find in named if labels[find] & labels[new]]
    return with_other_name(last.question, link.mention, same)


def nothing_before(said: str) -> str:
    """The reason where a word refers to an answer that there is not."""
    return f"{short(said)} refers to an earlier answer, and there is none"


def with_names(lead: Lead, references: Sequence[Reference], name: str) -> str:
    """The question with the name wherever it refers to it."""
    text = lead.text
    for one in reversed(references):
        said = f"{name}'s" if one.possessive else name
        text = text[: one.start] + said + text[max(one.end, one.noun_end) :]
    return text.strip()


def with_other_name(question: str, name: str, candidates: Sequence[Find]) -> Plan:
    """The question about another entity than the one of its kind that it names."""
    lower = question.lower()
    named = [find for find in candidates if find.name.lower() in lower]
    if len(named) != 1:
        names = listed(find.name for find in named)
        reason = (
            f"{short(name)} may take the place of {names}: ask the whole question"
            if named
            else f"the last question names nothing that {short(name)} could take the place of"
        )
        return Plan(reason=reason)
    start = lower.index(named[0].name.lower())
    return Plan(question=question[:start] + name + question[start + len(named[0].name) :])
