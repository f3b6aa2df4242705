"""Chooses where the nodes of a label have their names: text, mostly unique, made for people."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgdb.graph.connection.node_expressions import NameSource
from kgdb.loading.adopting.properties import LabelSample, PropertySample

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
