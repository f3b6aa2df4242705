"""The names of the nodes to adopt: as the caller says, as before, or by looking at a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgdb.errors import UsageError
from kgdb.graph import Database, GraphInfo
from kgdb.graph.connection.node_expressions import NameSource
from kgdb.loading.adopting.names import choose_name
from kgdb.loading.adopting.properties import LabelSample, sample_label
from kgdb.loading.adopting.request import AdoptionRequest
from kgdb.wording import listed, short


@dataclass(frozen=True, slots=True)
class ChosenNames:
    """Where the nodes have their names, for each label that has any.

    ``nameless`` counts, by label, the nodes without a name; of a label with more nodes than the
    sample it is an estimate. ``longest`` is the longest name that was seen, by label.
    """

    sources: tuple[NameSource, ...]
    nameless: Mapping[str, int]
    longest: Mapping[str, int]


def choose_names(
    database: Database,
    request: AdoptionRequest,
    labels: Mapping[str, int],
    current: GraphInfo | None,
) -> ChosenNames:
    """The names of the nodes with the labels, of which there are so many.

    Refuses a property that the caller names and no node of the sample has, or that is no name.
    """
    for label in request.names:
        if label not in labels:
            raise UsageError(
                f"--name says where nodes labelled {short(label)} have their names, and the graph "
                f"has no such label. Its labels are: {listed(labels)}.",
                hint="Expected LABEL=PROPERTY, as in --name Movie=title",
            )
    before = {source.label: source for source in current.names} if current else {}
    sources, nameless, longest = [], {}, {}
    for label, nodes in labels.items():
        sample = sample_label(database, label, nodes)
        given = request.names.get(label, request.any_name)
        source = _given(sample, given) if given else before.get(label) or choose_name(sample)
        if source is not None:
            sources.append(source)
            longest[label] = sum(_longest(sample, name) for name in source.properties)
        if missing := _nameless(sample, source, nodes):
            nameless[label] = missing
    return ChosenNames(tuple(sources), nameless, longest)


def _given(sample: LabelSample, properties: tuple[str, ...]) -> NameSource:
    for name in properties:
        found = sample.properties.get(name)
        if found is None:
            raise UsageError(
                f"Nodes labelled {short(sample.label)} have no property {short(name)}: none of "
                f"{sample.nodes:,} that were looked at has it.",
                hint=f"Their properties are: {listed(sorted(sample.properties), 'none')}. "
                f"Name one of them with --name {sample.label}=PROPERTY.",
            )
        if found.unusable:
            kind = found.unusable.removesuffix(" NOT NULL").partition("<")[0].lower()
            raise UsageError(
                f"A node labelled {short(sample.label)} has a {kind} as {short(name)}.",
                hint="Name another property with --name; expected a text or a number.",
            )
    return NameSource(sample.label, properties)


def _nameless(sample: LabelSample, source: NameSource | None, nodes: int) -> int:
    if source is None or not sample.nodes:
        return nodes
    named = min(
        sample.properties[name].nodes if name in sample.properties else 0
        for name in source.properties
    )
    return round(nodes * (sample.nodes - named) / sample.nodes)


def _longest(sample: LabelSample, name: str) -> int:
    return sample.properties[name].longest if name in sample.properties else 0
