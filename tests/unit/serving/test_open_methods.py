"""Clients choose among the product's methods, and set no option that may name a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from two_graphs import Access

from kgdb.methods import METHODS, all_methods
from kgdb.methods.option_declarations import declarations, takes_any_text
from kgdb.serving.access_keys import KeyRing
from kgdb.serving.app import create_app
from kgdb.serving.open_methods import check_choice
from kgdb.serving.problem_details import Refused
from kgdb.serving.serve_options import ServeOptions
from kgdb.serving.service import Service

pytestmark = pytest.mark.unit

OF_OTHERS = sorted(set(all_methods()) - set(METHODS))
TEXTS = [
    (method, option.name)
    for method, kind in METHODS.items()
    for option in declarations(kind.options)
    if takes_any_text(option)
]


@pytest.mark.parametrize("method", METHODS)
def test_a_method_of_the_product_is_open_with_its_other_options(method: str) -> None:
    closed = {name for of, name in TEXTS if of == method}
    options = {each.name for each in declarations(METHODS[method].options)} - closed
    check_choice(method, [*options, "form"])


@pytest.mark.parametrize("method", [*OF_OTHERS, "nothing"])
def test_any_other_method_is_none(method: str) -> None:
    with pytest.raises(Refused) as refused:
        check_choice(method, [])
    assert refused.value.status == 400
    assert not set(OF_OTHERS) & set(refused.value.detail.partition("Methods: ")[2].split(", "))


@pytest.mark.parametrize(("method", "option"), TEXTS)
def test_an_option_that_may_name_a_file_is_the_servers(method: str, option: str) -> None:
    with pytest.raises(Refused, match=f"{option} is set by whoever runs the service"):
        check_choice(method, [option])


def test_there_are_such_methods_and_options() -> None:
    assert {"llm", "dialogue"} <= set(OF_OTHERS)
    assert {("auto", "expert"), ("refkg", "verifier")} <= set(TEXTS)


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("answer", {"question": "Who?"}),
        ("answer", {"question": "Who?", "after": ["What?"]}),
        ("answer", {"questions": ["Who?"]}),
        ("verify", {"claim": "It is."}),
        ("verify-text", {"text": "It is."}),
    ],
)
def test_each_route_that_takes_a_method_looks_at_it(
    tmp_path: Path, route: str, body: dict[str, object]
) -> None:
    service = Service(Access(), KeyRing(tmp_path / "keys.json"), ServeOptions())  # type: ignore[arg-type]
    with TestClient(create_app(service), base_url="http://127.0.0.1:8470") as client:
        found = client.post(f"/v1/graphs/films/{route}", json={**body, "method": "llm"})
        assert (found.status_code, found.json()["title"]) == (400, "No method")
        chosen = {"options": {"expert": "/etc"}}
        found = client.post(f"/v1/graphs/films/{route}", json={**body, **chosen})
        assert (found.status_code, found.json()["title"]) == (400, "No option")
