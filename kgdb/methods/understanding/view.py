"""A question beside the schema of its graph: which words name which labels and relations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgdb.graph.schema import Schema
from kgdb.language.text.word_classes import WordClasses
from kgdb.methods.understanding.alignment import Alignment
from kgdb.methods.understanding.cues import Cues
from kgdb.methods.understanding.question import QuestionParts, Word
from kgdb.methods.understanding.readings import Use
from kgdb.methods.understanding.subjects import is_subject
from kgdb.methods.understanding.words import RELATED, likeness, says_in_full, singular, words_of

LABEL_LIKENESS = 0.6
SUPPORTED = 0.55
NUMBERS = ("integer", "float", "mixed")
AMOUNTS = (*NUMBERS, "duration")
"""Types of values that rank, and that have a sum and a mean."""

_AGENT = re.compile(r"(?:er|or|ress|ist)s?$")


@dataclass(frozen=True, slots=True)
class QuestionView:
    """The parts of a question, the schema, and how well the one's words and the other's names go
    together. ``against`` are the places of anchors with relations and directions that the words
    contradict.
    """

    parts: QuestionParts
    schema: Schema
    alignment: Alignment
    cues: Cues
    against: frozenset[tuple[int, str, str]] = frozenset()

    def labels_said(self) -> list[tuple[int, str]]:
        """The labels that words name, each with the word's place in characters."""
        labels = ((word, self.label_of(word)) for word in self.parts.words)
        return [(word.start, label) for word, label in labels if label is not None]

    def is_said(self, use: Use) -> bool:
        """Whether words of the question say the name."""
        words = [word.text for word in self.parts.words]
        return self.alignment.support(use.name, words) >= SUPPORTED

    def says_all(self, name: str) -> bool:
        """Whether words say the whole name, not only its head: *low cost* of ``lowCost``."""
        own = [part for part in words_of(name) if part not in self.cues.stop]
        return (len(own) == 1 and self.is_said(Use(name))) or says_in_full(self.parts.text, name)

    def says_any(self, label: str, uses: Iterable[Use]) -> bool:
        """Whether words say a label, or one of the relations that lead to it."""
        persons = is_person(label, self.cues) and any(
            word.text in self.cues.persons for word in self.parts.words
        )
        names = (use for use in uses if not use.silent)
        return persons or any(map(self.is_said, (Use(label), *names)))

    def is_adjectival(self, place: int) -> bool:
        """Whether a label follows the anchor at once: *Tom Hanks films* names no relation."""
        if place < 0:
            return False
        anchor = self.parts.anchors[place]
        after = [word for word in self.parts.words if 0 <= word.start - anchor.end <= len("'s ")]
        labels = {label for one in anchor.readings for label in one.labels}
        return bool(after) and self.label_of(after[0]) not in (None, *labels)

    def rarity(self, relation: str) -> float:
        """How much rarer a relation is than the most frequent one, from 0 to 1."""
        counts = {name: ends.count for name, ends in self.schema.relations.items()}
        return 1 - counts.get(relation, 0) / max(1, *counts.values())

    def is_date(self, name: str) -> bool:
        """Whether a property with dates, of entities or of relationships, has the name."""
        infos = [self.schema.properties.get(name)]
        infos += [p for ends in self.schema.relations.values() for p in ends.properties]
        return any(info and info.name == name and info.type == "date" for info in infos)

    def is_hinted(self, name: str, hints: Iterable[str]) -> bool:
        """Whether the name has one of the words that an adjective compares by."""
        return any(
            likeness(hint, word, self.cues) >= 1 for hint in hints for word in words_of(name)
        )

    def persons(self) -> list[str]:
        """The labels of people, by their names."""
        return [label for label in self.schema.labels if is_person(label, self.cues)]

    def label_after(self, at: int) -> str | None:
        """The first label that is said from a place on."""
        after = [label for start, label in self.labels_said() if start >= at - 1]
        return after[0] if after else None

    def agent_after(self, at: int) -> str | None:
        """The label of those whom the next word calls by what they do: *each reviewer*."""
        after = next((word for word in self.parts.words if word.start >= at - 1), None)
        if after is None or self.label_of(after) is not None:
            return None
        agents = self.agents(after)
        return agents[0] if len(agents) == 1 else None

    def noun(self) -> str | None:
        """The label that a superlative is said of, if a word for one follows it."""
        after = [word for word in self.parts.words if word.start >= self.parts.ranked_at - 1]
        if not after:
            return None
        label = self.label_of(after[0])
        if label and self._begins_property(after):
            return None  # "the most flight hours" ranks by flightHours
        return label or (self.label_after(self.parts.ranked_at) if self.parts.superlative else None)

    def _begins_property(self, words: Sequence[Word]) -> bool:
        """Whether the first words are all those of a property's name."""
        for name in self.schema.properties:
            parts = words_of(name)
            spoken = [word.text for word in words[: len(parts)]]
            if len(parts) > 1 and says_in_full(" ".join(spoken), name):
                return True
        return False

    def label_of(self, word: Word) -> str | None:
        """The label that a word names."""
        likeness_of = {
            label: self.alignment.likeness(word.text, label)
            for label in self.schema.labels
            if self._is_noun_of(word, label)
        }
        best = max(likeness_of, key=lambda label: likeness_of[label], default=None)
        return best if best is not None and likeness_of[best] >= LABEL_LIKENESS else None

    def says_more(self, word: Word) -> bool:
        """Whether a word tells more than what is asked of, and that it is somewhere."""
        if self.label_of(word) is not None:
            return False
        relations = self.schema.relations if word.text in self.cues.situated else None
        return relations is None or any(
            self.alignment.likeness(word.text, name) >= SUPPORTED for name in relations
        )

    def targets(self) -> list[str]:
        """The labels that the question may ask for: the first one said, else any."""
        if self.parts.asks == "who":
            agents = [label for word in self.parts.words for label in self.agents(word)]
            return agents[:1] or sorted(self.schema.labels)
        if takers := self._valued():
            return takers
        said = self.labels_said()
        begin = min((a.start for a in self.parts.anchors), default=len(self.parts.text))
        if self.parts.words and self.label_of(self.parts.words[0]) is None:
            first = self.parts.words[0]
            if first.start < begin and (agents := self.agents(first)):
                return agents
        first_said = [label for start, label in said if start < begin or len(said) == 1]
        return first_said[:1] or sorted(self.schema.labels)

    def _valued(self) -> list[str]:
        """The labels of those whom a value of a relation stands for: *which captains fly …*."""
        first = self.parts.anchors[0] if self.parts.anchors else None
        if first is None or any(one.form for one in first.readings):
            return []
        if any(word.start < first.start for word in self.parts.words):
            return []
        ends = self.schema.relations[first.relation or ""]
        people = [label for label in (*ends.heads, *ends.tails) if is_person(label, self.cues)]
        return people[:1] or sorted(ends.heads)

    def asks_entities(self) -> bool:
        """Whether the first word names a label, or who takes part in a relation."""
        if not self.parts.words:
            return False
        first = self.parts.words[0]
        if self.label_of(first) is not None:
            return not self.named_property()
        return bool(self.agents(first))

    def agents(self, word: Word) -> list[str]:
        """The labels of those who do what a relation says: a director is one who directs."""
        if not _AGENT.search(word.text):
            return []
        return sorted(
            {
                head
                for relation, ends in self.schema.relations.items()
                if relation not in self.schema.properties
                and self.alignment.likeness(word.text, relation) >= RELATED
                for head in ends.heads
            }
        )

    def names_agents(self, begin: int = 0) -> bool:
        """Whether a word from that place on calls entities by what they do: *most actors*."""
        return any(self.agents(word) for word in self.parts.words if word.start >= begin - 1)

    def named_property(self) -> bool:
        """Whether the first word names a property better than a label."""
        first = self.parts.words[0].text
        label = self.label_of(self.parts.words[0])
        of_label = self.alignment.likeness(first, label) if label else 0.0
        return any(
            self.alignment.likeness(first, name) > of_label for name in self.schema.properties
        )

    def is_key_or_label(self, name: str) -> bool:
        """Whether the name is that of a key (*employeeID*), or a label's with *name* behind it.

        Such is asked for only if the question says so.
        """
        words = words_of(name)
        spoken = {word.text for word in self.parts.words}
        text = self.parts.text.lower()
        if words and words[-1] in self.cues.keys:
            return not any(re.search(rf"\b{key}s?\b", text) for key in self.cues.keys)
        own = [word for word in words if word not in self.cues.generic]
        is_label = any(
            likeness(word, label.lower(), self.cues) for word in own for label in self.schema.labels
        )
        named = len(own) < len(words) and len(own) <= 1 and (is_label or not own)
        return named and not {"name", "names", "title", "titles"} & spoken and "name" not in text

    def is_grouped_by(self, name: str) -> bool:
        """Whether the word after *each* says the name."""
        at = self.parts.each_at
        word = next((w.text for w in self.parts.words if w.start >= at - 1), None)
        if word is None:
            return False
        info = self.schema.properties.get(name)
        if word in self.cues.dates and info is not None and info.type == "date":
            return all(len(str(example)) == len("1999") for example in info.examples)
        return self.alignment.likeness(word, name) >= RELATED

    def is_apposition(self, word: Word) -> bool:
        """Whether it is the label of the anchor beside it: *the category Beverages*."""
        for anchor in self.parts.anchors:
            # "did Ernst Handel order" has a verb there
            acts = is_subject(anchor.start, self.parts.text)
            after = anchor.end + 1 == word.start and not acts
            beside = after or word.end + 1 == anchor.start
            labels = [label for one in anchor.readings for label in one.labels]
            if beside and any(
                self.alignment.likeness(word.text, label) >= RELATED
                and self._is_noun_of(word, label)
                for label in labels
            ):
                return True
        return False

    def _is_noun_of(self, word: Word, label: str) -> bool:
        """Whether it may name the label, and is no verb like it: *supply* of a Supplier."""
        own = words_of(label)
        if not any(likeness(word.text, part, self.cues) for part in own):
            return True
        nouns = {one for part in own for one in (part, *singular(part))}
        return not nouns.isdisjoint((word.text, *singular(word.text)))

    def own_words(self) -> tuple[Word, ...]:
        """The words but for those that only tell what an anchor is."""
        return tuple(word for word in self.parts.words if not self.is_apposition(word))


def person_labels(schema: Schema, cues: WordClasses) -> frozenset[str]:
    """The labels of people: by their words, or because they were born."""
    return frozenset(
        label
        for label in schema.labels
        if is_person(label, cues)
        or any(not cues.births.isdisjoint(words_of(i.name)) for i in schema.of_label(label))
    )


def is_person(label: str, cues: WordClasses) -> bool:
    """Whether a label is one of people, by its words."""
    return any(likeness(part, word, cues) for part in words_of(label) for word in cues.persons)
