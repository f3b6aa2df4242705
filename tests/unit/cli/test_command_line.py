"""The command line: help, errors without tracebacks, and exit codes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kgdb import __version__
from kgdb.cli.main import COMMANDS, cli, main
from kgdb.cli.parameter_types import TEXT, NamedPath, Text
from kgdb.errors import LoadError

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[3]
MODELS = {"torch", "transformers", "sentence_transformers", "sklearn", "scipy", "openai"}
HEAVY = MODELS | {"duckdb", "graphdatascience", "pandas", "pyarrow", "jinja2"}
DRIVER = {"neo4j", "numpy", "rich", "asyncio", "sqlite3", "tokenizers"}


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable or file says which server or models to use."""
    for name in os.environ:
        if name.startswith(("NEO4J_", "KGDB_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("KGDB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@dataclass(frozen=True)
class Done:
    code: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def kgdb(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process: another one would take a second to start."""

    def run(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["kgdb", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        return Done(int(end.value.code or 0), *capfd.readouterr())

    return run


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def options(command: click.Command) -> list[click.Option]:
    return [parameter for parameter in command.params if isinstance(parameter, click.Option)]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0
    assert f"Usage: cli {name}" in result.output
    assert re.search(rf"Example: .*kgdb {name}", result.output)
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help
    assert command.help.rstrip().endswith(".")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_does(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    silent = {"--split", "--method", "--lines"}  # their names and choices say it
    for option in options(command):
        assert option.help or silent & set(option.opts), option.opts


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_of_a_command_can_be_parsed(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    (line,) = re.findall(rf"kgdb {name}(.*)", (command.epilog or "").rstrip(')"'))
    arguments = [quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|(\S+)', line)]
    command.make_context(name, arguments)


def test_the_help_lists_every_command_and_where_to_start() -> None:
    result = CliRunner().invoke(cli, ["--help"])
    assert result.exit_code == 0
    listed = re.findall(r"^  ([a-z]+) {2,}\S", result.output, re.MULTILINE)
    assert listed == list(COMMANDS)
    assert "kgdb load demo" in result.output


def test_every_command_is_in_the_documents() -> None:
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    text = "\n".join(path.read_text(encoding="utf-8") for path in documents if path.is_file())
    assert [name for name in COMMANDS if f"kgdb {name}" not in text] == []


def test_the_version_is_told(kgdb: Run) -> None:
    assert kgdb("--version") == Done(0, f"kgdb, version {__version__}\n", "")


SET = ["--uri", "bolt://127.0.0.1:1", "--set"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["load"], "Missing argument 'LOADER'"),
        (["answer"], "No question is given"),
        (["verify"], "No claim is given"),
        (["answer", "--methods", "nonsense"], "There is no method 'nonsense'"),
        (["load", "--list", "nonsense"], "There is no loader 'nonsense'"),
        (["up", "--bolt-port", "many"], "'many' is not a valid integer"),
        (["up", "--nonsense"], "No such option"),
        (["eval", "nonsense"], "'nonsense' is not"),
        (["load", "demo", "--max-errors", "-1"], "-1 is not in the range"),
        (["answer", "who?", "--method", "nonsense"], "There is no method 'nonsense'"),
        (["answer", "who?", *SET, "width=0"], "width is 0; expected 1 to 50"),
        (["answer", "who?", *SET, "max-hops=9"], "max_hops is 9; expected"),
        (["answer", "who?", *SET, "nonsense=9"], "There is no option 'nonsense' of the method"),
        (["answer", "who?", *SET, "width"], "'width' is not of the form OPTION=VALUE"),
        (["load", "demo", *SET, "=2"], "'=2' is not of the form OPTION=VALUE"),
        (["verify", "so.", *SET, "width=0"], "width is 0; expected 1 to 50"),
        (
            ["answer", "who?", "--method", "all", *SET, "nonsense=9"],
            "There is no option 'nonsense' of any of",
        ),
        (["answer", "who?", "--method", "refkg,nonsense"], "There is no method 'nonsense'"),
        (["chat", *SET, "width=0"], "width is 0; expected 1 to 50"),
        (["answer", "who?", "--html", "/nowhere/a.html"], "there is no folder /nowhere"),
        (["load", "nonsense"], "There is no loader 'nonsense'"),
        (["load", "demo", "/nowhere/kb.txt"], "/nowhere/kb.txt does not exist"),
        (["load", "metaqa"], "ships without data"),
        (["up", "--bolt-port", "70000"], "70000"),
        (["eval", "metaqa", "--data", "/nowhere"], "There is no /nowhere/metaqa"),
        (["remove"], "It is not clear what to remove"),
        (["remove", "demo", "--all"], "It is not clear what to remove"),
        (["status", "--env"], "The local server is not running"),
    ],
)
def test_wrong_usage_ends_with_two_and_one_sentence(
    kgdb: Run, arguments: list[str], says: str
) -> None:
    done = kgdb(*arguments)
    assert says in done.stderr
    assert (done.code, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


NOWHERE = ["graphs", "--uri", "bolt://127.0.0.1:1"]


def test_a_failure_ends_with_one_and_what_to_do_next(kgdb: Run) -> None:
    done = kgdb(*NOWHERE)
    assert (done.code, done.stdout) == (1, "")
    error, hint = done.stderr.splitlines()
    assert error.startswith("Error: No Neo4j server answers at bolt://127.0.0.1:1")
    assert "NEO4J_URI" in hint


def test_an_error_cannot_steer_the_terminal(kgdb: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def failed(**_: object) -> None:
        raise LoadError("No\x1b[2J\n  line 1: \u202ex", hint="Do\x9b2J so.")

    monkeypatch.setattr("kgdb.cli.load_command.connected", failed)
    assert kgdb("graphs").stderr == ("Error: No\ufffd[2J\n  line 1: \ufffdx\nDo\ufffd2J so.\n")


def test_debug_shows_the_traceback() -> None:
    done = python("-m", "kgdb", "--debug", *NOWHERE)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback (most recent call last)" in done.stderr
    assert "ConnectionFailed: No Neo4j server answers" in done.stderr


@pytest.mark.parametrize(
    ("error", "code"), [(KeyboardInterrupt(), 130), (click.exceptions.Abort(), 130)]
)
def test_an_interrupt_ends_without_a_traceback(
    kgdb: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    def interrupted(**_: object) -> None:
        raise error

    monkeypatch.setattr("kgdb.cli.load_command.connected", interrupted)
    done = kgdb("graphs")
    assert (done.code, done.stdout) == (code, "")
    assert "Traceback" not in done.stderr


def test_an_interrupt_is_one_whatever_fails_on_the_way_out(
    kgdb: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(**_: object) -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise BufferError("object cannot be re-sized")

    monkeypatch.setattr("kgdb.cli.load_command.connected", interrupted)
    done = kgdb("graphs")
    assert (done.code, done.stderr) == (130, "Interrupted.\n")


@pytest.mark.slow
@pytest.mark.parametrize(("signal", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_that_ends_a_process_ends_a_command_as_an_interrupt_does(
    tmp_path: Path, signal: str, code: int
) -> None:
    script = f"""
import os, signal, sys, time
from pathlib import Path
import kgdb.cli.load_command
from kgdb.cli.main import main
from kgdb.loading.scratch.temp_folder import new_temp_folder

folder = Path(sys.argv.pop())

def wait(**_):
    with new_temp_folder(folder):
        os.kill(os.getpid(), signal.{signal})
        time.sleep(30)

kgdb.cli.load_command.connected = wait
main()
"""
    done = python("-c", script, "graphs", str(tmp_path))
    assert (done.returncode, done.stderr.strip()) == (code, f"Ended by {signal}.")
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_is_ignored_stays_so() -> None:
    script = """
import os, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_IGN)
import kgdb.cli.load_command
from kgdb.cli.main import main
kgdb.cli.load_command.connected = lambda **_: os.kill(os.getpid(), signal.SIGHUP) or sys.exit(7)
main()
"""
    assert python("-c", script, "graphs").returncode == 7


def test_what_is_a_bug_is_not_hidden(kgdb: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("kgdb.cli.load_command.connected", fail)
    with pytest.raises(ZeroDivisionError):
        kgdb("graphs")


@pytest.mark.parametrize(
    ("command", "says"),
    [("down", "It was not running."), ("status", "default"), ("status --log", "")],
)
def test_commands_that_need_no_server_start_none(kgdb: Run, command: str, says: str) -> None:
    done = kgdb(*command.split())
    assert (done.code, done.stderr) == (0, "")
    assert says in done.stdout


IMPORTED = """
import atexit, sys
names = sys.modules
atexit.register(lambda: print("\\n".join(names), file=sys.stderr))
"""
RUN = "from kgdb.cli.main import main; main()"


def imported(code: str, *arguments: str) -> set[str]:
    """The top-level packages that are imported when the code has run."""
    done = python("-c", IMPORTED + code, *arguments)
    assert done.returncode == 0, done.stderr[-2000:]
    return {name.partition(".")[0] for name in done.stderr.splitlines()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [["import kgdb"], [RUN, "--help"], [RUN, "--version"]],
    ids=["import kgdb", "kgdb --help", "kgdb --version"],
)
def test_nothing_but_click_is_imported_before_a_command_is_known(arguments: list[str]) -> None:
    packages = imported(*arguments)
    assert "kgdb" in packages
    assert not packages & (HEAVY | DRIVER)


HELP_OF_EACH = f"""
import sys
from kgdb.cli.main import COMMANDS, main
heavy = {sorted(HEAVY)}
for command in COMMANDS:
    sys.argv = ["kgdb", command, "-h"]
    try:
        main()
    except SystemExit as end:
        assert not end.code, command
    assert sys.modules.keys().isdisjoint(heavy), command
print("none of", len(COMMANDS))
"""


@pytest.mark.slow
def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    done = python("-c", HELP_OF_EACH)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.endswith(f"none of {len(COMMANDS)}\n")


ENCODE = """
from pathlib import Path
from kgdb.cli.main import cli
from kgdb.language import load_encoder, load_llm
from kgdb.settings import Settings

settings = Settings(home=Path("nowhere"), llm="none")
assert load_llm(settings) is None
assert load_encoder(settings).encode(["Who wrote The Tuesday Engine?"]).shape == (1, 384)
"""


@pytest.mark.slow
def test_the_default_encoder_needs_no_library_of_models() -> None:
    assert not imported(ENCODE) & MODELS


def test_every_public_name_is_there() -> None:
    import kgdb as package

    assert set(package.__all__) <= set(dir(package))
    for name in package.__all__:
        assert getattr(package, name) is not None
    for name in ("nonsense", "__wrapped__"):
        with pytest.raises(AttributeError, match=f"'{name}'"):
            getattr(package, name)


def test_the_errors_are_there_without_an_import_of_their_own() -> None:
    names = imported("import kgdb; assert issubclass(kgdb.errors.LoadError, kgdb.KgdbError)")
    assert "kgdb" in names


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "place", "expected"),
    [
        ("kgdb ", "1", set(COMMANDS)),
        ("kgdb lo", "1", {"load"}),
        ("kgdb --d", "1", {"--debug", "--database"}),
        ("kgdb answer --gr", "2", {"--graph"}),
        ("kgdb answer --method g", "3", {"gotr"}),
    ],
)
def test_the_shell_completes_commands_and_their_options(
    monkeypatch: pytest.MonkeyPatch, kgdb: Run, words: str, place: str, expected: set[str]
) -> None:
    monkeypatch.setenv("_KGDB_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", place)
    done = kgdb()
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == expected
    assert done.code == 0


def test_completing_a_command_imports_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_KGDB_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "kgdb ")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert not imported("from kgdb.cli.main import cli; cli(prog_name='kgdb')") & (HEAVY | DRIVER)


def test_resetting_a_server_that_never_was_deletes_nothing_and_says_so(kgdb: Run) -> None:
    done = kgdb("remove", "--all", "--instance", "nope", "--yes")
    assert done.code == 2
    assert "There is no local server 'nope'; nothing was deleted." in done.stderr


def test_a_question_alone_is_checked_before_anything_starts(kgdb: Run) -> None:
    done = kgdb("answer", "  ")
    assert (done.code, done.stdout) == (2, "")
    assert "The question is empty" in done.stderr


def test_the_replies_that_are_kept_can_be_removed(kgdb: Run, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "llm-cache"
    folder.mkdir(parents=True)
    for name in ("replies.sqlite", "replies.sqlite-wal", "mine.txt"):
        (folder / name).write_bytes(b"x" * 1_000_000)
    done = kgdb("remove", "--replies")
    assert done.code == 0
    assert "Removed 2.0 MB of replies" in done.stdout
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    assert "Removed 0.0 MB" in kgdb("remove", "--replies").stdout


HALF = "\udcffabc"


def parameters() -> list[tuple[str, click.Parameter]]:
    """Every argument and option of every command."""
    return [(name, parameter) for name, command in nested(cli) for parameter in command.params]


def nested(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command of a group with its words, and those of the groups in it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{before}{name}", command
        if isinstance(command, click.Group):
            yield from nested(command, f"{before}{name} ")


def test_every_command_of_a_group_has_help_with_an_example() -> None:
    inner = {name: command for name, command in nested(cli) if " " in name}
    assert "lab train corpus" in inner
    for name, command in inner.items():
        assert command.help
        assert re.search(rf"Example: .*kgdb {name} ", command.epilog or "")
        assert not [option.opts for option in options(command) if not option.help]


def test_every_text_and_path_of_every_command_is_checked() -> None:
    types = {type(parameter.type) for _, parameter in parameters()}
    assert {Text, NamedPath} <= types
    assert not types & {click.types.StringParamType, click.Path}


def test_every_number_of_every_command_has_a_least_or_is_a_port_or_a_seed() -> None:
    numbers = {
        parameter.opts[-1]
        for _, parameter in parameters()
        if isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType)
        and not isinstance(parameter.type, click.IntRange | click.FloatRange)
    }
    assert numbers == {"--bolt-port", "--http-port", "--seed"}


@pytest.mark.parametrize(
    ("name", "parameter"),
    [pytest.param(n, p, id=f"{n} {p.opts[-1]}") for n, p in parameters() if p.type == TEXT],
)
def test_a_text_of_bytes_that_are_no_letters_is_refused_by_name(
    name: str, parameter: click.Parameter
) -> None:
    with pytest.raises(click.BadParameter, match="not valid UTF-8") as refusal:
        parameter.type_cast_value(click.Context(cli), (HALF,) if _takes_many(parameter) else HALF)
    assert refusal.value.param is parameter


def _takes_many(parameter: click.Parameter) -> bool:
    return parameter.multiple or parameter.nargs != 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["export", "demo", ""], "'FOLDER': the name is empty"),
        (["load", "demo", ""], "'[SOURCE]': the name is empty"),
        (["load", "demo", "--temp-folder", ""], "'--temp-folder': the name is empty"),
        (["answer", "who?", "--html", ""], "'--html': the name is empty"),
        (["graphs", "--uri", ""], "uri is the empty text"),
        (["graphs", "--instance", ""], "instance is the empty text"),
        (["load", "demo", "--memory", "-1GB"], "memory is '-1GB'; expected a size"),
        (["load", "demo", "--memory", "0GB"], "memory is '0GB'; expected a size"),
        (["up", "--heap", "-1g"], "heap is '-1g'; expected a whole number and a unit"),
        (["up", "--page-cache", "0m"], "page_cache is '0m'; the server needs at least"),
        (["up", "--bolt-port", "-1"], "bolt_port is '-1'; expected a port number"),
        (["answer", "who?", *SET, "llm_weight=-1"], "llm_weight is -1.0; expected 0 to 10"),
        (["answer", "who?", *SET, "llm_weight=nan"], "llm_weight is nan; expected 0 to 10"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(kgdb: Run, arguments: list[str], says: str) -> None:
    done = kgdb(*arguments)
    assert says in done.stderr
    assert (done.code, done.stdout) == (2, "")


def shell(line: str) -> Done:
    """The line as a shell runs it, in which ``kgdb`` is this package's."""
    script = f'set -o pipefail; kgdb() {{ "{sys.executable}" -m kgdb "$@"; }}; {line}'
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("kgdb load --list >&-", 0),
        ("kgdb load --list >&- 2>&- <&-", 0),
        ("kgdb load --list 2>&- >/dev/null", 0),
        ("kgdb load --list | true", 0),
        ("kgdb load --list --json | true", 0),
        ("kgdb --help | true", 0),
        ("kgdb answer --methods 2>&1 | head -c 1 >/dev/null", 0),
        ("kgdb graphs --uri bolt://127.0.0.1:1 2>&-", 1),
        ("kgdb graphs --uri bolt://127.0.0.1:1 2>&1 | true", 1),
        ("kgdb load --list nonsense 2>&1 >&- | true", 2),
        ("kgdb load --list >/dev/full 2>&-", 1),
    ],
)
def test_a_stream_that_is_closed_ends_the_command_in_silence(line: str, code: int) -> None:
    assert shell(line) == Done(code, "", "")


@pytest.mark.slow
def test_an_output_that_is_full_is_told_once() -> None:
    assert shell("kgdb load --list >/dev/full") == Done(
        1, "", "Error: No space left on device: output\n"
    )


@pytest.mark.slow
def test_no_file_gets_what_was_for_a_closed_stream(tmp_path: Path) -> None:
    source = tmp_path / "kb.tsv"
    source.write_text("a\tr\tb\n")
    made = "kgdb load mine --init kb.tsv >&- && kgdb load mine.toml kb.tsv --dry-run >&-"
    done = shell(f"cd {tmp_path} && {made}")
    assert done.code == 0, done.stderr
    assert source.read_text() == "a\tr\tb\n"
