"""The last answered question, and what a follow-up may refer to in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgdb.graph.forms import Form, read_form
from kgdb.graph.forms.operators import (
    ENTITY_FORMS,
    Count,
    EntityForm,
    Find,
    FindAll,
    Property,
    Superlative,
    set_of,
    subforms,
)
from kgdb.language.text.word_classes import WordClasses
from kgdb.methods.context import QuestionContext
from kgdb.methods.follow_ups.antecedents import (
    Antecedent,
    Antecedents,
    finds,
    form_labels,
    found_entities,
)
from kgdb.methods.understanding.view import is_person, person_labels
from kgdb.values import Answer

_LOOKED_AT = 100
"""Entities of an answer whose labels are looked up."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An answer, and the question in the words by which it was answered.

    ``subject`` is the set that a follow-up was about.
    """

    answer: Answer
    question: str
    subject: EntityForm | None = None

    @property
    def form(self) -> Form | None:
        """The form of the answer, where it has one."""
        return None if self.answer.form is None else read_form(dict(self.answer.form))


async def antecedents_of(ctx: QuestionContext, turn: Turn, cues: WordClasses) -> Antecedents:
    """What the turn has to refer to: its answer or the set that it is about, then what it names."""
    schema = await ctx.graph.schema()
    form = turn.form
    named = finds(form) if form is not None else await mentioned(ctx, turn.question)
    ids = [each.entity.id for each in turn.answer.entities[:_LOOKED_AT]]
    labels = await labels_of(ctx, ids)
    known = await labels_of_finds(ctx, named)
    every: list[Antecedent] = []
    entities = turn.answer.entities
    if turn.answer.value is False and turn.subject is not None:
        # "Are any of them …?" No: what comes next is about them, not about none.
        every.append(Antecedent(turn.subject, form_labels(turn.subject, schema, known)))
    if form is None and entities:
        found = found_entities(entities)
        every.append(Antecedent(found, _all(labels), len(entities)))
    elif form is not None and (base := set_of(form)) is not None:
        own = _all(labels) if isinstance(form, ENTITY_FORMS) else frozenset[str]()
        every.append(
            Antecedent(base, own or form_labels(base, schema, known), _size(form, turn.answer))
        )
    inner = [each for each in subforms(form) if isinstance(each, ENTITY_FORMS)] if form else named
    for each in inner:
        if not isinstance(each, FindAll) and all(each != one.form for one in every):
            size = _single(each)
            every.append(Antecedent(each, form_labels(each, schema, known), size))
    persons = person_labels(schema, cues)
    people = frozenset(label for label in schema.labels if is_person(label, cues))
    return Antecedents(tuple(every), persons, people)


async def mentioned(ctx: QuestionContext, question: str) -> list[Find]:
    """The entities that a question names."""
    links = await ctx.graph.mentions(question)
    return [Find(link.entities[0].name, link.ids) for link in links if link.entities]


async def labels_of(ctx: QuestionContext, ids: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """The labels of entities that the schema has."""
    if not ids:
        return {}
    schema = await ctx.graph.schema()
    labels, _ = await ctx.graph.named(ids, [])
    return {id: frozenset(own) & schema.labels.keys() for id, own in labels.items()}


async def labels_of_finds(
    ctx: QuestionContext, named: Sequence[Find]
) -> dict[Find, frozenset[str]]:
    """The labels of what a form names; a name without ids is looked up."""
    ids = {find: find.ids for find in named}
    bare = [find for find in named if not find.ids]
    if bare:
        links = await ctx.graph.mentions_all([find.name for find in bare])
        ids |= {
            find: tuple(id for link in one for id in link.ids)
            for find, one in zip(bare, links, strict=True)
        }
    labels = await labels_of(ctx, [id for each in ids.values() for id in each[:_LOOKED_AT]])
    return {
        find: _all({id: labels.get(id, frozenset()) for id in each}) for find, each in ids.items()
    }


def _single(form: Form) -> int | None:
    """How many entities a form inside another has, where that shows."""
    if isinstance(form, Superlative):
        return form.k
    return (len(form.ids) or 1) if isinstance(form, Find) else None


def _all(labels: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*labels.values())


def _size(form: Form, answer: Answer) -> int | None:
    """How many entities the set of a form has, where its answer tells."""
    if isinstance(form, ENTITY_FORMS):
        return len(answer.entities)
    if isinstance(form, Count) and isinstance(answer.value, int):
        return answer.value
    if isinstance(form, Property) and isinstance(form.form, Find):
        return len(form.form.ids) or 1
    return None
