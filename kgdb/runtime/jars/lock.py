"""A command for maintainers: resolves the server's jars and writes ``jars.lock``.

    python -m kgdb.runtime.jars.lock

Run it after changing a version below. It downloads every jar again, so an altered jar in a local
Maven cache cannot be locked, and jgo checks each jar against the repository's SHA-1. Then it writes
the SHA-256 of each jar.
"""

from __future__ import annotations

import hashlib
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jgo.maven import Artifact, MavenContext

from kgdb.runtime.jars import lock_file
from kgdb.wording import counted

NEO4J = "5.26.23"
GDS = "2.13.9"
GDS_GROUP = "org.neo4j.gds"
ROOTS = (
    f"org.neo4j:neo4j:{NEO4J}",
    f"{GDS_GROUP}:proc:{GDS}",
    f"{GDS_GROUP}:proc-sysinfo:{GDS}",
    f"{GDS_GROUP}:opengds-extension:{GDS}",
    f"{GDS_GROUP}:open-model-catalog:{GDS}",
    f"{GDS_GROUP}:open-write-services:{GDS}",
)
CONNECTIONS = 8
TIMEOUT_S = 60


def main() -> None:
    """Write the lock."""
    with tempfile.TemporaryDirectory(prefix="kgdb-lock-") as folder:
        context = MavenContext(repo_cache=Path(folder), timeout=TIMEOUT_S)
        roots = [context.create_dependency(root) for root in ROOTS]
        inputs, transitive = context.resolver.resolve(roots)
        artifacts = [dependency.artifact for dependency in [*inputs, *transitive]]
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            jars = list(pool.map(_lock, artifacts))
    comment = "The jars of the local server. Written by: python -m kgdb.runtime.jars.lock\n"
    text = lock_file.render(jars, comment + "Resolved from " + " ".join(ROOTS))
    lock = lock_file.parse(text)
    temporary = lock_file.LOCK_FILE.with_suffix(".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(lock_file.LOCK_FILE)
    print(f"{lock_file.LOCK_FILE}: {counted(len(lock.jars), 'jar')}, {lock.size / 1e6:.1f} MB")


def _lock(artifact: Artifact) -> lock_file.LockedJar:
    content = artifact.resolve().read_bytes()
    return lock_file.LockedJar(
        folder="plugins" if artifact.groupId == GDS_GROUP else "lib",
        group=artifact.groupId,
        artifact=artifact.artifactId,
        version=artifact.version,
        classifier=artifact.classifier,
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
    )


if __name__ == "__main__":
    main()
