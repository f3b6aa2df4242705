"""A follow-up as the last form changed: narrowed, counted, led on from, or with another part."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgdb.graph.forms.operators import ENTITY_FORMS, Aggregate, Count, Except, Find, Form, Property
from kgdb.methods.context import QuestionContext
from kgdb.methods.follow_ups.antecedents import Antecedent, Antecedents, finds, form_labels
from kgdb.methods.follow_ups.follow_up_words import ReferringWords
from kgdb.methods.follow_ups.going_on import GoingOn
from kgdb.methods.follow_ups.last_turn import (
    Turn,
    antecedents_of,
    labels_of_finds,
    mentioned,
)
from kgdb.methods.follow_ups.lead import Lead
from kgdb.methods.follow_ups.plan import Plan
from kgdb.methods.follow_ups.rewording import with_names, with_other_name
from kgdb.methods.follow_ups.substitution import with_comparison, with_entity
from kgdb.methods.understanding import has_readable_schema
from kgdb.methods.understanding.cues import Cues
from kgdb.methods.understanding.parsing import understand_parts
from kgdb.methods.understanding.question import Anchor, QuestionParts, take_apart
from kgdb.wording import counted, short


async def read_follow_up(
    ctx: QuestionContext, found: GoingOn, last: Turn, words: ReferringWords, cues: Cues
) -> Plan:
    """What the question asks for, or the reason why it is not understood."""
    reader = _Reader(ctx, found, last, await antecedents_of(ctx, last, cues), words, cues)
    if found.way == "swap" and (plan := await reader.swapped()) is not None:
        return plan
    return await reader.changed()


@dataclass(frozen=True, slots=True)
class _Reader:
    ctx: QuestionContext
    found: GoingOn
    last: Turn
    antecedents: Antecedents
    words: ReferringWords
    cues: Cues

    async def swapped(self) -> Plan | None:
        """The last question with another part; ``None`` where the part rather narrows the set."""
        form, parts = self.last.form, self.found.parts
        if parts.comparisons:
            changed = (
                None
                if form is None
                else with_comparison(form, parts.comparisons[0], swaps=self.found.swaps)
            )
            return None if changed is None else Plan(form=changed)
        anchor = parts.anchors[0]
        if form is None:
            named = await mentioned(self.ctx, self.last.question)
            labels = await labels_of_finds(self.ctx, named)
            same = [find for find in named if labels[find] & anchor.labels]
            return with_other_name(self.last.question, anchor.text, same)
        swapped = with_entity(form, anchor, await labels_of_finds(self.ctx, finds(form)))
        if swapped.form is None and anchor.form is not None and anchor.key is not None:
            return None
        return Plan(form=swapped.form, reason=swapped.reason)

    async def changed(self) -> Plan:  # noqa: PLR0911 - one return for each way
        """The last set narrowed, counted, ranked, or what leads on from it."""
        meant = self._meant()
        if isinstance(meant, Plan):
            return meant
        anchors = sorted((*self.found.anchors, *meant), key=lambda anchor: anchor.start)
        schema = await self.ctx.graph.schema()
        others = self.words.others.search(self.found.text.lower())
        parts = take_apart(_without(self.found.text, others), anchors, self.cues, schema.wordings)
        subject = meant[0].form
        if self._lists(parts):
            return Plan(form=subject, subject=subject)
        if reason := self._unclear(parts):
            return Plan(reason=reason)
        by_name = None if await has_readable_schema(self.ctx) else self._by_name()
        if by_name is not None and not others and not parts.has_operators:
            return by_name  # a question alone is answered by a chain there
        understood = await understand_parts(self.ctx, parts)
        form = understood.form
        if form is not None:
            if word := self._said_of_all(form):
                return Plan(reason=f"I don't understand {short(word)} in the question")
            return Plan(form=await self._others(form) if others else form, subject=subject)
        return by_name or Plan(reason=understood.reason)

    def _meant(self) -> list[Anchor] | Plan:
        """The sets and entities that the words refer to, as anchors in their places."""
        if not self.found.references:
            whole = self.antecedents.whole_set()
            if whole is None:
                return Plan(reason=f"{short(self.found.said)} refers to nothing in the last answer")
            at = len(self.found.text) - len(self.found.text.lstrip())
            refers = "thing" if self.found.way == "lead on" else "set"
            return [Anchor("", at, at, whole.form, whole.labels, refers=refers)]  # type: ignore[arg-type]
        anchors = []
        for one in self.found.references:
            antecedent = self.antecedents.of(one)
            if antecedent is None:
                of = self.antecedents.describe()
                return Plan(reason=f"{short(one.text)} refers to nothing in the last answer ({of})")
            if antecedent.size == 0 and one.refers == "thing":
                return Plan(reason=f"{short(one.text)} refers to nothing: the last answer is empty")
            anchors.append(
                Anchor(
                    one.text,
                    one.start,
                    one.end,
                    antecedent.form,
                    antecedent.labels,
                    refers=one.refers,
                )
            )
        return anchors

    async def _others(self, form: Form) -> Form:
        """Those of a form that the last question does not speak of: *what else did he direct?*."""
        if isinstance(form, Count):
            inner = await self._others(form.form)
            return Count(inner) if isinstance(inner, ENTITY_FORMS) else form
        if not isinstance(form, ENTITY_FORMS):
            return form
        named = await labels_of_finds(self.ctx, finds(form))
        labels = form_labels(form, await self.ctx.graph.schema(), named)
        others = form
        for place, antecedent in enumerate(self.antecedents.every):
            is_said = place == 0 or isinstance(antecedent.form, Find)
            if is_said and antecedent.labels & labels:
                others = Except(others, antecedent.form)
        return others

    def _lists(self, parts: QuestionParts) -> bool:
        """Whether it only asks to see the set: *which ones?*."""
        return (
            not parts.words
            and len(parts.anchors) == 1
            and not parts.has_operators
            and not parts.comparisons
            and parts.asks in (None, "who")
        )

    def _unclear(self, parts: QuestionParts) -> str | None:
        """Why a *yes* would not be clear: of several entities some may be so, and others not."""
        if not parts.yes_no:
            return None
        for one in self.found.references:
            antecedent = self.antecedents.of(one)
            size = None if antecedent is None else antecedent.size
            if one.refers == "thing" and one.kind == "plural" and (size or 1) > 1:
                number = counted(size or 0, "entity", "entities")
                return (
                    f"{short(one.text)} are {number}: ask 'are any of them …' or 'which of them …'"
                )
        return None

    def _by_name(self) -> Plan | None:
        """The question with the name of the one entity that it refers to."""
        names = set()
        for one in self.found.references:
            antecedent = self.antecedents.of(one)
            if one.refers == "set" or antecedent is None or not antecedent.is_single:
                return None
            name = self._name(antecedent)
            if name is None:
                return None
            names.add(name)
        if len(names) != 1:
            return None
        question = with_names(Lead(self.found.text), self.found.references, names.pop())
        return Plan(question=question)

    def _name(self, antecedent: Antecedent) -> str | None:
        if isinstance(antecedent.form, Find):
            return antecedent.form.name
        entities = self.last.answer.entities
        return entities[0].entity.name if len(entities) == 1 else None

    def _said_of_all(self, form: Form) -> str | None:
        """The word that asks for what holds of all of several, where the form is of any of them."""
        word = self.words.all.search(self.found.text.lower())
        if word is None or isinstance(form, Property | Count | Aggregate):
            return None
        names = [(a.start, a.end) for a in self.found.anchors]
        in_name = any(start <= word.start() < end for start, end in names)
        return None if in_name or len(names) > 1 else word[0]


def _without(text: str, found: re.Match[str] | None) -> str:
    if found is None:
        return text
    return text[: found.start()] + " " * len(found[0]) + text[found.end() :]
