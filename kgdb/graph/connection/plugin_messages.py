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


def missing_procedure_error(uri: str, procedure: str, version: str | None) -> PluginMissing:
    """The server has no such procedure of kgdb: it has no plugin (no version), or another one."""
    if version is None:
        return missing_plugin(uri)
    if version == __version__:
        hint = (
            "CALL kgdb.help() lists those it has. Look whether the name is right, and whether "
            "the server's setting dbms.security.procedures.allowlist lets it through."
        )
    else:
        hint = (
            "Run `kgdb down && kgdb up` for the local server; on your own, put this package's "
            "kgdb-procedures.jar (kgdb status prints where it lies) into its plugins folder "
            "and restart it. If the server's plugin is the newer one, upgrade this package."
        )
    return PluginMissing(
        f"The kgdb plugin of the server at {uri} is {version} and has no procedure "
        f"{procedure}; this package is {__version__}.",
        hint=hint,
    )
