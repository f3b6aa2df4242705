"""Checks a form that a language model wrote, beside the question and the graph.

A form may use only what the graph has and what the question names, and it must account for every
name and operator word of the question: else it would answer another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph.forms import Form, check_form
from kgdb.graph.forms.named_values import MOST_NODES
from kgdb.graph.forms.operators import FORMS, Condition, Filter, Find, Verify, subforms
from kgdb.graph.schema import PropertyInfo, Schema
from kgdb.methods.context import MOST_RELATIONS, QuestionContext
from kgdb.methods.understanding.accounting import missing_operators, wrong_kind
from kgdb.methods.understanding.named import Named
from kgdb.methods.understanding.question import Anchor, QuestionParts
from kgdb.wording import listed, short


@dataclass(frozen=True, slots=True)
class FormCheck:
    """Checks forms for one question; each error names what is wrong, for the model to mend."""

    ctx: QuestionContext
    parts: QuestionParts
    named: Named
    schema: Schema

    async def resolved(self, form: Form) -> Form:
        """The form with the entities and values that it means. Raises :class:`UsageError`."""
        check_form(form, self.schema)
        form = await self._with_values(self._with_entities(form))
        for anchor in self.parts.anchors:
            if not _is_said(anchor, form):
                raise UsageError(
                    f"The form does not use {short(anchor.text)}, which the question names.",
                    hint="Use all that is named.",
                )
        if kind := wrong_kind(self.parts, form, self.schema):
            raise UsageError("The form gives what is not asked for.", hint=f"Expected {kind}.")
        if missing := missing_operators(self.parts, form):
            words = short(" … ".join(self.parts.cues))
            raise UsageError(
                f"The form does not account for {words}.", hint=f"Expected {listed(missing)}."
            )
        return form

    def _with_entities(self, form: Form) -> Form:
        """Every entity is one that the question names: a model knows others by heart."""
        found: dict[str, Find] = {}
        for anchor in self.parts.anchors:
            for one in anchor.readings:
                if isinstance(one.form, Find):
                    found.setdefault(one.form.name.casefold(), one.form)
        beside: dict[str, Find] = {}
        for entity, _ in self.named.entities:
            before = beside.get(entity.name.casefold(), Find(entity.name))
            beside[entity.name.casefold()] = replace(before, ids=(*before.ids, entity.id))
        found = beside | found

        def known(part: Any) -> Any:
            if not isinstance(part, Find):
                return part
            if part.name.casefold() not in found:
                raise UsageError(
                    f"The question names no entity {short(part.name)} of the graph.",
                    hint=f"Find only: {listed(each.name for each in found.values())}.",
                )
            return found[part.name.casefold()]

        return _changed(form, known)  # type: ignore[no-any-return]

    async def _with_values(self, form: Form) -> Form:
        """Every text that a property must equal is one of its values, spelt as there.

        Else a count of what is misspelt would be 0.
        """
        wanted = {c.value.lower() for c in _conditions(form) if self._is_looked_up(c)}
        if not wanted:
            return form
        _, values = await self.ctx.graph.named([], sorted(wanted))
        spelt = {(one.property, one.value.casefold()): one.value for one in values}

        def known(part: Any) -> Any:
            if not isinstance(part, Filter | Condition) or not self._is_looked_up(part):
                return part
            value = spelt.get((part.property, str(part.value).casefold()))
            if value is None:
                raise UsageError(f"No {short(part.property)} is {short(part.value)} in the graph.")
            return replace(part, value=value)

        return _changed(form, known)  # type: ignore[no-any-return]

    def _is_looked_up(self, condition: Filter | Condition) -> bool:
        """Whether the values of the property are texts, and few enough to be looked up."""
        if condition.op != "=" or not isinstance(condition.value, str):
            return False
        infos = list(_infos(self.schema, condition.property))
        labels = {label for info in infos for label in info.labels}
        return (
            bool(infos)
            and len(self.schema.relations) <= MOST_RELATIONS
            and all(info.type in ("text", "mixed") for info in infos)
            and all(self.schema.labels.get(label, 0) <= MOST_NODES for label in labels)
        )


def _infos(schema: Schema, name: str) -> Iterator[PropertyInfo]:
    """What is known of properties of that name, of entities and of relationships."""
    if name in schema.properties:
        yield schema.properties[name]
    for ends in schema.relations.values():
        yield from (info for info in ends.properties if info.name == name)


def _conditions(form: Form) -> Iterator[Any]:
    for each in subforms(form):
        yield from getattr(each, "where", ())
        if isinstance(each, Filter):
            yield each


def _is_said(anchor: Anchor, form: Form) -> bool:
    """Whether the form has the name or the value that the anchor stands for."""
    texts = {each.name for each in subforms(form) if isinstance(each, Find)}
    texts |= {str(each.value) for each in _conditions(form)}
    texts |= {str(each.value) for each in subforms(form) if isinstance(each, Verify)}
    meant = {anchor.text}
    for one in anchor.readings:
        meant |= {one.form.name} if isinstance(one.form, Find) else {str(one.value)}
    return not {text.casefold() for text in texts}.isdisjoint(text.casefold() for text in meant)


def _changed(part: Any, change: Callable[[Any], Any]) -> Any:
    """A form with each of its parts changed, the innermost first."""
    if not isinstance(part, (*FORMS, Condition)):
        return part
    inner: dict[str, Any] = {}
    for each in fields(part):
        value = getattr(part, each.name)
        if isinstance(value, tuple):
            inner[each.name] = tuple(_changed(one, change) for one in value)
        else:
            inner[each.name] = _changed(value, change)
    return change(replace(part, **inner))
