"""What a word of a follow-up may refer to: the sets and entities of the last answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgdb.graph.forms.operators import (
    And,
    Compare,
    EntityForm,
    Except,
    Filter,
    FilterByCount,
    FilterLabel,
    Find,
    FindAll,
    Form,
    Or,
    Relate,
    Select,
    SelectByCount,
    SelectByQualifier,
    Superlative,
    subforms,
)
from kgdb.graph.schema import Schema
from kgdb.methods.follow_ups.references import Reference
from kgdb.values import AnsweredEntity
from kgdb.wording import short

_NAMED = 3
"""Entities of an answer that the words for it name."""


@dataclass(frozen=True, slots=True)
class Antecedent:
    """A set or an entity of the last question; ``size`` is known of what it gave."""

    form: EntityForm
    labels: frozenset[str]
    size: int | None = None

    @property
    def is_single(self) -> bool:
        """Whether it is one entity."""
        return self.size == 1


def ranked_set(form: EntityForm) -> EntityForm:
    """The set out of which a superlative chose; any other set itself."""
    return form.form if isinstance(form, Superlative) else form


def finds(form: Form) -> list[Find]:
    """What a form names, each once."""
    return list(dict.fromkeys(each for each in subforms(form) if isinstance(each, Find)))


def found_entities(answered: Sequence[AnsweredEntity]) -> Find:
    """The entities of an answer that has no form, as a set."""
    entities = [each.entity for each in answered]
    names = ", ".join(entity.name for entity in entities[:_NAMED])
    more = len(entities) - _NAMED
    name = f"{names} and {more} more" if more > 0 else names
    return Find(name, tuple(entity.id for entity in entities))


def form_labels(  # noqa: PLR0911 - one case for each operator
    form: EntityForm, schema: Schema, known: Mapping[Find, frozenset[str]]
) -> frozenset[str]:
    """The labels that the entities of a form may have; ``known`` are those of what it names."""
    match form:
        case Find():
            return known.get(form, frozenset(schema.labels))
        case FindAll(label=label):
            return frozenset({label} if label else schema.labels)
        case Relate(form=inner, relation=relation, direction=direction):
            start = form_labels(inner, schema, known)
            pairs = schema.relations[relation].pairs if relation in schema.relations else {}
            ends = {tail for head, tail in pairs if head in start and direction != "in"}
            ends |= {head for head, tail in pairs if tail in start and direction != "out"}
            return frozenset(ends) or frozenset(schema.labels)
        case FilterLabel(label=label):
            return frozenset({label})
        case Filter(form=inner) | FilterByCount(form=inner) | Select(form=inner):
            return form_labels(inner, schema, known)
        case SelectByCount(form=inner) | SelectByQualifier(form=inner) | Except(left=inner):
            return form_labels(inner, schema, known)
        case And(left=left, right=right):
            one, other = form_labels(left, schema, known), form_labels(right, schema, known)
            return one & other or one
        case Or(left=left, right=right) | Compare(left=left, right=right):
            return form_labels(left, schema, known) | form_labels(right, schema, known)


@dataclass(frozen=True, slots=True)
class Antecedents:
    """The antecedents of a last question, the answer first.

    ``persons`` are labels of people or animals, ``people`` those that nobody calls *it*.
    """

    every: tuple[Antecedent, ...]
    persons: frozenset[str]
    people: frozenset[str] = frozenset()

    def fitting(self, reference: Reference) -> list[Antecedent]:
        """What it may mean, the likeliest first."""
        fitting = [a for a in self._widened(reference) if self._fits(a, reference)]
        if reference.kind == "thing" and reference.refers == "thing":
            fitting = fitting or list(self.every)
            # "it" rather is one thing than many
            fitting.sort(key=lambda antecedent: not antecedent.is_single)
        if reference.kind == "plural":
            return fitting[:1] + [one for one in fitting[1:] if not one.is_single]
        return fitting

    def whole_set(self) -> Antecedent | None:
        """What a question without any reference goes on from."""
        return next(self._sets(), None)

    def _widened(self, reference: Reference) -> Iterator[Antecedent]:
        return self._sets() if reference.kind == "plural" else iter(self.every)

    def _sets(self) -> Iterator[Antecedent]:
        """As ``every``, but for one entity that was chosen out of a set, this set."""
        for antecedent in self.every:
            inner = ranked_set(antecedent.form)
            if inner != antecedent.form and antecedent.size in (None, 1):
                yield Antecedent(inner, antecedent.labels)
            yield antecedent

    def _fits(self, antecedent: Antecedent, reference: Reference) -> bool:
        if reference.noun:
            return bool(antecedent.labels & reference.noun)
        if reference.kind == "plural" or not self.persons:
            return True
        if reference.kind == "person":
            return bool(antecedent.labels & self.persons)
        return bool(antecedent.labels - self.people)

    def describe(self) -> str:
        """What there is to refer to, for a message."""
        labels = sorted({label for each in self.every for label in each.labels})
        return ", ".join(map(short, labels))
