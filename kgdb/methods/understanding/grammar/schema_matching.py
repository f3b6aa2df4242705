"""How well words name what a schema has: by their letters, by an encoder, and by direction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kgdb.graph.retrieval.results import RelationInfo
from kgdb.graph.schema import Schema
from kgdb.language.text.roles.english import PREPOSITIONS
from kgdb.language.text.roles.forms import forms_of
from kgdb.language.text.roles.frames import frame_of
from kgdb.language.text.roles.vocabulary import Role, Sense, other, vocabulary
from kgdb.language.text.word_classes import WordClasses
from kgdb.methods.understanding.chains_of_schema import SchemaChain, SchemaHop, chains
from kgdb.methods.understanding.grammar.chart import Features
from kgdb.methods.understanding.grammar.meanings import Word
from kgdb.methods.understanding.grammar.units import Unit
from kgdb.methods.understanding.words import (
    compound_parts,
    content,
    likeness,
    singular,
    spoken,
    words_of,
)

_LETTERS = ("exact", "partial", "modifier", "overlap", "other")
"""How well letters fit, the best first."""

Kind = Literal["label", "property", "relation", "hint"]


@dataclass(slots=True)
class Matcher:
    """A schema beside the words of one sentence.

    ``cosines`` has a row for each of ``texts``, of which the last say the names, and a column for
    each of ``names``.
    """

    schema: Schema
    relations: Mapping[str, RelationInfo]
    cues: WordClasses
    texts: Mapping[str, int]
    names: Mapping[str, int]
    cosines: NDArray[np.float32]
    units: Mapping[str, tuple[Unit, ...]]
    by_letters: bool = False
    """Whether the encoder does not know the language, so that nothing is near to a word."""
    _chains: dict[tuple[str, str | None, int], list[SchemaChain]] = field(default_factory=dict)
    _letters: dict[tuple[str, str], str] = field(default_factory=dict)

    def features(self, word: Word | None, name: str, kind: Kind) -> Features:
        """How well the words name it; without words that none does."""
        if word is None:
            return ((f"{kind}.unsaid", 1.0),)
        how = self.letters(word.text, name)
        if kind == "label" and not self._is_free(word.text, name):
            how = "other"
        if how != "other":
            return ((f"{kind}.{how}", 1.0),)
        cosine = self.cosine(word.text, name)
        behind = self._nearest(word.text) - cosine
        return ((f"{kind}.near", 1.0), (f"{kind}.cosine", cosine), (f"{kind}.behind", behind))

    def _is_free(self, text: str, label: str) -> bool:
        """Whether no other label is the very word: paintings are no painters."""
        labels = self.schema.labels
        others = (each for each in labels if each != label)
        return _is_word(text, label) or not any(_is_word(text, each) for each in others)

    def cosine(self, text: str, name: str) -> float:
        """How near the encoder finds the words to the name."""
        row = self.texts.get(text)
        return 0.0 if row is None else float(self.cosines[row, self.names[name]])

    def _nearest(self, text: str) -> float:
        """The cosine of the nearest name."""
        row = self.texts.get(text)
        return 0.0 if row is None else float(self.cosines[row].max())

    def near(self, text: str) -> list[str]:
        """The names near to the words, the nearest first; what is near the graph itself tells.

        The words are nearer to such a name than the other names are, and nearer than a name of
        the graph usually is to any other. Names that share a word are no others.
        """
        nearest = {name: self._nearest_other(name) for name in self.names}
        usual = float(np.median(list(nearest.values())))
        found = [n for n in nearest if self.cosine(text, n) > max(nearest[n], usual)]
        return sorted(found, key=lambda name: -self.cosine(text, name))

    def _nearest_other(self, name: str) -> float:
        """The cosine of the nearest name that has no word in common; 1 where there is none."""
        names = list(self.names)
        cosines = self.cosines[-len(names) :, self.names[name]]
        for place in np.argsort(-cosines):
            if self.letters(spoken(names[place]), name) == "other":
                return float(cosines[place])
        return 1.0

    def is_known(self, text: str) -> bool:
        """Whether a word is one of a name, or near to one."""
        names = self.schema.names
        return any(self.letters(text, name) != "other" for name in names) or bool(self.near(text))

    def letters(self, text: str, name: str) -> str:
        """What the letters tell: ``exact``, ``partial`` (the head of the name), ``modifier``
        (other words of it), ``overlap`` (some of the words) or ``other``.

        A word that was taught for the name counts as the name does.
        """
        if (text, name) not in self._letters:
            taught = (word.split() for word in self.schema.synonyms.get(name, ()))
            said = self._parts(text.split())
            found = [self._compared(said, self._parts(p)) for p in (words_of(name), *taught)]
            self._letters[text, name] = min(found, key=_LETTERS.index)
        return self._letters[text, name]

    def _compared(self, spoken: Sequence[str], parts: Sequence[str]) -> str:
        said, named = content(spoken, self.cues), content(parts, self.cues)
        telling = [p for p in named if p not in self.cues.generic | self.cues.dates] or named
        of_words = [any(self._alike(w, p) for p in named) for w in said]
        of_name = [any(self._alike(w, p) for w in said) for p in telling]
        if not any(of_words):
            return "other"
        if all(of_words):
            return "exact" if all(of_name) else "partial" if of_name[-1] else "modifier"
        return "overlap"

    def _parts(self, words: Sequence[str]) -> list[str]:
        return [part for word in words for part in compound_parts(word, self.cues.heads)]

    def _alike(self, one: str, other: str) -> bool:
        singulars = {one, *singular(one)} & {other, *singular(other)}
        return bool(singulars) or likeness(one, other, self.cues) > 0

    def chains(self, start: str, end: str | None, hops: int) -> list[SchemaChain]:
        """The chains of the schema from a label to another."""
        key = start, end, hops
        if key not in self._chains:
            self._chains[key] = chains(self.schema, start, end, hops)
        return self._chains[key]

    def preposition(self, preposition: str | None, hop: SchemaHop) -> Features:
        """Whether a relation's own preposition is that of the sentence."""
        own = words_of(hop.relation)[-1:]
        if not preposition or not own or own[0] not in PREPOSITIONS:
            return ()
        if preposition == own[0]:
            return (("preposition.same", 1.0),)
        return (("preposition.opposite", 1.0),) if _OPPOSITE.get(own[0]) == preposition else ()

    def verb_direction(
        self, word: Word, preposition: str | None, role: Role, hop: SchemaHop
    ) -> bool | None:
        """Whether a hop to a set whose grammatical role is ``role`` runs as the verb says."""
        named = words_of(hop.relation)
        if hop.direction == "any" or self.cues.language != "en":
            return hop.direction == "any" or self._as_named(word, role, hop)
        is_name = len(named) > 1 and named == word.text.split()
        if is_name and preposition is None and role == "subject":
            return hop.direction == "in"  # the relation's own words: its head does it
        if named[-1:] == ["by"] and shares_stem(word.text, hop.relation):
            return (role == "subject") == (hop.direction == "out")  # its tail does it
        senses = verb_roles(word.text, preposition)
        meant = {key: own if role == "subject" else other(own) for key, own in senses.items()}
        runs = self._runs(meant, hop)
        said = preposition or word.text.split()[-1]
        if named[-1:] != [said] and is_past_with_preposition(hop.relation):
            return None  # *cured with*: its head may be what is cured, or what cures
        is_deed = len(named) > 1 and named[0] in self.cues.light
        if runs is None and is_deed and shares_stem(word.text, named[-1]):
            return (role == "subject") == (hop.direction == "in")  # *visited*: made a visit
        return runs

    def _as_named(self, word: Word, role: Role, hop: SchemaHop) -> bool | None:
        """As a verb says of whose forms nothing is known: a relation of its name is what it does,
        or what is done by somebody.
        """
        senses = _senses(word.text, self.cues.language, "verbs")
        runs = self._runs({k: own if role == "subject" else other(own) for k, own in senses}, hop)
        if runs is None and self.letters(word.text, hop.relation) == "exact":
            is_passive = not self.cues.by.isdisjoint(words_of(hop.relation)[-1:])
            return (role == "subject") == (hop.direction == ("out" if is_passive else "in"))
        return runs

    def noun_direction(self, word: Word, hop: SchemaHop) -> bool | None:
        """Whether a hop leads to those that the noun names."""
        if self.cues.language != "en":
            return self._runs(dict(_senses(word.text, self.cues.language, "nouns")), hop)
        return self._runs(noun_roles(word.text), hop)

    def _runs(self, roles: Mapping[str, Role], hop: SchemaHop) -> bool | None:
        if hop.direction == "any":
            return True
        frame = frame_of(hop.relation, self.relations.get(hop.relation)).head
        found = {
            (frame[key] == role) == (hop.direction == "in")
            for key, role in roles.items()
            if key in frame
        }
        return found.pop() if len(found) == 1 else None

    def is_one_kind(self, hop: SchemaHop) -> bool:
        """Whether both ends may be of one label, so that words must tell the direction."""
        return hop.direction != "any" and self.schema.relations[hop.relation].is_one_kind()


