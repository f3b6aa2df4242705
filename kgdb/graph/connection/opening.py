"""Opens the driver of an address."""

from __future__ import annotations

import re
from ssl import SSLCertVerificationError

import neo4j
from neo4j import Auth, GraphDatabase
from neo4j.auth_management import AuthManager
from neo4j.exceptions import ConfigurationError

from kgdb.errors import ConnectionFailed
from kgdb.settings import without_login
from kgdb.wording import short

_ADDRESS = re.compile(r"(neo4j|bolt)(\+s|\+ssc)?://", re.IGNORECASE)

_CONNECT_S = 15.0
"""For a new connection, with the greeting: a server that accepts it and then is silent counts."""

_RECONNECT_S = 10.0
"""How long after a lost connection the driver plans new tries: they come 1, 3, 7 and 15 s after it,
give or take a fifth. The local server starts in 5 to 10 s, so that one that restarts is back by
then; for one that is gone nobody waits half a minute, as by the driver's default.
"""


class GivenUp(Exception):
    """The driver was closed because its server does not answer."""


class _Login(AuthManager):
    """What a driver logs in with; once it is withdrawn, the driver connects no more.

    A closed driver would connect again, for a statement that it tries a second time.
    """

    def __init__(self, auth: tuple[str, str] | None) -> None:
        self.auth = auth
        self.withdrawn = False

    def get_auth(self) -> Auth | tuple[str, str] | None:
        """The user and the password, asked for whenever the driver takes a connection."""
        if self.withdrawn:
            raise GivenUp
        return self.auth

    def handle_security_exception(self, *_: object) -> bool:
        """Whether other credentials may help: there are none."""
        return False


def untrusted_certificate(error: BaseException, uri: str) -> ConnectionFailed | None:
    """What to do about a certificate that the driver refused, if that is why it failed."""
    reasons: list[BaseException | None] = [error]
    while reasons:
        reason = reasons.pop()
        if isinstance(reason, SSLCertVerificationError):
            return ConnectionFailed(
                f"The certificate of the server at {uri} is not trusted: {reason.verify_message}.",
                hint="Name the certificate of its authority (SSL_CERT_FILE=ca.pem), or trust any: "
                "neo4j+ssc:// or bolt+ssc://.",
            )
        if isinstance(reason, BaseExceptionGroup):
            reasons += reason.exceptions
        if reason is not None:
            reasons.append(reason.__cause__ or reason.__context__)
    return None


class Opener:
    """Opens drivers of one address, with limits on the time that connecting may take."""

    def __init__(self, uri: str, username: str, password: str | None) -> None:
        self._uri = uri
        self._auth = None if password is None else (username, password)
        self._login = _Login(self._auth)

    def open(self, *, reconnect_s: float | None = None) -> neo4j.Driver:
        """A driver; raises :class:`ConnectionFailed` for what is no address, and sends nothing."""
        try:
            if not _ADDRESS.match(self._uri):
                # The driver would try HTTP, with packages that are not there.
                raise ValueError("it must begin with neo4j://, neo4j+s://, bolt:// or bolt+s://")
            return GraphDatabase.driver(
                self._uri,
                auth=self._login,
                connection_timeout=_CONNECT_S,
                connection_acquisition_timeout=_CONNECT_S,
                max_transaction_retry_time=_RECONNECT_S if reconnect_s is None else reconnect_s,
                notifications_min_severity="OFF",
            )
        except (ConfigurationError, ValueError) as error:
            raise ConnectionFailed(
                f"{short(without_login(self._uri))} is not a Neo4j address: "
                f"{without_login(str(error))}",
                hint="Expected something like neo4j://host:7687 or neo4j+s://host.",
            ) from error

    def reopen(self, driver: neo4j.Driver) -> neo4j.Driver:
        """Close a driver, which ends whatever waits in it for a reply, and open a new one."""
        self._login.withdrawn = True
        self._login = _Login(self._auth)
        driver.close()
        return self.open()

    def probe(self) -> neo4j.Driver:
        """A driver that tries nothing twice."""
        return self.open(reconnect_s=0)
