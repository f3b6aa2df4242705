"""The checked content of a loader file: how one kind of source becomes a graph."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path

from kgdb.errors import UsageError
from kgdb.loading.reading import Source
from kgdb.text_arguments import text
from kgdb.wording import short

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
"""Valid names of graphs."""

RESERVED_LABELS = frozenset({"Entity", "Relation", "KnowledgeGraph", "Literal", "Mediator"})
"""Labels with a meaning of their own in kgdb."""


@dataclass(frozen=True, slots=True)
class RelationText:
    """The wording of a relation; each text has one ``{}``, the place of the other end.

    ``text`` and ``inverse`` are noun phrases for the hop along and against the relation;
    ``question`` and ``inverse_question`` are questions for it. ``None``: derived from the
    relation's id.
    """

    text: str | None = None
    inverse: str | None = None
    question: str | None = None
    inverse_question: str | None = None


RELATION_TEXTS = tuple(field.name for field in fields(RelationText))


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """One input table of the loader's SQL, and its files.

    ``file`` is a name or pattern in the folder to load, or beside the file to load; ``None``: the
    file that the command names. ``shipped`` is the file that ships with the loader. An ``optional``
    table is empty if its file is missing.
    """

    input: Source
    file: str | None
    shipped: Path | None
    optional: bool


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a loader, set by the user; empty ``choices`` allow any text."""

    default: str
    help: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """The loader's SELECTs; ``docs/reference/loaders.md`` lists the columns of each."""

    triples: str
    literals: str | None = None
    entities: str | None = None
    relations: str | None = None
    other: str | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class LoaderSpec:
    """One checked loader file.

    ``views`` are SELECTs by name; each may read the sources and the views before it.
    ``metadata`` is the name of a file beside the source with a title and a licence of its own.
    ``definition`` is the text of the file and of the loaders that it takes relations or tables
    from.
    """

    name: str
    label: str
    title: str
    licence: str
    metadata: str | None
    options: Mapping[str, Option]
    sources: tuple[SourceSpec, ...]
    views: Mapping[str, str]
    tables: Tables
    relations: Mapping[str, RelationText]
    definition: str

    def renamed(self, name: str) -> LoaderSpec:
        """The same loader for a graph of another name, with a label derived from that name."""
        require_graph_name(text("name", name, empty=True))
        return replace(
            self,
            name=name,
            label=label_of(name),
            title=name if self.title == self.name else f"{name}: {self.title}",
        )

    def option_values(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """The value of every option; raises :class:`UsageError` for an unknown option or value."""
        for name, value in chosen.items():
            text("an option of the loader", name, "its name")
            text(f"the option {short(name)}", value, empty=True)
            option = self.options.get(name)
            if option is None:
                options = [f"{key}: {option.help}" for key, option in self.options.items()]
                near = get_close_matches(name, self.options, n=1)
                meant = f" Did you mean {short(near[0])}?" if near else ""
                raise UsageError(
                    f"The loader has no option {short(name)}.{meant}",
                    hint="\n".join(["Its options are:", *options]) if options else "It has none.",
                )
            if option.choices and value not in option.choices:
                raise UsageError(
                    f"The option {short(name)} of the loader cannot be {short(value)}.",
                    hint=f"Choose one of: {', '.join(option.choices)}.\n{option.help}",
                )
        return {name: chosen.get(name, option.default) for name, option in self.options.items()}


def require_graph_name(name: str, example: str = "") -> None:
    """Raise :class:`UsageError` for a text that cannot be the name of a graph."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{short(name)} cannot be the name of a graph.",
            hint="Expected lower-case letters, digits, - and _"
            + (f": {example}" if example else "."),
        )


def label_of(name: str) -> str:
    """The label derived from a graph's name."""
    label = "".join(word[:1].upper() + word[1:] for word in re.split("[-_]+", name))
    return label if label[0].isalpha() and label not in RESERVED_LABELS else f"Graph{label}"