def _is_word(text: str, name: str) -> bool:
    """Whether a word is a name, or its plural."""
    said = spoken(name)
    return text == said or said in singular(text)


_MISFITS = {
    "exact": 0.0,
    "person": 0.0,
    "agents": 0.0,
    "partial": 1.0,
    "overlap": 2.0,
    "modifier": 2.0,
}


def misfit(features: Features) -> float:
    """How badly a word names something, by its features: 0 by all letters."""
    for name, value in features:
        kind = name.rpartition(".")[2]
        if kind in _MISFITS:
            return _MISFITS[kind]
        if kind == "cosine":
            return 2.0 + (1.0 - value)
    return 3.0


_OPPOSITE = {"from": "to", "to": "from"}


def _senses(
    text: str, language: str, kind: Literal["verbs", "nouns"]
) -> Iterator[tuple[str, Role]]:
    """What a word means as it is, where the language has a vocabulary."""
    if language == "zh":
        senses: Mapping[str, Sequence[Sense]] = getattr(vocabulary("zh"), kind)
        yield from ((each.relation, each.role) for each in senses.get(text, ()))


def verb_roles(text: str, preposition: str | None) -> dict[str, Role]:
    """The role of a verb's subject in each relation that the verb may name."""
    verb, *beside = text.split()
    near = {*beside, preposition}
    roles: dict[str, set[Role]] = {}
    for form in forms_of(verb):
        if form.ending not in ("base", "s", "past", "ing"):
            continue
        for sense in vocabulary("en").verbs.get(form.stem, ()):
            if set(sense.beside) <= near:
                roles.setdefault(sense.relation, set()).add(sense.role)
        own = f"verb:{form.stem} from" if "from" in near else f"verb:{form.stem}"
        roles.setdefault(own, set()).add("subject")
    return {key: next(iter(each)) for key, each in roles.items() if len(each) == 1}


