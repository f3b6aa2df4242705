"""The errors that kgdb raises on purpose.

    KgdbError
    ├── UsageError              an argument, setting or file content is wrong
    │   └── GraphNotFound       no graph of that name is loaded
    ├── DatabaseError           the database refused or failed a statement
    │   ├── ConnectionFailed    nothing answers at the address, or the password is wrong
    │   ├── DatabaseHalted      the database stopped itself and needs a restart
    │   ├── PluginMissing       the server has no kgdb plugin, or an older one without the procedure
    │   ├── GdsMissing          the server has no Graph Data Science
    │   ├── TimedOut            a statement did not end within its time limit
    │   └── ArgumentRefused     retrieval refused an argument; it is a UsageError, too
    │       └── EntityNotFound  the graph has no entity with that id
    ├── ServerError             the local server cannot be installed, started or stopped
    │   ├── JavaNotFound        there is no Java 17 or 21
    │   ├── ArtifactError       a jar cannot be downloaded, or is not the one that was locked
    │   └── StartFailed         the server ended, or did not answer, while starting
    ├── LoadError               a source cannot be read or written to the database
    ├── ModelError              a language model or encoder cannot be loaded or called
    │   ├── ModelUnavailable    its server cannot be reached, or does not reply
    │   └── ModelMissing        it is not installed: the hint has the command to install it
    ├── MethodFailed            a method failed on a question because of a bug in kgdb
    ├── Cancelled               whoever asked called it off while it ran
    └── TooManyErrors           an evaluation had more failed questions than allowed

Each has a message, with the value and the expected value, and usually a ``hint``, the next step for
the user. Only the command line turns errors into exit codes.
"""

from __future__ import annotations


class KgdbError(Exception):
    """Base of all errors of kgdb; any other exception is a bug."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class UsageError(KgdbError):
    """An argument, setting or file content is wrong."""


class GraphNotFound(UsageError):
    """No graph of that name is loaded."""


class DatabaseError(KgdbError):
    """The database refused or failed a statement."""


class ConnectionFailed(DatabaseError):
    """Nothing answers at the address, or the credentials are wrong."""


class DatabaseHalted(DatabaseError):
    """The database stopped itself, for example on a full disk, and needs a restart."""


class PluginMissing(DatabaseError):
    """The server has no kgdb plugin, or another version without the procedure."""


class GdsMissing(DatabaseError):
    """The server does not have Graph Data Science."""


class TimedOut(DatabaseError):
    """A statement did not end within the time limit that the caller set."""


class ArgumentRefused(DatabaseError, UsageError):
    """A procedure of kgdb, or the plain Cypher in its place, refused an argument."""


class EntityNotFound(ArgumentRefused):
    """The graph has no entity with that id."""


class ServerError(KgdbError):
    """The local server cannot be installed, started or stopped."""


class JavaNotFound(ServerError):
    """There is no suitable Java for the server."""


class ArtifactError(ServerError):
    """A jar cannot be downloaded, or is not the one that was locked."""


class StartFailed(ServerError):
    """The server ended, or did not answer, while starting."""


class LoadError(KgdbError):
    """A source cannot be read, or cannot be written to the database."""


class ModelError(KgdbError):
    """A language model or an encoder cannot be loaded or called.

    ``tokens_in``, ``tokens_out`` and ``requests`` count the usage of the failed call.
    """

    tokens_in = 0
    tokens_out = 0
    requests = 0


class ModelUnavailable(ModelError):
    """The server of a language model cannot be reached or does not reply."""


class ModelMissing(ModelError):
    """The model, or a package that it needs, is not installed."""


class MethodFailed(KgdbError):
    """A method failed on a question because of a bug; the cause is chained."""


class Cancelled(KgdbError):
    """Whoever asked called it off while it ran: a task was cancelled, or a client went away."""


class TooManyErrors(KgdbError):
    """An evaluation had more failed questions than allowed."""
