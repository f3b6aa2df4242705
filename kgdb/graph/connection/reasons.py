"""What the server or its driver says of a statement that failed, as part of a message."""

from __future__ import annotations

import re

from neo4j.exceptions import ClientError, Neo4jError

from kgdb.wording import brief

_LONGEST = 400
"""Characters of what a server says that an error repeats."""

_PROCEDURE = re.compile(r"\bkgdb\.[\w.]*\w")


def missing_procedure(error: ClientError) -> str | None:
    """The procedure of kgdb that the server does not know, if that is the error."""
    if error.code != "Neo.ClientError.Procedure.ProcedureNotFound":
        return None
    name = _PROCEDURE.search(error.message or "")
    return name[0] if name else None


def first_line(error: Exception) -> str:
    """What the server said, without the stack of causes that Neo4j puts around it."""
    if not isinstance(error, Neo4jError):
        # The driver gives the addresses it tried first and the reason on a line of its own.
        return brief(" ".join(str(error).split()), _LONGEST)
    message = error.message or str(error)
    # A failing procedure is reported as: Failed to invoke procedure `x`: Caused by: Class: text
    if "Caused by: " in message:
        message = message.rsplit("Caused by: ", 1)[1].partition(": ")[2] or message
    return brief(message.strip().split("\n")[0], _LONGEST)