def is_past_with_preposition(relation: str) -> bool:
    """Whether a name is a past form and a preposition, so that it may be active or passive."""
    named = words_of(relation)
    is_past = any(form.ending == "past" for form in forms_of(named[0])) if named else False
    return is_past and len(named) > 1 and named[-1] in PREPOSITIONS


def shares_stem(text: str, name: str) -> bool:
    """Whether a word is one of a name in some form, and not only of its family."""
    stems = [
        {form.stem for word in words for form in forms_of(word)}
        for words in (text.split(), words_of(name))
    ]
    return bool(stems[0] & stems[1])


def is_participle(word: Word, label: str) -> bool:
    """Whether a word says what an operator did, *operated*, and names none."""
    *_, last = word.text.split()
    is_past = any(form.ending == "past" for form in forms_of(last))
    return is_past and not {last, *singular(last)} & set(words_of(label))


def does_as_named(verb: str, label: str) -> bool:
    """Whether a label names those who do what a verb says: painters paint."""
    *_, noun = words_of(label) or [label]
    done = noun_roles(noun)
    return any(done.get(key) == role == "subject" for key, role in verb_roles(verb, None).items())


def noun_roles(text: str) -> dict[str, Role]:
    """The role of those whom a noun names in each relation that it may be about."""
    *before, noun = text.split()
    roles: dict[str, set[Role]] = {}
    words = vocabulary("en")
    for form in forms_of(noun):
        if form.ending in ("base", "s"):
            for sense in words.nouns.get(form.stem, ()):
                if set(sense.beside) <= set(before):
                    roles.setdefault(sense.relation, set()).add(sense.role)
            roles.setdefault(f"noun:{form.stem}", set()).add("subject")
        elif form.ending in ("doer", "done_to"):
            is_doer = form.ending == "doer"
            for sense in words.verbs.get(form.stem, ()):
                if not sense.beside:
                    role = sense.role if is_doer else other(sense.role)
                    roles.setdefault(sense.relation, set()).add(role)
            roles.setdefault(f"verb:{form.stem}", set()).add("subject" if is_doer else "object")
    return {key: next(iter(each)) for key, each in roles.items() if len(each) == 1}
