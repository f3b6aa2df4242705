"""Who is let in: hosts, pages of other sites, keys, rates, bodies; errors tell no secrets."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from two_graphs import Access

from kgdb.errors import ConnectionFailed
from kgdb.serving.access_keys import KeyRing
from kgdb.serving.app import create_app
from kgdb.serving.serve_options import ServeOptions
from kgdb.serving.service import Service

pytestmark = pytest.mark.unit


@pytest.fixture
def access() -> Access:
    return Access()


def client(access: Access, tmp_path: Path, **options: Any) -> TestClient:
    service = Service(access, KeyRing(tmp_path / "keys.json"), ServeOptions(**options))  # type: ignore[arg-type]
    return TestClient(
        create_app(service), base_url="http://127.0.0.1:8470", raise_server_exceptions=False
    )


@pytest.fixture
def local(access: Access, tmp_path: Path) -> Iterator[TestClient]:
    with client(access, tmp_path) as found:
        yield found


@pytest.fixture
def remote(access: Access, tmp_path: Path) -> Iterator[TestClient]:
    with client(access, tmp_path, host="0.0.0.0") as found:
        yield found


def names(response: Any) -> list[str]:
    return [graph["name"] for graph in response.json()["graphs"]]


def test_this_machine_needs_no_key_and_any_other_does(
    local: TestClient, remote: TestClient
) -> None:
    assert names(local.get("/v1/graphs")) == ["films", "staff"]
    refused = remote.get("/v1/graphs")
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert refused.headers["content-type"] == "application/problem+json"
    assert "kgdb keys add" in refused.json()["hint"]
    assert remote.get("/health").status_code == 200


@pytest.mark.parametrize("route", ["/v1/models", "/metrics", "/openapi.json", "/nothing"])
def test_no_route_but_health_is_open_without_a_key(remote: TestClient, route: str) -> None:
    assert remote.get(route).status_code == 401


def test_a_key_sees_its_graphs_and_is_not_told_of_others(
    remote: TestClient, tmp_path: Path
) -> None:
    secret = KeyRing(tmp_path / "keys.json").add("bot", ["films"])
    head = {"Authorization": f"Bearer {secret}"}
    assert names(remote.get("/v1/graphs", headers=head)) == ["films"]
    assert [m["id"] for m in remote.get("/v1/models", headers=head).json()["data"]] == ["films"]
    wrong = remote.get("/v1/graphs", headers={"Authorization": f"Bearer {secret}x"})
    assert wrong.status_code == 401


def test_cypher_needs_its_right(remote: TestClient, tmp_path: Path) -> None:
    secret = KeyRing(tmp_path / "keys.json").add("bot")
    found = remote.post(
        "/v1/graphs/films/cypher",
        json={"query": "RETURN 1"},
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert found.status_code == 403


def test_who_asks_too_often_is_told_when(remote: TestClient, tmp_path: Path) -> None:
    secret = KeyRing(tmp_path / "keys.json").add("bot", per_minute=2)
    head = {"Authorization": f"Bearer {secret}"}
    codes = [remote.get("/v1/graphs", headers=head).status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    assert 1 <= int(remote.get("/v1/graphs", headers=head).headers["retry-after"]) <= 31


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example:8470", "", "[", "x@localhost", "localhost/x"],
)
def test_a_name_that_leads_here_by_dns_is_refused(local: TestClient, host: str) -> None:
    assert local.get("/v1/graphs", headers={"Host": host}).status_code == 421
    assert local.post("/mcp", headers={"Host": host}, json={}).status_code == 421
    assert local.get("/", headers={"Host": host}).status_code == 421
    assert local.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://["])
def test_a_page_of_another_site_is_refused(local: TestClient, origin: str) -> None:
    found = local.get("/v1/graphs", headers={"Origin": origin})
    assert found.status_code == 403
    assert "access-control-allow-origin" not in found.headers


def test_a_body_beyond_the_limit_is_refused(access: Access, tmp_path: Path) -> None:
    with client(access, tmp_path, body=1000) as small:
        found = small.post("/v1/graphs/films/answer", json={"question": "x" * 2000})
    assert found.status_code == 413


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({}, "give either question or questions"),
        ({"question": "a", "questions": ["b"]}, "give either question or questions"),
        ({"question": ""}, "question"),
        ({"question": "a", "colour": 1}, "colour"),
        ({"question": "a", "options": {"expert": "/etc"}}, "expert"),
    ],
)
def test_a_wrong_body_is_told_by_its_field(local: TestClient, body: Any, told: str) -> None:
    found = local.post("/v1/graphs/films/answer", json=body)
    # What has no graph behind it fails later: the fields are looked at first.
    assert found.status_code in (400, 422), found.text
    assert told in found.json()["detail"]


def test_a_database_that_is_away_is_told_with_when_to_ask_again(
    local: TestClient, access: Access
) -> None:
    access.fails = ConnectionFailed("Nothing answers at bolt://db:7687.", hint="Start it.")
    found = local.get("/v1/graphs")
    assert (found.status_code, found.json()["hint"]) == (503, "Ask again in a moment.")
    assert "db:7687" not in found.text
    assert int(found.headers["retry-after"]) > 0


def test_a_mistake_tells_nothing_of_the_inside(local: TestClient, access: Access) -> None:
    access.fails = RuntimeError("secret place /home/x")
    found = local.get("/v1/graphs")
    assert found.status_code == 500
    assert "secret" not in found.text
    assert "Traceback" not in found.text


def test_a_log_line_has_the_key_but_no_secret(
    remote: TestClient, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    secret = KeyRing(tmp_path / "keys.json").add("bot")
    with caplog.at_level(logging.INFO, "kgdb.serve.access"):
        remote.get("/v1/graphs", headers={"Authorization": f"Bearer {secret}"})
    assert '"key": "bot"' in caplog.text
    assert secret not in caplog.text


def test_counts_tell_routes_and_no_paths(local: TestClient) -> None:
    local.get("/v1/graphs")
    local.get("/nothing/secret")
    text = local.get("/metrics").text
    assert 'kgdb_requests_total{route="/v1/graphs",status="200"} 1.0' in text
    assert "secret" not in text


def test_counts_of_all_keys_are_for_keys_of_all_graphs(remote: TestClient, tmp_path: Path) -> None:
    keys = KeyRing(tmp_path / "keys.json")
    for graphs, status in (([], 200), (["films"], 403)):
        head = {"Authorization": f"Bearer {keys.add(f'bot{status}', graphs)}"}
        assert remote.get("/metrics", headers=head).status_code == status


@pytest.mark.parametrize(
    "body",
    [
        {"questions": [0] * 100_000},
        {"question": "a", "options": {str(n): None for n in range(100_000)}},
        {str(n): 0 for n in range(100_000)},
    ],
)
def test_a_body_with_many_mistakes_gets_a_short_answer(local: TestClient, body: Any) -> None:
    found = local.post("/v1/graphs/films/answer", json=body)
    assert found.status_code == 422
    assert len(found.content) < 1000


def test_what_a_proxy_brings_needs_a_key(access: Access, tmp_path: Path) -> None:
    with client(access, tmp_path) as direct:
        forwarded = direct.get("/v1/graphs", headers={"X-Forwarded-For": "203.0.113.9"})
        assert forwarded.status_code == 401
    with client(access, tmp_path, hosts=("kg.example.org",)) as named:
        assert named.get("/v1/graphs").status_code == 401


def test_a_broken_file_of_keys_tells_no_path(remote: TestClient, tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{", encoding="utf-8")
    found = remote.get("/v1/graphs", headers={"Authorization": "Bearer x"})
    assert found.status_code == 503
    assert str(tmp_path) not in found.text


def test_a_body_of_two_lengths_and_a_stream_without_end_are_refused(local: TestClient) -> None:
    two = local.post(
        "/v1/graphs/films/answer",
        content=b"{}",
        headers={"Transfer-Encoding": "chunked", "Content-Length": "2"},
    )
    assert two.status_code == 400
    assert local.get("/mcp").status_code == 405
