"""What parts of a sentence mean, before and after they are joined.

A noun phrase is a :class:`Set`. A verb phrase or a modifier is a condition; which relation or
property it names is open until it meets the set that it tells more of, for only then both kinds of
things are known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from kgdb.graph.forms.operators import (
    Aggregate,
    Comparator,
    Condition,
    EntityForm,
    Extreme,
    Form,
    Function,
    Property,
    Qualifier,
)
from kgdb.graph.value_types import ValueType
from kgdb.methods.understanding.cues import Adjective


@dataclass(frozen=True, slots=True)
class Word:
    """Words that name something of the schema; ``start`` and ``end`` count tokens."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Set:
    """Entities with a label; ``None`` for those of any label (*who*).

    ``value`` is the condition of one that is known by a value of its own (*London*), ``relation``
    that of relationships (*Neo*, a role); then ``form`` is ``None``. ``kind`` tells what stands in
    the sentence: a name, a bare noun, a question word, a word for several things of an earlier
    answer, or anything that is told more of.
    ``besides`` are those that do not count among what the set is linked with: *the same town as X*.
    """

    form: EntityForm | None
    label: str | None
    kind: Literal["name", "noun", "agent", "who", "what", "where", "they", "other"] = "other"
    value: Condition | None = None
    relation: str | None = None
    every: bool = False
    besides: EntityForm | None = None


@dataclass(frozen=True, slots=True)
class Last:
    """The form of the last answer; ``parts`` are its sets of which another may take the place, each
    with the labels of its entities.
    """

    form: Form
    parts: tuple[tuple[EntityForm, frozenset[str]], ...]


@dataclass(frozen=True, slots=True)
class Several:
    """Sets that *and* or *or* joins."""

    op: Literal["and", "or", "not"]
    sets: tuple[Set, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """A number or date that values are compared with; ``also`` is the other end of a range."""

    op: Comparator
    value: int | float | str
    dated: bool
    also: Bound | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Quantity:
    """So many of something: *more than two films*."""

    bound: Bound
    of: Set | Word


@dataclass(frozen=True, slots=True)
class Most:
    """The largest or smallest number of something: *the most films*; ``last`` as with ranks."""

    extreme: Extreme
    of: Set | Word
    k: int = 1
    last: bool = False


@dataclass(frozen=True, slots=True)
class Linked:
    """A condition: a relation leads to ``object``; ``None`` for to anything.

    ``word`` is the verb or noun that names it, ``None`` where none does. ``role`` is that of the
    set which the condition tells more of: who acts, or what is acted on.
    """

    word: Word | None
    preposition: str | None
    object: Set | Several | Quantity | Most | None
    role: Literal["subject", "object"] | None = None

    def turned(self, object_: Set) -> Linked:
        """The same said of the object: *that X directed*, for *X directed this*."""
        if self.role is None:
            return replace(self, object=object_)
        if self.preposition == "by":
            return Linked(self.word, None, object_, "subject")
        turned: Literal["subject", "object"] = "object" if self.role == "subject" else "subject"
        return replace(self, object=object_, role=turned)


@dataclass(frozen=True, slots=True)
class Average:
    """The average of those of a set, or of all, with which one of them is compared."""

    of: Set | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """A condition on a value: *born after 1970*, *older than 30*, *taller than Ann*.

    ``other`` is what has the value to compare with, or the value.
    """

    word: Word | None
    adjective: Adjective | None
    bound: Bound | None
    other: Set | Values | Aggregate | Average | None = None
    unit: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """Those that come first by a value: *oldest*, *with the highest rating*.

    ``last``: only the last of the ``k``, as *second oldest* says.
    """

    extreme: Extreme
    adjective: Adjective | None
    word: Word | None
    k: int = 1
    function: Function | None = None
    last: bool = False


@dataclass(frozen=True, slots=True)
class Denied:
    """Those that a condition does not hold of."""

    condition: Conditional


@dataclass(frozen=True, slots=True)
class Joined:
    """Those that both conditions, or one of them, hold of."""

    op: Literal["and", "or"]
    left: Conditional
    right: Conditional


Conditional: TypeAlias = Linked | Measured | Ranked | Denied | Joined


@dataclass(frozen=True, slots=True)
class Values:
    """Values of a property, with its name, their type, and the label of those that have them."""

    form: Property | Qualifier | Aggregate
    name: str
    type: ValueType
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Whole:
    """The form of a whole sentence; ``denied``: a claim says that it does not hold.

    ``also`` are other statements of a claim: all of them must hold. Of one that is ``implied``
    the claim does not say that it holds of all: where it does not, nobody knows.
    """

    form: Form
    denied: bool = False
    also: tuple[Whole, ...] = ()
    implied: bool = False
