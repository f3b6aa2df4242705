"""Questions of several relations, composed of people's questions of one relation.

*What is the place of birth of this* and the noun phrase *the author of this* make *what is the
place of birth of the author of this*. An ontology says which relations follow each other. So the
words of the last step, which people wrote, stay; those before it come from the names of relations.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from kgdb.lab.training.corpus.chain_finding import Chain
from kgdb.lab.training.corpus.ontology import Ontology, type_words
from kgdb.lab.training.corpus.phrases import End, asked, step_phrases
from kgdb.lab.training.corpus.report import CorpusReport
from kgdb.lab.training.corpus.rows import RelationRow
from kgdb.lab.training.corpus.simple_questions import RelationQuestion
from kgdb.language.text.relation_texts import RelationTexts, relation_words
from kgdb.language.text.roles.inflection import plural_of
from kgdb.language.text.roles.names import parse_name
from kgdb.methods.chains.adapter_purpose import wordings
from kgdb.methods.chains.candidate_chains import PLACEHOLDER
from kgdb.values import Step

MAX_NEGATIVES = 6
SINGLE_SHARE = 0.35
"""The share of the rows that are people's questions as they are."""

_RETURNING = 0.2
"""How often a step is followed by the same one back: *the films with the same director as this*."""

_BY_NAMES = 0.3
"""How often the last step is asked by its name too, and not in the words of people."""

_THREE_HOPS = 1 / 3
_TYPED_TEXTS = 0.5
"""How often a chain is worded as a loader's texts would, with the types of the ends."""

_DRAFTS = frozenset({"base", "common", "freebase", "type", "user"})
"""Freebase's domains that hold no relations between things, or anybody's own."""

_PLACE = re.compile(rf"\b{PLACEHOLDER}\b")


def composed_corpus(
    questions: Sequence[RelationQuestion],
    ends: Mapping[str, tuple[str, str]],
    *,
    graph: str,
    source: str,
    rows: int,
    seed: int = 0,
) -> tuple[list[RelationRow], CorpusReport]:
    """At most ``rows`` rows out of questions of one relation each, and what was dropped.

    ``ends`` are the types that each relation joins. The same arguments give the same rows.
    """
    told = CorpusReport(graph, source, read=len(questions))
    known = []
    for question in questions:
        if question.relation in ends:
            known.append(question)
        else:
            told.drop("the ontology has no such relation, or only by a mediator", question.masked)
    asked = {question.relation for question in known}
    domains = {relation.partition(".")[0] for relation in asked} - _DRAFTS
    relations = asked | {relation for relation in ends if relation.partition(".")[0] in domains}
    maker = _Maker(Ontology.of(ends, relations), random.Random(seed))
    singles = maker.draw.sample(known, min(len(known), round(rows * SINGLE_SHARE)))
    made: dict[tuple[str, Chain], str] = {
        (one.masked, (Step(one.relation),)): one.name for one in singles
    }
    tries = 0
    while known and len(made) < rows and tries < 4 * rows:
        tries += 1
        question = maker.draw.choice(known)
        if chain := maker.chain(question.relation):
            made.setdefault((maker.question(question, chain), chain), question.name)
    result = [
        maker.row(masked, chain, graph, source, name) for (masked, chain), name in made.items()
    ]
    maker.draw.shuffle(result)
    for row in result:
        told.keep(asdict(row), len(row.chain))
    return result, told


