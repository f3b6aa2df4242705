"""Apache Spark for the tests: one session on this machine, or a cluster of two workers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

LEAN = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.memory": "2g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    # A test ends before the best compiler has paid off.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


@pytest.fixture(scope="session")
def session() -> Iterator[Any]:
    """A session on two threads of this machine."""
    pytest.importorskip("pyspark")
    from kgdb.loading.spark.spark_session import session as opened

    with opened("local[2]", LEAN) as found:
        yield found


class Cluster:
    """A stand-alone cluster on the loopback address; executors can be killed."""

    def __init__(self, master: str, workers: list[subprocess.Popen[bytes]]) -> None:
        self.master = master
        self._workers = workers

    def executors(self) -> list[psutil.Process]:
        """The running executors."""
        children = [
            child
            for worker in self._workers
            for child in psutil.Process(worker.pid).children(recursive=True)
        ]
        return [
            one for one in children if "CoarseGrainedExecutorBackend" in " ".join(one.cmdline())
        ]

    def kill_one(self, within_s: float = 60) -> bool:
        """Kill an executor, once there is one; false if there never was."""
        until = time.monotonic() + within_s
        while time.monotonic() < until:
            if running := self.executors():
                running[0].send_signal(signal.SIGKILL)
                return True
            time.sleep(0.1)
        return False


@contextmanager
def cluster_of_two(folder: Path) -> Iterator[Cluster]:
    """A master and two workers with one core each."""
    import pyspark

    home = Path(pyspark.__file__).parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"spark://127.0.0.1:{port}"
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_DAEMON_MEMORY": "512m",
        "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *arguments: str) -> subprocess.Popen[bytes]:
        started.append(
            subprocess.Popen(
                [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *arguments],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=(folder / f"{len(started)}.log").open("wb"),
            )
        )
        return started[-1]

    try:
        start("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        wait_for(port)
        workers = [
            start(
                "worker.Worker",
                *("--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0"),
                *("--work-dir", str(folder / f"work-{number}"), address),
            )
            for number in range(2)
        ]
        yield Cluster(address, workers)
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            process.wait(30)


def wait_for(port: int, within_s: float = 120) -> None:
    """Wait until something listens on the port."""
    until = time.monotonic() + within_s
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)
