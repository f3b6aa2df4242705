"""Results as HTML, as notebooks show them: names are text, nothing is loaded and nothing runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from kgdb.drawing import LINES, Drawing, draw, draw_schema, sides_of
from kgdb.plain_text import without_answer
from kgdb.values import (
    Answer,
    AnsweredEntity,
    AnswerValue,
    Entity,
    Path,
    Step,
    TextVerdict,
    Verdict,
)
from kgdb.wording import counted, escaped, value_text

_LISTED = 20
"""Answers, claims or rows that are shown."""

_PATHS = 3
"""Paths of an answer that are shown in words; the picture has more."""

_DRAWN = 30
"""Facts of a picture."""

_COLOURS = {"SUPPORTED": LINES["for"], "REFUTED": LINES["against"]}


def to_html(result: Answer | Verdict | TextVerdict) -> str:
    """A question or a claim with what became of it, or the claims of a text."""
    if isinstance(result, Answer):
        return _answer(result)
    return _verdict(result) if isinstance(result, Verdict) else _text_verdict(result)


def _answer(answer: Answer) -> str:
    """The question, the answer with its paths, and these as a picture."""
    parts = [_line(answer.question, "b")]
    if answer.interpretation:
        parts.append(_line(f"understood as: {answer.interpretation}", "small"))
    others = (f"also understood as: {each.interpretation}" for each in answer.readings[1:])
    parts += [_line(each, "small") for each in others]
    if answer.error:
        parts.append(_line(f"It failed: {answer.error.message} {answer.error.hint or ''}"))
    elif answer.is_empty:
        parts.append(_line(without_answer(answer)))
    if answer.cited:
        facts = [Path((cited.head, cited.tail), (Step(cited.relation),)) for cited in answer.cited]
        parts += [*map(_line, (answer.text or "").splitlines()), _paths(facts, len(facts), "ol")]
        parts.append(_picture(draw(facts, max_facts=_DRAWN)))
    else:
        parts.append(outcome_html(answer.entities, answer.value, answer.facts))
    if answer.unsupported:
        parts.append(_line(f"Without evidence: {', '.join(answer.unsupported)}"))
    if answer.truncated:
        parts.append(_line("A cap was reached: there may be more answers than these.", "small"))
    return "".join([*parts, *_notes(answer)])


def outcome_html(
    entities: Sequence[AnsweredEntity], value: AnswerValue, facts: Sequence[Path]
) -> str:
    """Entities with their paths, or a value with those that prove it, and these as a picture."""
    parts = []
    if entities:
        shown = (_cell(each.entity, "b") + _paths(each.paths, _PATHS) for each in entities)
        parts.append(_list(shown, len(entities), "ol"))
    if isinstance(value, tuple):
        rows = ([_cell(each.entity), _cell(each.value)] for each in value[:_LISTED])
        parts += [_table([], rows), _more(len(value) - _LISTED)]
    elif value is not None:
        parts.append(f"<p>{_cell(value, 'b')}</p>")
    parts.append(_paths(facts, _PATHS))
    paths = [*(path for each in entities for path in each.paths), *facts]
    return "".join([*parts, _picture(draw(paths, {e.entity for e in entities}, max_facts=_DRAWN))])


def _verdict(verdict: Verdict) -> str:
    """The claim, its label, the facts for it and against it, and these as a picture."""
    parts = [_line(verdict.claim, "b"), f"<p>{_label(verdict)}</p>"]
    for side, paths in (("for", verdict.supporting), ("against", verdict.opposing)):
        if paths:
            parts.append(f"<p>{side}</p>{_paths(paths, _LISTED)}")
    drawing = draw(verdict.evidence, sides=sides_of(verdict), max_facts=_DRAWN)
    return "".join([*parts, _picture(drawing), *_notes(verdict)])


def _text_verdict(result: TextVerdict) -> str:
    """The claims of a text, each with its label and its facts."""
    counts = ", ".join(f"{number} {label}" for label, number in result.counts.items())
    rows = (
        [_cell(each.text), _label(each.verdict), _paths(each.verdict.evidence, _PATHS)]
        for each in result.claims[:_LISTED]
    )
    table = _table(["claim", "verdict", "facts"], rows)
    return _line(counts) + table + _more(len(result.claims) - _LISTED)


def rows_html(rows: Sequence[Any], kind: type[Any] | None, cut: Sequence[str]) -> str:
    """The rows of a search as a table, and their paths as a picture."""
    names = [each.name for each in fields(kind)] if kind else []
    # A column in which no row has a value says nothing.
    names = [name for name in names if any(_has(getattr(row, name)) for row in rows)]
    shown = ([_cell(getattr(row, name)) for name in names] for row in rows[:_LISTED])
    paths = [path for row in rows for path in getattr(row, "paths", None) or _path_of(row)]
    told = f"{counted(len(rows), 'row')}{', cut by ' if cut else ''}{', '.join(cut)}"
    return "".join(
        [
            _table(names, shown),
            _more(len(rows) - _LISTED),
            _line(told, "small"),
            _picture(draw(paths, max_facts=_DRAWN)),
        ]
    )


def schema_html(
    labels: Mapping[str, tuple[int, Sequence[str]]],
    relations: Sequence[tuple[str, int, Iterable[tuple[str, str]]]],
) -> str:
    """Labels and what joins them as a picture, and as tables.

    ``labels`` have the number of their nodes and the names of their properties, ``relations`` the
    number of their facts and the labels that they join. The most frequent ones are shown.
    """
    names = sorted(labels, key=lambda label: -labels[label][0])
    drawn = names[:_DRAWN]
    joined = [
        (head, name, tail)
        for name, _, pairs in relations
        for head, tail in pairs
        if head in drawn and tail in drawn
    ]
    rows = ([_cell(name), *map(_cell, labels[name])] for name in names[:_LISTED])
    facts = ([_cell(name), _cell(number)] for name, number, _ in relations[:_LISTED])
    return "".join(
        [
            _framed(draw_schema(drawn, joined[: 2 * _DRAWN])),
            _table(["label", "nodes", "properties"], rows),
            _more(len(names) - _LISTED),
            f"<details><summary>{counted(len(relations), 'relation')}</summary>",
            _table(["relation", "facts"], facts),
            _more(len(relations) - _LISTED),
            "</details>",
        ]
    )


def _path_of(row: Any) -> list[Path]:
    return [row.path] if isinstance(getattr(row, "path", None), Path) else []


def _has(value: object) -> bool:
    return value is not None and value != ()


def _notes(result: Answer | Verdict) -> Iterable[str]:
    return (_line(f"Note: {note}", "small") for note in result.notes)


def _label(verdict: Verdict) -> str:
    if verdict.error:
        return escaped(f"It failed: {verdict.error.message}")
    colour = _COLOURS.get(verdict.label, "inherit")
    sure = "" if verdict.confidence is None else f" confidence {verdict.confidence:.0%}"
    why = f" because {escaped(verdict.reason)}" if verdict.reason else ""
    return f'<b style="color: {colour}">{verdict.label}</b>{sure}{why}'


def _line(text: str, tag: str = "span") -> str:
    return f"<p><{tag}>{escaped(text)}</{tag}></p>"


def _cell(value: object, tag: str = "bdi") -> str:
    """A value in words: entities by their names, paths with arrows."""
    if isinstance(value, tuple) and value and isinstance(value[0], Path):
        return _paths(value, _PATHS)
    if isinstance(value, Entity):
        text, id_ = value.name, f" <small>{escaped(value.id)}</small>"
        return f"<{tag}>{escaped(text)}</{tag}>{'' if value.id == value.name else id_}"
    text = _walk(value) if isinstance(value, Path) else "" if value is None else value_text(value)
    return f"<{tag}>{escaped(text)}</{tag}>"


def _walk(path: Path) -> str:
    """``Ada ←starred– Heat –directed_by→ Mann``."""
    words = [path.entities[0].name]
    for step, entity in zip(path.steps, path.entities[1:], strict=True):
        arrow = f"←{step.relation}–" if step.reverse else f"–{step.relation}→"
        words += [arrow, entity.name]
    return " ".join(words)


def _paths(paths: Sequence[Path], most: int, tag: str = "ul") -> str:
    return _list(map(_cell, paths), len(paths), tag, most) if paths else ""


def _list(items: Iterable[str], number: int, tag: str, most: int = _LISTED) -> str:
    shown = "".join(f"<li>{item}</li>" for item, _ in zip(items, range(most), strict=False))
    return f"<{tag}>{shown}</{tag}>{_more(number - most)}"


def _more(number: int) -> str:
    return _line(f"… and {number:,} more", "small") if number > 0 else ""


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escaped(name)}</th>" for name in names)
    body = ("".join(f'<td style="text-align: left">{cell}</td>' for cell in row) for row in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in body)}</table>"


def _picture(drawing: Drawing | None) -> str:
    return "" if drawing is None else _framed(drawing.svg)


def _framed(svg: str) -> str:
    """A picture that is wider than the page can be moved."""
    return f'<div style="overflow-x: auto">{svg}</div>'