@dataclass(frozen=True, slots=True)
class _Texts:
    """Texts of a relation as a loader gives them."""

    text: str | None = None
    inverse: str | None = None
    question: str | None = None
    inverse_question: str | None = None
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Maker:
    """Draws chains that an ontology allows, and their questions."""

    ontology: Ontology
    draw: random.Random

    def chain(self, relation: str) -> Chain | None:
        """A chain of two or three steps that ends with a relation."""
        chain: Chain = (Step(relation),)
        for _ in range(2 if self.draw.random() < _THREE_HOPS else 1):
            before = self.ontology.before(chain)
            if not before:
                return None
            returns = chain[0].back in before and self.draw.random() < _RETURNING
            chain = (chain[0].back if returns else self.draw.choice(before), *chain)
        return chain

    def question(self, question: RelationQuestion, chain: Chain) -> str:
        """A question for a chain that ends with the relation of a question of people."""
        *before, last = chain
        if len(chain) == 2 and before[0].back == last and self.draw.random() < 0.7:
            return self.draw.choice(_shared(last, self.ontology, whole=True)).format(PLACEHOLDER)
        inner = PLACEHOLDER
        while before:
            step = before.pop(0)
            if before and step.back == before[0] and self.draw.random() < 0.7:
                again = before.pop(0)
                inner = self.draw.choice(_shared(again, self.ontology)).format(inner)
            else:
                inner = self._noun(step, inner)
        if self.draw.random() < _BY_NAMES:
            noun = self._noun(last, inner)
            return self.draw.choice(asked(noun, End.of(type_words(self.ontology.end(last)))))
        return _PLACE.sub(lambda _: inner, question.masked, count=1)

    def _noun(self, step: Step, inner: str) -> str:
        end = End.of(type_words(self.ontology.end(step)))
        _, phrases = step_phrases(step.relation, None, reverse=step.reverse, end=end)
        nested = inner != PLACEHOLDER
        nouns = [each for each in phrases.nouns if not (nested and each.startswith("{}'s "))]
        return self.draw.choice(nouns or phrases.nouns).replace("{}", inner)

    def row(self, masked: str, chain: Chain, graph: str, source: str, name: str) -> RelationRow:
        """The row of a question."""
        texts = self._texts(chain)
        wrong = self._wrong(chain)
        own = wordings(chain, texts)
        others = dict.fromkeys(wordings(each, texts) for each in wrong)
        others.pop(own, None)
        return RelationRow(
            masked, tuple(map(str, chain)), own, tuple(others), graph, source, (name,)
        )

    def _texts(self, chain: Chain) -> Mapping[str, RelationTexts]:
        if self.draw.random() >= _TYPED_TEXTS:
            return {}
        return {step.relation: texts for step in chain if (texts := self._typed(step.relation))}

    def _typed(self, relation: str) -> _Texts | None:
        words = relation_words(relation)
        if parse_name(words).kind != "tail":
            return None
        domain = type_words(self.ontology.ends[relation][0])
        things = plural_of(domain)
        return _Texts(
            f"the {words} of {{}}",
            self.draw.choice(
                (
                    f"the {things} whose {words} is {{}}",
                    f"the {domain} with {{}} as {words}",
                    f"the {things} with the {words} {{}}",
                )
            ),
            f"what is the {words} of {{}}?",
            f"which {things} have the {words} {{}}?",
        )

    def _wrong(self, chain: Chain) -> list[Chain]:
        """Chains that differ by one thing: a hop, its direction or their order."""
        kinds = list(self._differing(chain))
        self.draw.shuffle(kinds)
        return [each for each in dict.fromkeys(kinds) if each != chain][:MAX_NEGATIVES]

    def _differing(self, chain: Chain) -> Iterator[Chain]:
        if len(chain) > 1:
            yield chain[:-1]
            yield chain[1:]
            yield (chain[1], chain[0], *chain[2:])
        if len(chain) > 2:
            yield (chain[0], *chain[2:])
        turned = self.draw.randrange(len(chain))
        yield (*chain[:turned], chain[turned].back, *chain[turned + 1 :])
        if beside := self.ontology.beside(chain[-1]):
            yield from ((*chain[:-1], self.draw.choice(beside)) for _ in range(2))
        if after := self.ontology.after(chain):
            yield (*chain, self.draw.choice(after))
        if len(chain) > 1 and (beside := self.ontology.beside(chain[0])):
            yield (self.draw.choice(beside), *chain[1:])


def _shared(step: Step, ontology: Ontology, *, whole: bool = False) -> tuple[str, ...]:
    """Phrases (``whole``: questions) for what has the same end of a relation as ``{}``."""
    words = relation_words(step.relation)
    thing = type_words(ontology.end(step))
    things = plural_of(thing)
    if whole:
        return (
            f"which {things} have the same {words} as {{}}",
            f"which {things} share the {words} with {{}}",
            f"the {words} of {{}} is also the {words} of which {things}",
            f"what {things} have the {words} of {{}}",
        )
    return (
        f"{things} that share {plural_of(words)} with {{}}",
        f"the {things} that have the same {words} as {{}}",
        f"the {thing} with the {words} of {{}}",
        f"{things} whose {words} is also the {words} of {{}}",
    )
