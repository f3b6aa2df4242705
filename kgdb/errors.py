"""Every error kgdb raises on purpose.

    KgdbError
    ├── UsageError              an argument, setting or file content is wrong
    │   └── GraphNotFound       no graph of that name is loaded
    ├── DatabaseError           the database refused or failed a statement
    │   ├── ConnectionFailed    nothing answers at the address, or the password is wrong
    │   ├── DatabaseHalted      the database stopped itself, and runs nothing until a restart
    │   ├── PluginMissing       the server has no kgdb plugin, or one without the procedure
    │   └── GdsMissing          the server has no Graph Data Science
    ├── ServerError             the local server cannot be installed, started or stopped
    │   ├── JavaNotFound        no Java 17 or 21 to run it with
    │   ├── ArtifactError       a jar cannot be downloaded, or is not the one that was locked
    │   └── StartFailed         the server ended, or did not answer, while starting
    ├── LoadError               a source cannot be read or written to the database
    ├── ModelError              a language model or encoder cannot be loaded or called
    │   ├── ModelUnavailable    its server cannot be reached, or does not reply
    │   └── ModelMissing        it is not installed: the hint says which command gets it
    ├── MethodFailed            a method broke on a question: a mistake of kgdb itself
    └── TooManyErrors           more questions of an evaluation failed than were allowed to

Each carries what went wrong (naming the value and what was expected) and, where there is one, a
``hint``: what to do next. Only the command line turns them into exit codes.
"""

from __future__ import annotations


class KgdbError(Exception):
    """Base of every error raised on purpose; anything else that escapes is a bug."""

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
    """The database stopped itself, as on a full disk, and runs nothing until it is restarted."""


class PluginMissing(DatabaseError):
    """The server has no kgdb plugin, or one of another version without the procedure."""


class GdsMissing(DatabaseError):
    """The server does not have Graph Data Science."""


class ServerError(KgdbError):
    """The local server cannot be installed, started or stopped."""


class JavaNotFound(ServerError):
    """No suitable Java is there to run the server with."""


class ArtifactError(ServerError):
    """A jar cannot be downloaded, or is not the one that was locked."""


class StartFailed(ServerError):
    """The server ended, or did not answer, while starting."""


class LoadError(KgdbError):
    """A source cannot be read, or cannot be written to the database."""


class ModelError(KgdbError):
    """A language model or an encoder cannot be loaded or called.

    ``tokens_in`` and ``tokens_out`` are what it read and wrote before, to no use, in so many
    ``requests``.
    """

    tokens_in = 0
    tokens_out = 0
    requests = 0


class ModelUnavailable(ModelError):
    """The server of a language model cannot be reached or does not reply, however it is asked."""


class ModelMissing(ModelError):
    """The model, or a package that it needs, is not installed."""


class MethodFailed(KgdbError):
    """A method broke on a question, in a way that nobody foresaw; the cause is chained."""


class TooManyErrors(KgdbError):
    """More questions of an evaluation ended in an error than were allowed to."""
