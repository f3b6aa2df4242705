"""A statement for which the heap is not enough: told with the setting, and the server goes on."""

from __future__ import annotations

from typing import Any, cast

import pytest

import kgdb
from kgdb.errors import DatabaseError

pytestmark = [pytest.mark.integration, pytest.mark.endurance, pytest.mark.local_server]

COUNTED: Any = "UNWIND range(1, 100000000) AS i WITH collect(i) AS l RETURN size(l) AS n"
"""Neo4j counts what it takes, and refuses it at a limit of its own."""

UNCOUNTED: Any = "RETURN size(reduce(s = 'xxxxxxxx', i IN range(1, 27) | s + s)) AS n"
"""The heap itself ends."""


@pytest.mark.parametrize("statement", [COUNTED, UNCOUNTED], ids=["counted", "uncounted"])
def test_the_setting_is_named_and_the_server_can_be_used(
    connection: kgdb.Connection, statement: Any
) -> None:
    with pytest.raises(DatabaseError) as raised:
        connection.query(statement)
    assert "The memory of the server at" in raised.value.message
    assert connection.disk is not None  # the address is that of a local server
    assert "KGDB_HEAP=2g kgdb up" in (raised.value.hint or "")
    assert connection.query(cast(Any, "RETURN 1 AS n")) == [{"n": 1}]
