"""The page: it says everything, needs nothing, and no name of a graph becomes part of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path as File

import pytest
from hostile_results import hostile_results, parsed, thinking
from scripted_method import answered, entity, path

from kgdb.errors import ModelError
from kgdb.presentation import Comparison, Row
from kgdb.values import (
    Answer,
    AnsweredEntity,
    QuestionReading,
    Stage,
    Usage,
    Verdict,
)
from kgdb.web import render

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
    assert page.drawings[0].count("stroke-dasharray") == 1


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


def test_the_drawing_has_the_evidence() -> None:
    (drawing,) = parsed(render([ANSWER])).drawings
    for name in ("Ada", "Heat", "Ronin", "Mann", "starred", "directed_by"):
        assert f">{name}" in drawing
    assert "Rome" not in drawing


def test_a_graph_of_thought_is_drawn_beside_the_facts_found() -> None:
    thought = replace(ANSWER, trace=(thinking("Heat", "director", "directed_by"), *ANSWER.trace))
    page = parsed(render([thought]))
    evidence, drawn = page.drawings
    assert ("MADE_BY" in drawn, "MADE_BY" in evidence) == (True, False)
    assert "Heat –MADE_BY→ director found as directed_by, 3 facts" in page.text
    assert "director –LOVES→ Heat not found" in page.text
    assert "The graph of thought" not in parsed(render([ANSWER])).text


def test_without_proof_what_was_found_is_drawn() -> None:
    page = parsed(render([replace(ANSWER, entities=(), reason="of this.")]))
    assert "Rome" in page.drawings[0]
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
def test_no_script_may_run(results: list[Answer | Verdict]) -> None:
    page = parsed(render(results))
    (policy,) = (a["content"] or "" for _, a in page.tags if "http-equiv" in a)
    assert policy.startswith("default-src 'none';")
    assert "script-src" not in policy
    assert "script" not in {tag for tag, _ in page.tags}


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
    assert {c for c in html if not c.isprintable()} == {"\n"}
    assert "a\ufffd[2J" in html


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
    assert len(re.findall(r"<svg", done.stdout)) == 4
    # What the policy stops, and errors, are told on the console.
    assert re.findall(r'CONSOLE:\d+\] "(.*)"', done.stderr) == []
