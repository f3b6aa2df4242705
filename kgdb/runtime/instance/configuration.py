"""What the server is told: ``neo4j.conf`` and the JVM's argument file.

Both are written anew at each start, so that nothing but the settings decides.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kgdb.disk import CHECKPOINT_S, LOG_FILE
from kgdb.runtime.machine.memory import Memory, format_size
from kgdb.runtime.machine.ports import HOST

SERVER_CLASS = "org.neo4j.server.CommunityEntryPoint"
ADMIN_CLASS = "org.neo4j.cli.AdminTool"

# As Neo4j's own launcher has them; without the last, each logger gets a management bean.
_JVM_FLAGS = (
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dfile.encoding=UTF-8",
    "-Dlog4j2.disable.jmx=true",
)

# In bytes: what a full-text index that is being filled keeps before it writes a part, which later
# ones are merged with. With Neo4j's own 50 MB, two million names take a quarter longer.
_MIN_BUFFER, _MAX_BUFFER = 50 << 20, 256 << 20
_HEAP_OF_BUFFER = 1 / 16

# Up to this size, in bytes, the parallel collector's pauses are short; it costs less work than
# G1, both at the start and in allocating kernels.
_PARALLEL_HEAP = 8 << 30

# The largest that a log becomes, and how many older ones are kept.
_LOG_MB, _LOGS_KEPT = 10, 5


@dataclass(frozen=True, slots=True)
class Network:
    """Ports on the loopback interface; ``http_port`` 0 keeps HTTP off."""

    bolt_port: int
    http_port: int = 0


def neo4j_conf(
    network: Network,
    memory: Memory,
    unrestricted: Sequence[str] = (),
    *,
    cut_torn_log: bool = False,
) -> str:
    """The text of ``neo4j.conf``.

    ``unrestricted`` are procedures of the user's plugins, as Neo4j takes them (``apoc.*``), that
    may use what lies inside the server. With ``cut_torn_log`` the transaction log is cut off where
    it cannot be read, which else keeps the database from starting.

    It names no folders: all are Neo4j's defaults below its home, which the command line names.
    """
    buffer = min(max(int(memory.heap * _HEAP_OF_BUFFER), _MIN_BUFFER), _MAX_BUFFER) >> 20
    lines = [
        "# Written by kgdb at each start: changes here are lost.",
        f"server.default_listen_address={HOST}",
        f"server.default_advertised_address={HOST}",
        # LOAD CSV reads files in this folder only, not anywhere on the machine.
        "server.directories.import=import",
        "server.bolt.enabled=true",
        f"server.bolt.listen_address={HOST}:{network.bolt_port}",
        f"server.bolt.advertised_address={HOST}:{network.bolt_port}",
        f"server.http.enabled={_boolean(network.http_port)}",
        "server.https.enabled=false",
        "dbms.security.auth_enabled=true",
        f"dbms.security.procedures.unrestricted={','.join(('gds.*', 'kgdb.*', *unrestricted))}",
        "dbms.usage_report.enabled=false",
        f"server.memory.pagecache.size={format_size(memory.page_cache)}",
        "",
        "# Time limits of single statements are kept to a tenth of a second.",
        "db.transaction.monitor.check.interval=100ms",
        "# Otherwise each stop waits 5 s for each of two idle thread pools.",
        "internal.server.bolt.thread_pool_shutdown_wait_time=0s",
        "# The log's files take their room beforehand, so that a full disk stops the database",
        "# before a write of it is torn. By default each would take 256 MB from the start.",
        "db.tx_log.preallocate=true",
        f"db.tx_log.rotation.size={format_size(LOG_FILE)}",
        "internal.dbms.out_of_disk_space_protection=true",
        "# What is written out soon needs no log, which nothing else reads.",
        f"db.checkpoint.interval.time={CHECKPOINT_S}s",
        "db.tx_log.rotation.retention_policy=keep_none",
        "# What filling a full-text index keeps before it writes a part, in MB.",
        f"internal.dbms.index.lucene.population_ram_buffer_size={buffer}",
        "db.logs.query.enabled=OFF",
        "server.logs.gc.enabled=false",
    ]
    if cut_torn_log:
        lines.append("internal.dbms.tx_log.fail_on_corrupted_log_files=false")
    if network.http_port:
        address = f"{HOST}:{network.http_port}"
        lines.insert(8, f"server.http.listen_address={address}")
        lines.insert(9, f"server.http.advertised_address={address}")
    return "\n".join(lines) + "\n"


def user_logs(name: str) -> str:
    """The text of ``user-logs.xml``: what the server says goes to the file of that name, once.

    It is where the JVM prints too, so that a start which fails early is told in the same place.
    Both append to it. Without this file Neo4j would write each line twice, and one of the two files
    would grow for as long as the server runs.
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
            <DefaultRolloverStrategy fileIndex="min" max="{_LOGS_KEPT}"/>
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
    """The content of an argument file (``java @file``), which takes a class path of any length.

    ``heap`` in bytes; ``flags`` are added to those every server process needs.
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
