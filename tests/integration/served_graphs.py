"""A service at a port of its own, over the graphs of the tests' server."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from kgdb.api import open_connection
from kgdb.progress import silent
from kgdb.serving.access_keys import KeyRing
from kgdb.serving.app import create_app
from kgdb.serving.graph_access import GraphAccess
from kgdb.serving.serve_options import ServeOptions
from kgdb.serving.service import Service
from kgdb.settings import load_settings


@dataclass(frozen=True)
class Served:
    url: str
    keys: KeyRing

    def post(self, path: str, body: Any, **headers: str) -> Any:
        found = httpx2.post(f"{self.url}{path}", json=body, headers=headers, timeout=60)
        assert found.status_code == 200, found.text
        return found.json()


@contextmanager
def serving(folder: Path, plugin: str = "auto", **limits: Any) -> Iterator[Served]:
    """Serve until the block ends, by these options; keys are kept in the folder."""
    keys, asked = KeyRing(folder / "keys.json"), load_settings(llm="none", plugin=plugin)
    service = Service(
        GraphAccess(lambda: open_connection(asked, silent)), keys, ServeOptions(port=0, **limits)
    )
    server = uvicorn.Server(uvicorn.Config(create_app(service), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield Served(f"http://127.0.0.1:{port}", keys)
    server.should_exit = True
    thread.join(30)
