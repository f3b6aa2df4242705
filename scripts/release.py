"""Make a release: ``python scripts/release.py 0.2.0``, or ``make release VERSION=0.2.0``.

The steps are those of CONTRIBUTING.md. Everything is checked before anything is changed: the
version, the working tree, and that CHANGELOG.md says what is new. Then the version is written to
the three files that hold it, the packages are built into ``dist/``, and the release is committed
and tagged. Nothing is uploaded or pushed: the last lines say how.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]

HOLDERS = {
    "kgdb/_version.py": r'(?<=__version__ = ")[^"]+',
    "procedures/pom.xml": r"(?<=<revision>)[^<]+",
    "CITATION.cff": r"(?<=\nversion: )\S+",
}
"""The files that hold the version, and the pattern of it. A test holds them equal."""

_HEADING = re.compile(r"^## (\d+\.\d+\.\d+) \(unreleased\)\n(?P<notes>.*?)(?=^## |\Z)", re.M | re.S)
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


def version_in(text: str, pattern: str) -> str:
    """The version that a file holds."""
    (found,) = re.findall(pattern, text)
    return str(found)


def check_version(new: str, current: str, tags: list[str]) -> str | None:
    """What is wrong with the version of the next release; ``None`` if nothing is."""
    match = _VERSION.fullmatch(new)
    if match is None:
        return f"VERSION is {new}; expected three numbers, such as 0.2.0."
    if f"v{new}" in tags:
        return f"VERSION is {new}, which is tagged already; expected a new version."
    old = _VERSION.fullmatch(current)
    if old and tuple(map(int, match.groups())) < tuple(map(int, old.groups())):
        return f"VERSION is {new}; expected {current} or later."
    return None


def dated(changelog: str, version: str, day: str) -> str:
    """The changelog with its unreleased part released. Raises :class:`ValueError` without one."""
    heading = _HEADING.search(changelog)
    if heading is None or not heading["notes"].strip():
        raise ValueError(
            "CHANGELOG.md has no notes under a heading such as '## 0.2.0 (unreleased)': write them."
        )
    start = heading.start()
    notes = changelog[heading.start("notes") :]
    return f"{changelog[:start]}## {version} ({day})\n{notes}"


def main(version: str) -> None:
    """All steps, or the sentence that says why not."""
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in HOLDERS}
    current = version_in(texts["kgdb/_version.py"], HOLDERS["kgdb/_version.py"])
    if wrong := check_version(version, current, _git("tag", "--list").split()):
        sys.exit(wrong)
    if changed := _git("status", "--porcelain").strip():
        sys.exit(f"The working tree has changes; commit or stash them first:\n{changed}")
    log = ROOT / "CHANGELOG.md"
    try:
        notes = dated(log.read_text(encoding="utf-8"), version, f"{datetime.now(UTC):%Y-%m-%d}")
    except ValueError as error:
        sys.exit(str(error))
    for name, text in texts.items():
        (ROOT / name).write_text(re.sub(HOLDERS[name], version, text, count=1), encoding="utf-8")
    log.write_text(notes, encoding="utf-8")
    _run("make", "test", "wheel")
    _git("commit", "--all", "--message", f"Release {version}")
    _git("tag", "--annotate", f"v{version}", "--message", f"kgdb {version}")
    print(f"Released {version}: dist/ has the packages, and the commit is tagged v{version}.")
    print("Publish it by: git push --follow-tags, and twine upload dist/*")
    print("Then add '## NEXT (unreleased)' to CHANGELOG.md, with the next version.")


def _git(*command: str) -> str:
    done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"git {command[0]} failed: {done.stderr.strip()}")
    return done.stdout


def _run(*command: str) -> None:
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        sys.exit(
            f"{' '.join(command)} failed: nothing is committed. "
            "'git checkout -- .' takes the version back."
        )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Give one version: python scripts/release.py 0.2.0")
    main(sys.argv[1])
