"""The page: it says everything, needs nothing, and no name of a graph becomes part of it."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
import shutil
import subprocess
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path as File

import pytest
from scripted_method import answered, entity, path

from kgdb.errors import ModelError
from kgdb.presentation import Comparison, Row
from kgdb.values import (
    Answer,
    AnsweredEntity,
    Entity,
    Path,
    QuestionReading,
    Stage,
    Step,
    Usage,
    Verdict,
)
from kgdb.web import render
from kgdb.web.path_layout import lay_out

pytestmark = [pytest.mark.unit, pytest.mark.slow]

HEAT = path("Ada", "^starred", "Heat", "directed_by", "Mann")
RONIN = path("Ada", "^starred", "Ronin", "directed_by", "Mann")
ANSWER = Answer(
    "Who directed the films of Ada?",
    "demo",
    "refkg",
    (AnsweredEntity(entity("Mann"), (HEAT, RONIN), 5),),
    text="Mann did.",
    interpretation="who directed the films starring Ada?",
    readings=(
        QuestionReading("who directed the films starring Ada?", {}),
        QuestionReading("who directed the films by Ada?", {}),
    ),
    retrieved=(HEAT, RONIN, path("Ada", "born_in", "Rome")),
    unsupported=("Scott",),
    notes=("3 facts were left out.",),
    truncated=True,
    trace=(
        Stage(
            "explore", {"menu": 4, "kept": [{"chain": "a → b", "score": 0.5}]}, Usage(1, 0, 9, 2)
        ),
        Stage("infer", {"prompt": "line one\nline two"}, Usage(seconds=0.25, round_trips=1)),
    ),
)
VERDICT = Verdict(
    "Mann directed Heat.",
    "demo",
    "refkg",
    "REFUTED",
    0.75,
    supporting=(path("Heat", "directed_by", "Mann"),),
    opposing=(path("Heat", "directed_by", "Scott"),),
)

HOSTILE = (
    "</script><script>document.title='hacked'</script>",
    "<img src=x onerror=\"document.title='hacked'\">",
    "\"><svg onload=document.title='hacked'>",
    "' autofocus onfocus=document.title='hacked' x='",
    "<!--<script>document.title='hacked'",
    "]]><style>*{display:none}</style>",
    "javascript:document.title='hacked'",
    "{{ 7 * 7 }}{% raw %}${7*7}",
    "$$\\href{javascript:document.title='hacked'}{x}$$",
    "@name{safe} &lt;b&gt; \u2028 \u0000 \ud800",
    "a\x1b[2J\x07\x7f\x9b2J\u202eb\u2066c",
)


@dataclass
class Parsed(HTMLParser):
    """The page as a browser would read its tags."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    scripts: list[tuple[dict[str, str | None], str]] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._inside: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        if tag not in ("b", "bdi", "i", "span"):
            self.text += " "
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)
        elif self._inside != "style":
            self.text += data


def parsed(html: str) -> Parsed:
    page = Parsed()
    page.feed(html)
    page.close()
    page.text = " ".join(page.text.split())
    return page


def hostile_results() -> list[Answer | Verdict]:
    """Results in which every text is hostile."""
    names = itertools.cycle(HOSTILE)

    def walk(name: str) -> Path:
        start, middle = Entity(f"a{name}", name), Entity(f"b{next(names)}", name)
        end = Entity(f"c{name}", next(names))
        return Path((start, middle, end), (Step(name), Step(next(names), reverse=True)))

    paths = tuple(walk(name) for name in HOSTILE)
    trace = tuple(
        Stage(n, {n: n, "of": [n, {n: [n]}], "long": f"{n}\n{n}"}, Usage()) for n in HOSTILE
    )
    trace += (thinking(*HOSTILE[:3]),)
    name = " ".join(HOSTILE)
    return [
        Answer(
            name, name, name, tuple(map(answered, paths)), text=name, interpretation=name,
            retrieved=paths, unsupported=HOSTILE, notes=HOSTILE, trace=trace,
            readings=tuple(QuestionReading(text, {}) for text in HOSTILE),
        ),
        Answer(name, name, name, reason=name),
        Answer(name, name, name, error=ModelError(name, hint=name)),
        Verdict(
            name, name, name, "SUPPORTED", reason=name, interpretation=name,
            supporting=paths[:3], opposing=paths[3:], retrieved=paths, notes=HOSTILE, trace=trace,
        ),
    ]  # fmt: skip


def test_an_answer_is_told_whole() -> None:
    page = parsed(render([ANSWER]))
    for said in (
        "Who directed the films of Ada?",
        "Mann did.",
        "Understood as: who directed the films starring Ada?",
        "Also understood as: who directed the films by Ada?",
        "Ada ←starred– Heat –directed_by→ Mann",
        "… and 3 more paths",
        "Without evidence: Scott",
        "A cap was reached",
        "Note: 3 facts were left out.",
        "4 facts: the paths that prove the answers.",
        "All evidence that was considered: 3 paths",
        "explore 1 LLM call, 9 + 2 tokens",
        "chain a → b",
        "line one line two",
        "method refkg, graph demo",
    ):
        assert said in page.text, said


