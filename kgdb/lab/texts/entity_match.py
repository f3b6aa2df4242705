"""Key-entity match (RoK, §5.1.2): how many entities of the reference the answer names, by kind.

A name counts as in :mod:`kgdb.language.text.name_forms`: whole and word for word, whatever its
case, hyphens and plurals are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from types import MappingProxyType

from kgdb.language.text.name_forms import Form, forms_in, name_forms
from kgdb.methods.texts.citations import without_citations
from kgdb.values import Entity, Triple

KIND_RELATIONS: Mapping[str, Collection[str]] = MappingProxyType(
    {
        "disease": ("possible_disease", "possible_cure_disease", "can_check_disease", "并发症"),
        "medication": ("need_medication", "药品"),
        "test": ("need_medical_test", "检查"),
    }
)
"""The kinds of RoK's Table 3, each by the relations of EMCKG and CMCKG that lead to it."""

SUBJECT_RELATIONS: Collection[str] = frozenset({"药品", "检查", "症状", "并发症"})
"""The relations of CMCKG that lead on from a disease: no relation leads to most of its diseases."""

ALIAS_RELATIONS: Collection[str] = frozenset({"别名"})
"""The relations of CMCKG that lead to another name of the same."""

SYMPTOM_RELATIONS: Collection[str] = frozenset({"症状"})
"""The relations of CMCKG that lead to symptoms: a few are told as medications or tests too."""

_SHORTEST = 2
"""Characters of a name that is looked for in a reference: a single one is part of any word."""

SUBJECT = "disease"
"""The kind of what a dialogue is about: the graph says of it what it needs."""


@dataclass(frozen=True, slots=True)
class KeyEntities:
    """The shares of the gold entities that an answer names; ``None`` where there is none to name.

    ``by_kind``, and ``mean`` over the kinds that the reference has, count what the graph covers:
    the diseases that it has, and a medication or test if the graph joins it to a disease that the
    question or the reference names. ``in_graph`` is the mean for all that the graph has, whatever
    it is joined to, and ``of_all`` the share of all gold entities. ``outside`` of them the graph
    does not have; ``unjoined`` it has and does not cover.
    """

    by_kind: Mapping[str, float] = field(default_factory=dict)
    mean: float | None = None
    in_graph: float | None = None
    of_all: float | None = None
    outside: int = 0
    unjoined: int = 0


class EntityKinds:
    """The names of a graph and the kinds of its entities, from the ends of its relations.

    What a relation leads to has the kind of that relation, whatever leads on from it; but what a
    relation of symptoms leads to is no medication or test.
    """

    def __init__(
        self, facts: Iterable[Triple], relations: Mapping[str, Collection[str]] = KIND_RELATIONS
    ) -> None:
        kind_of = {relation: kind for kind, names in relations.items() for relation in names}
        self._kinds: dict[str, str] = {}
        self._ids: dict[Form, set[str]] = defaultdict(set)
        self._joined: dict[str, set[str]] = defaultdict(set)
        subjects: set[str] = set()
        symptoms: set[str] = set()
        seen: set[str] = set()
        for triple in facts:
            if triple.relation in kind_of:
                self._kinds.setdefault(triple.tail.id, kind_of[triple.relation])
            if triple.relation in SYMPTOM_RELATIONS:
                symptoms.add(triple.tail.id)
            if triple.relation in SUBJECT_RELATIONS:
                subjects.add(triple.head.id)
            if triple.relation in ALIAS_RELATIONS:
                for form in name_forms(triple.tail.name):
                    self._ids[form].add(triple.head.id)
            self._joined[triple.head.id].add(triple.tail.id)
            self._joined[triple.tail.id].add(triple.head.id)
            for entity in (triple.head, triple.tail):
                if entity.id not in seen:
                    seen.add(entity.id)
                    for form in name_forms(entity.name):
                        self._ids[form].add(entity.id)
        led_to = {
            id_: kind for id_, kind in self._kinds.items() if kind == SUBJECT or id_ not in symptoms
        }
        self._kinds = dict.fromkeys(subjects, SUBJECT) | led_to

    def named_in(self, reference: str) -> frozenset[str]:
        """The names of a kind that a reference has word for word, for sets that list none."""
        found = forms_in(reference, self._ids.keys())
        return frozenset(
            " ".join(form)
            for form in found
            if len("".join(form)) >= _SHORTEST
            and not self._kinds.keys().isdisjoint(self._ids[form])
        )

    def measure(
        self,
        question: str,
        gold: Collection[str],
        text: str | None,
        entities: Sequence[Entity] = (),
    ) -> KeyEntities:
        """The match of an answer: its text and the entities it lists."""
        if not gold:
            return KeyEntities()
        forms = {name: name_forms(name) for name in sorted(gold)}
        # All names of the graph are looked for, as a gold name inside one of them is not named.
        known = {form for each in forms.values() for form in each} | self._ids.keys()
        found = set(forms_in(without_citations(text or ""), known))
        ids = {entity.id for entity in entities} | self._of(found)
        named: dict[str, bool] = {}
        in_graph: dict[str, list[bool]] = defaultdict(list)
        covered: dict[str, list[bool]] = defaultdict(list)
        of_reference = {name: self._of(own) for name, own in forms.items()}
        subjects = self._of(forms_in(question, self._ids)).union(*of_reference.values())
        subjects = {id_ for id_ in subjects if self._kinds.get(id_) == SUBJECT}
        for name, own in forms.items():
            of_name = of_reference[name]
            named[name] = bool(own & found or of_name & ids)
            kinds = sorted({self._kinds[id_] for id_ in of_name if id_ in self._kinds})
            if kinds:
                in_graph[kinds[0]].append(named[name])
                joined = set[str]().union(*(self._joined[id_] for id_ in of_name))
                if kinds[0] == SUBJECT or joined & subjects:
                    covered[kinds[0]].append(named[name])
        shares = {kind: fmean(hits) for kind, hits in sorted(covered.items())}
        of_kinds = [fmean(hits) for hits in in_graph.values()]
        return KeyEntities(
            shares,
            fmean(shares.values()) if shares else None,
            fmean(of_kinds) if of_kinds else None,
            fmean(named.values()),
            sum(not ids for ids in of_reference.values()),
            sum(map(len, in_graph.values())) - sum(map(len, covered.values())),
        )

    def _of(self, forms: Iterable[Form]) -> set[str]:
        """The ids of the entities that these forms name."""
        return {id_ for form in forms for id_ in self._ids.get(form, ())}
