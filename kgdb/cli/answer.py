"""``kgdb answer``."""

from __future__ import annotations

import sys

import click
from rich.markup import escape

from kgdb.cli.console import out, print_json
from kgdb.cli.main import EXIT_NO_ANSWER
from kgdb.cli.options import cache_option, connected, database_options, json_option
from kgdb.methods import NAMES, check_question, create
from kgdb.model import Answer, Path, Usage


@click.command(
    "answer",
    short_help="Answer questions, with the paths that prove the answers.",
    epilog='Example: kgdb answer "Who directed the films that Ada Weir acted in?" --graph demo',
)
@click.argument("questions", nargs=-1, required=True, metavar="QUESTION...")
@click.option("--graph", help="Which loaded graph; needed when there are several.")
@click.option(
    "--method", type=click.Choice(NAMES), default=NAMES[0], show_default=True, help="How."
)
@click.option(
    "--llm",
    help="smollm2, hf:NAME_OR_FOLDER, openai:MODEL, openai:MODEL@URL or none. "
    "[env: KGDB_LLM; default: smollm2]",
)
@click.option("--encoder", help="minilm or hf:NAME_OR_FOLDER. [env: KGDB_ENCODER; default: minilm]")
@click.option("--max-hops", type=int, default=3, show_default=True, help="Longest chain tried.")
@click.option("--width", type=int, default=5, show_default=True, help="Relations kept per hop.")
@click.option(
    "--paths", type=int, default=3, show_default=True, help="Proving paths shown per answer."
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Answers printed."
)
@click.option("--explain", is_flag=True, help="Show what each stage considered.")
@cache_option
@database_options
@json_option
def answer_command(
    questions: tuple[str, ...],
    graph: str | None,
    method: str,
    llm: str | None,
    encoder: str | None,
    max_hops: int,
    width: int,
    paths: int,
    limit: int,
    explain: bool,
    as_json: bool,
    **database: str | bool | None,
) -> None:
    """Answer each QUESTION from a graph, with the paths that prove each answer.

    Several questions load the models once; with --json each answer is one line. Put a name in
    [brackets] where kgdb does not see by itself that it is one. Exit code 3 means that a question
    has no answer; the reason is printed.
    """
    for question in questions:
        check_question(question)
    made = create(method, {"max_hops": max_hops, "width": width, "paths": paths})
    unanswered = False
    with connected(**database) as connection:
        chosen = connection.graph(graph).reasoner(made, llm=llm, encoder=encoder)
        for question in questions:
            answer = chosen.answer(question)
            unanswered = unanswered or not answer.entities
            if as_json:
                print_json(answer.to_dict(), lines=True)
            else:
                _show(answer, limit)
                if explain:
                    _explain(answer)
                out.print(_cost(answer.usage), style="dim")
    if unanswered:
        sys.exit(EXIT_NO_ANSWER)


def _show(answer: Answer, limit: int) -> None:
    out.print(f"\n[bold]{escape(answer.question)}[/bold]")
    if not answer.entities:
        out.print(f"I don't know, because {escape(answer.reason or '')}")
        return
    out.print(f"understood as: {escape(answer.reading or '')}", style="dim")
    for answered in answer.entities[:limit]:
        out.print(f"  [bold green]{escape(answered.entity.name)}[/bold green]")
        for path in answered.paths:
            out.print(f"      {_path(path)}")
        if (more := answered.path_count - len(answered.paths)) > 0:
            out.print(f"      … and {more} more {'path' if more == 1 else 'paths'}", style="dim")
    if (more := len(answer.entities) - limit) > 0:
        out.print(f"  … and {more} more answers (--limit)", style="dim")
    if answer.truncated:
        out.print("  A cap was reached: there may be more answers than these.", style="yellow")


def _path(path: Path) -> str:
    """``Ada Weir ←starred_actors– Film –directed_by→ Director``."""
    text = escape(path.entities[0].name)
    for step, entity in zip(path.steps, path.entities[1:], strict=True):
        relation = escape(step.relation)
        arrow = f"←[cyan]{relation}[/cyan]–" if step.reverse else f"–[cyan]{relation}[/cyan]→"
        text += f" {arrow} {escape(entity.name)}"
    return text


def _explain(answer: Answer) -> None:
    for stage in answer.trace:
        out.print(f"\n[bold]{stage.name}[/bold]  [dim]{_cost(stage.usage)}[/dim]")
        for key, value in stage.output.items():
            if isinstance(value, list):
                out.print(f"  {key}:")
                for item in value:
                    out.print(f"    {_inline(item)}", markup=False)
            else:
                out.print(f"  {key}: {_inline(value)}", markup=False)
    out.print()


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return "  ".join(f"{key}={_inline(item)}" for key, item in value.items())
    return str(value)


def _cost(usage: Usage) -> str:
    cached = f" ({usage.cached} cached)" if usage.cached else ""
    cost = f"cost {usage.cost:.6f}, " if usage.cost else ""
    return (
        f"{usage.calls} LLM calls{cached}, {usage.tokens_in} tokens in, {usage.tokens_out} out, "
        f"{cost}{usage.seconds:.2f} s, {usage.round_trips} database round trips"
    )
