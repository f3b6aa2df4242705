"""What people see in a terminal: the tree of the evidence, hostile names, stages as they end."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from rich.text import Text
from scripted_method import entity, path

from kgdb.cli.ask_together import Stages
from kgdb.cli.showing import cost, evidence_tree, show
from kgdb.presentation import amount
from kgdb.values import (
    Answer,
    AnsweredEntity,
    Entity,
    Path,
    QuestionReading,
    Stage,
    Step,
    Triple,
    Usage,
)
from kgdb.wording import one_line

pytestmark = pytest.mark.unit


def drawn(*paths: Path) -> list[str]:
    console = Console(file=io.StringIO(), width=200)
    console.print(evidence_tree(Text("answer"), paths))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_what_paths_have_in_common_is_written_once() -> None:
    assert drawn(
        path("Ada", "^starred", "Heat", "directed_by", "Mann"),
        path("Ada", "^starred", "Heat", "written_by", "Mann"),
        path("Ada", "^starred", "Ronin", "directed_by", "Mann"),
        path("Bo", "knows", "Mann"),
    ) == [
        "answer",
        "├── Ada",
        "│   ├── ←starred– Heat",
        "│   │   ├── –directed_by→ Mann",
        "│   │   └── –written_by→ Mann",
        "│   └── ←starred– Ronin –directed_by→ Mann",
        "└── Bo –knows→ Mann",
    ]


def test_a_path_that_another_one_goes_on_from_is_not_lost() -> None:
    assert drawn(path("Ada", "knows", "Bo"), path("Ada", "knows", "Bo", "knows", "Cy")) == [
        "answer",
        "└── Ada –knows→ Bo",
        "    └── –knows→ Cy",
    ]


def test_entities_of_one_name_are_told_apart() -> None:
    def to(id_: str) -> Path:
        return Path((entity("Ada"), Entity(id_, "Heat")), (Step("acted_in"),))

    assert drawn(to("1"), to("2")) == [
        "answer",
        "└── Ada",
        "    ├── –acted_in→ Heat",
        "    └── –acted_in→ Heat",
    ]


def test_a_narrow_terminal_shows_every_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow = Console(file=io.StringIO(), width=40, soft_wrap=True, highlight=False)
    monkeypatch.setattr("kgdb.cli.showing.out", narrow)
    found = path("Ada", "^starred", "A film with a very long name", "directed_by", "Mann")
    show(Answer("Who?", "demo", "x", (AnsweredEntity(entity("Mann"), (found,), 1),)), 20)
    assert isinstance(narrow.file, io.StringIO)
    words = narrow.file.getvalue().replace("│", " ").split()
    assert " ".join(words) == (
        "Who? Mann └── Ada ←starred– A film with a very long name –directed_by→ Mann"
    )


def test_what_else_a_question_may_mean_is_told_with_its_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    texts = "who made Heat", "who paid\x1b for Heat", "who saw Heat"
    readings = tuple(QuestionReading(text, {}) for text in texts)
    show(Answer("Whose?", "demo", "x", interpretation=texts[0], value=2, readings=readings), 20)
    assert capsys.readouterr().out.splitlines()[2:5] == [
        "understood as: who made Heat",
        "also understood as: (2) who paid\ufffd for Heat",
        "also understood as: (3) who saw Heat",
    ]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("[bold red]x[/bold red]", "[bold red]x[/bold red]"),
        ("\x1b[31mred\x1b]0;title\x07", "\ufffd[31mred\ufffd]0;title\ufffd"),
        ("two\nlines\tand\r\nmore", "two lines and  more"),
        ("right\u202eto left", "right\ufffdto left"),
        ("第七个渡口 👩\u200d🚀 می\u200cخواهم", "第七个渡口 👩\u200d🚀 می\u200cخواهم"),
        ("half a letter \ud800", "half a letter \ufffd"),
        ("%s {x} ${y}", "%s {x} ${y}"),
    ],
)
def test_names_cannot_steer_the_terminal(name: str, shown: str) -> None:
    assert one_line(name) == shown
    (line,) = drawn(Path((Entity("x", name),), ()))[1:]
    assert line == f"└── {shown}"


def test_a_text_is_shown_with_its_chain_and_its_facts(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(
        "q?",
        "g",
        "m",
        (AnsweredEntity(entity("Mann"), (path("Heat", "directed_by", "Mann"),), 1),),
        text="The answer is Mann [1].",
        chain=("Heat", "  –directed_by→ Mann [1]"),
        cited=(Triple(entity("Heat"), "directed_by", entity("Mann")),),
    )
    show(answer, 20)
    assert capsys.readouterr().out.splitlines()[2:] == [
        "The answer is Mann [1].",
        "inference",
        "  Heat",
        "    –directed_by→ Mann [1]",
        "facts",
        "  [1] Heat –directed_by→ Mann",
    ]


def test_the_cost_tells_what_there_is_to_tell() -> None:
    assert cost(Usage(1, 0, 2, 3, 0.0, 0.5, 1)) == (
        "1 LLM call, 2 tokens in, 3 out, 0.50 s, 1 database round trip"
    )
    assert cost(Usage(2, 1, 2, 3, 0.25, 0.5, 2)) == (
        "2 LLM calls (1 from the cache), 2 tokens in, 3 out, 0.50 s, 2 database round trips, "
        "cost 0.2500"
    )
    assert cost(Usage(2, 1, 2, 3, requests=5)).startswith(
        "2 LLM calls (1 from the cache, 5 requests), 2 tokens in"
    )


@pytest.mark.parametrize(
    ("spent", "told"),
    [
        (0, "0.0000"),
        (12.5, "12.5000"),
        (0.0123, "0.0123"),
        (0.00004, "0.000040"),
        (1e-7, "0.00000010"),
    ],
)
def test_little_money_is_not_shown_as_none(spent: float, told: str) -> None:
    assert amount(spent) == told


def terminal() -> tuple[Console, io.StringIO]:
    file = io.StringIO()
    return Console(file=file, force_terminal=True, width=80, color_system=None), file


def screen(written: str) -> list[str]:
    """What a terminal shows in the end: it knows lines, going up, and erasing a line."""
    lines, row, column = [""], 0, 0
    for part in re.findall(r"\x1b\[\??[\d;]*[a-zA-Z]|\r|\n|[^\x1b\r\n]+", written):
        if part == "\n":
            row, column = row + 1, 0
            lines += [""] * (row + 1 - len(lines))
        elif part == "\r":
            column = 0
        elif up := re.fullmatch(r"\x1b\[(\d+)A", part):
            row = max(0, row - int(up[1]))
        elif part == "\x1b[2K":
            lines[row] = ""
        elif not part.startswith("\x1b"):
            line = lines[row].ljust(column)
            lines[row] = line[:column] + part + line[column + len(part) :]
            column += len(part)
    return [line.rstrip() for line in lines if line.strip()]


def test_what_is_printed_between_drawings_stays_on_the_screen() -> None:
    console, file = terminal()
    stages = Stages(console=console)
    console.print("before")
    with stages.running(2):
        for name in ("look", "read", "answer"):
            stages("a", Stage(name, {}, Usage()))
        with stages.aside():
            console.print("first\nanswer")
        assert screen(file.getvalue())[:3] == ["before", "first", "answer"]
        stages("b", Stage("more", {}, Usage()))
        with stages.aside():
            console.print("second\nanswer")
    assert screen(file.getvalue()) == ["before", "first", "answer", "second", "answer"]


def test_stages_are_drawn_on_a_terminal_and_taken_away_in_the_end() -> None:
    console, file = terminal()
    stages = Stages(console=console)
    with stages.running(2):
        stages("a", Stage("look", {}, Usage(calls=1, seconds=0.25, round_trips=2)))
        stages("b", Stage("look", {}, Usage(seconds=0.5)))
        with stages.aside():
            console.print("an answer")
        stages("a", Stage("read", {}, Usage()))
    shown = re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]|\r", "", file.getvalue())
    assert re.search(r"✓ look +1/2 +0.25 s, 1 LLM call\n", shown)
    assert re.search(r"✓ look +2/2 +0.75 s, 1 LLM call\s+✓ read +1/2", shown)
    assert "\nan answer\n" in shown
    assert screen(file.getvalue()) == ["an answer"]


def test_stages_begin_anew_with_each_run() -> None:
    console, file = terminal()
    stages = Stages(console=console)
    with stages.running(1):
        stages("a", Stage("look", {}, Usage()))
    before = len(file.getvalue())
    with stages.running(1):
        stages("a", Stage("read", {}, Usage()))
    assert "look" not in file.getvalue()[before:]


def test_an_error_while_stages_are_drawn_leaves_the_terminal_as_it_was() -> None:
    console, file = terminal()
    stages = Stages(console=console)
    with pytest.raises(KeyboardInterrupt), stages.running(1):
        raise KeyboardInterrupt
    assert "\x1b[?25h" in file.getvalue()  # the cursor is shown again
    with stages.running(1):
        stages("a", Stage("look", {}, Usage()))
    assert "look" in file.getvalue()
