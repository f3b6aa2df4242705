"""What a service allows: where it listens, how much one request may ask, who may ask."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """The limits of a service.

    ``workers`` threads ask the database, each at most ``together`` questions at once; ``waiting``
    questions may wait for them, and ``open_requests`` may be open. ``seconds`` is the longest that
    a request takes, ``body`` its most bytes, ``questions`` the most that one asks. ``hosts`` are
    names by which it is reached besides those of its address.
    """

    host: str = "127.0.0.1"
    port: int = 8470
    hosts: tuple[str, ...] = ()
    require_key: bool = False
    workers: int = 4
    together: int = 64
    waiting: int = 1000
    open_requests: int = 2000
    seconds: float = 60.0
    body: int = 2_000_000
    questions: int = 100
    rows: int = 1000

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        if self.host in LOOPBACK:
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def known_hosts(self) -> frozenset[str] | None:
        """The names that a ``Host`` header may have; ``None``: any.

        A page of another site may have its name lead to this machine (DNS rebinding).
        """
        if self.is_local:
            return frozenset((*LOOPBACK, self.host, *self.hosts))
        return frozenset(self.hosts) or None
