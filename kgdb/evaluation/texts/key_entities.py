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
        "disease": ("possible_disease", "possible_cure_disease", "can_check_disease"),
        "medication": ("need_medication",),
        "test": ("need_medical_test",),
    }
)
"""The kinds of RoK's Table 3, each by the relations of EMCKG that lead to it."""


@dataclass(frozen=True, slots=True)
class KeyEntities:
    """The shares of the gold entities that an answer names; ``None`` where there is none to name.

    ``by_kind`` and ``mean`` (over the kinds that the reference has) count those that the graph has;
    ``of_all`` counts all, also the ``outside`` ones that the graph does not have. ``hits`` and
    ``gold`` are numbers of entities by kind.
    """

    by_kind: Mapping[str, float] = field(default_factory=dict)
    mean: float | None = None
    of_all: float | None = None
    outside: int = 0
    hits: Mapping[str, int] = field(default_factory=dict)
    gold: Mapping[str, int] = field(default_factory=dict)


class EntityKinds:
    """The names of a graph and the kinds of its entities, from the ends of its relations."""

    def __init__(
        self, facts: Iterable[Triple], relations: Mapping[str, Collection[str]] = KIND_RELATIONS
    ) -> None:
        kind_of = {relation: kind for kind, names in relations.items() for relation in names}
        self._kinds: dict[str, str] = {}
        self._ids: dict[Form, set[str]] = defaultdict(set)
        seen: set[str] = set()
        for triple in facts:
            if triple.relation in kind_of:
                self._kinds.setdefault(triple.tail.id, kind_of[triple.relation])
            for entity in (triple.head, triple.tail):
                if entity.id not in seen:
                    seen.add(entity.id)
                    for form in name_forms(entity.name):
                        self._ids[form].add(entity.id)

    def measure(
        self, gold: Collection[str], text: str | None, entities: Sequence[Entity] = ()
    ) -> KeyEntities:
        """The match of an answer: its text and the entities it lists."""
        if not gold:
            return KeyEntities()
        forms = {name: name_forms(name) for name in sorted(gold)}
        # All names of the graph are looked for, as a gold name inside one of them is not named.
        known = {form for each in forms.values() for form in each} | self._ids.keys()
        found = set(forms_in(without_citations(text or ""), known))
        ids = {entity.id for entity in entities}
        ids |= {id_ for form in found for id_ in self._ids.get(form, ())}
        named: dict[str, bool] = {}
        kinds: dict[str, str | None] = {}
        outside = 0
        for name, own in forms.items():
            of_graph = {id_ for form in own for id_ in self._ids.get(form, ())}
            outside += not of_graph
            named[name] = bool(own & found or of_graph & ids)
            of_name = sorted({self._kinds[id_] for id_ in of_graph if id_ in self._kinds})
            kinds[name] = of_name[0] if of_name else None
        by_kind: dict[str, list[bool]] = defaultdict(list)
        for name, kind in kinds.items():
            if kind is not None:
                by_kind[kind].append(named[name])
        shares = {kind: fmean(hits) for kind, hits in sorted(by_kind.items())}
        return KeyEntities(
            shares,
            fmean(shares.values()) if shares else None,
            fmean(named.values()),
            outside,
            {kind: sum(hits) for kind, hits in by_kind.items()},
            {kind: len(hits) for kind, hits in by_kind.items()},
        )
