"""What a reading of a question is: a form, and the names of the schema that it uses."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kgdb.graph.forms.operators import EntityForm, Form


@dataclass(frozen=True, slots=True)
class Use:
    """A name that a form uses, and the anchor whose chain it is part of.

    ``silent``: it costs nothing that no word says it, as of a label on the way.
    """

    name: str
    anchor: int = -1
    silent: bool = False


@dataclass(frozen=True, slots=True)
class SetReading:
    """A set, the label of its entities, and the names that it uses."""

    form: EntityForm
    label: str
    uses: tuple[Use, ...] = ()
    hops: int = 0
    cost: float = 0.0

    def using(self, *uses: Use) -> SetReading:
        """The same with further names."""
        return replace(self, uses=(*self.uses, *uses))


@dataclass(frozen=True, slots=True)
class Reading:
    """A form of the whole question, and the names that it uses."""

    form: Form
    uses: tuple[Use, ...]
    hops: int = 0
    cost: float = 0.0
