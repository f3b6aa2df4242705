"""``kgdb chat``: lines in, answers out, and nothing ends it but its end."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from scripted_method import Outcome, Scripted, ScriptedConnection, answered, connecting, path

from kgdb.cli.main import cli
from kgdb.errors import ModelError, UsageError
from kgdb.methods import Method, all_methods
from kgdb.values import Answer, Verdict

pytestmark = pytest.mark.unit

HEAT = path("Ada", "^acted_in", "Heat")
SAYS: dict[str, Outcome] = {
    "Who acted in Heat?": Answer("Who acted in Heat?", "demo", "scripted", (answered(HEAT),)),
    "So.": Verdict("So.", "demo", "scripted", "SUPPORTED", supporting=(HEAT,)),
    "Down?": ModelError("The server is down."),
}

Chat = Callable[..., Result]


@pytest.fixture
def connection() -> ScriptedConnection:
    return ScriptedConnection()


@pytest.fixture
def made() -> list[tuple[str, dict[str, str]]]:
    """The methods that were made, with their options."""
    return []


@pytest.fixture
def chat(
    monkeypatch: pytest.MonkeyPatch,
    connection: ScriptedConnection,
    made: list[tuple[str, dict[str, str]]],
) -> Chat:
    def create(name: str, given: dict[str, str]) -> Method:
        if name not in all_methods():
            raise UsageError(f"There is no method {name!r}.")
        made.append((name, dict(given)))
        return Scripted(SAYS, name)

    monkeypatch.setattr("kgdb.cli.chat_command.connected", connecting(connection))
    monkeypatch.setattr("kgdb.cli.chat_command.create", create)

    def run(*lines: str | bytes) -> Result:
        read = b"".join(
            (each.encode() if isinstance(each, str) else each) + b"\n" for each in lines
        )
        return CliRunner().invoke(cli, ["chat", "--graph", "demo"], input=read)

    return run


def test_each_line_is_answered_and_the_end_of_the_input_ends_it(chat: Chat) -> None:
    done = chat("Who acted in Heat?", "", "  Who acted in Heat?  ")
    assert done.exit_code == 0, done.exception
    assert done.stdout.count("└── Ada ←acted_in– Heat") == 2


def test_a_word_without_an_earlier_answer_is_named_and_forgetting_is_a_command(chat: Chat) -> None:
    done = chat("When was he born?", "/forget", "Who acted in Heat?", "/help")
    assert done.exit_code == 0, done.exception
    assert "because 'he' refers to an earlier answer, and there is none" in done.stdout
    assert "└── Ada ←acted_in– Heat" in done.stdout
    assert "/forget" in done.stdout


def test_claims_are_verified(chat: Chat) -> None:
    done = chat("verify: So.")
    assert "SUPPORTED" in done.stdout
    assert "└── Ada ←acted_in– Heat" in done.stdout


def test_what_fails_does_not_end_it(chat: Chat) -> None:
    done = chat(
        "Down?",
        "/nonsense",
        "/explian",
        "verify:",
        "/graph nope",
        "/method nope",
        "Who acted in Heat?",
    )
    assert done.exit_code == 0
    assert "Error: The server is down." in done.stderr
    assert "There is no command '/nonsense'.\n/help lists them." in done.stderr
    assert "There is no command '/explian'.\nDid you mean /explain?" in done.stderr
    assert "The question is empty." in done.stderr
    assert "The graph 'nope' is not loaded." in done.stderr
    assert "There is no method 'nope'." in done.stderr
    assert "└── Ada ←acted_in– Heat" in done.stdout


def test_ctrl_c_ends_the_question_and_not_the_chat(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed: Iterator[str | BaseException] = iter(
        ["Slow?", KeyboardInterrupt(), "Who acted in Heat?", EOFError()]
    )

    def typing(_: str = "") -> str:
        line = next(typed)
        if isinstance(line, BaseException):
            raise line
        return line

    monkeypatch.setattr(builtins, "input", typing)
    monkeypatch.setitem(SAYS, "Slow?", KeyboardInterrupt())
    done = chat()
    assert done.exit_code == 0
    assert "Interrupted." in done.stderr
    assert "Ctrl-D or /quit ends the chat." in done.stderr
    assert "└── Ada ←acted_in– Heat" in done.stdout


def test_commands_set_what_answers(
    chat: Chat, made: list[tuple[str, dict[str, str]]], connection: ScriptedConnection
) -> None:
    done = chat(
        "/set max-hops=2",
        "/set width = 3",
        "/set",
        "/graph",
        "/method refkg",
        "/quit",
        "Who acted in Heat?",
    )
    assert done.exit_code == 0
    assert made[-3:] == [
        ("auto", {"max_hops": "2"}),
        ("auto", {"max_hops": "2", "width": "3"}),
        ("refkg", {}),
    ]
    assert "max_hops=2  hops of the longest relation chain" in done.stdout
    assert "graph demo, method auto. Loaded: demo." in done.stdout
    assert "Ada" not in done.stdout


@pytest.mark.slow
def test_explain_and_html_are_of_the_last_answer(chat: Chat, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = chat(
        "/explain",
        "Who acted in Heat?",
        "/explain",
        "/thought",
        "/html",
        f"/html {page}",
        f"/html {page}/x",
    )
    assert done.stderr.count("Nothing is answered yet.") == 1
    assert "  prompt:\n    first\n    second\n" in done.stdout
    assert "No graph of thought was drawn" in done.stderr
    assert "No file is named." in done.stderr
    assert "there is no folder" in done.stderr
    assert "Heat" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("~nobody-of-that-name/x.html", "there is no such user"),
        ("{folder}", "Is a directory"),
        ("{folder}/a\0b.html", "null byte"),
        ("{folder}/" + "x" * 300 + ".html", "File name too long"),
        ("{folder}/" + "x" * 300 + "/x.html", "File name too long"),
    ],
)
def test_a_page_that_cannot_be_written_is_told_and_the_chat_goes_on(
    chat: Chat, tmp_path: Path, file: str, why: str
) -> None:
    name = file.format(folder=tmp_path)
    done = chat("Who acted in Heat?", f"/html {name}", "Who acted in Heat?")
    assert done.exit_code == 0, done.exception
    assert f"Error: {name} cannot be written: ".replace("\0", "\ufffd") in done.stderr
    told, hint, *_ = done.stderr.splitlines()
    assert why in told
    assert hint.startswith("Name a file in a folder")
    assert done.stdout.count("└── Ada ←acted_in– Heat") == 2


def test_a_line_that_is_no_text_fails_alone(chat: Chat) -> None:
    done = chat(
        b"Who acted in Heat?",
        b"who is \xff?",
        b"/graph \xff",
        b"/method \xff",
        b"/set a=\xff",
        b"Who acted in Heat?",
    )
    assert done.exit_code == 0, done.exception
    assert "is not valid UTF-8" in done.stderr
    assert "is not loaded" in done.stderr
    assert done.stdout.count("└── Ada ←acted_in– Heat") == 2


def test_what_was_set_cannot_steer_the_terminal(chat: Chat) -> None:
    assert "max_hops=\ufffd[2J " in chat("/set max_hops=\x1b[2J", "/set").stdout


def test_help_lists_every_command(chat: Chat) -> None:
    done = chat("/help")
    for command in ("/method", "/set", "/graph", "/explain", "/thought", "/html", "/help", "/quit"):
        assert f"\n{command} " in done.stdout
