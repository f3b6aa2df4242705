"""The names of the nodes to adopt: as the caller says, as before, or chosen by looking at a sample.

A name is a text, mostly unique, made for people.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgdb.errors import UsageError
from kgdb.graph import Database, GraphInfo
from kgdb.graph.connection.node_expressions import NameSource
from kgdb.wording import listed, short

SAMPLE = 1_000
"""Nodes of each label that are looked at."""

MISSING = "NULL"
_SHOWN = 200
_EXAMPLES = 200
_TEXT = "STRING NOT NULL"
_NAME_TYPES = frozenset({_TEXT, "INTEGER NOT NULL", "FLOAT NOT NULL", "BOOLEAN NOT NULL"})
_IDS = frozenset({_TEXT, "INTEGER NOT NULL"})

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\WA-Z_\d]+|\d+")
_NAMES = frozenset(
    "name nombre nom nome naam namn navn imię nazwa имя название назва 名 名前 名称 名字 姓名 "
    "이름 اسم bezeichnung".split()
)
_TITLES = frozenset("title titel titre titolo título titulo tytuł заголовок 标题 題名 제목".split())
_LABELS = frozenset("label caption heading headline".split())
_TERMS = frozenset("term word symbol text value subject keyword topic question".split())
_ORGANISATIONS = frozenset("company organization organisation brand business firm".split())
_WHOLE = frozenset("full display preferred official common canonical main primary short".split())
_WHOLE_NAMES = frozenset({"fullname", "displayname"})
_FIRST = frozenset({("first", "name"), ("given", "name"), ("forename",), ("firstname",)})
_LAST = frozenset({("last", "name"), ("family", "name"), ("surname",), ("lastname",)})
_OTHERS_NAMES = frozenset("contact user login screen nick middle file host domain owner".split())
_NOT_NAMES = frozenset(
    """
    id ids identifier key code uuid guid url uri urls link href www site homepage website path file
    image images img photo picture poster avatar icon logo thumbnail phone fax telephone mobile tel
    email mail address street zip postal postcode description summary abstract overview tagline
    plot bio biography note notes comment comments content body message review reviews hash
    password token secret salt date datetime time timestamp created updated modified status type
    kind gender sex language lang locale currency color colour embedding vector version source
    size quantity quantities ship prefix suffix courtesy role roles region state
    """.split()
)
_KEYS = frozenset("id key number no nr num code ref reference sku iso iata".split())
_PERSON_NAME = 97
_LEAST = 35
"""The score of a property that may be a name at all."""

_SURELY = 75
"""The score of a property that is called a name, whatever it holds."""

_URL = re.compile(r"(?i)^(?:[a-z][a-z0-9+.-]*://|www\.|mailto:|/[\w.-]+/)|^[\w.+-]+@[\w-]+\.\w+$")
_FILE = re.compile(r"(?i)\.(?:jpe?g|png|gif|svg|pdf|html?|json|csv|txt|mp[34]|zip)$")
_CODE = re.compile(r"^(?=.*\d)[0-9A-Za-z_:.#/-]+$")
"""A number, a date, a uuid: one word with a digit."""

_LONG = 80.0
_MOSTLY = 0.5


@dataclass(frozen=True, slots=True)
class PropertySample:
    """The values of one property in the sample of a label.

    ``nodes`` have the property and ``texts`` of them a text; ``different`` counts its values.
    ``unusable`` is a type of values that can be no name, if there are any.
    """

    nodes: int
    texts: int
    integers: int
    different: int
    longest: int
    length: float
    examples: tuple[str, ...]
    unusable: str | None


@dataclass(frozen=True, slots=True)
class LabelSample:
    """A sample of the nodes with a label."""

    label: str
    nodes: int
    properties: Mapping[str, PropertySample]


def kind_of(type_name: str) -> str:
    """A type of Cypher in a word, for messages: list for ``LIST<STRING NOT NULL> NOT NULL``."""
    return type_name.removesuffix(" NOT NULL").partition("<")[0].lower()


def sample_label(database: Database, label: str, nodes: int) -> LabelSample:
    """Look at the first nodes with the label, of which there are ``nodes`` in all."""
    rows = database.run(
        "adopt/properties",
        {"sample": SAMPLE, "shown": _SHOWN, "examples": _EXAMPLES},
        label=label,
    )
    by_property: dict[str, list[Mapping[str, object]]] = {}
    for row in rows:
        by_property.setdefault(row["property"], []).append(row)
    properties = {name: _property(of_name) for name, of_name in by_property.items()}
    return LabelSample(label, min(nodes, SAMPLE), properties)


def _property(rows: list[Mapping[str, object]]) -> PropertySample:
    """One property from its rows, one for each type."""
    numbers = {str(row["type"]): int(str(row["nodes"])) for row in rows}
    unusable = next((name for name in numbers if name not in _NAME_TYPES), None)
    ids = [row for row in rows if row["type"] in _IDS]
    examples: list[str] = []
    for row in ids:
        values = row["examples"]
        assert isinstance(values, list)  # noqa: S101
        examples += map(str, values)
    nodes = sum(numbers.values())
    total = sum(float(str(row["length"])) * int(str(row["nodes"])) for row in ids)
    return PropertySample(
        nodes=nodes,
        texts=numbers.get(_TEXT, 0),
        integers=numbers.get("INTEGER NOT NULL", 0),
        different=sum(int(str(row["different"])) for row in rows),
        longest=max((int(str(row["longest"] or 0)) for row in rows), default=0),
        length=total / max(1, sum(int(str(row["nodes"])) for row in ids)),
        examples=tuple(examples),
        unusable=unusable,
    )


def choose_name(sample: LabelSample) -> NameSource | None:
    """The source of names for the label, or ``None`` where nothing in the sample is a name."""
    label = sample.label
    scores = {
        name: _score(label, name, values, sample.nodes)
        for name, values in sample.properties.items()
    }
    best = max(scores, key=lambda name: (scores[name], -len(name), name), default=None)
    person = _person(sample)
    if person and (best is None or scores[best] < _PERSON_NAME):
        return NameSource(label, person)
    if best is not None and scores[best] >= _LEAST:
        return NameSource(label, (best,))
    number = _number(sample)
    return NameSource(label, (number,), with_label=True) if number else None


def words(name: str) -> tuple[str, ...]:
    """The words of a property or label, in lower case: ``companyName`` is company, name."""
    return tuple(word.lower() for word in _WORD.findall(name)) or (name.lower(),)


def _person(sample: LabelSample) -> tuple[str, str] | None:
    """The properties of first and last names, if most nodes have both."""
    found = []
    for kind in (_FIRST, _LAST):
        names = [
            name
            for name, values in sample.properties.items()
            if words(name) in kind and _is_usual(values, sample.nodes) and _is_text(values)
        ]
        found += names[:1]
    return (found[0], found[1]) if len(found) == len((_FIRST, _LAST)) else None


def _score(label: str, name: str, values: PropertySample, nodes: int) -> float:
    """How much the property is like a name, from 0 to 100 by what it is called."""
    if not _is_usual(values, nodes) or not _is_text(values):
        return 0
    called, least_different = _called(words(label), words(name))
    if not _is_human(values, codes=called >= _SURELY):
        return 0
    different = values.different / values.nodes
    if different < least_different:
        return 0
    return called + different


def _called(label: Sequence[str], name: Sequence[str]) -> tuple[float, float]:
    """A score for what the property is called, and the share of different values it must have."""
    whole, own = "".join(name), "".join(label)
    if whole in (own, "id"):
        # Graphs that language models extract have names as ids, which are no codes then.
        return (75, 0.1) if whole == own else (70, 0.9)
    if whole in (f"{own}name", f"{own}title"):
        # Its words may not be told apart: productname.
        return 93, 0.1
    if name[-1] in _NAMES | _TITLES:
        return _called_name(label, name)
    if set(name) & _NOT_NAMES:
        return 0, 1
    if name[-1] in _LABELS or whole in _WHOLE_NAMES:
        return 88, 0.3
    return (55, 0.8) if whole in _TERMS else (40, 0.9)


def _called_name(label: Sequence[str], name: Sequence[str]) -> tuple[float, float]:
    """The same for a property that is called some name or title."""
    before, is_title = set(name[:-1]), name[-1] in _TITLES
    if not before:
        return (95, 0.3) if is_title else (100, 0)
    if before <= set(label):
        return 93, 0.1
    if before <= _WHOLE:
        return 90, 0.2
    if before <= _ORGANISATIONS:
        return 85, 0.5
    if before & _NOT_NAMES:
        return 0, 1
    return (50 if is_title or before & _OTHERS_NAMES else 60), 0.8


def _is_usual(values: PropertySample, nodes: int) -> bool:
    return values.nodes >= _MOSTLY * nodes


def _is_text(values: PropertySample) -> bool:
    return values.texts >= 0.9 * values.nodes and values.unusable is None


def _is_human(values: PropertySample, *, codes: bool) -> bool:
    """Whether most values are short texts, and no addresses or files; numbers and codes as given.

    A gene is called TP53, and a room 101, if the property says that this is the name.
    """
    if values.length > _LONG or not values.examples:
        return False
    machine = sum(
        bool(_URL.search(value) or _FILE.search(value)) or (not codes and _is_code(value))
        for value in values.examples
    )
    return machine <= _MOSTLY * len(values.examples)


def _is_code(value: str) -> bool:
    return bool(_CODE.match(value)) or not any(letter.isalpha() for letter in value)


def _number(sample: LabelSample) -> str | None:
    """The property that tells nodes without a name apart, as an order's number does."""
    label = set(words(sample.label))
    keys = [
        name
        for name, values in sample.properties.items()
        if values.nodes == values.different == sample.nodes
        and values.texts + values.integers == values.nodes
        and values.length <= _LONG / 2
        and words(name)[-1] in _KEYS
    ]
    # orderID of an Order before its customerID, which only happens to be unique in a sample.
    return min(keys, key=lambda name: (not set(words(name)[:-1]) <= label, name), default=None)


@dataclass(frozen=True, slots=True)
class GivenNames:
    """The properties with the names that the caller gives: by label, and of all other labels."""

    by_label: Mapping[str, tuple[str, ...]]
    of_others: tuple[str, ...] = ()


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
    given: GivenNames,
    labels: Mapping[str, int],
    current: GraphInfo | None,
) -> ChosenNames:
    """The names of the nodes with the labels, of which there are so many.

    Refuses a property that the caller names and no node of the sample has, or that is no name.
    """
    for label in given.by_label:
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
        named = given.by_label.get(label, given.of_others)
        source = _given(sample, named) if named else before.get(label) or choose_name(sample)
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
            raise UsageError(
                f"A node labelled {short(sample.label)} has a {kind_of(found.unusable)} as "
                f"{short(name)}.",
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
