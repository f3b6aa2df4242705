"""``kgdb answer``, ``verify``, ``compare`` and ``methods``; the method says what it is told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from scripted_method import Outcome, Scripted, ScriptedConnection, answered, connecting, path

from kgdb.cli.ask_together import TOGETHER
from kgdb.cli.main import cli
from kgdb.errors import ModelError, ModelMissing, UsageError
from kgdb.methods import all_methods, create, kind_of
from kgdb.methods.option_declarations import parse
from kgdb.values import Answer, Usage, Verdict

pytestmark = pytest.mark.unit

HEAT, RONIN = path("Ada", "^acted_in", "Heat"), path("Ada", "^acted_in", "Ronin")
KNOWN = Answer("Who?", "demo", "scripted", (answered(HEAT), answered(RONIN)), retrieved=(HEAT,))
UNKNOWN = Answer("Why?", "demo", "scripted", reason="nothing is known.")
DOWN = ModelError("The server is down.", hint="Start it.")
TRUE = Verdict("So.", "demo", "scripted", "SUPPORTED", 0.875, supporting=(HEAT,))
FALSE = Verdict("No.", "demo", "scripted", "REFUTED", opposing=(RONIN,), notes=("one fact",))
OPEN = Verdict("Eh.", "demo", "scripted", reason="nothing is known.")

Run = Callable[..., Result]


def timeless(text: str) -> list[str]:
    """The lines, without how long anything took."""
    return re.sub(r"\b\d+\.\d\d( s)?\b", "TIME", text).splitlines()


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command whose method says what it is told; the last argument is what it says."""

    def run(
        *arguments: str,
        says: dict[str, Outcome],
        input: str | None = None,
        connection: ScriptedConnection | None = None,
    ) -> Result:
        connection = connection or ScriptedConnection()
        monkeypatch.setattr("kgdb.cli.ask_commands.connected", connecting(connection))
        for module in ("ask_commands", "ask_several_methods"):
            monkeypatch.setattr(
                f"kgdb.cli.{module}.create",
                lambda name, given: Scripted(says, "scripted" if name in all_methods() else name),
            )
        return CliRunner().invoke(cli, arguments, input=input)

    return run


def test_an_answer_is_a_tree_with_its_cost(ask: Run) -> None:
    done = ask("answer", "Who?", says={"Who?": KNOWN})
    assert done.exit_code == 0
    assert timeless(done.stdout) == [
        "",
        "Who?",
        "Heat",
        "└── Ada ←acted_in– Heat",
        "Ronin",
        "└── Ada ←acted_in– Ronin",
        "2 LLM calls, 14 tokens in, 4 out, TIME, 2 database round trips",
    ]
    assert done.stderr == ""


def test_questions_come_from_arguments_and_files_in_their_order(ask: Run, tmp_path: Path) -> None:
    file = tmp_path / "questions.txt"
    file.write_text("\ufeffWhy?\n\n  Who?\n", encoding="utf-8")
    says: dict[str, Outcome] = {"Who?": KNOWN, "Why?": UNKNOWN}
    done = ask("answer", "Who?", "--questions", str(file), "--json", says=says)
    asked = [json.loads(line)["question"] for line in done.stdout.splitlines()]
    assert asked == ["Who?", "Why?", "Who?"]
    assert done.exit_code == 3
    from_input = ask("answer", "--questions", "-", "--json", says=says, input="Why?\nWho?\n")
    asked = [json.loads(line)["question"] for line in from_input.stdout.splitlines()]
    assert asked == ["Why?", "Who?"]


def test_more_questions_than_go_together_keep_their_order(ask: Run) -> None:
    texts = [f"Who {i}?" for i in range(2 * TOGETHER + 1)]
    says: dict[str, Outcome] = {text: Answer(text, "demo", "x", reason="no.") for text in texts}
    done = ask("answer", "--questions", "-", "--json", says=says, input="\n".join(texts))
    assert [json.loads(line)["question"] for line in done.stdout.splitlines()] == texts


