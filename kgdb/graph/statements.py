"""The Cypher statements of ``cypher/``, by file name.

Values always travel as parameters. Names that Cypher accepts only in its text (the label of an
index, the name of a constraint) stand in a file as ```%label%```; :func:`statement` puts them in,
quoted, and there is no other way to alter a statement.
"""

from __future__ import annotations

import re
from functools import cache

from kgdb import resources
from kgdb.errors import UsageError

_PLACE = re.compile(r"`%(\w+)%`")
_PROCEDURE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


def statement(name: str, **identifiers: str) -> str:
    """The text of ``cypher/<name>.cypher`` with its ```%identifier%``` places filled."""

    def fill(match: re.Match[str]) -> str:
        return quoted(identifiers[match[1]])

    return _PLACE.sub(fill, _read(name))


def quoted(identifier: str) -> str:
    """A label, type or index name as Cypher text: backticks inside it are doubled."""
    if not identifier or "\x00" in identifier:
        raise UsageError(f"{identifier!r} cannot name a label, relationship type or index.")
    return "`" + identifier.replace("`", "``") + "`"


def call_text(procedure: str, arguments: int) -> str:
    """``CALL procedure($a0, $a1, …)`` for a procedure name that is one."""
    if not _PROCEDURE.fullmatch(procedure):
        raise UsageError(
            f"{procedure!r} is not a procedure name.",
            hint="Write it as in Cypher, without CALL or brackets: gds.pageRank.stream",
        )
    return f"CALL {procedure}({', '.join(f'$a{i}' for i in range(arguments))})"


@cache
def _read(name: str) -> str:
    return (resources.statements() / f"{name}.cypher").read_text(encoding="utf-8")
