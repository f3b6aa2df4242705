"""``OPTION=VALUE``, as the command line and the chat take it."""

from __future__ import annotations

from collections.abc import Iterable

import click

from kgdb.errors import UsageError
from kgdb.wording import short


def assignment(text: str) -> tuple[str, str]:
    """The option and the value, which is kept as it is: a separator may be a space.

    Raises :class:`UsageError` for a text that names no option or has no ``=``.
    """
    option, sign, value = text.partition("=")
    if not sign or not option.strip():
        raise UsageError(
            f"{short(text)} is not of the form OPTION=VALUE.",
            hint="Write the option, the sign = and the value, with quotes around all if there are "
            "spaces.",
        )
    return option.strip(), value


def setting(text: str) -> tuple[str, str]:
    """The same for an option of a method: ``max-hops`` stands for ``max_hops``."""
    option, value = assignment(text)
    return option.replace("-", "_"), value.strip()


def settings(_: click.Context, __: click.Parameter, given: Iterable[str]) -> dict[str, str]:
    """All of them, as a callback of click; of an option that comes twice the last value."""
    return dict(setting(text) for text in given)
