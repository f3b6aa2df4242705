"""What arguments and options may be: whole texts, paths with a name, ``OPTION=VALUE``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import click

from kgdb.errors import UsageError
from kgdb.text_arguments import is_valid_utf8
from kgdb.wording import short


class Text(click.types.StringParamType):
    """A text. Bytes of the command line that are not UTF-8 arrive as halves of characters."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text; it fails for one that holds such a byte."""
        text = super().convert(value, param, ctx)
        if not is_valid_utf8(text):
            self.fail(
                f"{short(text)} is not valid UTF-8. Set the terminal to UTF-8 (for example "
                "LC_ALL=C.UTF-8).",
                param,
                ctx,
            )
        return text


class NamedPath(click.Path):
    """A path, which may be of any bytes; the empty one would mean the present folder."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        """The path; it fails for the empty one."""
        if not os.fspath(value):
            self.fail("the name is empty; write . for the present folder.", param, ctx)
        return super().convert(value, param, ctx)


TEXT = Text()


def with_whole_texts(command: click.Command) -> click.Command:
    """The command, whose arguments and options that are texts have to be whole ones."""
    for parameter in command.params:
        if parameter.type is click.STRING:
            parameter.type = TEXT
    return command


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
