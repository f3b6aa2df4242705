"""What a stranger may try on an open port, byte by byte, and what comes back."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx2
import pytest
from served_graphs import Served, serving

import kgdb

pytestmark = pytest.mark.integration

ANSWER = "/v1/graphs/demo/answer"
QUESTION = {"question": "Who wrote The Tuesday Engine?"}
SLOW = 2.0
"""Seconds that a request may take."""


@pytest.fixture(scope="module")
def attacked(
    demo: kgdb.KnowledgeGraph, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Served, str]]:
    """A service that asks for keys, and a key of its graph."""
    folder = tmp_path_factory.mktemp("attacked")
    with serving(folder, require_key=True, seconds=SLOW, body=20_000) as served:
        yield served, served.keys.add("client", ["demo"])


def sent(served: Served, *parts: bytes, wait: float = 10) -> tuple[int, str]:
    """The status and the text that raw bytes get."""
    url = httpx2.URL(served.url)
    with socket.create_connection((url.host, url.port), timeout=wait) as connection:
        for part in parts:
            connection.sendall(part)
        received = connection.makefile("rb").read()
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode()


def request(
    served: Served, line: str, body: bytes = b"", *, key: str | None = None, **headers: str
) -> bytes:
    """The bytes of a request."""
    host = served.url.removeprefix("http://")
    head = {"Host": host, "Connection": "close", "Content-Length": str(len(body))}
    if key is not None:
        head["Authorization"] = f"Bearer {key}"
    head |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{name}: {value}" for name, value in head.items() if value]
    return "\r\n".join([f"{line} HTTP/1.1", *lines, "", ""]).encode() + body


def asked(body: Any = QUESTION) -> bytes:
    return json.dumps(body).encode()


@pytest.mark.parametrize("key", [None, "", "kgdb_x", "a" * 10_000, "x\ty", "../keys.json"])
def test_no_key_or_a_wrong_one(attacked: tuple[Served, str], key: str | None) -> None:
    served, _ = attacked
    assert sent(served, request(served, f"POST {ANSWER}", asked(), key=key))[0] == 401


@pytest.mark.parametrize("graph", ["other", "demo%2f..%2fother", "Demo", "demo'", "*", "%00"])
def test_a_graph_that_is_not_the_keys(attacked: tuple[Served, str], graph: str) -> None:
    served, key = attacked
    line = f"POST /v1/graphs/{graph}/answer"
    assert sent(served, request(served, line, asked(), key=key))[0] == 404


@pytest.mark.parametrize(
    "path",
    [
        "/page/../../../pyproject.toml", "/page/..%2f..%2f..%2fpyproject.toml",
        "/page/%2e%2e/service.py", "/page/....//service.py", "/page//etc/passwd",
        "/page/..\\service.py", "/page/index.html%00.js", "//etc/passwd", "/page/page_routes.py",
    ],
)  # fmt: skip
def test_a_path_that_leads_out_of_the_page(attacked: tuple[Served, str], path: str) -> None:
    served, key = attacked
    status, text = sent(served, request(served, f"GET {path}", key=key))
    assert status in (400, 404)
    assert "import" not in text
    assert "root:" not in text


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1@evil", "x y"]
)
def test_a_name_that_leads_to_loopback(attacked: tuple[Served, str], host: str) -> None:
    served, key = attacked
    bytes_ = request(served, f"POST {ANSWER}", asked(), key=key, Host=host)
    assert sent(served, bytes_)[0] in (400, 421)


def test_a_page_of_another_site(attacked: tuple[Served, str]) -> None:
    served, key = attacked
    for origin in ("https://evil.example", "null", served.url.replace("http", "ftp")):
        bytes_ = request(served, f"POST {ANSWER}", asked(), key=key, Origin=origin)
        assert sent(served, bytes_)[0] == 403


def test_bodies_that_are_too_large_or_never_end(attacked: tuple[Served, str]) -> None:
    served, key = attacked
    line, much = f"POST {ANSWER}", b" " * 30_000
    assert sent(served, request(served, line, much, key=key))[0] == 413
    streamed = request(served, line, key=key, Content_Length="", Transfer_Encoding="chunked")
    chunks = b"7530\r\n" + much + b"\r\n"
    assert sent(served, streamed, chunks)[0] == 413
    both = request(served, line, asked(), key=key, Transfer_Encoding="chunked")
    assert sent(served, both)[0] == 400


def test_a_body_that_comes_slowly(attacked: tuple[Served, str]) -> None:
    served, key = attacked
    whole = request(served, f"POST {ANSWER}", asked(), key=key)
    assert sent(served, whole[:-10])[0] == 408


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"\xff\xfe", b"[" * 9_000, b'{"question": ' * 1_000, b"null", b"7",
        asked({"question": "x" * 5_000}), asked({"questions": ["who?"] * 101}),
        asked({"question": "\x00"}), b'{"question": "\\ud800"}', asked({"questions": []}),
        asked(QUESTION | {"method": "../../x"}), asked(QUESTION | {"options": {"llm": "/etc/x"}}),
        asked(QUESTION | {"llm": "http://169.254.169.254/"}),
    ],
)  # fmt: skip
def test_a_body_that_is_no_question(attacked: tuple[Served, str], body: bytes) -> None:
    served, key = attacked
    status, text = sent(served, request(served, f"POST {ANSWER}", body, key=key))
    assert 400 <= status < 500, text
    assert "Traceback" not in text
    assert len(text) < 2_000


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("neighbors", {"nodes": ["Ada Weir"], "relations": ["x`]-() DETACH DELETE n //"]}),
        ("entities", {"nodes": ["Ada Weir'}) DETACH DELETE n //"]}),
        ("paths", {"nodes": ["Ada Weir", "') CALL db.shutdown() //"]}),
        ("query", {"form": {"op": "FilterLabel", "label": "Film`) DETACH DELETE (n",
                            "form": {"op": "FindAll"}}}),
        ("query", {"form": {"op": "Property", "property": "a`; MATCH (n) DETACH DELETE n //",
                            "form": {"op": "Find", "name": "Ada Weir"}}}),
        ("cypher", {"query": "MATCH (n) DETACH DELETE n"}),
    ],
)  # fmt: skip
def test_names_that_are_cypher(
    attacked: tuple[Served, str], demo: kgdb.KnowledgeGraph, route: str, body: Any
) -> None:
    served, key = attacked
    bytes_ = request(served, f"POST /v1/graphs/demo/{route}", asked(body), key=key)
    assert 400 <= sent(served, bytes_)[0] < 500
    assert demo.read_cypher("MATCH (n) RETURN count(n)").rows == ((457,),)


def test_a_thousand_connections_and_streams_that_nobody_reads(
    attacked: tuple[Served, str],
) -> None:
    served, key = attacked
    url = httpx2.URL(served.url)
    stream = request(served, f"POST {ANSWER}", asked(), key=key, Accept="text/event-stream")
    with ExitStack() as opened:
        for place in range(1_000):
            each = socket.create_connection((url.host, url.port), timeout=30)
            opened.enter_context(each)
            each.sendall(stream if place % 10 == 0 else b"POST / HTTP/1.1\r\n")
        head = {"Authorization": f"Bearer {key}"}
        found = httpx2.post(served.url + ANSWER, json=QUESTION, headers=head, timeout=60)
        assert found.status_code in (200, 503, 504), found.text
    until = time.monotonic() + 30
    while (found := httpx2.post(served.url + ANSWER, json=QUESTION, headers=head)).is_error:
        assert time.monotonic() < until, found.text
