"""Puts the Neo4j plugin, the Cypher statements, the loaders and the adapters into the wheel.

The plugin is compiled here by Maven, so that a wheel never carries one of another version.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

JAR = "procedures/target/kgdb-procedures.jar"
PAGE = "procedures/target/page"


class PluginBuildHook(BuildHookInterface):
    """Runs for wheels and editable installs; a source distribution carries the sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the plugin and, for a wheel, include what ships beside the code."""
        root = Path(self.root)
        build_plugin(root / "procedures", self.metadata.version)
        if version == "standard":
            build_data["force_include"].update(
                {
                    str(root / "cypher"): "kgdb/_shipped/cypher",
                    str(root / "loaders"): "kgdb/_shipped/loaders",
                    str(root / "adapters"): "kgdb/_shipped/adapters",
                    str(root / "benchmarks/reproductions"): "kgdb/_shipped/reproductions",
                    str(root / JAR): "kgdb/_shipped/plugin/kgdb-procedures.jar",
                    str(root / PAGE): "kgdb/_shipped/page",
                }
            )


def build_plugin(project: Path, version: str) -> None:
    """Compile the plugin, or end with a sentence that says what is missing."""
    missing = [name for name in ("mvn", "javac") if shutil.which(name) is None]
    if missing:
        sys.exit(
            "kgdb: building the Neo4j plugin needs a JDK (17 or later) and Maven; not found: "
            f"{', '.join(missing)}.\n"
            "Install them (Debian, Ubuntu: apt-get install openjdk-17-jdk-headless maven; "
            "macOS: brew install openjdk@17 maven), or install kgdb from a wheel, which "
            "carries the plugin and needs neither."
        )
    command = ["mvn", "-B", "-q", f"-Drevision={version}", "-Dmaven.test.skip=true", "package"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"kgdb: building the Neo4j plugin failed.\n{done.stdout}{done.stderr}")
