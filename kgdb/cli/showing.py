"""How answers and verdicts look in a terminal: the evidence as a tree, the trace, the cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from kgdb.cli.console import err, out
from kgdb.cli.thought import attempts, thought_tree, why_none
from kgdb.errors import KgdbError
from kgdb.plain_text import without_answer
from kgdb.presentation import amount, last_thought
from kgdb.values import (
    Answer,
    AnsweredEntity,
    Entity,
    Path,
    Stage,
    Step,
    TextVerdict,
    Usage,
    Verdict,
)
from kgdb.wording import counted, one_line, value_text

_TOLD_AGAIN = ("drawn_by", "scripts", "errors", "executed")
"""What each stage that keeps a graph of thought says of it."""

LABEL_STYLES = {
    "SUPPORTED": "bold green",
    "REFUTED": "bold red",
    "NOT ENOUGH EVIDENCE": "bold yellow",
}


def show(
    result: Answer | Verdict, limit: int, *, explain: bool = False, thought: bool = False
) -> None:
    """Print an answer or a verdict with its evidence and what it cost.

    ``limit``: how many answers of a question, or facts for and against a claim, are shown.
    ``explain``: what each stage considered too. ``thought``: the graph of thought too.
    """
    if isinstance(result, Answer):
        heading(result.question)
    else:
        heading(result.claim)
    _show_result(result, limit)
    if thought:
        show_thought(result)
    if explain:
        show_trace(result.trace, thought=not thought)
    if result.trace:
        out.print(Text(cost(result.usage), style="dim"))


def show_text(result: TextVerdict, limit: int, *, explain: bool = False) -> None:
    """Print how many claims of a text are so or so, and each with its place and its facts."""
    counts = result.counts
    parts = [
        f"{counts['SUPPORTED']:,} SUPPORTED",
        f"{counts['REFUTED']:,} REFUTED",
        f"{counts['NOT ENOUGH EVIDENCE']:,} not decided",
    ]
    if failed := len(result.claims) - sum(counts.values()):
        parts.append(f"{failed:,} failed")
    out.print(Text(f"{counted(len(result.claims), 'claim')}: {', '.join(parts)}", style="bold"))
    for claim in result.claims:
        said = " ".join(claim.text.split())
        out.print()
        place = (f"  {claim.start:,}–{claim.end:,}", "dim")
        out.print(Text.assemble((one_line(said), "bold"), place))
        if claim.verdict.claim != said:
            out.print(Text(f"judged as: {one_line(claim.verdict.claim)}", style="dim"))
        _show_result(claim.verdict, limit)
        if explain:
            show_trace(claim.verdict.trace)


def _show_result(result: Answer | Verdict, limit: int) -> None:
    if result.error:
        show_error(result.error)
    elif isinstance(result, Answer):
        _show_answer(result, limit)
    else:
        _show_verdict(result, limit)
    for note in result.notes:
        out.print(Text(f"note: {one_line(note)}", style="yellow"))


def heading(text: str) -> None:
    """The question or the claim, above what became of it."""
    out.print()
    out.print(Text(one_line(text), style="bold"))


def show_error(error: KgdbError) -> None:
    """What ended one question; the others go on."""
    err.print(f"Error: {one_line(error.message)}", style="red", markup=False)
    if error.hint:
        err.print(one_line(error.hint), markup=False)


def _show_answer(answer: Answer, limit: int) -> None:
    if answer.text:
        for written in answer.text.strip().splitlines():
            out.print(Text(one_line(written)))
    if answer.cited:
        _show_cited(answer)
        _show_truncation(answer)
        return
    if answer.interpretation:
        out.print(Text(f"understood as: {one_line(answer.interpretation)}", style="dim"))
        for number, reading in enumerate(answer.readings[1:], 2):
            text = f"also understood as: ({number}) {one_line(reading.interpretation)}"
            out.print(Text(text, style="dim"))
    if answer.is_empty:
        out.print(Text(without_answer(answer)))
    if answer.value is not None:
        _show_answer_value(answer, limit)
    show_entities(answer.entities[:limit])
    if (more := len(answer.entities) - limit) > 0:
        out.print(Text(f"… and {counted(more, 'more answer')} (--limit)", style="dim"))
    if answer.unsupported:
        names = ", ".join(map(one_line, answer.unsupported))
        out.print(Text(f"without evidence: {names}", style="yellow"))
    _show_truncation(answer)


def _show_truncation(answer: Answer) -> None:
    if answer.truncated:
        out.print(Text("A cap was reached: there may be more answers than these.", style="yellow"))


def _show_cited(answer: Answer) -> None:
    """The other parts of a text: how its facts lead to the answer, and the facts it cites."""
    out.print(Text("inference", style="dim"))
    for line in answer.chain:
        out.print(Text(f"  {one_line(line)}"))
    out.print(Text("facts", style="dim"))
    for number, triple in enumerate(answer.cited, 1):
        start, end = one_line(triple.head.name), one_line(triple.tail.name)
        out.print(Text.assemble(f"  [{number}] {start} ", _arrow(Step(triple.relation)), f" {end}"))
    if answer.unsupported:
        out.print(Text(f"without evidence: {len(answer.unsupported)} of the text", style="yellow"))


def _show_answer_value(answer: Answer, limit: int) -> None:
    """A value, or a table of the entities that have one each, and the facts that prove it."""
    if isinstance(answer.value, tuple):
        table = Table.grid(padding=(0, 2))
        for each in answer.value[:limit]:
            name = Text(one_line(each.entity.name))
            table.add_row(name, Text(one_line(value_text(each.value)), style="bold green"))
        out.print(table)
        if (more := len(answer.value) - limit) > 0:
            out.print(Text(f"… and {counted(more, 'more value')} (--limit)", style="dim"))
    else:
        out.print(Text(one_line(value_text(answer.value)), style="bold green"))
    shown = answer.facts[:limit]
    if shown:
        tree = evidence_tree(Text("facts", style="dim"), shown, _namesakes([], shown))
        if (more := len(answer.facts) - limit) > 0:
            tree.add(Text(f"… and {counted(more, 'more fact')} (--limit)", style="dim"))
        _print_tree(tree)


def _show_verdict(verdict: Verdict, limit: int) -> None:
    line = Text(verdict.label, style=LABEL_STYLES[verdict.label])
    if verdict.confidence is not None:
        line.append(f"  confidence {verdict.confidence:.0%}", style="not bold dim")
    out.print(line)
    if verdict.reason:
        out.print(Text(f"because {one_line(verdict.reason)}"))
    if verdict.interpretation:
        out.print(Text(f"understood as: {one_line(verdict.interpretation)}", style="dim"))
    for title, style, paths in (
        ("for", "green", verdict.supporting),
        ("against", "red", verdict.opposing),
    ):
        show_facts(Text(title, style=style), paths, limit)


def show_entities(entities: Sequence[AnsweredEntity]) -> None:
    """Entities, each with the paths that prove it."""
    namesakes = _namesakes(
        [each.entity for each in entities], [path for each in entities for path in each.paths]
    )
    for answered in entities:
        root = _name(answered.entity, namesakes)
        root.stylize("bold green", 0, len(one_line(answered.entity.name)))
        tree = evidence_tree(root, answered.paths, namesakes)
        if (more := answered.path_count - len(answered.paths)) > 0:
            tree.add(Text(f"… and {counted(more, 'more path')}", style="dim"))
        _print_tree(tree)


def show_facts(title: Text, paths: Sequence[Path], limit: int) -> None:
    """Paths below a title, if there are any; at most ``limit`` of them."""
    if not paths:
        return
    kept = paths[:limit]
    tree = evidence_tree(title, kept, _namesakes([], kept))
    if (more := len(paths) - limit) > 0:
        tree.add(Text(f"… and {more} more (--limit)", style="dim"))
    _print_tree(tree)


def show_thought(result: Answer | Verdict) -> None:
    """The graph of thought that a method drew, beside the facts that were found for it.

    Where there is none, the reason why, and what was refused.
    """
    kept = last_thought(result.trace)
    if shown := kept or attempts(result):
        _print_tree(thought_tree(shown))
    if kept is None:
        err.print(f"No graph of thought was drawn: {why_none(result)}", markup=False)


def _print_tree(tree: Tree) -> None:
    """Lines that the terminal has no room for go on below, and none is cut off."""
    out.print(tree, soft_wrap=False)


@dataclass(slots=True)
class _Branch:
    """One line of the tree, and what goes on from it. ``ends``: a path ends here."""

    line: Text
    below: dict[tuple[Step, Entity], _Branch] = field(default_factory=dict)
    ends: bool = False


def evidence_tree(
    root: Text, paths: Iterable[Path], namesakes: Collection[Entity] = frozenset()
) -> Tree:
    """Paths below what they prove; what several have in common at their start is written once.

    ``namesakes`` are told apart by their ids.
    """
    tree = Tree(root, guide_style="dim")
    starts: dict[Entity, _Branch] = {}
    for path in paths:
        branch = starts.setdefault(path.entities[0], _Branch(_name(path.entities[0], namesakes)))
        for step, entity in zip(path.steps, path.entities[1:], strict=True):
            line = Text.assemble(_arrow(step), " ", _name(entity, namesakes))
            branch = branch.below.setdefault((step, entity), _Branch(line))
        branch.ends = True
    for branch in starts.values():
        _grow(tree, branch)
    return tree


def _grow(tree: Tree, branch: _Branch) -> None:
    """Add a branch; where it does not fork, it stays on one line."""
    line = branch.line.copy()
    while len(branch.below) == 1 and not branch.ends:
        (branch,) = branch.below.values()
        line = Text.assemble(line, " ", branch.line)
    grown = tree.add(line)
    for below in branch.below.values():
        _grow(grown, below)


def _namesakes(answers: Iterable[Entity], paths: Iterable[Path]) -> frozenset[Entity]:
    """The entities whose name another one that is shown has, too."""
    entities = {*answers, *(entity for path in paths for entity in path.entities)}
    names = Counter(one_line(entity.name) for entity in entities)
    return frozenset(entity for entity in entities if names[one_line(entity.name)] > 1)


def _name(entity: Entity, namesakes: Collection[Entity]) -> Text:
    """The name, and, where another has it too, the id."""
    name = Text(one_line(entity.name))
    if entity in namesakes and entity.id != entity.name:
        name.append(f" ({one_line(entity.id)})", style="not bold dim")
    return name


def _arrow(step: Step) -> Text:
    """``–directed_by→``, or ``←starred_actors–`` against the relation's direction."""
    relation = Text(one_line(step.relation), style="cyan")
    return Text.assemble("←", relation, "–") if step.reverse else Text.assemble("–", relation, "→")


