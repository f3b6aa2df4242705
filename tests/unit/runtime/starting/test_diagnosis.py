"""The reason why a server ended, out of what it printed (as Neo4j 5.26 prints it)."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgdb.runtime.instance import instance_layout
from kgdb.runtime.instance.configuration import Network
from kgdb.runtime.starting.diagnosis import (
    Crashed,
    PortTaken,
    TornLog,
    explain_exit,
    explain_unstartable,
    is_short_of_heap,
    root_cause,
)

pytestmark = pytest.mark.unit

BIND = """\
2026-01-01 00:00:01.000+0000 INFO  Starting...
2026-01-01 00:00:02.000+0000 ERROR Failed to start Neo4j on 127.0.0.1:7474.
java.lang.RuntimeException: Error starting Neo4j database server at /x/data/databases
\tat org.neo4j.server.CommunityEntryPoint.main(CommunityEntryPoint.java:30)
Caused by: org.neo4j.configuration.helpers.PortBindException: An error occurred while trying to bind
\t... 10 more
Caused by: io.netty.channel.unix.Errors$NativeIoException: bind(..) failed: Address already in use
"""
LOCKED = """\
Caused by: org.neo4j.kernel.lifecycle.LifecycleException: Component 'x' failed to start.
Caused by: org.neo4j.io.locker.FileLockException: Lock file has been locked: /x/store_lock. Please
2026-01-01 00:00:02.000+0000 INFO  Stopped.
"""
SETTING = """\
Exception in thread "main" java.lang.IllegalArgumentException: Unrecognized setting: foo.bar.
\tat org.neo4j.configuration.Config.getActiveSettings(Config.java:762)
"""
NO_MEMORY = """\
OpenJDK 64-Bit Server VM warning: os::commit_memory(0x1, 64424509440, 0) failed; errno=12
#
# There is insufficient memory for the Java Runtime Environment to continue.
# Native memory allocation (mmap) failed to map 64424509440 bytes.
"""
BAD_OPTION = """\
Error occurred during initialization of VM
Initial heap size set to a larger value than the maximum heap size
"""


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (BIND, "bind(..) failed: Address already in use"),
        (LOCKED, "Lock file has been locked: /x/store_lock. Please"),
        (SETTING, "Unrecognized setting: foo.bar."),
        (NO_MEMORY, "There is insufficient memory for the Java Runtime Environment to continue."),
        (BAD_OPTION, "Initial heap size set to a larger value than the maximum heap size"),
        ("a\n\nlast words\n", "last words"),
        ("", None),
    ],
)
def test_the_root_cause(output: str, reason: str | None) -> None:
    assert root_cause(output) == reason


def explain(home: Path, output: str, code: int | None = 1) -> Exception:
    instance = instance_layout.instance(home, "default")
    instance.create()
    earlier = "Caused by: something that happened in an earlier start\n"
    instance.console_log.write_text(earlier + output)
    return explain_exit(instance, Network(7999), len(earlier), code)


def test_each_kind_says_what_to_do(tmp_path: Path) -> None:
    taken = explain(tmp_path, BIND)
    assert isinstance(taken, PortTaken)
    assert "7999" in str(taken)
    assert "KGDB_BOLT_PORT" in str(taken)
    assert "uses its database" in str(explain(tmp_path, LOCKED))
    assert "KGDB_HEAP" in str(explain(tmp_path, NO_MEMORY))
    assert "foo.bar" in str(explain(tmp_path, SETTING))
    assert isinstance(explain(tmp_path, "", -6), Crashed)
    assert "configuration" in str(explain(tmp_path, "", 3))
    assert "licence" in str(explain(tmp_path, "", 4))


def test_the_output_of_an_earlier_start_is_not_blamed(tmp_path: Path) -> None:
    assert "earlier start" not in str(explain(tmp_path, "", 1))


UNSTARTABLE = """\
2026-01-01 00:00:02.000+0000 ERROR [o.n.d.d.DatabaseLifecycles] Failed to start DatabaseId{1[neo4j]}
java.lang.RuntimeException: Component 'x' failed to initialize.
\tat org.neo4j.kernel.database.Database.start(Database.java:1)
Caused by: java.lang.RuntimeException: Error reading transaction logs, recovery not possible. To \
force the database to start anyway, you can specify \
'internal.dbms.tx_log.fail_on_corrupted_log_files=false'. This will try to recover as much.
Caused by: x.UnsupportedLogVersionException: Log file contains entries with prefix -1
"""
FULL = """\
2026-01-01 00:00:02.000+0000 ERROR [o.n.d.d.DatabaseLifecycles] Failed to start DatabaseId{1[neo4j]}
java.lang.RuntimeException: Component 'x' failed to start.
Caused by: java.io.IOException: No space left on device
"""


def unstartable(home: Path, log: str) -> Exception:
    instance = instance_layout.instance(home, "default")
    instance.create()
    instance.debug_log.write_text(log)
    return explain_unstartable(instance, "Unable to start")


def test_a_database_that_cannot_be_started_is_told_by_its_last_failure(tmp_path: Path) -> None:
    assert isinstance(unstartable(tmp_path, UNSTARTABLE), TornLog)
    assert isinstance(unstartable(tmp_path, FULL + UNSTARTABLE), TornLog)
    full = unstartable(tmp_path, UNSTARTABLE + FULL)
    assert not isinstance(full, TornLog)
    assert "its disk was full" in str(full)
    assert "bytes are free" in str(full)
    other = FULL.replace("No space left on device", "something else")
    assert "something else" in str(unstartable(tmp_path, other))
    assert "Unable to start" in str(unstartable(tmp_path, ""))


def test_a_server_that_only_collects_garbage_is_short_of_heap(tmp_path: Path) -> None:
    instance = instance_layout.instance(tmp_path, "default")
    instance.create()
    assert not is_short_of_heap(instance)
    pause = "2026 WARN [o.n.k.i.c.VmPauseMonitorComponent] Detected VM stop-the-world pause: {…}\n"
    instance.debug_log.write_text("2026 INFO Started.\n" + pause * 2)
    assert not is_short_of_heap(instance)
    instance.debug_log.write_text("2026 INFO Started.\n" + pause * 3)
    assert is_short_of_heap(instance)
