"""The form of an answer, an option of every method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from kgdb.methods.option_declarations import MethodOptions

FormName = Literal["entities", "text"]
FORM_NAMES: tuple[str, ...] = get_args(FormName)


@dataclass(frozen=True, slots=True)
class FormOptions(MethodOptions):
    """What every method takes beside its own options."""

    form: Annotated[
        FormName, "what the answer is: entities with their paths, or a text that cites its facts"
    ] = "entities"
