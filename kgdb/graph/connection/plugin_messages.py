"""What users read about the plugin of a server: that it is missing, too old, or cannot run."""

from __future__ import annotations

from kgdb._version import __version__
from kgdb.errors import PluginMissing
from kgdb.graph.connection.server_versions import PLUGIN_RUNS_ON
from kgdb.wording import short


def plugin_notice(version: str | None) -> str | None:
    """What to tell a user whose server has no plugin, or one of another version than this."""
    if version == __version__:
        return None
    if version is None:
        return (
            "This server has no kgdb plugin: using plain Cypher, which is slower. "
            "kgdb status prints where the plugin's jar lies; KGDB_PLUGIN=never hides this line."
        )
    return (
        f"The server's kgdb plugin is {version} and this package is {__version__}: "
        "run `kgdb down && kgdb up` (or, on your own server, replace kgdb-procedures.jar)."
    )


def missing_plugin(uri: str) -> PluginMissing:
    """The error of a server that has no plugin where one is required."""
    return PluginMissing(
        f"The server at {uri} has no kgdb plugin.",
        hint="The local server brings it (unset NEO4J_URI); on your own server, copy "
        "kgdb-procedures.jar into its plugins folder and restart it. "
        "kgdb status prints where the jar lies.",
    )


def plugin_cannot_run(agent: str) -> PluginMissing:
    """The error of a server on which the plugin does not work."""
    return PluginMissing(
        f"The server is {short(agent)}; kgdb's plugin runs on {PLUGIN_RUNS_ON}.",
        hint="Use such a server, or --plugin auto for plain Cypher.",
    )
