"""A command for maintainers: resolves the server's jars and writes ``jars.lock``.

    python -m kgdb.runtime.jars.lock                              the local server
    python -m kgdb.runtime.jars.lock newest docker/newest.lock    the newest, for docker/

Run it after changing a version below. It downloads every jar again, so an altered jar in a local
Maven cache cannot be locked, and jgo checks each jar against the repository's SHA-1. Then it writes
the SHA-256 of each jar.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from jgo.maven import Artifact, MavenContext

from kgdb.runtime.jars import lock_file
from kgdb.wording import counted

GDS_GROUP = "org.neo4j.gds"


@dataclass(frozen=True, slots=True)
class Release:
    """One Neo4j with the Graph Data Science that runs in it; ``gds_modules`` are its roots."""

    neo4j: str
    gds: str
    gds_modules: tuple[str, ...]

    @property
    def roots(self) -> tuple[str, ...]:
        """The artifacts that bring all others, as ``group:artifact:version``."""
        gds = (f"{GDS_GROUP}:{module}:{self.gds}" for module in self.gds_modules)
        return (f"org.neo4j:neo4j:{self.neo4j}", *gds)


_GDS_MODULES = ("proc", "proc-sysinfo", "opengds-extension", "open-model-catalog")

RELEASES = {
    "local": Release("5.26.23", "2.13.9", (*_GDS_MODULES, "open-write-services")),
    # The newest Neo4j with an OpenGDS that is published whole; docker/ makes an image of it.
    "newest": Release("2026.08.1", "2.26.0", _GDS_MODULES),
}
CONNECTIONS = 8
TIMEOUT_S = 60


def main(arguments: Sequence[str]) -> None:
    """Write the lock of the local server, or (``newest FILE``) that of the newest."""
    name, file = arguments or ("local", lock_file.LOCK_FILE)
    path = Path(file)
    release = RELEASES[name]
    with tempfile.TemporaryDirectory(prefix="kgdb-lock-") as folder:
        context = MavenContext(repo_cache=Path(folder), timeout=TIMEOUT_S)
        roots = [context.create_dependency(root) for root in release.roots]
        inputs, transitive = context.resolver.resolve(roots)
        artifacts = [dependency.artifact for dependency in [*inputs, *transitive]]
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            jars = list(pool.map(_lock, artifacts))
    command = " ".join(["python -m kgdb.runtime.jars.lock", *arguments])
    comment = f"The jars of the {name} server. Written by: {command}\n"
    text = lock_file.render(jars, comment + "Resolved from " + " ".join(release.roots))
    lock = lock_file.parse(text)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
    print(f"{path}: {counted(len(lock.jars), 'jar')}, {lock.size / 1e6:.1f} MB")


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
    main(sys.argv[1:])
