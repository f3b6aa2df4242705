"""Phrasings of one step of a chain: noun phrases to nest, and questions for the last step.

A relation says in its name or its texts how its ends are called: by a verb between them (*Ada Weir
acted in Heat*), or by a noun for one of them (*the director of Heat*). Each gives phrases in both
directions and voices, as possessives and as relative clauses. ``{}`` stands for what the step
starts from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgdb.language.text.prompts import language_of
from kgdb.language.text.relation_texts import RelationTexts, relation_words
from kgdb.language.text.roles.inflection import base_of, participle_of, past_of, plural_of
from kgdb.language.text.roles.names import parse_name

_PEOPLE = frozenset(
    "actor author boss child clerk customer director doctor employee human man manager member "
    "parent patient person player singer staff student teacher user woman writer".split()
)

# A question whose verb stands between who asks and {}: *who directed {}?*
_VERB_QUESTION = re.compile(r"who (?P<verb>[a-z]+(?:ed|s|t|e|w)(?: [a-z]{2,4})?) \{\}\?")
_NOUN_TEXT = re.compile(r"the (?P<noun>.+) of \{\}")
_ORDERS = ("name", "list", "tell me", "give me", "find", "show", "can you tell me")

_PREPOSITION = re.compile(r"(?:in|on|at|to|for|from|with|of|by|into|about|over)$")


@dataclass(frozen=True, slots=True)
class End:
    """What a step leads to, as far as it is known: its label in words, and whether it is people."""

    noun: str | None = None
    is_person: bool = False

    @classmethod
    def of(cls, label: str | None) -> End:
        """The things with a label."""
        if label is None:
            return cls()
        noun = relation_words(label)
        return cls(noun, noun.rpartition(" ")[2] in _PEOPLE)

    @property
    def asks(self) -> str:
        """The question word."""
        return "who" if self.is_person else "what"

    @property
    def relative(self) -> str:
        """The relative pronoun."""
        return "who" if self.is_person else "that"

    @property
    def things(self) -> tuple[str, ...]:
        """What it is called before a relative clause."""
        if self.noun is None:
            return ("the people",) if self.is_person else ("the things",)
        return f"the {self.noun}", f"the {plural_of(self.noun)}", plural_of(self.noun)


@dataclass(frozen=True, slots=True)
class Phrases:
    """Phrases of a step around ``{}``."""

    nouns: tuple[str, ...]
    questions: tuple[str, ...]

    def __add__(self, other: Phrases) -> Phrases:
        return Phrases(
            tuple(dict.fromkeys(self.nouns + other.nouns)),
            tuple(dict.fromkeys(self.questions + other.questions)),
        )


_NONE = Phrases((), ())


def step_phrases(
    relation: str, texts: RelationTexts | None, *, reverse: bool, end: End
) -> tuple[Phrases, Phrases]:
    """The phrases of a step by its texts, and by the grammar of its name (or of its texts).

    Either may be empty; not both.
    """
    given = _of_texts(texts, reverse=reverse, end=end) if texts else _NONE
    words = relation_words(relation)
    if language_of(words) == "zh":
        return given, _chinese(words, reverse=reverse)
    by_grammar = _of_name(words, reverse=reverse, end=end)
    better = _grammar_of_texts(texts, reverse=reverse, end=end) if texts else _NONE
    if better.nouns:
        return given, better
    if given.nouns and parse_name(words).kind != "verb":
        return given, _NONE  # whoever wrote the texts found better words than the name's
    return given, by_grammar


def _of_texts(texts: RelationTexts, *, reverse: bool, end: End) -> Phrases:
    text = texts.inverse if reverse else texts.text
    question = texts.inverse_question if reverse else texts.question
    nouns, questions = list[str](), list[str]()
    if text and "{}" in text:
        nouns.append(text)
        if possessive := _NOUN_TEXT.fullmatch(text):
            nouns.append(f"{{}}'s {possessive['noun']}")
    if question and "{}" in question:
        questions.append(question)
        if (clause := re.fullmatch(r"who (.+ \{\})\?", question)) and end.noun:
            nouns += [f"{thing} who {clause[1]}" for thing in end.things]
    return Phrases(tuple(nouns), tuple(questions))


def asked(noun: str, end: End) -> tuple[str, ...]:
    """Questions and orders that ask for what a noun phrase says."""
    if language_of(noun) == "zh":
        return noun, f"列出{noun}", f"告诉我{noun}"
    orders = tuple(f"{order} {noun}" for order in _ORDERS)
    if noun.startswith("what "):
        return orders
    be = "are" if _is_plural(noun) else "is"
    return noun, f"{end.asks} {be} {noun}?", f"{noun} {be} {end.asks}?", *orders


def _is_plural(noun: str) -> bool:
    words = noun.removeprefix("the ").split(" ")
    if words[0].endswith("'s"):
        words = words[1:] or words
    before = re.split(
        r" (?:of|in|that|who|whose|with|by|\{\}|[a-z]+ing|[a-z]+ed) ", " ".join(words)
    )
    last = before[0].rpartition(" ")[2]
    return last == "people" or (last.endswith("s") and not last.endswith("ss"))


def _grammar_of_texts(texts: RelationTexts, *, reverse: bool, end: End) -> Phrases:
    """What follows from a text of either direction: *who directed {}?*, *the director of {}*."""
    phrases = _NONE
    for text, question, of_reverse in (
        (texts.text, texts.question, False),
        (texts.inverse, texts.inverse_question, True),
    ):
        if question and (verb := _VERB_QUESTION.fullmatch(question)):
            phrases += _of_verb(verb["verb"], to_subject=reverse == of_reverse, end=end)
        if text and (noun := _NOUN_TEXT.fullmatch(text)):
            phrases += _of_noun(noun["noun"], to_noun=reverse == of_reverse, end=end)
    return phrases


def _of_name(words: str, *, reverse: bool, end: End) -> Phrases:
    name = parse_name(words)
    if name.kind == "verb":
        passive = re.fullmatch(r"is (\w+) by", name.words)
        if passive:
            return _of_verb(past_of(passive[1]), to_subject=not reverse, end=end)
        if name.words.startswith(("is ", "are ", "was ", "were ")):
            return _of_state(name.words.split(" ", 1)[1], to_subject=reverse, end=end)
        return _of_verb(name.words, to_subject=reverse, end=end)
    noun = name.words.removesuffix(" of")
    return _of_noun(noun, to_noun=reverse == (name.kind == "head"), end=end)


def _of_verb(verb: str, *, to_subject: bool, end: End) -> Phrases:
    """Phrases of *A verb B*: those that ask for A (``to_subject``), or for B."""
    finite, _, rest = verb.partition(" ")
    tail = f" {rest}" if rest else ""
    base, participle = base_of(finite), participle_of(finite)
    is_past = finite.endswith("ed") or (finite != base and not finite.endswith("s"))
    does, be = ("did", "was") if is_past else ("does", "is")
    transitive = not _PREPOSITION.search(rest)
    nouns, questions = list[str](), list[str]()
    if to_subject:
        nouns += [f"{thing} {end.relative} {verb} {{}}" for thing in end.things]
        nouns += [f"what {verb} {{}}"] * (not end.is_person)
        questions += [f"{end.asks} {verb} {{}}?"]
        if end.noun:
            questions += [f"which {end.noun} {verb} {{}}?"]
            questions += [
                f"which {plural_of(end.noun)} {base if not is_past else finite}{tail} {{}}?"
            ]
        if transitive:
            by = "whom" if end.is_person else "what"
            questions += [
                f"by {by} {be} {{}} {participle}{tail}?",
                f"{{}} {be} {participle}{tail} by {end.asks}?",
            ]
    else:
        nouns += [f"what {{}} {verb}"] * (not end.is_person)
        nouns += [f"{thing} {{}} {verb}" for thing in end.things]
        nouns += [f"{thing} that {{}} {verb}" for thing in end.things]
        questions += [f"{end.asks} {does} {{}} {base}{tail}?"]
        questions += [f"whom {does} {{}} {base}{tail}?"] * end.is_person
        if end.noun:
            questions += [f"which {end.noun} {does} {{}} {base}{tail}?"]
            questions += [f"what {plural_of(end.noun)} {does} {{}} {base}{tail}?"]
        if transitive:
            nouns += [f"{thing} {participle}{tail} by {{}}" for thing in end.things]
            if end.noun:
                questions += [f"which {end.noun} {be} {participle}{tail} by {{}}?"]
            questions += [f"{end.asks} {be} {participle}{tail} by {{}}?"]
    return Phrases(tuple(nouns), tuple(questions))


def _of_state(words: str, *, to_subject: bool, end: End) -> Phrases:
    """Phrases of *A is located in B*."""
    if to_subject:
        nouns = [f"{thing} {words} {{}}" for thing in end.things]
        nouns += [f"{thing} {end.relative} is {words} {{}}" for thing in end.things[:1]]
        questions = [f"{end.asks} is {words} {{}}?"]
        if end.noun:
            questions += [f"which {plural_of(end.noun)} are {words} {{}}?"]
    else:
        nouns = [f"what {{}} is {words}", *(f"{thing} {{}} is {words}" for thing in end.things)]
        questions = [f"what is {{}} {words}?"]
        if end.noun:
            questions += [f"which {end.noun} is {{}} {words}?"]
        if words.endswith((" in", " at", " near")):
            questions += [f"where is {{}} {words.rpartition(' ')[0]}?"]
    return Phrases(tuple(nouns), tuple(questions))


def _of_noun(noun: str, *, to_noun: bool, end: End) -> Phrases:
    """Phrases of *the noun of A is B*: those that ask for B (``to_noun``), or for A."""
    nouns, questions = list[str](), list[str]()
    if to_noun:
        nouns += [f"the {noun} of {{}}", f"{{}}'s {noun}", f"the {noun} that {{}} has"]
        questions += [f"what {noun} does {{}} have?"]
        if end.noun and end.noun != noun:
            questions += [f"which {end.noun} is the {noun} of {{}}?"]
            nouns += [f"the {end.noun} that is the {noun} of {{}}"]
    else:
        nouns += [f"{thing} whose {noun} is {{}}" for thing in end.things]
        nouns += [f"{thing} with {{}} as {noun}" for thing in end.things]
        nouns += [f"what has {{}} as {noun}"] * (not end.is_person)
        questions += [f"whose {noun} is {{}}?", f"{end.asks} has {{}} as {noun}?"]
        questions += [f"{end.asks} is {{}} the {noun} of?"]
        if end.noun:
            questions += [f"which {end.noun} has {{}} as its {noun}?"]
    return Phrases(tuple(nouns), tuple(questions))


def _chinese(words: str, *, reverse: bool) -> Phrases:
    if reverse:
        noun = f"{words}是{{}}的"
        return Phrases((noun,), (f"什么的{words}是{{}}？", f"哪些的{words}是{{}}？"))
    noun = f"{{}}的{words}"
    return Phrases((noun,), (f"{noun}是什么？", f"{noun}有哪些？", f"{{}}有什么{words}？"))
