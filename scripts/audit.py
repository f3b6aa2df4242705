"""Lists the licences of all that kgdb stands on, and what is known to be vulnerable in it.

    python scripts/audit.py TOOLS ENVIRONMENT

TOOLS is the folder of the programs pip-audit and pip-licenses, ENVIRONMENT the virtual environment
whose packages are looked at; the jars are those of ``kgdb/runtime/jars/jars.lock``. Exit codes: 1,
where something is known to be vulnerable; 3, where nobody could be asked.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import requests
from jar_licences import licences

from kgdb.progress import silent
from kgdb.runtime.jars.download import base_url, open_repository
from kgdb.runtime.jars.lock_file import LockedJar, shipped
from kgdb.runtime.starting.launching import jar_cache
from kgdb.settings import load_settings
from kgdb.wording import brief, counted, one_line

OSV = "https://api.osv.dev/v1/querybatch"

VULNERABLE, NOT_ASKED = 1, 3

_TIMEOUT_S = 60
_TOGETHER = 500


class NotAskedError(Exception):
    """Nobody could be asked what is vulnerable."""


def packages(tools: Path, environment: Path) -> list[tuple[str, str, str]]:
    """Name, version and licence of each Python package there."""
    command = [tools / "pip-licenses", "--python", environment / "bin" / "python"]
    done = subprocess.run(
        [*command, "--format", "json", "--from", "mixed"], capture_output=True, check=True
    )
    found = json.loads(done.stdout)
    # Some give the whole text for a name.
    return [(each["Name"], each["Version"], brief(one_line(each["License"]), 60)) for each in found]


def vulnerable_packages(tools: Path, environment: Path) -> list[str]:
    """What pip-audit knows of the Python packages; raises :class:`NotAskedError`."""
    (site,) = (environment / "lib").glob("python*/site-packages")
    done = subprocess.run(
        [tools / "pip-audit", "--path", site, "--format", "json", "--progress-spinner", "off"],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        dependencies = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError) as error:
        raise NotAskedError(f"pip-audit: {_last_line(done.stderr)}") from error
    asked = [each for each in dependencies if "skip_reason" not in each]
    if not asked:
        raise NotAskedError(
            f"pip-audit: of {counted(len(dependencies), 'package')} the service knows none; is it "
            "another index that packages come from?"
        )
    if skipped := [each["name"] for each in dependencies if "skip_reason" in each]:
        print(f"Not known to the service: {', '.join(skipped)}", file=sys.stderr)
    return [
        f"{each['name']} {each['version']}: {flaw['id']} (mended in "
        f"{', '.join(flaw['fix_versions']) or 'no version'})"
        for each in asked
        for flaw in each["vulns"]
    ]


def vulnerable_jars(jars: Sequence[LockedJar], url: str = OSV) -> list[str]:
    """What OSV knows of the jars; raises :class:`NotAskedError`."""
    found = []
    for start in range(0, len(jars), _TOGETHER):
        some = jars[start : start + _TOGETHER]
        queries = [
            {
                "package": {"ecosystem": "Maven", "name": f"{jar.group}:{jar.artifact}"},
                "version": jar.version,
            }
            for jar in some
        ]
        try:
            reply = requests.post(url, json={"queries": queries}, timeout=_TIMEOUT_S)
            reply.raise_for_status()
            results = reply.json()["results"]
        except (requests.RequestException, ValueError, KeyError) as error:
            raise NotAskedError(f"{url}: {brief(one_line(str(error)), 200)}") from error
        found += [
            f"{jar.coordinates}: {flaw['id']}"
            for jar, result in zip(some, results, strict=True)
            for flaw in result.get("vulns", ())
        ]
    return found


def main(tools: Path, environment: Path) -> int:
    """Print both; the exit code."""
    settings = load_settings()
    cache = jar_cache(settings)
    cache.ensure(silent)
    jars = {jar: cache.folder / jar.path for jar in shipped().jars}
    found = packages(tools, environment)
    _show("Python packages", ((f"{name} {version}", licence) for name, version, licence in found))
    with open_repository(base_url(settings.artifact_mirror)) as source:
        _show("jars", ((jar.coordinates, licence) for jar, licence in licences(jars, source)))
    return _vulnerable(tools, environment, list(jars))


def _vulnerable(tools: Path, environment: Path, jars: Sequence[LockedJar]) -> int:
    print("\n# Known to be vulnerable\n")
    code = 0
    for what, ask in (
        ("Python packages", lambda: vulnerable_packages(tools, environment)),
        ("jars", lambda: vulnerable_jars(jars)),
    ):
        try:
            flaws = ask()
        except NotAskedError as error:
            print(f"{what}: NOT CHECKED, for the service could not be asked. {error}")
            code = code or NOT_ASKED
            continue
        print(f"{what}: {counted(len(flaws), 'flaw')}")
        for flaw in flaws:
            print(f"  {flaw}")
        code = VULNERABLE if flaws else code
    return code


def _show(what: str, found: Iterable[tuple[str, str]]) -> None:
    rows = sorted(found)
    print(f"\n# Licences of {len(rows)} {what}\n")
    for name, licence in rows:
        print(f"{licence:<40}  {name}")
    print()
    for licence, number in Counter(licence for _, licence in rows).most_common():
        print(f"{number:>5}  {licence}")


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return brief(one_line(lines[-1]), 300) if lines else "no reason is given"


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
