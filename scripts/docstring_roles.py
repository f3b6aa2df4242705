"""An extension of griffe: docstrings without the roles of Sphinx, which Markdown does not know."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

ROLE = re.compile(r":\w+:`~?([^`]+)`")


class DocstringRoles(Extension):
    """Shows ``:class:`~kgdb.Answer` `` as the code ``Answer``."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of whatever griffe has found."""
        if obj.docstring is not None:
            obj.docstring.value = ROLE.sub(
                lambda role: f"`{role[1].rpartition('.')[2]}`", obj.docstring.value
            )
