"""Which property is the name of the nodes with a label, by what it is called and what it holds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kgdb.loading.adopting.name_choice import LabelSample, PropertySample, choose_name, words

pytestmark = pytest.mark.unit

PEOPLE = ("Ann Rask", "Bo Lund", "Cy Tern", "Di Moor")
CITIES = ("Elm Road", "Ash Lane", "Oak Hill", "Fir Way")
LONG = tuple(f"{name} went on a journey that took years and led through many lands." * 3
             for name in PEOPLE)  # fmt: skip
NUMBERS = ("10248", "10249", "10250", "10251")
URLS = tuple(f"https://example.org/{n}" for n in NUMBERS)
MAILS = ("ann@a.org", "bo@b.org", "cy@c.org", "di@d.org")
CODES = ("ALFKI-1", "BERGS-2", "COMMI-3", "DRACD-4")
ONE = ("Sales Manager",)


def prop(values: Sequence[str], *, nodes: int = 4, integers: bool = False) -> PropertySample:
    """A property that so many nodes have, with these values."""
    return PropertySample(
        nodes=nodes,
        texts=0 if integers else nodes,
        integers=nodes if integers else 0,
        different=len(set(values)),
        longest=max(map(len, values)),
        length=sum(map(len, values)) / len(values),
        examples=tuple(values),
        unusable=None,
    )


def chosen(label: str, **values: Sequence[str]) -> tuple[tuple[str, ...], bool] | None:
    """The choice for a label with these properties on each of its four nodes."""
    sample = LabelSample(label, 4, {name: prop(each) for name, each in values.items()})
    source = choose_name(sample)
    return source and (source.properties, source.with_label)


@pytest.mark.parametrize(
    ("label", "values", "expected"),
    [
        ("Movie", {"title": CITIES, "tagline": PEOPLE}, "title"),
        ("Person", {"name": PEOPLE, "title": ONE}, "name"),
        ("Product", {"productName": CITIES, "quantityPerUnit": PEOPLE}, "productName"),
        ("Product", {"productname": CITIES, "remark": PEOPLE}, "productname"),
        ("Supplier", {"companyName": CITIES, "contactName": PEOPLE}, "companyName"),
        ("Customer", {"contactName": PEOPLE, "phone": NUMBERS}, "contactName"),
        ("User", {"screen_name": PEOPLE, "name": CITIES, "url": URLS}, "name"),
        ("City", {"city": CITIES, "country": ONE}, "city"),
        ("Film", {"titel": CITIES, "beschreibung": LONG}, "titel"),
        ("人物", {"名称": ("贾宝玉", "林黛玉", "薛宝钗", "王熙凤")}, "名称"),
        ("Gene", {"fullName": CITIES, "symbol": CODES}, "fullName"),
        ("Thing", {"called": CITIES, "homepage": URLS, "email": MAILS}, "called"),
        ("Gene", {"name": ("TP53", "MDM2", "TP73", "BRCA1"), "function": CITIES}, "name"),
        ("Room", {"name": NUMBERS}, "name"),
        ("Person", {"id": PEOPLE, "occupation": CITIES}, "id"),
        ("Person", {"id": CITIES, "name": PEOPLE}, "name"),
        ("Person", {"id": CODES, "occupation": CITIES}, "occupation"),
        # Some films are called by a year.
        ("Movie", {"title": ("1984", "Elm Road", "Ash Lane", "1917")}, "title"),
    ],
)
def test_a_name_for_people_is_chosen(
    label: str, values: dict[str, Sequence[str]], expected: str
) -> None:
    assert chosen(label, **values) == ((expected,), False)


def test_first_and_last_names_are_joined() -> None:
    names = {"lastName": ("Rask", "Lund", "Tern", "Moor"), "firstName": ("Ann", "Bo", "Cy", "Di")}
    assert chosen("Employee", **names, title=ONE) == (("firstName", "lastName"), False)
    assert chosen("Employee", **names, name=PEOPLE) == (("name",), False)


def test_a_number_follows_the_label_where_nothing_is_a_name() -> None:
    values = {"customerID": CODES, "orderID": NUMBERS, "shipName": ONE, "shipAddress": CITIES}
    assert chosen("Order", **values) == (("orderID",), True)
    sample = LabelSample("Bill", 4, {"number": prop(NUMBERS, integers=True)})
    assert choose_name(sample) is not None


@pytest.mark.parametrize(
    "values",
    [
        {"url": URLS, "text": LONG},
        {"name": URLS},
        {"remark": NUMBERS},
        {"email": MAILS, "phone": NUMBERS},
        {"heading": ONE, "born": NUMBERS},
        {"description": CITIES, "address": PEOPLE},
    ],
)
def test_what_is_no_name_is_not_chosen(values: dict[str, Sequence[str]]) -> None:
    assert chosen("Thing", **values) is None


def test_a_property_that_most_nodes_lack_is_no_name() -> None:
    sample = LabelSample("Film", 4, {"title": prop(("Elm Road",), nodes=1)})
    assert choose_name(sample) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("companyName", ("company", "name")),
        ("orderID", ("order", "id")),
        ("HTTPCode", ("http", "code")),
        ("screen_name", ("screen", "name")),
        ("名称", ("名称",)),
        ("№", ("№",)),
    ],
)
def test_words_of_a_property(name: str, expected: tuple[str, ...]) -> None:
    assert words(name) == expected
