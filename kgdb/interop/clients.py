"""Open connections of other clients: their driver, or their address and login."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import neo4j

from kgdb.errors import UsageError
from kgdb.wording import short


@dataclass(frozen=True, slots=True)
class Opened:
    """An open ``driver``, or an address; ``None``: the client does not have the value.

    ``gds`` and ``py2neo`` are the client itself.
    """

    uri: str | None = None
    driver: neo4j.Driver | None = None
    username: str | None = None
    password: str | None = None
    database: str | None = None
    gds: Any = None
    py2neo: Any = None


def opened(client: Any) -> Opened:
    """The connection of a ``neo4j.Driver``, ``py2neo.Graph`` or ``GraphDataScience`` object."""
    if isinstance(client, neo4j.Driver):
        return Opened(driver=client)
    if _is(client, "graphdatascience", "GraphDataScience"):
        return Opened(driver=client.db_driver(), database=client.database(), gds=client)
    if _is(client, "py2neo", "Graph"):
        return _of_py2neo(client)
    raise UsageError(
        f"kgdb cannot connect to {short(client)}; expected an address such as "
        "neo4j://host:7687, or a neo4j.Driver, py2neo.Graph or GraphDataScience object."
    )


def _of_py2neo(graph: Any) -> Opened:
    profile = graph.service.profile
    if profile.protocol != "bolt":
        raise UsageError(
            f"The py2neo.Graph is connected to {profile.uri} by {profile.protocol.upper()}; kgdb "
            "supports only Bolt.",
            hint='Connect it by Bolt: py2neo.Graph("bolt://host:7687", auth=(…)).',
        )
    return Opened(
        uri=profile.uri,
        username=profile.user,
        password=profile.password,
        database=graph.name,
        py2neo=graph,
    )


def _is(client: Any, module: str, name: str) -> bool:
    """Whether the client is of that class, without importing the module of the class."""
    cls = getattr(sys.modules.get(module), name, None)
    return cls is not None and isinstance(client, cls)
