"""The page of a service, used in a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect, sync_playwright
from served_graphs import Served, serving

import kgdb

pytestmark = pytest.mark.integration

expect.set_options(timeout=30_000)  # the models are loaded by the first question

BROWSER = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None)
QUESTION = "Who wrote The Tuesday Engine?"
HOSTILE = '<img src=x onerror="window.broken=1">'


@pytest.fixture(scope="module")
def served(demo: kgdb.KnowledgeGraph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("page")) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if BROWSER is None:
        pytest.skip("there is no Chromium (Debian: apt-get install chromium)")
    with sync_playwright() as found:
        # Without its sandbox, which needs rights that containers do not give.
        browser = found.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any, served: Served) -> Iterator[Page]:
    """The page, which must leave the console without any error or warning."""
    found: Page = browser.new_page()
    told: list[str] = []

    def noted(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            told.append(message.text)

    found.on("console", noted)
    found.on("pageerror", lambda error: told.append(str(error)))
    asked: list[str] = []
    found.on("request", lambda request: asked.append(request.url))
    found.goto(served.url)
    expect(found.locator("#graph option")).to_have_count(1)
    yield found
    found.close()
    assert told == []
    elsewhere = [url for url in asked if not url.startswith((served.url, "data:"))]
    assert elsewhere == []


def ask(page: Page, question: str) -> None:
    page.get_by_label("Question", exact=True).fill(question)
    page.keyboard.press("Enter")
    expect(page.locator("#stages")).not_to_have_text("Asking …")


def test_an_answer_comes_with_its_facts_and_their_picture(page: Page) -> None:
    ask(page, QUESTION)
    expect(page.locator(".answers li")).to_have_text(["Nell Castlebrook", "Ruben Okonjo-Hale"])
    expect(page.locator(".fact").first).to_contain_text("written_by")
    expect(page.locator("#canvas canvas").first).to_be_visible()
    page.locator(".fact").first.click()
    expect(page.locator("#stages")).to_contain_text("link")


def test_a_click_on_a_node_draws_its_neighbors(page: Page) -> None:
    ask(page, QUESTION)
    expect(page.locator(".answers li").first).to_be_visible()
    expect(page.locator("#about-node")).to_contain_text("Click a node")
    page.wait_for_timeout(800)  # the picture comes to rest
    at = page.evaluate(
        "document.getElementById('canvas')._cyreg.cy.nodes()"
        ".filter('[name = \"The Tuesday Engine\"]').renderedPosition()"
    )
    before = page.evaluate("document.getElementById('canvas')._cyreg.cy.nodes().length")
    page.locator("#canvas").click(position=at)
    expect(page.locator("#about-node")).to_contain_text("The Tuesday Engine (DemoFilm): ")
    expect(page.locator("#about-node")).to_contain_text("directed_by")
    after = page.evaluate("document.getElementById('canvas')._cyreg.cy.nodes().length")
    assert after > before


def test_a_question_goes_on_from_the_last_and_a_new_conversation_forgets(page: Page) -> None:
    ask(page, "Which films did Ada Weir act in?")
    expect(page.locator(".answers li")).to_have_count(8)
    ask(page, "Which of them did Ruben Okonjo-Hale direct?")
    expect(page.locator(".answers li")).to_have_count(2)
    expect(page.locator("#talk li")).to_have_text(["Which films did Ada Weir act in?"])
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator("#talk li")).to_have_count(0)


def test_a_link_and_a_reload_open_the_same_answer(page: Page) -> None:
    ask(page, QUESTION)
    expect(page.locator(".answers li")).to_have_count(2)
    page.reload()
    expect(page.locator(".answers li")).to_have_text(["Nell Castlebrook", "Ruben Okonjo-Hale"])
    page.get_by_role("button", name="History").click()
    expect(page.locator("#history-list a")).to_have_text([QUESTION])


def test_i_dont_know_is_said_with_its_reason(page: Page) -> None:
    ask(page, "Who wrote Kermit the Frog?")
    expect(page.locator("#answer")).to_contain_text("I don't know, because")


def test_a_text_gets_marks_that_lead_to_its_facts(page: Page) -> None:
    page.get_by_role("button", name="Check a text").click()
    page.get_by_label("Text", exact=True).fill(
        "😀 Ruben Okonjo-Hale directed The Tuesday Engine. Ada Weir directed The Tuesday Engine."
    )
    page.get_by_role("button", name="Check", exact=True).click()
    marks = page.locator("#marked button")
    expect(marks).to_have_count(2)
    expect(marks.nth(1)).to_have_text("Ada Weir directed The Tuesday Engine.")
    expect(marks.nth(1)).to_have_class("REFUTED")
    marks.nth(0).click()
    expect(page.locator("#verdict")).to_contain_text("SUPPORTED")
    expect(page.locator("#verdict .fact")).to_contain_text("directed_by")


def test_the_schema_is_listed_and_drawn(page: Page) -> None:
    page.get_by_role("button", name="Schema").click()
    expect(page.locator("#schema-list")).to_contain_text("DemoFilm")
    expect(page.locator("#canvas canvas").first).to_be_visible()


def test_hostile_words_are_text(page: Page) -> None:
    ask(page, f"Who wrote {HOSTILE}?")
    expect(page.locator("#answer")).to_contain_text("I don't know")
    page.get_by_role("button", name="Check a text").click()
    page.get_by_label("Text", exact=True).fill(f"{HOSTILE} directed The Tuesday Engine.")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#marked")).to_contain_text("onerror")
    assert page.evaluate("window.broken") is None
    assert page.locator("main img").count() == 0


def test_the_page_is_used_by_keys_alone_and_fits_a_narrow_screen(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    ask(page, QUESTION)
    expect(page.locator(".answers li")).to_have_count(2)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 360
    page.locator(".fact").first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.className") == "fact"
