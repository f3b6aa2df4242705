"""What keys may use up: questions a minute, open requests, tokens and money a day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from two_graphs import Access

from kgdb.serving.access_keys import ANYBODY, AccessKey, KeyRing
from kgdb.serving.app import create_app
from kgdb.serving.key_limits import KeyLimits
from kgdb.serving.problem_details import Refused
from kgdb.serving.serve_options import ServeOptions
from kgdb.serving.service import Service
from kgdb.values import Answer, Stage, Usage, Verdict

pytestmark = pytest.mark.unit

DAY = 86_400


def limits(now: list[float]) -> KeyLimits:
    return KeyLimits(4, lambda: now[0])


def test_several_questions_count_as_several() -> None:
    now = [0.0]
    counted, key = limits(now), AccessKey("bot", "1", per_minute=60)
    counted.ask(key, 50)
    with pytest.raises(Refused) as refused:
        counted.ask(key, 11)
    assert (refused.value.status, refused.value.retry_after) == (429, 2)
    counted.ask(key, 10)  # what was refused took nothing
    now[0] = 1.0
    counted.ask(key, 1)
    with pytest.raises(Refused):
        counted.ask(key, 1)


def test_more_together_than_a_minute_has_never_pass() -> None:
    with pytest.raises(Refused) as refused:
        limits([0.0]).ask(AccessKey("bot", "1", per_minute=5), 6)
    assert refused.value.retry_after is None
    assert refused.value.hint == "Ask at most 5 together."


def test_one_key_has_at_most_half_of_the_open_requests() -> None:
    counted, key = limits([0.0]), AccessKey("bot", "1")
    with ExitStack() as stack:
        for each in (key, key, AccessKey("other", "2"), *[ANYBODY] * 9):
            stack.enter_context(counted.request(each))
        with pytest.raises(Refused) as refused:
            stack.enter_context(counted.request(key))
        assert refused.value.status == 503
    with counted.request(key):
        pass


@pytest.mark.parametrize(
    ("key", "usage", "told"),
    [
        (AccessKey("bot", "1", tokens_per_day=100), Usage(tokens_in=30, tokens_out=20), "100 tok"),
        (AccessKey("bot", "1", cost_per_day=0.5), Usage(cost=0.25), "cost 0.5 a day"),
    ],
)
def test_what_a_day_may_cost(key: AccessKey, usage: Usage, told: str) -> None:
    now = [DAY - 600.0]
    counted = limits(now)
    counted.spend(key, usage)
    counted.check_day(key)
    counted.spend(key, usage)
    with pytest.raises(Refused, match=told) as refused:
        counted.check_day(key)
    assert (refused.value.status, refused.value.retry_after) == (429, 601)
    now[0] = DAY
    counted.check_day(key)


class Scripted:
    """Answers that cost ten tokens each."""

    method = SimpleNamespace(name="auto")

    def answers(
        self,
        questions: Sequence[str],
        done: Callable[[int, Answer], None] | None = None,
        wanted: object = None,
    ) -> list[Answer]:
        trace = (Stage("infer", {}, Usage(tokens_in=7, tokens_out=3)),)
        found = [Answer(each, "films", "auto", trace=trace) for each in questions]
        for place, each in enumerate(found):
            if done is not None:
                done(place, each)
        return found

    def verdicts(self, claims: Sequence[str], done: Any = None, wanted: object = None) -> Any:
        trace = (Stage("judge", {}, Usage(tokens_in=7, tokens_out=3)),)
        found = [Verdict(each, "films", "auto", trace=trace) for each in claims]
        for place, each in enumerate(found):
            if done is not None:
                done(place, each)
        return found


class Answering(Access):
    def reasoner(self, asking: Any, watch: Any) -> Any:
        made = Scripted()
        made.resources = SimpleNamespace(graph=SimpleNamespace(name="films"))  # type: ignore[attr-defined]
        return made


@pytest.fixture
def keys(tmp_path: Path) -> KeyRing:
    return KeyRing(tmp_path / "keys.json")


@pytest.fixture
def client(keys: KeyRing) -> Iterator[TestClient]:
    service = Service(Answering(), keys, ServeOptions())  # type: ignore[arg-type]
    with TestClient(create_app(service), base_url="http://127.0.0.1:8470") as found:
        yield found


ROUTES = [
    ("answer", {"questions": ["a", "b", "c"]}, 3),
    ("answer", {"question": "a"}, 1),
    ("verify", {"claims": ["a", "b"]}, 2),
    ("verify-text", {"text": "Ada wrote Emma. Bob read Emma. Cid bought Emma."}, 3),
]


@pytest.mark.parametrize(("route", "body", "questions"), ROUTES)
def test_each_route_counts_its_questions(
    client: TestClient, keys: KeyRing, route: str, body: Any, questions: int
) -> None:
    head = {"Authorization": f"Bearer {keys.add('bot', per_minute=questions)}"}
    assert client.post(f"/v1/graphs/films/{route}", json=body, headers=head).status_code == 200
    again = client.get("/v1/graphs", headers=head)
    assert (again.status_code, again.json()["title"]) == (429, "Too often")


@pytest.mark.parametrize(("route", "body", "questions"), ROUTES)
def test_each_route_counts_its_tokens(
    client: TestClient, keys: KeyRing, route: str, body: Any, questions: int
) -> None:
    secret = keys.add("bot", tokens_per_day=10 * questions)
    head = {"Authorization": f"Bearer {secret}"}
    url = f"/v1/graphs/films/{route}"
    assert client.post(url, json=body, headers=head).status_code == 200
    spent = client.post(url, json=body, headers=head)
    assert (spent.status_code, spent.json()["title"]) == (429, "Spent")
    assert 0 < int(spent.headers["retry-after"]) <= DAY + 1
    events = {**head, "Accept": "text/event-stream"}
    assert client.post(url, json=body, headers=events).status_code == 429
    # What asks no model goes on, and so do others.
    assert client.post(url, json={**body, "llm": "none"}, headers=head).status_code == 200
    assert client.post(url, json=body).status_code == 200


@pytest.mark.parametrize("name", ["answer", "verify"])
def test_tools_of_agents_count_for_their_key(client: TestClient, keys: KeyRing, name: str) -> None:
    head = {
        "Authorization": f"Bearer {keys.add('bot', tokens_per_day=10)}",
        "Accept": "application/json, text/event-stream",
    }
    text = {"answer": "question", "verify": "claim"}[name]
    call = {"name": name, "arguments": {"graph": "films", text: "a"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    assert "a day" not in client.post("/mcp", json=body, headers=head).text
    assert "The key may use 10 tokens a day." in client.post("/mcp", json=body, headers=head).text


def test_a_chat_counts_the_questions_that_are_asked_again(
    client: TestClient, keys: KeyRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "kgdb.serving.service.Conversation",
        lambda reasoner: SimpleNamespace(answers=reasoner.answers),
    )
    head = {"Authorization": f"Bearer {keys.add('bot', tokens_per_day=20, per_minute=3)}"}
    body = {
        "model": "films",
        "messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}],
    }
    assert client.post("/v1/chat/completions", json=body, headers=head).status_code == 200
    spent = client.post("/v1/chat/completions", json=body, headers=head)
    assert (spent.status_code, spent.json()["title"]) == (429, "Spent")
