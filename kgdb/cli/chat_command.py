"""``kgdb chat``."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path

import click
from rich.text import Text

from kgdb.cli.ask_together import Stages, ask_all
from kgdb.cli.connection_options import settings_of
from kgdb.cli.console import err, out
from kgdb.cli.method_options import method_option, set_option
from kgdb.cli.pages import check_page, named_file, write_page
from kgdb.cli.parameter_types import setting
from kgdb.cli.shared_options import (
    connected,
    graph_option,
    model_options,
    verbose_option,
)
from kgdb.cli.showing import show, show_error, show_thought, show_trace
from kgdb.connection import Connection, KnowledgeGraph
from kgdb.errors import KgdbError, UsageError
from kgdb.file_permissions import private_file, private_folder
from kgdb.methods import Conversation, all_methods, check_question, create, kind_of
from kgdb.methods.option_declarations import describe
from kgdb.values import Answer, Verdict
from kgdb.wording import one_line, short

_PROMPT = "kgdb> "
_REMEMBERED = 1000
"""Lines of the history that are kept."""

_LIMIT = 20
"""Answers of a question that are shown."""


@click.command(
    "chat",
    epilog="Example: kgdb chat --graph demo",
)
@graph_option
@method_option
@set_option
@model_options
@verbose_option
def chat_command(
    graph: str | None,
    method: str,
    given: dict[str, str],
    llm: str | None,
    encoder: str | None,
    verbose: bool,
    **settings: str | bool | None,
) -> None:
    """Ask questions and verify claims, one after the other, with graph and models kept loaded.

    A line is a question, which may go on from the last answer: "only those after 1995", "how many
    are there?", "and when was he born?". A number alone asks what else the last question was
    understood as. A line that begins with "verify:" is a claim. /help lists the commands.

    Ctrl-C ends a question, and Ctrl-D, /quit or the end of the input ends the chat.
    """
    create(method, given)
    with connected(**settings) as connection:
        chat = Chat(connection, graph, method, given, llm, encoder, Stages(verbose=verbose))
        with _history(settings_of().home / "chat_history"):
            chat.run()


class Chat:
    """A conversation on a terminal: what is loaded stays, and the last answer is remembered."""

    def __init__(
        self,
        connection: Connection,
        graph: str | None,
        method: str,
        given: dict[str, str],
        llm: str | None,
        encoder: str | None,
        stages: Stages,
    ) -> None:
        self._connection = connection
        self._graph: KnowledgeGraph = connection.graph(graph)
        self._method = method
        self._given = dict(given)
        self._llm, self._encoder = llm, encoder
        self._stages = stages
        self._last: Answer | Verdict | None = None
        self._conversation = self._made(self._graph, method, self._given)
        self._commands: dict[str, tuple[str, Callable[[str], None]]] = {
            "/method": ("NAME: answer by another method", self._set_method),
            "/set": ("OPTION=VALUE: set an option of the method; alone: list them", self._set),
            "/graph": ("NAME: ask another graph; alone: list what is loaded", self._set_graph),
            "/forget": ("begin anew: the next question does not go on from the last", self._forget),
            "/explain": ("what each stage of the last answer considered", self._explain),
            "/thought": ("the graph of thought of the last answer", self._thought),
            "/html": ("FILE: write the last answer as a page", self._html),
            "/help": ("this list", self._help),
            "/quit": ("end (or Ctrl-D)", self._quit),
        }

    def run(self) -> None:
        """Read lines until the end."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            # A byte that is no letter is told of the line that has it, and the others are read.
            sys.stdin.reconfigure(errors="surrogateescape")
        terminal = sys.stdin.isatty()
        if terminal:
            out.print(
                Text(f"{self._where()}. Ask a question; /help lists the commands.", style="dim")
            )
        while True:
            try:
                line = input(_PROMPT if terminal else "").strip()
            except EOFError:
                out.print()
                return
            except KeyboardInterrupt:
                err.print("\nCtrl-D or /quit ends the chat.", style="dim")
                continue
            try:
                self.take(line)
            except KeyboardInterrupt:
                err.print("\nInterrupted.", style="dim")
            except KgdbError as error:
                show_error(error)
            except EOFError:
                return

    def take(self, line: str) -> None:
        """What a line asks for: a question, a claim or a command."""
        if line.startswith("/"):
            name, _, rest = line.partition(" ")
            if name not in self._commands:
                near = get_close_matches(name, self._commands, 1)
                raise UsageError(
                    f"There is no command {short(name)}.",
                    hint=f"Did you mean {near[0]}?" if near else "/help lists them.",
                )
            self._commands[name][1](rest.strip())
        elif line.casefold().startswith("verify:"):
            claim = line.partition(":")[2].strip()
            check_question(claim)
            ask_all(self._conversation.verdicts, [claim], self._stages, self._tell)
        elif line:
            check_question(line)
            ask_all(self._conversation.answers, [line], self._stages, self._tell)

    def _tell(self, result: Answer | Verdict) -> None:
        self._last = result
        show(result, _LIMIT)

    def _made(
        self,
        graph: KnowledgeGraph,
        method: str,
        given: dict[str, str],
        after: Conversation | None = None,
    ) -> Conversation:
        made = create(method, given)
        reasoner = graph.reasoner(
            made,
            llm=self._llm,
            encoder=self._encoder,
            watch=self._stages,
        )
        return Conversation(reasoner, after)

    def _where(self) -> str:
        return f"graph {one_line(self._graph.name)}, method {self._method}"

    def _set_method(self, name: str) -> None:
        if not name:
            raise UsageError(
                f"Methods are: {', '.join(all_methods())}.", hint="Say which: /method NAME"
            )
        # Options of another method are not this one's.
        self._conversation = self._made(self._graph, name, {}, self._conversation)
        self._method, self._given = name, {}
        out.print(f"{self._where()}.", markup=False)

    def _set(self, text: str) -> None:
        if not text:
            for option in describe(kind_of(self._method).options):
                value = self._given.get(option.name, option.default)
                out.print(f"{option.name}={one_line(str(value))}  {option.help}", markup=False)
            return
        name, value = setting(text)
        given = self._given | {name: value}
        self._conversation = self._made(self._graph, self._method, given, self._conversation)
        self._given = given

    def _set_graph(self, name: str) -> None:
        if not name:
            names = (info.name for info in self._connection.graphs())
            loaded = one_line(", ".join(names))
            out.print(f"{self._where()}. Loaded: {loaded}.", markup=False)
            return
        graph = self._connection.graph(name)
        self._conversation = self._made(graph, self._method, self._given)
        self._graph = graph
        out.print(f"{self._where()}.", markup=False)

    def _forget(self, _: str) -> None:
        self._conversation.forget()

    def _explain(self, _: str) -> None:
        show_trace(self._answered().trace)

    def _thought(self, _: str) -> None:
        show_thought(self._answered())

    def _html(self, name: str) -> None:
        if not name:
            raise UsageError("No file is named.", hint="For example: /html answer.html")
        path = named_file(name)
        last = self._answered()
        check_page(path)
        write_page(path, [last])

    def _answered(self) -> Answer | Verdict:
        if self._last is None:
            raise UsageError("Nothing is answered yet.", hint="Ask a question first.")
        return self._last

    def _help(self, _: str) -> None:
        out.print(
            "A line is a question, which may go on from the last answer. A number asks what else "
            "the question was understood as. verify: CLAIM judges a claim.",
            markup=False,
        )
        for name, (text, _run) in self._commands.items():
            out.print(f"{name:<9} {text}", markup=False)

    def _quit(self, _: str) -> None:
        raise EOFError


@contextmanager
def _history(path: Path) -> Iterator[None]:
    """Line editing, and what was asked in earlier chats, where the terminal can."""
    try:
        import readline
    except ModuleNotFoundError:
        yield
        return
    if not sys.stdin.isatty():
        yield
        return
    with suppress(OSError):
        readline.read_history_file(path)
    try:
        yield
    finally:
        readline.set_history_length(_REMEMBERED)
        with suppress(OSError):
            private_folder(path.parent)
            readline.write_history_file(private_file(path))
