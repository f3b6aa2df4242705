"""``kgdb serve``: addresses where nothing can listen are told before anything is started."""

from __future__ import annotations

import socket

import pytest
from click.testing import CliRunner

from kgdb.cli.main import cli
from kgdb.errors import UsageError

pytestmark = pytest.mark.unit


def refusal(*arguments: str) -> str:
    error = CliRunner().invoke(cli, ["serve", *arguments]).exception
    assert isinstance(error, UsageError), error
    return f"{error.message} {error.hint}"


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port}" in refusal("--port", str(port))


def test_a_host_that_is_none_of_this_machine_is_named() -> None:
    assert "'nowhere.invalid'" in refusal("--host", "nowhere.invalid")