def show_trace(trace: Sequence[Stage], *, thought: bool = True) -> None:
    """What each stage considered, and what it cost.

    A graph of thought is drawn once, where it has the facts found for it; not at all without
    ``thought``.
    """
    kept, told = last_thought(trace), dict[str, object]()
    for stage in trace:
        out.print()
        out.print(Text.assemble((stage.name, "bold"), ("  " + cost(stage.usage), "dim")))
        for key, value in stage.output.items():
            if key in _TOLD_AGAIN:
                if told.get(key) == value:
                    continue
                told[key] = value
            if key == "thought" and isinstance(value, Mapping):
                if thought and stage.output is kept:
                    _print_tree(thought_tree({key: value}))
            else:
                _show_value(key, value)
    out.print()


def _show_value(key: str, value: object) -> None:
    if isinstance(value, str) and "\n" in value.strip():
        lines = _lines(value)
    elif isinstance(value, list | tuple) and value:
        lines = [line for item in value for line in _lines(item)]
    else:
        out.print(Text(f"  {key}: {_inline(value)}"))
        return
    out.print(Text(f"  {key}:"))
    for line in lines:
        out.print(Text(f"    {line}"))


def _lines(value: object) -> list[str]:
    """A text line by line; anything else on one line."""
    if isinstance(value, str) and value.strip():
        return [one_line(line) for line in value.strip().splitlines()]
    return [_inline(value)]


def _inline(value: object) -> str:
    """A value on one line: ``mention=Ada Weir  score=0.8``."""
    if isinstance(value, Mapping):
        return "  ".join(f"{key}={_inline(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return one_line(str(value))


def cost(usage: Usage) -> str:
    """What was spent, as one line."""
    parts = [counted(usage.calls, "LLM call")]
    beside = [f"{usage.cached} from the cache"] if usage.cached else []
    if usage.requests > usage.calls:
        beside.append(counted(usage.requests, "request"))
    if beside:
        parts[0] += f" ({', '.join(beside)})"
    parts += [
        f"{counted(usage.tokens_in, 'token')} in",
        f"{usage.tokens_out} out",
        f"{usage.seconds:.2f} s",
        counted(usage.round_trips, "database round trip"),
    ]
    if usage.cost:
        parts.append(f"cost {amount(usage.cost)}")
    return ", ".join(parts)
