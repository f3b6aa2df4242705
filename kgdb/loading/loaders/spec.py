"""What a loader file says, checked: how one kind of source becomes a graph."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from kgdb.errors import UsageError
from kgdb.loading.reading import Source
from kgdb.text_arguments import text
from kgdb.wording import short

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
"""What a graph may be called."""

RESERVED_LABELS = frozenset({"Entity", "Relation", "KnowledgeGraph", "Literal", "Mediator"})
"""Labels that kgdb gives a meaning of its own."""


@dataclass(frozen=True, slots=True)
class RelationText:
    """How a relation reads; each text has one ``{}`` where the other end goes.

    ``text`` and ``inverse`` are noun phrases for the hop along and against the relation;
    ``question`` and ``inverse_question`` ask for it. ``None``: derived from the relation's id.
    """

    text: str | None = None
    inverse: str | None = None
    question: str | None = None
    inverse_question: str | None = None


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """One table that the loader's SQL reads, and where its files are.

    ``file`` is a name or pattern below the folder that is loaded (or beside the file that is);
    ``None``: what the command names. ``shipped`` is the file that comes with the loader.
    ``optional``: without a file the table is empty.
    """

    reads: Source
    file: str | None
    shipped: Path | None
    optional: bool


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a loader leaves to its user; empty ``choices`` stand for any text."""

    default: str
    help: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """The loader's SELECTs; ``docs/loaders.md`` gives the columns of each."""

    triples: str
    literals: str | None = None
    entities: str | None = None
    relations: str | None = None
    other: str | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class LoaderSpec:
    """One loader file, checked.

    ``views`` are SELECTs by name, each of which may read the sources and the views before it.
    ``about`` is the file beside the source, if any, that has a title and a licence of its own.
    ``definition`` is the text of the file, and of the one whose relations it takes over.
    """

    name: str
    label: str
    title: str
    licence: str
    about: str | None
    options: Mapping[str, Option]
    sources: tuple[SourceSpec, ...]
    views: Mapping[str, str]
    tables: Tables
    relations: Mapping[str, RelationText]
    definition: str

    def named(self, name: str) -> LoaderSpec:
        """The same for a graph of another name, with a label made from it."""
        if not NAME.fullmatch(text("name", name, empty=True)):
            raise UsageError(
                f"{short(name)} cannot be the name of a graph.",
                hint="Expected lower-case letters, digits, - and _.",
            )
        return replace(
            self,
            name=name,
            label=label_of(name),
            title=name if self.title == self.name else f"{name}: {self.title}",
        )

    def chosen(self, given: Mapping[str, str]) -> dict[str, str]:
        """The value of every option; raises :class:`UsageError` for one that there is not."""
        for name, value in given.items():
            text("an option of the loader", name, "its name")
            text(f"the option {short(name)}", value, empty=True)
            option = self.options.get(name)
            if option is None:
                told = [f"{known}: {option.help}" for known, option in self.options.items()]
                near = get_close_matches(name, self.options, n=1)
                meant = f" Did you mean {short(near[0])}?" if near else ""
                raise UsageError(
                    f"The loader has no option {short(name)}.{meant}",
                    hint="\n".join(["Its options are:", *told]) if told else "It has none.",
                )
            if option.choices and value not in option.choices:
                raise UsageError(
                    f"The option {short(name)} of the loader cannot be {short(value)}.",
                    hint=f"Choose one of: {', '.join(option.choices)}.\n{option.help}",
                )
        return {name: given.get(name, option.default) for name, option in self.options.items()}


def label_of(name: str) -> str:
    """The label of a graph of that name, where its loader gives none."""
    label = "".join(word[:1].upper() + word[1:] for word in re.split("[-_]+", name))
    return label if label[0].isalpha() and label not in RESERVED_LABELS else f"Graph{label}"