def test_a_verdict_is_told_whole() -> None:
    html = render([VERDICT])
    page = parsed(html)
    assert "REFUTED confidence 75 %" in page.text
    assert "Facts for it Heat –directed_by→ Mann" in page.text
    assert "Facts against it Heat –directed_by→ Scott" in page.text
    assert "dashed" in json.loads(data_of(page)[0])["doc"].__repr__()


def test_several_results_and_a_comparison() -> None:
    unknown = Answer("Why?", "demo", "rok", reason="nothing is known.")
    failed = Answer("Why?", "demo", "gotr", error=ModelError("It is down.", hint="Start it."))
    page = parsed(render([ANSWER, unknown, failed]))
    assert "2 questions" in page.text
    assert "I don't know, because nothing is known." in page.text
    assert "It failed: It is down. Start it." in page.text
    rows = (Row("rok", "Mann", 2, 0.5, Usage(calls=4)), Row("gotr", "failed", 0, None, Usage()))
    compared = parsed(render([unknown, failed], Comparison(rows, (("Mann", ("rok",)),))))
    assert "rok Mann 2 50% 4" in compared.text
    assert "Mann: rok" in compared.text


def test_the_cost_is_told_where_it_is_known() -> None:
    assert "cost," not in parsed(render([ANSWER])).text
    assert ">cost</th>" not in render([ANSWER])
    first, last = ANSWER.trace
    priced = replace(first, usage=replace(first.usage, cost=0.25))
    page = parsed(render([replace(ANSWER, trace=(priced, last))]))
    assert (
        "method refkg, graph demo; 1 LLM call, 9 + 2 tokens, 0.25 s, 1 round trip, cost 0.2500"
        in (page.text)
    )
    assert "explore 1 LLM call, 9 + 2 tokens, 0.00 s, 0 round trips, cost 0.2500" in page.text
    assert "seconds round trips cost explore 1 0 9 2 0.00 0 0.2500 infer 0 0 0 0 0.25 1 0.0000" in (
        page.text
    )
    assert "all 1 0 9 2 0.25 1 0.2500" in page.text
    rows = (Row("rok", "Mann", 2, 0.5, Usage(4, cost=0.5)), Row("gotr", "-", 0, None, Usage()))
    compared = parsed(render([ANSWER, ANSWER], Comparison(rows, ()))).text
    assert (
        "round trips cost rok Mann 2 50% 4 0 0.00 0 0.5000 gotr - 0 - 0 0 0.00 0 0.0000" in compared
    )


def test_a_thought_that_is_a_text_is_shown_as_one() -> None:
    """RoK's language model thinks in words."""
    answer = replace(ANSWER, trace=(Stage("think", {"thought": "It was Mann."}, Usage()),))
    page = parsed(render([answer]))
    assert "thought It was Mann." in page.text
    assert "The graph of thought" not in page.text


def data_of(page: Parsed) -> list[str]:
    return [text for attributes, text in page.scripts if "data-graph" in attributes]


def test_the_drawing_has_the_evidence() -> None:
    drawing = data_of(parsed(render([ANSWER])))[0]
    for name in ("Ada", "Heat", "Ronin", "Mann", "starred", "directed_by"):
        assert f'"{name}"' in drawing
    assert '"Rome"' not in drawing


def thinking(*names: str) -> Stage:
    """A stage with the thought that a person of that name made what has an unknown maker."""
    film, maker, relation = names
    found = {"relation": relation, "count": 3, "facts": [[film, relation, maker]]}
    thought = {
        "nodes": [
            {"name": film, "entities": [film], "anchor": True},
            {"name": maker, "entities": [], "anchor": False},
        ],
        "edges": [
            {
                "source": 0,
                "target": 1,
                "type": "MADE_BY",
                "relations": [relation],
                "found": [found],
            },
            {"source": 1, "target": 0, "type": "LOVES", "relations": [], "found": []},
        ],
    }
    return Stage("retrieve", {"thought": thought, "drawn_by": "encoder"}, Usage())


def test_a_graph_of_thought_is_drawn_beside_the_facts_found() -> None:
    thought = replace(ANSWER, trace=(thinking("Heat", "director", "directed_by"), *ANSWER.trace))
    page = parsed(render([thought]))
    evidence, drawn = data_of(page)
    assert ('"MADE_BY"' in drawn, '"MADE_BY"' in evidence) == (True, False)
    assert "Heat –MADE_BY→ director found as directed_by, 3 facts" in page.text
    assert "director –LOVES→ Heat not found" in page.text
    assert "The graph of thought" not in parsed(render([ANSWER])).text


def test_without_proof_what_was_found_is_drawn() -> None:
    page = parsed(render([replace(ANSWER, entities=(), reason="of this.")]))
    assert '"Rome"' in data_of(page)[0]
    assert "what was found, though it proves nothing" in page.text


