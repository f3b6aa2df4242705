"""``kgdb answer`` and ``kgdb verify``: the commands that ask many texts of a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Generic, TextIO, TypeVar

import click

from kgdb.cli.ask_several_methods import compare, end_of_comparison, made
from kgdb.cli.ask_together import AskAll, Stages, ask_all, end, texts_to_ask
from kgdb.cli.checked_text import judge_document, text_of
from kgdb.cli.console import print_json
from kgdb.cli.listings import show_methods
from kgdb.cli.method_options import (
    explain_option,
    form_option,
    list_option,
    method_option,
    methods_option,
    set_option,
    text_option,
    thought_option,
    unsupported_option,
)
from kgdb.cli.pages import check_page, page_writer
from kgdb.cli.shared_options import (
    connected,
    graph_option,
    html_option,
    json_option,
    model_options,
    verbose_option,
)
from kgdb.cli.showing import show
from kgdb.errors import UsageError
from kgdb.methods import Reasoner, check_question, create
from kgdb.values import Answer, Verdict

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_R = TypeVar("_R", bound=Answer | Verdict)


@dataclass(frozen=True, slots=True)
class AskCommand(Generic[_R]):
    """What tells one of these commands from another.

    ``kind`` is what a text is, *question* or *claim*; ``ask`` chooses the method of the reasoner;
    ``options`` are those that only this command has: flags of the method's or of what is shown.
    """

    name: str
    kind: str
    ask: Callable[[Reasoner], AskAll[_R]]
    help: str
    limit_help: str
    example: str
    method: _Decorator = method_option
    options: Sequence[_Decorator] = ()


def make_command(command: AskCommand[_R]) -> click.Command:
    """The command with its texts, a file of more of them, and all options."""

    def run(
        texts: tuple[str, ...],
        file: TextIO | None,
        graph: str | None,
        method: str,
        given: dict[str, str],
        llm: str | None,
        encoder: str | None,
        limit: int,
        explain: bool,
        page: Path | None,
        verbose: bool,
        as_json: bool,
        form: str | None = None,
        allow_unsupported: bool = False,
        show_thought: bool = False,
        listed: str | None = None,
        text_file: BinaryIO | None = None,
        **settings: str | bool | None,
    ) -> None:
        if listed is not None:
            show_methods([listed] if listed else [], as_json=as_json)
            return
        document = None if text_file is None else text_of(text_file)
        if document is not None and (texts or file):
            raise UsageError(
                f"--text is given beside a {command.kind}.", hint="Judge the text by itself."
            )
        checked = [] if document else texts_to_ask(texts, file, command.kind)
        if allow_unsupported:
            given = given | {"allow_unsupported": "true"}
        if form is not None:
            # --set form=text says the same.
            given = {"form": form} | given
        stages = Stages(verbose=verbose)
        if document is None and len(names := method.split(",")) > 1:
            methods, models = made(names, given), {"llm": llm, "encoder": encoder}
            for text in checked:
                check_question(text)
            if page:
                check_page(page)
            with connected(**settings) as connection:
                end_of_comparison(
                    [
                        compare(
                            *(connection, graph, text, methods, stages, models),
                            as_json=as_json,
                            page=page,
                        )
                        for text in checked
                    ]
                )
            return
        one = create(method, given)
        write = page_writer(page)

        def tell(result: _R) -> None:
            if as_json:
                print_json(result.to_dict(), lines=True)
            else:
                show(result, limit, explain=explain, thought=show_thought)

        with connected(**settings) as connection:
            reasoner = connection.graph(graph).reasoner(one, llm=llm, encoder=encoder, watch=stages)
            if document is not None:
                verdicts = judge_document(
                    reasoner, document, stages, limit, explain=explain, as_json=as_json
                )
                write(verdicts)
                end(verdicts)
                return
            results = ask_all(command.ask(reasoner), checked, stages, tell)
        write(results)
        end(results)

    run.__doc__ = command.help
    decorated: Callable[..., Any] = run
    for option in reversed(_options(command)):
        decorated = option(decorated)
    return click.command(command.name, epilog=f"Example: {command.example}")(decorated)


def _options(command: AskCommand[Any]) -> Sequence[_Decorator]:
    """The parameters in the order of the help."""
    return (
        click.argument("texts", nargs=-1, metavar=f"{command.kind.upper()}..."),
        click.option(
            f"--{command.kind}s",
            "file",
            type=click.File(encoding="utf-8-sig"),
            help=f"A file with one more {command.kind} a line; - is standard input.",
        ),
        graph_option,
        command.method,
        set_option,
        model_options,
        click.option(
            "--limit",
            type=click.IntRange(min=1),
            default=20,
            show_default=True,
            help=command.limit_help,
        ),
        explain_option,
        *command.options,
        html_option,
        verbose_option,
        json_option,
    )


_ANSWER_HELP = """Answer each QUESTION from a graph, with the paths that prove each answer.

Several questions are answered together, which is faster; with --json each answer is one line.
Put a name in [brackets] if kgdb does not recognize it as a name.

Several methods are shown beside each other, with what each found and spent, and how many of its
answers the others give as well. An option of --set is then for every method that has it.

Exit code 3 means that a question has no answer; the reason is printed. Exit code 1 means that a
question failed because of the model or the database; the others are answered nevertheless.
"""

answer_command = make_command(
    AskCommand(
        "answer",
        kind="question",
        ask=lambda reasoner: reasoner.answers,
        help=_ANSWER_HELP,
        limit_help="Answers printed.",
        example='kgdb answer "Who directed the films that Ada Weir acted in?" --graph demo',
        method=methods_option,
        options=(list_option, form_option, unsupported_option, thought_option),
    )
)


_VERIFY_HELP = """Judge for each CLAIM whether the graph supports it, refutes it or cannot decide.

Several claims are judged together, which is faster; with --json each verdict is one line.
With --text the claims are the sentences of a text, each shown with its place there; with --json
the text is one object.

Exit code 0 means that every claim is SUPPORTED or REFUTED, 3 that for one there is NOT ENOUGH
EVIDENCE, 1 that one failed because of the model or the database.
"""

verify_command = make_command(
    AskCommand(
        "verify",
        kind="claim",
        ask=lambda reasoner: reasoner.verdicts,
        help=_VERIFY_HELP,
        limit_help="Facts printed for a claim, and against it.",
        example='kgdb verify "Ruben Okonjo-Hale directed The Tuesday Engine." --graph demo',
        options=(text_option,),
    )
)