def test_a_file_that_is_no_text_is_refused(ask: Run, tmp_path: Path) -> None:
    file = tmp_path / "questions.txt"
    file.write_bytes(b"\xff\xfe\x00")
    done = ask("answer", "--questions", str(file), says={})
    assert isinstance(done.exception, UsageError)
    assert "is not UTF-8 text" in str(done.exception)


def test_one_question_that_fails_leaves_the_others(ask: Run) -> None:
    done = ask(
        "answer", "Who?", "Down?", "Why?", says={"Who?": KNOWN, "Down?": DOWN, "Why?": UNKNOWN}
    )
    assert done.exit_code == 1
    assert "└── Ada ←acted_in– Heat" in done.stdout
    assert "I don't know, because nothing is known." in done.stdout
    assert done.stderr == "Error: The server is down.\nStart it.\n"


@pytest.mark.parametrize(("command", "file"), [("answer", "questions"), ("verify", "claims")])
def test_a_line_that_is_too_long_fails_alone(
    ask: Run, tmp_path: Path, command: str, file: str
) -> None:
    path = tmp_path / "many.txt"
    path.write_text("Who?\n" + "who " * 3000 + "\nAgain?\n", encoding="utf-8")
    good = KNOWN if command == "answer" else TRUE
    says: dict[str, Outcome] = {"Who?": good, "Again?": good}
    done = ask(command, f"--{file}", str(path), "--json", says=says)
    errors = [json.loads(line)["error"] for line in done.stdout.splitlines()]
    assert [error and error["type"] for error in errors] == [None, "UsageError", None]
    assert "11,999 characters; at most 10,000" in errors[1]["message"]
    assert done.exit_code == 2
    # One alone is refused before anything starts.
    refused = ask(command, "who " * 3000, says=says)
    assert str(refused.exception).startswith(f"The {file[:-1]} has 12,000 characters")
    assert refused.stdout == ""


@pytest.mark.parametrize("command", ["answer", "verify"])
def test_an_empty_text_among_several_fails_alone(ask: Run, command: str) -> None:
    good = KNOWN if command == "answer" else TRUE
    says: dict[str, Outcome] = {"Who?": good, "Again?": good}
    done = ask(command, "Who?", " ", "Again?", "--json", says=says)
    errors = [json.loads(line)["error"] for line in done.stdout.splitlines()]
    assert [error and error["type"] for error in errors] == [None, "UsageError", None]
    assert done.exit_code == 2


@pytest.mark.slow
def test_a_page_that_cannot_be_written_is_told(ask: Run, tmp_path: Path) -> None:
    page = tmp_path / ("x" * 300)
    done = ask("answer", "Who?", "--html", str(page), says={"Who?": KNOWN})
    assert isinstance(done.exception, UsageError)
    assert f"{page} cannot be written: File name too long." in str(done.exception)
    assert "└── Ada ←acted_in– Heat" in done.stdout


def test_what_fails_is_told_in_json_too(ask: Run) -> None:
    done = ask("answer", "Down?", "--json", says={"Down?": DOWN})
    assert json.loads(done.stdout)["error"] == {
        "type": "ModelError",
        "message": "The server is down.",
        "hint": "Start it.",
    }
    assert done.exit_code == 1


def test_explaining_shows_what_each_stage_said(ask: Run) -> None:
    done = ask("answer", "Who?", "--explain", says={"Who?": KNOWN})
    lines = timeless(done.stdout)
    assert "look  1 LLM call, 7 tokens in, 2 out, TIME, 1 database round trip" in lines
    assert lines[lines.index("  seen:") + 1] == "    name=Who?"
    assert lines[lines.index("  prompt:") + 1 :][:2] == ["    first", "    second"]


def test_stages_are_told_on_standard_error_when_asked_for(ask: Run) -> None:
    done = ask("answer", "Who?", "-v", "--json", says={"Who?": KNOWN})
    assert timeless(done.stderr) == [
        "look: TIME, 1 LLM call, 1 round trip",
        "read: TIME, 1 LLM call, 1 round trip",
    ]
    assert json.loads(done.stdout)["question"] == "Who?"


