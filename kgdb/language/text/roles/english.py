"""The role of a mention beside a word of an English sentence.

Rules of grammar decide: the subject stands before an active verb and the object behind it, *by*
names the subject of a passive one, *the N of A* and *A's N* say that A has an N, *A is the N of*
that A is one. A rule that does not clearly apply gives nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.language.text.roles.forms import Ending, forms_of
from kgdb.language.text.roles.tokens import Token
from kgdb.language.text.roles.vocabulary import Role, Sense, Vocabulary, other

_BE = frozenset(
    "is are was were be been being become becomes became remain remains remained isn't aren't "
    "wasn't weren't".split()
)
_DO = frozenset("do does did don't doesn't didn't will would can could may might shall".split())
_HAVE = frozenset("has have had having with hasn't haven't hadn't".split())
_ASKING = frozenset("who whom what which whose where when how".split())
_DETERMINERS = frozenset(
    "the a an its his her their my your our these those any some all whose many each every no "
    "'s '".split()
)
_OF = frozenset("of for to in on".split())
_CLAUSE = frozenset("that who which whom , ; :".split())
PREPOSITIONS = frozenset(
    "about after against as at before behind below between by during for from in inside into near "
    "of on onto out outside over since than through to toward towards under upon via with "
    "within".split()
)
_STOP = (
    _BE
    | _DO
    | _HAVE
    | _ASKING
    | _DETERMINERS
    | PREPOSITIONS
    | frozenset(
        "and or not never name list give tell show find me there it they he she we you i s".split()
    )
)
_BY = 6
"""Words between a passive verb and its *by*."""

_REACH = 6
"""Words between *is* and the participle that it makes passive."""


@dataclass(frozen=True, slots=True)
class English:
    """A sentence in tokens; the words that may name a relation are those at :meth:`triggers`."""

    tokens: Sequence[Token]
    words: Vocabulary

    def triggers(self) -> list[int]:
        """The indices of words that may name a relation."""
        return [
            index
            for index, token in enumerate(self.tokens)
            if token.mention is None and token.text not in _STOP and token.text[0].isalpha()
        ]

    def is_incidental(self, at: int) -> bool:
        """Whether the word is only a kind (*which company*), or what a verb is about."""
        before = at - 1
        if self._text(before) in ("which", "what", "many"):
            return not self._verb_senses(at) or self._text(at + 1) in _BE | _DO | _HAVE
        return before in self.triggers() and not self.is_noun(before) and self._is_verb(before)

    def roles(self, at: int, mention: int) -> tuple[dict[str, Role], int]:
        """The role of the mention in each relation that the word may name, and its count.

        ``at`` and ``mention`` are indices of tokens.
        """
        if self.is_noun(at):
            return self._as_noun(at, mention)
        return self._as_verb(at, mention), 1

    def is_noun(self, at: int) -> bool:
        """Whether the word is a noun here."""
        word = self.tokens[at].text
        endings = {form.ending for form in forms_of(word)}
        if "past" in endings or self._text(at + 1) == "than":
            return False
        listed = self._listed_nouns(at)
        if listed and not self._verb_senses(at):
            return True
        if endings & {"doer", "done_to", "action"} and not self._verb_senses(at):
            return True
        before = self._text(at - 1)
        if self._mention(at - 1) is not None:
            # "Which company does A own" and "A owns B", but "A subsidiaries".
            return False
        if before in _DETERMINERS or self._text(at + 1) == "of":
            return True
        return bool(listed) and before in _BE

    # Nouns.

    def _as_noun(self, at: int, mention: int) -> tuple[dict[str, Role], int]:
        roles: dict[str, Role] = {}
        if (actions := self._action_senses(at)) and (beside := self._beside_action(at, mention)):
            roles = _combined(actions, same=beside == "subject")
        # A noun of action may also be a plain one: whose *profession* it is does not profess.
        senses = self._noun_senses(at)
        is_one = self._is_bearer(at, mention)
        if is_one is None:
            return roles, 1
        if not actions:
            return _combined(senses, same=is_one), max((sense.count for sense in senses), default=1)
        plain = [sense for sense in senses if sense.relation.startswith("noun:")]
        return {**roles, **_combined(plain, same=is_one)}, 1

    def _noun_senses(self, at: int) -> list[Sense]:
        """Whom a noun names: the *capital* is the subject of that relation, if no list has it."""
        senses = self._listed_nouns(at)
        for stem, ending in self._forms(at):
            if ending in ("base", "s"):
                senses.append(Sense(f"noun:{stem}", "subject"))
            elif ending in ("doer", "done_to"):
                senses.append(Sense(f"verb:{stem}", "subject" if ending == "doer" else "object"))
        return senses

    def _listed_nouns(self, at: int) -> list[Sense]:
        """The same for words of the lists: *manager*, who is the subject of *manage*."""
        senses: list[Sense] = []
        for stem, ending in self._forms(at):
            if ending in ("base", "s"):
                senses += [
                    sense for sense in self.words.nouns.get(stem, ()) if self._has_before(at, sense)
                ]
            elif ending in ("doer", "done_to"):
                senses += [
                    Sense(sense.relation, sense.role if ending == "doer" else other(sense.role))
                    for sense in self.words.verbs.get(stem, ())
                    if not sense.beside
                ]
        return senses

    def _action_senses(self, at: int) -> list[Sense]:
        senses: list[Sense] = []
        named = bool(self._listed_nouns(at))
        for stem, ending in self._forms(at):
            if ending in ("base", "s"):
                senses += self.words.actions.get(stem, ())
            if ending == "action" and not named:
                senses += [Sense(f"verb:{stem}", "subject")]
                senses += [s for s in self.words.verbs.get(stem, ()) if not s.beside]
        if senses and not named:
            senses += [
                Sense(f"verb:{stem}", "subject")
                for stem, ending in self._forms(at)
                if ending in ("base", "s")
            ]
        return senses

    def _has_before(self, at: int, sense: Sense) -> bool:
        size = len(sense.beside)
        return tuple(self._text(n) for n in range(at - size, at)) == sense.beside

    def _is_bearer(self, at: int, mention: int) -> bool | None:
        """Whether the mention is an N (*A is the N of*), or has one (*the N of A*)."""
        if mention < at and self._text(mention + 1) in ("'s", "'"):
            between = range(mention + 2, at)
            return None if any(self._text(n) in _BE for n in between) else False
        of = self._of(at)
        if of is not None and (by_of := self._by_of(at, of, mention)) is not None:
            return by_of
        if mention == at - 1:
            return False
        # "Of which country is A the N", "whose N is A", "the N of B is A", "A is B's N".
        asked_of = self._text(0) in ("of", "for") and mention < at and self._any(_BE, 0, at)
        other_owner = self._owner(at) not in (None, mention) or self._text(at - 1) == "whose"
        first, last = sorted((at, mention))
        if asked_of or (other_owner and self._any(_BE, first, last)):
            return True
        if mention < at and self._text(mention + 1) in (",", "whose") and self._after_whose(at):
            return False
        return self._by_have(at, mention)

    def _by_of(self, at: int, of: int, mention: int) -> bool | None:
        """The same by the preposition behind the noun."""
        first = self._argument(of)
        if first == mention:
            return False
        if mention < at and self._any(_BE, 0, at):
            return True
        if first is not None and mention > first and self._any(_BE, first, mention):
            return True
        return None

    def _by_have(self, at: int, mention: int) -> bool | None:
        """*A has an N*, *which N does A have*, *who has A as N*, *who has the N A*."""
        have = next((n for n, t in enumerate(self.tokens) if t.text in _HAVE), None)
        if have is None:
            return None
        if self._any(frozenset(["as", "for"]), have, at):
            return have < mention < at
        if mention < have < at or at < mention < have:
            return False
        if have < at < mention and (
            mention == at + 1 or self._text(mention - 1) in ("named", "called", ",")
        ):
            return True
        return None

    def _after_whose(self, at: int) -> bool:
        return any(self._text(n) == "whose" for n in range(max(0, at - 2), at))

    def _of(self, at: int) -> int | None:
        """The preposition behind a noun: *the children of*."""
        for n in range(at + 1, min(at + 4, len(self.tokens))):
            if self._mention(n) is not None or self._text(n) in _CLAUSE | _BE:
                return None
            if self._text(n) == "of" or (n == at + 1 and self._text(n) in _OF):
                return n
        return None

    def _argument(self, of: int) -> int | None:
        """What stands behind the preposition: the first mention or question word."""
        for n in range(of + 1, len(self.tokens)):
            if self._mention(n) is not None or self._text(n) in _ASKING:
                return n
            if self._text(n) in _BE:
                return None
        return None

    def _owner(self, at: int) -> int | None:
        """What stands in the genitive before a noun."""
        for n in range(at - 1, max(-1, at - 4), -1):
            if self._text(n) in ("'s", "'"):
                return n - 1
            if self._text(n) in PREPOSITIONS or self._mention(n) is not None:
                return None
        return None

    def _beside_action(self, at: int, mention: int) -> Role | None:
        """*The acquisition of A by*: A is its object."""
        later = {self._text(n) for n in range(mention + 1, len(self.tokens))}
        if mention < at:
            if self._text(mention + 1) in ("'s", "'"):
                after = {self._text(n) for n in range(at + 1, len(self.tokens))}
                return "object" if "by" in after else "subject"
            return None
        match self._preposition(at, mention):
            case "by" | "from":
                return "subject"
            case "of":
                return "subject" if later & {"on", "to", "into"} else "object"
            case "to" | "into" | "on" | "in":
                return "object"
        return None

    # Verbs.

    def _as_verb(self, at: int, mention: int) -> dict[str, Role]:
        grammatical = self._behind_phrase(at, mention) or self._grammatical(at, mention)
        if grammatical is None:
            return {}
        preposition = self._preposition(at, mention) if mention > at else ""
        roles: dict[str, Role | None] = {}
        for sense in self._verb_senses(at):
            position = grammatical
            if grammatical == "object" and preposition == "from" and "from" not in sense.beside:
                if not {"to", "into"} & set(sense.beside):
                    continue
                position = "subject"
            elif preposition in ("to", "into") and "from" in sense.beside:
                position = "subject"
            _add(roles, sense.relation, sense.role if position == "subject" else other(sense.role))
        for stem, ending in self._forms(at):
            if ending in ("base", "s", "past", "ing"):
                relation, position = self._by_itself(stem, at, grammatical, preposition)
                _add(roles, relation, position)
        return {relation: role for relation, role in roles.items() if role}

    def _by_itself(
        self, stem: str, at: int, grammatical: Role, preposition: str
    ) -> tuple[str, Role]:
        """The relation of a verb that needs no entry: *derive from* is another than *derive*."""
        after = [self._text(n) for n in range(at + 1, len(self.tokens))]
        if preposition == "from" and {"to", "into"} & set(after):
            return f"verb:{stem}", "subject"
        if preposition == "from" or "from" in after[-1:]:
            return f"verb:{stem} from", grammatical
        return f"verb:{stem}", grammatical

    def _is_verb(self, at: int) -> bool:
        endings = {ending for _, ending in self._forms(at)}
        return bool(self._verb_senses(at) or endings & {"past", "ing"})

    def _verb_senses(self, at: int) -> list[Sense]:
        near = {self._text(n) for n in range(at + 1, len(self.tokens))} | {self._text(0)}
        if self._text(0) == "where":
            near |= {"in", "at", "on", "within"}
        return [
            sense
            for stem, ending in self._forms(at)
            if ending in ("base", "s", "past", "ing")
            for sense in self.words.verbs.get(stem, ())
            if set(sense.beside) <= near
        ]

    def _grammatical(self, at: int, mention: int) -> Role | None:
        """Whether the mention is the subject or the object of the verb, were it active."""
        before = mention < at
        if before and not self._is_nearest(at, mention):
            return None
        if "past" in {ending for _, ending in self._forms(at)}:
            by = self._by(at)
            if by is not None:
                return "subject" if mention > by else ("object" if before else None)
            if self._text(0) == "by":
                return "object" if before else None
            if self._is_participle(at) and not self._has_place(at):
                return "object" if before else None
        if before and any(self._text(n) in (",", ";") for n in range(mention, at)):
            return None
        return "subject" if before else "object"

    def _behind_phrase(self, at: int, mention: int) -> Role | None:
        """The role of whom a participle in front is about: *Located in A, B is …*."""
        if at or not {ending for _, ending in self._forms(at)} & {"past", "ing"}:
            return None
        named = [n for n in range(at, mention) if self._mention(n) is not None]
        if not named or self._text(named[0] + 1) != ",":
            return None
        return "object" if self._by(at) is not None else "subject"

    def _has_place(self, at: int) -> bool:
        """Whether a participle is an adjective: *A is located in B*, *where is A based*."""
        ends = (self._text(at + 1), self._text(0), self._text(len(self.tokens) - 1))
        return any(word in PREPOSITIONS for word in ends) or self._text(0) == "where"

    def _is_nearest(self, at: int, mention: int) -> bool:
        """Whether no other mention stands between; *A and B* count as one."""
        return all(
            self._mention(n) is None or self._text(n - 1) in ("and", "or", ",")
            for n in range(mention + 1, at)
        )

    def _by(self, at: int) -> int | None:
        for n in range(at + 1, min(at + 1 + _BY, len(self.tokens))):
            if self._text(n) == "by":
                return n
            if self._mention(n) is not None or self._text(n) in _CLAUSE:
                return None
        return None

    def _is_participle(self, at: int) -> bool:
        """Whether a form of *be* makes the verb passive."""
        for n in range(at - 1, max(-1, at - 1 - _REACH), -1):
            if self._text(n) in _BE:
                return True
            if self._text(n) in _CLAUSE | _DO:
                return False
        return False

    def _preposition(self, at: int, mention: int) -> str:
        """The preposition of a mention behind the word: *to* in *transferred money to A*."""
        for n in range(mention - 1, max(at, mention - 4), -1):
            if self._text(n) in PREPOSITIONS:
                return self._text(n)
            if self._mention(n) is not None:
                return ""
        return ""

    # Tokens.

    def _forms(self, at: int) -> list[tuple[str, Ending]]:
        return [(form.stem, form.ending) for form in forms_of(self._text(at))]

    def _text(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _mention(self, at: int) -> int | None:
        return self.tokens[at].mention if 0 <= at < len(self.tokens) else None

    def _any(self, words: frozenset[str], start: int, end: int) -> bool:
        return any(self._text(n) in words for n in range(start, end))


def _combined(senses: Sequence[Sense], *, same: bool) -> dict[str, Role]:
    """The role of a mention that has the senses' role, or the other one."""
    roles: dict[str, Role | None] = {}
    for sense in senses:
        _add(roles, sense.relation, sense.role if same else other(sense.role))
    return {relation: role for relation, role in roles.items() if role}


def _add(roles: dict[str, Role | None], relation: str, role: Role) -> None:
    """Adds a role; two that contradict each other leave none."""
    roles[relation] = role if roles.get(relation, role) == role else None
