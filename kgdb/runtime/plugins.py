"""The plugin folder of an instance: the Graph Data Science jars and kgdb's own plugin."""

from __future__ import annotations

import filecmp
import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path

from kgdb import resources
from kgdb.progress import Message, Report
from kgdb.runtime.layout import Instance, unwritable

_BUILD_PROPERTIES = "io/github/kgdb/procedure/build.properties"


def install(instance: Instance, gds_jars: Iterable[Path], report: Report) -> None:
    """Make the folder hold exactly the given jars (as links to the cache) and the current plugin.

    A missing plugin is no error, because a checkout may not have built it: it is reported.
    """
    plugin = resources.plugin()
    links = {jar.name: jar for jar in gds_jars}
    try:
        for present in instance.plugins.iterdir():
            if present.name not in (*links, plugin.name):
                present.unlink()
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
    """The kgdb plugin in the instance's folder."""
    path = instance.plugins / resources.plugin().name
    return path if path.is_file() else None


def plugin_version(jar: Path) -> str | None:
    """The version a plugin jar says it has."""
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
    shutil.copyfile(source, partial)
    partial.replace(target)
