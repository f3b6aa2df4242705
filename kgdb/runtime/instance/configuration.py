"""The configuration of the server: ``neo4j.conf`` and the JVM's argument file.

kgdb writes both again at each start, so only the settings of kgdb count.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kgdb.disk import CHECKPOINT_S, LOG_FILE
from kgdb.runtime.machine.ports import HOST
from kgdb.runtime.machine.server_memory import Memory, format_size

SERVER_CLASS = "org.neo4j.server.CommunityEntryPoint"
ADMIN_CLASS = "org.neo4j.cli.AdminTool"

# The flags of Neo4j's own launcher. Without the last one each logger gets a management bean.
_JVM_FLAGS = (
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dfile.encoding=UTF-8",
    "-Dlog4j2.disable.jmx=true",
)

# Bytes of the buffer of a full-text index during its population; later its segments are merged.
# With Neo4j's default of 50 MB, two million names take a quarter longer.
_MIN_BUFFER, _MAX_BUFFER = 50 << 20, 256 << 20
_HEAP_SHARE_OF_BUFFER = 1 / 16

# Up to this heap, in bytes, the pauses of the parallel collector are short. It takes less processor
# time than G1, at the start and in kernels that allocate much.
_PARALLEL_HEAP = 8 << 30

# The maximum size of a log, and the number of older logs that are kept.
_LOG_MB, _OLD_LOGS = 10, 5


@dataclass(frozen=True, slots=True)
class Network:
    """Ports on the interface ``host``; ``http_port`` 0 keeps HTTP off."""

    bolt_port: int
    http_port: int = 0
    host: str = HOST


def neo4j_conf(
    network: Network,
    memory: Memory,
    unrestricted: Sequence[str] = (),
    *,
    truncate_torn_log: bool = False,
) -> str:
    """The text of ``neo4j.conf``.

    ``unrestricted`` are procedures of the user's plugins (``apoc.*``) that may use the internals of
    the server. ``truncate_torn_log``: Neo4j truncates a transaction log at its first unreadable
    bytes; otherwise the database would not start.

    The text names no folders: all are Neo4j's defaults below its home, an argument of the server.
    """
    buffer = min(max(int(memory.heap * _HEAP_SHARE_OF_BUFFER), _MIN_BUFFER), _MAX_BUFFER) >> 20
    lines = [
        "# Written by kgdb at each start: changes here are lost.",
        f"server.default_listen_address={network.host}",
        f"server.default_advertised_address={network.host}",
        # LOAD CSV reads files in this folder only, not anywhere on the machine.
        "server.directories.import=import",
        "server.bolt.enabled=true",
        f"server.bolt.listen_address={network.host}:{network.bolt_port}",
        f"server.bolt.advertised_address={network.host}:{network.bolt_port}",
        f"server.http.enabled={_boolean(network.http_port)}",
        "server.https.enabled=false",
        "dbms.security.auth_enabled=true",
        f"dbms.security.procedures.unrestricted={','.join(('gds.*', 'kgdb.*', *unrestricted))}",
        "dbms.usage_report.enabled=false",
        f"server.memory.pagecache.size={format_size(memory.page_cache)}",
        "# By default statements may take 70 % of the heap: beside what a server in use holds, it",
        "# would only collect garbage and neither answer nor refuse.",
        f"dbms.memory.transaction.total.max={format_size(memory.heap // 2)}",
        "",
        "# Time limits of statements are checked every tenth of a second.",
        "db.transaction.monitor.check.interval=100ms",
        "# Otherwise a stop waits 5 s for each of two idle thread pools.",
        "internal.server.bolt.thread_pool_shutdown_wait_time=0s",
        "# Log files are allocated in advance: a full disk stops the database before a write is",
        "# torn. By default each log file would take 256 MB.",
        "db.tx_log.preallocate=true",
        f"db.tx_log.rotation.size={format_size(LOG_FILE)}",
        "internal.dbms.out_of_disk_space_protection=true",
        "# Frequent checkpoints keep the log short; nothing else reads it.",
        f"db.checkpoint.interval.time={CHECKPOINT_S}s",
        "db.tx_log.rotation.retention_policy=keep_none",
        "# The buffer for populating a full-text index, in MB.",
        f"internal.dbms.index.lucene.population_ram_buffer_size={buffer}",
        "db.logs.query.enabled=OFF",
        "server.logs.gc.enabled=false",
    ]
    if truncate_torn_log:
        lines.append("internal.dbms.tx_log.fail_on_corrupted_log_files=false")
    if network.http_port:
        address = f"{network.host}:{network.http_port}"
        lines.insert(8, f"server.http.listen_address={address}")
        lines.insert(9, f"server.http.advertised_address={address}")
    return "\n".join(lines) + "\n"


def user_logs(name: str) -> str:
    """The text of ``user-logs.xml``: the server logs to the file of that name.

    The JVM prints to the same file, which so also explains a start that fails early; both append.
    Without this configuration Neo4j would write each line to two files, one of them without a size
    limit.
    """
    folder = "${config:server.directories.logs}"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by kgdb at each start: changes here are lost. -->
<Configuration>
    <Appenders>
        <RollingFile name="Log" fileName="{folder}/{name}" filePattern="${folder}/{name}.%i"
                     append="true">
            <PatternLayout pattern="%d{{yyyy-MM-dd HH:mm:ss.SSSZ}}{{GMT+0}} %-5p %m%n"/>
            <Policies>
                <SizeBasedTriggeringPolicy size="{_LOG_MB} MB"/>
            </Policies>
            <DefaultRolloverStrategy fileIndex="min" max="{_OLD_LOGS}"/>
        </RollingFile>
    </Appenders>
    <Loggers>
        <Root level="info">
            <AppenderRef ref="Log"/>
        </Root>
    </Loggers>
</Configuration>
"""


def jvm_arguments(heap: int, class_path: Sequence[Path], flags: Sequence[str]) -> str:
    """The content of an argument file (``java @file``), for a class path of any length.

    ``heap`` is in bytes; ``flags`` come after the flags of every server process.
    """
    collector = "-XX:+UseParallelGC" if heap <= _PARALLEL_HEAP else "-XX:+UseG1GC"
    arguments = [
        f"-Xmx{format_size(heap)}",
        collector,
        *_JVM_FLAGS,
        *flags,
        "-cp",
        os.pathsep.join(str(path) for path in class_path),
    ]
    return "\n".join(_quoted(argument) for argument in arguments) + "\n"


def _quoted(argument: str) -> str:
    return '"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _boolean(value: object) -> str:
    return "true" if value else "false"
