"""The plugin folder of an instance: Graph Data Science, kgdb's plugin, and plugins of the user.

A file beside the folder lists the files of kgdb; all other files belong to the user and stay.
"""

from __future__ import annotations

import filecmp
import json
import re
import shutil
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

from kgdb import shipped_files
from kgdb.errors import UsageError
from kgdb.file_permissions import private_file
from kgdb.progress import Message, Report
from kgdb.runtime.instance.instance_layout import Instance, unwritable, write_atomically

_GDS = "/jars/org/neo4j/gds/"
_ANNOTATIONS = b"org/neo4j/procedure/"
_SERVICES = (
    "META-INF/services/org.neo4j.kernel.extension.ExtensionFactory",
    "META-INF/services/org.neo4j.annotations.service.Service",
)
_VERSION = re.compile(r"-v?(\d+(?:\.\d+)+)")
_EXPECTED = "Expected the jar of a plugin for Neo4j 5, such as apoc-5.26.0-core.jar."
_BUILD_PROPERTIES = "io/github/kgdb/procedure/build.properties"


def install(instance: Instance, gds_jars: Iterable[Path], report: Report) -> None:
    """Install the given jars (as links to the cache) and the current plugin in the folder.

    Outdated files of kgdb are deleted; files of the user stay. A missing plugin is reported but is
    no error: a checkout may not have built it.
    """
    plugin = shipped_files.plugin()
    links = {jar.name: jar for jar in gds_jars}
    try:
        for present in _kgdb_files(instance):
            if present.name not in (*links, plugin.name):
                present.unlink(missing_ok=True)
        write_atomically(instance.own_plugins, json.dumps([*links, plugin.name]) + "\n")
        for name, jar in links.items():
            _link(jar, instance.plugins / name)
        installed = instance.plugins / plugin.name
        if not plugin.is_file():
            installed.unlink(missing_ok=True)
            report(
                Message(
                    f"The kgdb plugin is not built ({plugin} is missing), so the server has no "
                    "kgdb procedures. Build it with: make plugin"
                )
            )
        elif not installed.is_file() or not filecmp.cmp(plugin, installed, shallow=False):
            _copy(plugin, installed)
    except OSError as error:
        raise unwritable(instance.plugins, error) from error


def installed_plugin(instance: Instance) -> Path | None:
    """The kgdb plugin in the instance's folder, if it is there."""
    path = instance.plugins / shipped_files.plugin().name
    return path if path.is_file() else None


def plugin_version(jar: Path) -> str | None:
    """The version of a plugin jar, if it has one."""
    try:
        with zipfile.ZipFile(jar) as archive:
            properties = archive.read(_BUILD_PROPERTIES).decode()
    except (OSError, KeyError, zipfile.BadZipFile, UnicodeDecodeError):
        return None
    for line in properties.splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "version":
            return value.strip()
    return None


def user_jars(instance: Instance) -> list[Path]:
    """The jars of the user in the folder, sorted by name."""
    own = {path.name for path in _kgdb_files(instance)}
    return sorted(jar for jar in instance.plugins.glob("*.jar") if jar.name not in own)


def add(instance: Instance, jar: Path, neo4j_version: str, report: Report) -> None:
    """Copy a jar of the user into the folder; it replaces another version of the same plugin.

    Raises :class:`UsageError` for a file that is not a Neo4j plugin, or that kgdb installs itself.
    A plugin for another version of Neo4j is reported: it may still work.
    """
    _check(jar)
    if jar.name in (shipped_files.plugin().name, *(path.name for path in _kgdb_files(instance))):
        raise UsageError(
            f"{jar.name} comes with kgdb, which installs it at every start.",
            hint="Name another file.",
        )
    name, version = _name_and_version(jar)
    if name.startswith("apoc") and version and not _fits(version, neo4j_version):
        report(
            Message(
                f"{jar.name} seems to be for Neo4j {version}, but this server is "
                f"{neo4j_version}: if it does not start, use the jar for that version"
            )
        )
    try:
        instance.create()
        for other in user_jars(instance):
            if other.name != jar.name and _name_and_version(other)[0] == name:
                other.unlink()
                report(Message(f"{jar.name} replaces {other.name}"))
        if not (instance.plugins / jar.name).exists() or not jar.samefile(
            instance.plugins / jar.name
        ):
            _copy(jar, instance.plugins / jar.name)
    except OSError as error:
        raise unwritable(instance.plugins, error) from error


def _check(jar: Path) -> None:
    """Raise :class:`UsageError` for a file that Neo4j would not load as a plugin."""
    if jar.suffix != ".jar" or not jar.is_file():
        raise UsageError(f"{jar} is not a jar file.", hint=_EXPECTED)
    try:
        with zipfile.ZipFile(jar) as archive:
            names = archive.namelist()
            extends = any(name in names for name in _SERVICES)
            if extends or any(
                _ANNOTATIONS in archive.read(name) for name in names if name.endswith(".class")
            ):
                return
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError) as error:
        raise UsageError(f"{jar} cannot be read as a jar: {error}.", hint=_EXPECTED) from error
    raise UsageError(f"{jar} is not a Neo4j plugin: it contains no procedure.", hint=_EXPECTED)


def _name_and_version(jar: Path) -> tuple[str, str | None]:
    """The name of a jar without its version, and the version."""
    match = _VERSION.search(jar.stem)
    if match is None:
        return jar.stem, None
    return jar.stem[: match.start()] + jar.stem[match.end() :], match[1]


def _fits(version: str, neo4j_version: str) -> bool:
    """Whether the first two numbers are equal, as for plugins of one Neo4j version."""
    return version.split(".")[:2] == neo4j_version.split(".")[:2]


def _kgdb_files(instance: Instance) -> list[Path]:
    """The files of kgdb in the folder."""
    try:
        listed = json.loads(instance.own_plugins.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        listed = []
    names = {shipped_files.plugin().name}
    names |= {str(name) for name in listed} if isinstance(listed, list) else set()
    present = instance.plugins.iterdir() if instance.plugins.is_dir() else ()
    return [path for path in present if path.name in names or _is_of_gds(path)]


def _is_of_gds(path: Path) -> bool:
    """Whether the path is a link to a downloaded jar; needed if the list is lost."""
    return path.is_symlink() and _GDS in path.readlink().as_posix()


def _link(jar: Path, link: Path) -> None:
    if link.is_symlink() and link.readlink() == jar and link.exists():
        return
    link.unlink(missing_ok=True)
    try:
        link.symlink_to(jar)
    except OSError:  # a file system, or a Windows user, without symbolic links
        _copy(jar, link)


def _copy(source: Path, target: Path) -> None:
    partial = target.with_name(f".{target.name}.part")
    shutil.copyfile(source, private_file(partial))
    partial.replace(target)