def test_a_large_graph_is_drawn_in_part_and_says_so() -> None:
    ends = tuple(answered(path("Ada", "knows", f"Friend {i}")) for i in range(300))
    page = parsed(render([Answer("Who?", "demo", "x", ends)]))
    assert "60 facts: the paths that prove the answers (240 more are not drawn)." in page.text
    assert "… and 100 more answers" in page.text


@pytest.mark.parametrize("results", [[ANSWER], [VERDICT], hostile_results()])
def test_the_page_needs_nothing_else(results: list[Answer | Verdict]) -> None:
    page = parsed(render(results))
    assert {tag for tag, _ in page.tags} & {
        "link",
        "img",
        "iframe",
        "object",
        "base",
        "form",
    } == set()
    for tag, attributes in page.tags:
        assert not attributes.keys() & {"src", "srcset", "action", "background", "poster"}, tag
        href = attributes.get("href")
        assert href is None or href.startswith("#result-")


@pytest.mark.parametrize("results", [[ANSWER], hostile_results()])
def test_only_the_page_s_own_scripts_may_run(results: list[Answer | Verdict]) -> None:
    page = parsed(render(results))
    (policy,) = (a["content"] or "" for _, a in page.tags if "http-equiv" in a)
    allowed = re.search(r"script-src ([^;]*);", policy)
    assert allowed is not None
    assert policy.startswith("default-src 'none';")
    code = [text for attributes, text in page.scripts if not attributes]
    assert allowed[1].split() == [f"'sha256-{digest(text)}'" for text in code]
    assert len(code) == 3
    for attributes, text in page.scripts:
        if attributes:
            assert attributes["type"] == "application/json"
            json.loads(text)


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_hostile_texts_stay_text() -> None:
    clean = {tag for tag, _ in parsed(render([ANSWER, VERDICT])).tags}
    page = parsed(render(hostile_results()))
    # "svg" or "style" inside of a name would be a tag more.
    assert {tag for tag, _ in page.tags} <= clean | {"nav"}
    assert [a for tag, a in page.tags if any(name.startswith("on") for name in a)] == []
    assert "</script><script>document.title='hacked'</script>" in page.text
    assert "{{ 7 * 7 }}{% raw %}${7*7}" in page.text


def test_no_text_steers_what_shows_the_page() -> None:
    html = render(hostile_results())
    own = "".join(script for _, script in parsed(html).scripts if "embed_item" not in script)
    steering = {c for c in html.replace(own, "") if not c.isprintable()} - {"\n", " "}
    # In the drawings' data only ids may keep what JSON writes as an escape.
    assert steering <= set(own)
    assert not steering & set("\x00\x07\x1b\x7f\x9b\u202e\u2066\ud800")
    assert "a\ufffd[2J" in html


def test_the_same_answer_gives_the_same_drawing() -> None:
    assert lay_out(ANSWER.evidence) == lay_out(ANSWER.evidence)


def test_entities_stand_by_their_distance_and_apart() -> None:
    layout = lay_out([HEAT, RONIN, path("Ada", "knows", "Ada"), path("Heat", "like", "Ronin")])
    places = {node.entity.name: (node.x, node.y) for node in layout.nodes}
    assert len(set(places.values())) == len(places) == 4
    # Ada and Heat both begin a path.
    assert places["Ada"][0] == places["Heat"][0] < places["Ronin"][0]
    for node in layout.nodes:
        assert node.width / 2 <= node.x <= layout.width - node.width / 2
        assert 0 < node.y < layout.height
    loops = [edge for edge in layout.edges if edge.head == edge.tail]
    assert len(loops) == 1
    assert len(layout.edges) == 6


def test_relations_between_the_same_entities_share_an_edge_each_way() -> None:
    layout = lay_out([path("A", "r", "B"), path("A", "s", "B"), path("A", "^t", "B")])
    forth, back = sorted(layout.edges, key=lambda edge: -len(edge.relations))
    assert (forth.relations, forth.label, back.relations) == (("r", "s"), "r, s", ("t",))
    assert forth.middle != back.middle


CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_a_browser_draws_it_and_runs_nothing_else(tmp_path: File) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(render(hostile_results()).encode("utf-8", errors="replace"))
    done = subprocess.run(
        [
            *(str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu"),
            *(f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=5000"),
            *("--enable-logging=stderr", "--dump-dom", page.as_uri()),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert title is not None
    assert "hacked" not in re.sub(r"document\.title='hacked'", "", title[1])
    # Bokeh puts its figure into the place that is kept for it.
    drawn = re.findall(r'<div id="result-\d+-graph" class="graph"[^>]*>(.)', done.stdout)
    assert drawn == ["<"] * 2
    assert len(re.findall(r'id="result-\d+-thought" class="graph"[^>]*><div', done.stdout)) == 2
    # What the policy stops, and errors of scripts, are told on the console; Bokeh's own lines too.
    console = re.findall(r'CONSOLE:\d+\] "(.*)"', done.stderr)
    assert console
    assert [line for line in console if not line.startswith("[bokeh ")] == []
