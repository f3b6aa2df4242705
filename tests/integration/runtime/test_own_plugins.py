"""Plugins of the user's own in a real server, and what it logs."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import neo4j
import pytest

from kgdb.runtime import Endpoint, LocalServer
from kgdb.settings import Settings

pytestmark = [
    pytest.mark.integration,
    pytest.mark.local_server,
    pytest.mark.usefixtures("short_lives"),
]

SOURCE = """
package com.example;

import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.UserFunction;

public class Mine {
    @UserFunction("mine.greeting")
    public String greeting() {
        return "hello";
    }

    public static class Inside {
        @Context public KernelTransaction transaction;

        @UserFunction("inside.user")
        public String user() {
            return transaction.securityContext().subject().executingUser();
        }
    }
}
"""


@pytest.fixture(scope="module")
def jar(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plugin with a function that any server runs, and one that reads the server's inside."""
    folder = tmp_path_factory.mktemp("plugin")
    places = f"{os.environ.get('JAVA_HOME', '')}/bin:{os.environ['PATH']}"
    compiler = shutil.which("javac", path=places)
    assert compiler, "the plugin of kgdb needs a Java compiler too"
    (folder / "Mine.java").write_text(SOURCE)
    neo4j_jars = os.pathsep.join(map(str, (jars / "org" / "neo4j").rglob("*.jar")))
    arguments = folder / "arguments"
    arguments.write_text(
        f'-proc:none\n-cp "{neo4j_jars}"\n--release 17\n'
        f'-d "{folder}/classes"\n"{folder}/Mine.java"\n'
    )
    subprocess.run([compiler, f"@{arguments}"], check=True)
    path = folder / "mine-1.0.jar"
    shutil.make_archive(str(folder / "mine"), "zip", folder / "classes")
    (folder / "mine.zip").rename(path)
    return path


def asked(endpoint: Endpoint, text: str) -> object:
    login = (endpoint.username, endpoint.password)
    with neo4j.GraphDatabase.driver(endpoint.uri, auth=login) as driver:
        return driver.execute_query(text).records[0].value()  # type: ignore[arg-type]


def kgdb(settings: Settings, *arguments: str, **environ: str) -> str:
    variables = {
        **os.environ,
        "KGDB_HOME": str(settings.home),
        "KGDB_HEAP": "512m",
        "KGDB_PAGE_CACHE": "128m",
        **environ,
    }
    done = subprocess.run(
        ["bash", "-c", 'umask 000; exec "$@"', "-", sys.executable, "-m", "kgdb", *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in variables.items() if name != "NEO4J_URI"},
    )
    return done.stdout + done.stderr


def test_a_plugin_is_added_is_listed_and_stays(settings: Settings, jar: Path) -> None:
    kgdb(settings, "up", "--plugin", str(jar), "--unrestricted", "inside.*")
    server = LocalServer(settings)
    endpoint = server.start()
    assert asked(endpoint, "RETURN mine.greeting()") == "hello"
    assert asked(endpoint, "RETURN inside.user()") == "neo4j"
    assert asked(endpoint, "RETURN gds.version()") == server.status().gds_version
    assert server.status().plugins == ("mine-1.0.jar",)
    assert "mine-1.0.jar" in kgdb(settings, "status")
    assert "To load mine-1.0.jar: kgdb down && kgdb up" in kgdb(
        settings, "up", "--plugin", str(jar)
    )


def test_what_the_server_writes_is_private_and_logged_once(settings: Settings) -> None:
    root = LocalServer(settings).status().home
    open_to_others = [
        path
        for path in (root, *root.rglob("*"))
        if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    assert open_to_others == []
    logs = {path.name: path.read_text() for path in (root / "logs").glob("*.log*")}
    starts = [name for name, text in logs.items() for _ in range(text.count("INFO  Started."))]
    assert starts == ["console.log"]
    assert "neo4j.log" not in logs


def test_a_plugin_survives_a_restart_without_a_word_of_it(settings: Settings) -> None:
    server = LocalServer(settings)
    server.stop()
    endpoint = server.start()
    assert asked(endpoint, "RETURN mine.greeting()") == "hello"
    with pytest.raises(neo4j.exceptions.ClientError, match=r"sandboxed|restricted"):
        asked(endpoint, "RETURN inside.user()")


@pytest.mark.endurance
def test_a_log_that_is_full_is_put_aside(settings: Settings) -> None:
    server = LocalServer(settings)
    server.stop()
    log = server.status().log
    log.write_text("x" * 79 + "\n")
    with log.open("ab") as file:
        file.truncate(11 << 20)
    server.start()
    kept = sorted(path.name for path in log.parent.glob("console.log*"))
    assert kept == ["console.log", "console.log.1"]
    assert log.stat().st_size < 1 << 20
    assert "Started." in server.log_tail(50)
