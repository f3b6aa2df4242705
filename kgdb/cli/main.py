"""The ``kgdb`` command."""

from __future__ import annotations

import io
import logging
import sys
from contextlib import suppress
from itertools import islice

import click

from kgdb._version import __version__
from kgdb.cli.connection_options import CONNECTION, connection_options
from kgdb.cli.lazy_group import CommandEntry, LazyGroup
from kgdb.cli.own_process import Terminated, discard_unwritable, heeded, open_closed
from kgdb.errors import KgdbError, UsageError


def _section(
    name: str, *entries: tuple[str, str, str], package: str = "kgdb.cli"
) -> dict[str, CommandEntry]:
    return {
        command: CommandEntry(module, summary, package, name)
        for command, module, summary in entries
    }


COMMANDS = {
    **_section(
        "Bring a graph",
        ("load", "load_command", "Load a graph from files."),
        ("adopt", "adopt_command", "Use a graph that is in Neo4j already, where it lies."),
        ("graphs", "load_command", "List the graphs."),
        ("schema", "schema_command", "Show the labels, properties and relations of a graph."),
        ("export", "export_command", "Write a graph into files."),
        ("remove", "remove_command", "Remove a graph, or all."),
    ),
    **_section(
        "Ask",
        ("answer", "ask_commands", "Answer questions, with the paths that prove the answers."),
        ("chat", "chat_command", "Ask one question after the other; everything stays loaded."),
    ),
    **_section(
        "Check",
        ("verify", "ask_commands", "Judge claims, with the facts for and against them."),
        ("eval", "eval_command", "Measure methods on a question set."),
    ),
    **_section(
        "Build on it",
        ("query", "query_command", "Run a logical form, with the facts that prove its value."),
    ),
    **_section(
        "Build on it",
        ("lab", "lab", "Train models, rank answers, reproduce the papers' tables."),
        package="kgdb.lab.cli",
    ),
    **_section(
        "Serve it",
        ("serve", "serve_command", "Serve the graphs: REST, chat models and MCP tools."),
        ("keys", "keys_command", "Make and revoke the keys of a service."),
    ),
    **_section(
        "The local server",
        ("up", "server_commands", "Start Neo4j; the first start downloads it."),
        ("down", "server_commands", "Stop it; its data stays."),
        ("status", "server_commands", "Show its state, and where its files are."),
    ),
}
"""In the order that a newcomer needs them. A module is imported only when its command is called."""

EXIT_FAILURE, EXIT_USAGE, EXIT_NO_ANSWER, EXIT_INTERRUPTED = 1, 2, 3, 130


class _Commands(LazyGroup):
    """The commands, each of which also takes the options of the connection behind its name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options of the connection first, wherever they stand before ``--``."""
        end = args.index("--") if "--" in args else len(args)
        given, rest, tokens = [], [], iter(args[:end])
        for token in tokens:
            name, equals, _ = token.partition("=")
            if name not in CONNECTION:
                rest.append(token)
            else:
                given += [token] if equals else [token, *islice(tokens, 1)]
        return super().parse_args(ctx, [*given, *rest, *args[end:]])


@click.group(
    cls=_Commands,
    entries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: kgdb load demo, then "
    'kgdb answer "Who directed the films that Ada Weir acted in?"',
)
@click.version_option(__version__, "--version", prog_name="kgdb")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@connection_options
def cli(**_: object) -> None:
    """Answer questions over a knowledge graph in Neo4j, with the paths that prove the answer.

    Without NEO4J_URI, kgdb starts a local Neo4j of its own the first time it needs one. The
    options of the server may also stand behind the name of a command.
    """


def main() -> None:
    """Run the command line; errors become one sentence, what to do next, and an exit code.

    1: it failed.  2: wrong usage.  3: answered "I don't know".  130: interrupted.  143: ended by
    SIGTERM. A reader that has seen enough (head, less) ends the command in silence, with 0.
    """
    open_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that is not UTF-8 shows a substitute instead of ending the command.
            stream.reconfigure(errors="backslashreplace")
    # Lost connections are told once, by kgdb's own error.
    logging.getLogger("neo4j").setLevel(logging.CRITICAL)
    try:
        with heeded():
            code = _run(debug="--debug" in sys.argv)
    except BaseException:
        discard_unwritable()
        raise
    discard_unwritable()
    sys.exit(code)


def _run(*, debug: bool) -> int:
    """The exit code of the command; what ended it is told."""
    try:
        code = _command()
        # What cannot be written is known here, and not when Python has ended.
        sys.stdout.flush()
        return code
    except (click.exceptions.Abort, KeyboardInterrupt) as error:
        return _interrupted(error)
    except click.ClickException as error:
        with suppress(BrokenPipeError):
            error.show()
        return error.exit_code
    except KgdbError as error:
        if debug:
            raise
        _tell(f"Error: {error.message}")
        if error.hint:
            _tell(error.hint)
        return EXIT_USAGE if isinstance(error, UsageError) else EXIT_FAILURE
    except BrokenPipeError:
        return 0
    except OSError as error:
        if debug:
            raise
        _tell(f"Error: {error.strerror or error}: {error.filename or 'output'}")
        return EXIT_FAILURE


def _command() -> int:
    try:
        return cli(standalone_mode=False) or 0
    except SystemExit as end:
        if type(sys.stdout).__name__.endswith("PacifyFlushWrapper"):
            # What click makes of a reader that has gone, with an exit code of its own.
            raise BrokenPipeError from end
        return end.code if isinstance(end.code, int) else 0
    except Exception as error:
        # What is cleaned up after an interrupt may fail in turn, as a transaction's end does.
        if interrupt := _interrupt(error):
            raise interrupt from error
        raise


def _interrupted(error: BaseException) -> int:
    if isinstance(signal := _interrupt(error), Terminated):
        _tell(f"Ended by {signal.name}.")
        return signal.exit_code
    _tell("Interrupted.")
    return EXIT_INTERRUPTED


def _interrupt(error: BaseException | None) -> KeyboardInterrupt | None:
    """The interrupt that the error is, or follows."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error


def _tell(text: str) -> None:
    """Say what went wrong; what a file, a model or a database says is part of it."""
    from kgdb.cli.console import err
    from kgdb.wording import each_line

    with suppress(BrokenPipeError):
        err.print(each_line(text), markup=False)