@pytest.mark.parametrize("name", all_methods())
def test_every_method_can_be_asked_for_answers_without_evidence(name: str) -> None:
    """``--allow-unsupported`` is for any of them."""
    options = kind_of(name).options
    assert parse(options, {"allow_unsupported": "true"}, name).allow_unsupported  # type: ignore[attr-defined]
    assert not parse(options, {}, name).allow_unsupported  # type: ignore[attr-defined]
    create(name, {"allow_unsupported": "true"})


def test_a_graph_of_thought_is_shown_where_there_is_one(ask: Run) -> None:
    done = ask("answer", "Who?", "--show-thought", says={"Who?": KNOWN})
    assert "No graph of thought was drawn" in done.stderr


@pytest.mark.parametrize(
    ("says", "code", "shown"),
    [
        (TRUE, 0, ["SUPPORTED  confidence 88%", "for", "└── Ada ←acted_in– Heat"]),
        (FALSE, 0, ["REFUTED", "against", "└── Ada ←acted_in– Ronin", "note: one fact"]),
        (OPEN, 3, ["NOT ENOUGH EVIDENCE", "because nothing is known."]),
    ],
)
def test_a_verdict_is_shown_with_its_facts(
    ask: Run, says: Verdict, code: int, shown: list[str]
) -> None:
    done = ask("verify", says.claim, says={says.claim: says})
    assert (done.exit_code, done.stdout.splitlines()[2:-1]) == (code, shown)


def test_verdicts_are_a_line_each(ask: Run) -> None:
    done = ask("verify", "So.", "No.", "--json", says={"So.": TRUE, "No.": FALSE})
    labels = [json.loads(line)["label"] for line in done.stdout.splitlines()]
    assert (done.exit_code, labels) == (0, ["SUPPORTED", "REFUTED"])


def test_the_claims_of_a_text_are_shown_with_their_places(ask: Run) -> None:
    done = ask("verify", "--text", "-", says={"So.": TRUE, "No.": FALSE}, input="**So.** No. Eh?")
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            "2 claims: 1 SUPPORTED, 1 REFUTED, 0 not decided",
            "",
            "**So.**  0–7",
            "judged as: So.",
            "SUPPORTED  confidence 88%",
            "for",
            "└── Ada ←acted_in– Heat",
            "",
            "No.  8–11",
            "REFUTED",
            "against",
            "└── Ada ←acted_in– Ronin",
            "note: one fact",
        ],
    )


def test_a_text_is_one_object_in_json_and_counts_the_line_ends_it_has(
    ask: Run, tmp_path: Path
) -> None:
    file = tmp_path / "text.md"
    file.write_bytes(b"\xef\xbb\xbfSo.\r\n\r\nEh.")
    done = ask("verify", "--text", str(file), "--json", says={"So.": TRUE, "Eh.": OPEN})
    shown = json.loads(done.stdout)
    places = [(claim["text"], claim["start"], claim["end"]) for claim in shown["claims"]]
    assert (done.exit_code, places) == (3, [("So.", 0, 3), ("Eh.", 7, 10)])


@pytest.mark.parametrize(
    ("arguments", "content", "message"),
    [
        (["So."], b"No.", "--text is given beside a claim."),
        ([], b"", "The text is empty."),
        ([], b"Who?", "The text has no claims."),
        ([], b"\xff", "is not UTF-8 text"),
        ([], b"So. " * 300_000, "more than 1,000,000 bytes"),
        (["--method", "rok,gotr"], b"So.", "There is no method 'rok,gotr'"),
    ],
)
def test_what_is_no_text_to_judge_is_refused(
    tmp_path: Path, arguments: list[str], content: bytes, message: str
) -> None:
    (tmp_path / "text.md").write_bytes(content)
    done = CliRunner().invoke(cli, ["verify", *arguments, "--text", str(tmp_path / "text.md")])
    assert isinstance(done.exception, UsageError)
    assert message in str(done.exception)


