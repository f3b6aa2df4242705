"""What the server is told, word for word."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from kgdb.runtime.instance.configuration import Network, jvm_arguments, neo4j_conf, user_logs
from kgdb.runtime.instance.credentials import Credentials, initial_login
from kgdb.runtime.machine.server_memory import Memory

pytestmark = pytest.mark.unit

CONF = """\
# Written by kgdb at each start: changes here are lost.
server.default_listen_address=127.0.0.1
server.default_advertised_address=127.0.0.1
server.directories.import=import
server.bolt.enabled=true
server.bolt.listen_address=127.0.0.1:7690
server.bolt.advertised_address=127.0.0.1:7690
server.http.enabled=false
server.https.enabled=false
dbms.security.auth_enabled=true
dbms.security.procedures.unrestricted=gds.*,kgdb.*
dbms.usage_report.enabled=false
server.memory.pagecache.size=512m
# By default statements may take 70 % of the heap: beside what a server in use holds, it
# would only collect garbage and neither answer nor refuse.
dbms.memory.transaction.total.max=512m

# Time limits of statements are checked every tenth of a second.
db.transaction.monitor.check.interval=100ms
# Otherwise a stop waits 5 s for each of two idle thread pools.
internal.server.bolt.thread_pool_shutdown_wait_time=0s
# Log files are allocated in advance: a full disk stops the database before a write is
# torn. By default each log file would take 256 MB.
db.tx_log.preallocate=true
db.tx_log.rotation.size=16m
internal.dbms.out_of_disk_space_protection=true
# Frequent checkpoints keep the log short; nothing else reads it.
db.checkpoint.interval.time=15s
db.tx_log.rotation.retention_policy=keep_none
# The buffer for populating a full-text index, in MB.
internal.dbms.index.lucene.population_ram_buffer_size=64
db.logs.query.enabled=OFF
server.logs.gc.enabled=false
"""


def test_the_configuration_file() -> None:
    assert neo4j_conf(Network(7690), Memory(heap=1 << 30, page_cache=512 << 20)) == CONF


def test_http_is_on_only_when_asked_for_and_only_locally() -> None:
    text = neo4j_conf(Network(7690, 7474), Memory(1 << 30, 1 << 30))
    assert "server.http.enabled=true\n" in text
    assert "server.http.listen_address=127.0.0.1:7474\n" in text
    assert set(text.splitlines()) - set(CONF.splitlines()) == {
        "server.http.enabled=true",
        "server.http.listen_address=127.0.0.1:7474",
        "server.http.advertised_address=127.0.0.1:7474",
        "server.memory.pagecache.size=1g",
    }


def test_a_torn_log_is_truncated_only_on_request() -> None:
    text = neo4j_conf(Network(7690), Memory(1 << 30, 512 << 20), truncate_torn_log=True)
    assert set(text.splitlines()) - set(CONF.splitlines()) == {
        "internal.dbms.tx_log.fail_on_corrupted_log_files=false"
    }


@pytest.mark.parametrize(
    ("heap", "buffer"), [(512 << 20, 50), (2 << 30, 128), (4 << 30, 256), (64 << 30, 256)]
)
def test_full_text_indexes_fill_with_a_sixteenth_of_the_heap_within_bounds(
    heap: int, buffer: int
) -> None:
    text = neo4j_conf(Network(7690), Memory(heap, 1 << 30))
    assert f".population_ram_buffer_size={buffer}\n" in text


def test_paths_with_spaces_and_quotes_survive_the_argument_file() -> None:
    text = jvm_arguments(1 << 30, [Path('/a b/c"d.jar'), Path("/e\\f.jar")], ["-Dx=1"])
    assert '"-Xmx1g"' in text.splitlines()
    assert '"-Dx=1"' in text.splitlines()
    assert text.splitlines()[-1] == '"/a b/c\\"d.jar:/e\\\\f.jar"'


def test_small_heaps_are_collected_in_parallel() -> None:
    assert '"-XX:+UseParallelGC"' in jvm_arguments(8 << 30, [], []).splitlines()
    assert '"-XX:+UseG1GC"' in jvm_arguments(9 << 30, [], []).splitlines()


def test_the_initial_login_is_the_one_neo4j_admin_writes() -> None:
    # What `neo4j-admin dbms set-initial-password test12345` of 5.26.23 wrote, with its salt.
    salt = bytes.fromhex("11228bdc4b388b89acca30e709a54d3a91b4c5ec9db5c88de1b3f771cc845ac2")
    assert initial_login(Credentials("neo4j", "test12345"), salt) == (
        "neo4j:SHA-256,90a895a01155ad9cdae3d2c9df775d77952ff0241f21f1155ac5775e14b4b217,"
        "11228bdc4b388b89acca30e709a54d3a91b4c5ec9db5c88de1b3f771cc845ac2,1024:"
    )


def test_a_password_is_in_no_repr() -> None:
    assert "s3cret" not in repr(Credentials("neo4j", "s3cret"))


def test_procedures_of_the_users_plugins_may_be_unrestricted() -> None:
    text = neo4j_conf(Network(7690), Memory(1 << 30, 512 << 20), ("apoc.*", "my.own"))
    assert "dbms.security.procedures.unrestricted=gds.*,kgdb.*,apoc.*,my.own\n" in text


def test_each_line_is_logged_once_and_the_log_does_not_grow_for_ever() -> None:
    root = ElementTree.fromstring(user_logs("console.log"))
    (appender,) = next(iter(root))
    assert appender.tag == "RollingFile"
    assert appender.get("fileName") == "${config:server.directories.logs}/console.log"
    assert appender.get("append") == "true"
    assert appender.find("Policies/SizeBasedTriggeringPolicy") is not None
    assert [reference.get("ref") for reference in root.iter("AppenderRef")] == ["Log"]
