"""What a client may choose of the methods: none of the lab, and no option that may name a file."""

from __future__ import annotations

from collections.abc import Iterable

from kgdb.methods import METHODS
from kgdb.methods.option_declarations import declarations, takes_any_text
from kgdb.serving.problem_details import Refused
from kgdb.wording import listed, short


def check_choice(method: str, options: Iterable[str]) -> None:
    """Raise :class:`Refused` for a method, or an option of it, that is not for clients.

    Other packages add methods for whoever runs the service. A text that an option takes may name a
    file of the machine that serves, so clients choose among numbers and names that are declared.
    """
    kind = METHODS.get(method)
    if kind is None:
        raise Refused(
            400, "No method", f"There is no method {short(method)}. Methods: {listed(METHODS)}."
        )
    texts = {each.name for each in declarations(kind.options) if takes_any_text(each)}
    if of_server := texts.intersection(options):
        name = min(of_server)
        raise Refused(400, "No option", f"{name} is set by whoever runs the service.")