def test_a_method_that_cannot_verify_says_so_with_two(ask: Run) -> None:
    done = ask("verify", "So.", says={"So.": KNOWN})
    assert done.exit_code == 2
    assert "does not verify claims" in done.stderr


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> ScriptedConnection:
    """Methods a, b, c and d: b finds half of what a finds, c fails, d cannot be used."""
    methods = {
        "a": Scripted({"Who?": KNOWN}, "a"),
        "b": Scripted({"Who?": Answer("Who?", "demo", "b", (answered(HEAT),))}, "b"),
        "c": Scripted({"Who?": DOWN}, "c"),
        "d": Scripted({}, "d"),
    }
    connection = ScriptedConnection({"d": ModelMissing("bm25s is not installed.")})
    monkeypatch.setattr("kgdb.cli.ask_commands.connected", connecting(connection))
    monkeypatch.setattr("kgdb.cli.ask_several_methods.create", lambda name, given: methods[name])
    return connection


def test_methods_are_compared_side_by_side(several: ScriptedConnection) -> None:
    done = CliRunner().invoke(cli, ["answer", "Who?", "--method", "a, b,c,d"])
    assert done.exit_code == 0
    rows = [line.split() for line in timeless(done.stdout)[2:] if line.strip()]
    assert rows[0] == [
        "method",
        "answers",
        "evidence",
        "agreement",
        "calls",
        "tokens",
        "s",
        "trips",
    ]
    assert rows[2] == ["a", "Heat,", "Ronin", "2", "50%", "2", "18", "TIME", "2"]
    assert rows[3] == ["b", "Heat", "1", "50%", "2", "18", "TIME", "2"]
    assert rows[4][:5] == ["c", "failed:", "The", "server", "is"]
    assert rows[5][:3] == ["d", "failed:", "bm25s"]
    assert done.stdout.splitlines()[-2:] == ["Heat: a, b", "Ronin: a"]
    assert several.loaded == [None, None]


def test_what_each_method_cost_is_compared_where_it_is_known(
    several: ScriptedConnection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = ["answer", "Who?", "--method", "a,c,d"]
    assert "cost" not in CliRunner().invoke(cli, asked).stdout
    monkeypatch.setattr("scripted_method.Usage", partial(Usage, cost=0.00002))
    page = tmp_path / "page.html"
    done = CliRunner().invoke(cli, [*asked, "--html", str(page)])
    rows = [line.split() for line in done.stdout.splitlines()[2:] if line.strip()]
    assert rows[0][-2:] == ["trips", "cost"]
    assert [rows[2][-1], rows[4][-1]] == ["0.000040", "0.0000"]
    assert '<td class="number">0.000040</td></tr>' in page.read_text(encoding="utf-8")


def test_a_comparison_is_json_too(several: ScriptedConnection) -> None:
    done = CliRunner().invoke(cli, ["answer", "Who?", "--method", "a,b,c", "--json"])
    told = json.loads(done.stdout)
    assert [method["agreement"] for method in told["methods"]] == [0.5, 0.5, None]
    assert told["votes"] == {"Heat": ["a", "b"], "Ronin": ["a"]}
    assert told["methods"][2]["error"]["message"] == "The server is down."


def test_a_comparison_in_which_all_fail_ends_with_one(several: ScriptedConnection) -> None:
    assert CliRunner().invoke(cli, ["answer", "Who?", "--method", "c,d"]).exit_code == 1


def test_a_comparison_without_an_answer_ends_with_three(ask: Run) -> None:
    done = ask("answer", "Why?", "--method", "refkg,rok", says={"Why?": UNKNOWN})
    assert done.exit_code == 3
    assert "I don't know, because nothing is known." in done.stdout


def test_methods_lists_options_with_their_defaults() -> None:
    done = CliRunner().invoke(cli, ["answer", "--methods", "refkg"])
    assert done.exit_code == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["max_hops", *"whole number, 1 to 5 3".split()] in [row[:7] for row in rows]
    assert ["Exploration"] in rows
    told = json.loads(CliRunner().invoke(cli, ["answer", "--methods", "refkg", "--json"]).stdout)
    assert {"max_hops", "paths"} <= {option["name"] for option in told["refkg"]["options"]}
    assert set(
        json.loads(CliRunner().invoke(cli, ["answer", "--json", "--methods"]).stdout)
    ) == set(all_methods())
