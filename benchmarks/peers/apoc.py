"""The jar of APOC core for the measured server: locked and verified as the server's own jars are.

    python -m benchmarks.peers.apoc        writes apoc.lock, after a change of a version below

APOC is published in parts: its procedures, what they share with APOC's other edition, and the
library that ``apoc.neighbors`` needs. A plugin of Neo4j is one jar, so the parts become one.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from kgdb.progress import Report
from kgdb.runtime.jars import lock_file
from kgdb.runtime.jars.jar_cache import JarCache
from kgdb.settings import Settings

LOCK = Path(__file__).with_name("apoc.lock")
# The newest of the line of the server's Neo4j.
_VERSION = "5.26.19"
_PARTS = (
    f"org.neo4j.procedure:apoc-core:{_VERSION}",
    f"org.neo4j.procedure:apoc-common:{_VERSION}",
    "org.roaringbitmap:RoaringBitmap:0.7.17",
)


def plugin_jar(settings: Settings, folder: Path, report: Report) -> Path:
    """The plugin as one jar in the folder, of parts in the cache that kgdb keeps its jars in."""
    lock = lock_file.parse(LOCK.read_text(encoding="utf-8"), LOCK.name)
    cache = JarCache(Path(os.path.realpath(settings.home / "jars")), lock, settings.artifact_mirror)
    cache.ensure(report)
    version = lock.version_of("org.neo4j.procedure:apoc-core")
    return merge(cache.paths(), folder / f"apoc-{version}-core.jar")


def merge(parts: Iterable[Path], jar: Path) -> Path:
    """One jar with the files of all parts; of files of one name, the first part's."""
    with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as merged:
        for part in parts:
            with zipfile.ZipFile(part) as archive:
                for name in archive.namelist():
                    if not name.endswith("/") and name not in merged.NameToInfo:
                        merged.writestr(name, archive.read(name))
    return jar


def write_lock() -> None:
    """Resolve the parts, without what they need for files of other formats."""
    from jgo.maven import MavenContext

    with tempfile.TemporaryDirectory(prefix="kgdb-lock-") as folder:
        context = MavenContext(repo_cache=Path(folder), timeout=60)
        jars = []
        for part in _PARTS:
            artifact = context.create_dependency(part).artifact
            content = artifact.resolve().read_bytes()
            jars.append(
                lock_file.LockedJar(
                    folder="plugins",
                    group=artifact.groupId,
                    artifact=artifact.artifactId,
                    version=artifact.version,
                    classifier="",
                    sha256=hashlib.sha256(content).hexdigest(),
                    size=len(content),
                )
            )
    comment = "The parts of APOC core. Written by: python -m benchmarks.peers.apoc"
    LOCK.write_text(lock_file.render(jars, comment), encoding="utf-8")


if __name__ == "__main__":
    write_lock()
