"""The audit: every licence is found where it is told, and silence of a service is no clean bill."""

from __future__ import annotations

import json
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import audit
import jar_licences

from kgdb.runtime.jars.download import ReadError
from kgdb.runtime.jars.lock_file import LockedJar

pytestmark = pytest.mark.unit

JAR = LockedJar("lib", "org.example", "thing", "1.0", "", "0" * 64, 1)
POM = "<project xmlns='http://maven.apache.org/POM/4.0.0'>{}</project>"
LICENSED = POM.format("<licenses><license><name>{}</name></license></licenses>")
PARENT = POM.format(
    "<parent><groupId>org.example</groupId><artifactId>all</artifactId>"
    "<version>2</version></parent>"
)


def jar_with(folder: Path, **files: str) -> Path:
    path = folder / "thing-1.0.jar"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize(
    ("file", "text", "licence"),
    [
        (
            "META-INF/MANIFEST.MF",
            "Bundle-License: https://www.apache.org/licenses/LI\n CENSE-2.0.txt;link=x\n",
            "Apache-2.0",
        ),
        (
            "META-INF/MANIFEST.MF",
            "Bundle-License: http://www.eclipse.org/legal/epl-2.0, https://www.gnu.org/software/cla"
            "sspath/license.html\n",
            "EPL-2.0, GPL-2.0 WITH Classpath-exception-2.0",
        ),
        (
            "META-INF/maven/org.example/thing/pom.xml",
            LICENSED.format("GNU General Public License, Version 3"),
            "GPL-3.0",
        ),
        ("META-INF/maven/org.other/inside/pom.xml", LICENSED.format("MIT"), None),
        ("META-INF/LICENSE.txt", "\n   Apache License\n  Version 2.0, January 2004", "Apache-2.0"),
        ("LICENSE", "something of our own", None),
        ("META-INF/MANIFEST.MF", "Bundle-License: Our Own 7\n", "Our Own 7"),
    ],
)
def test_a_jar_tells_its_licence(tmp_path: Path, file: str, text: str, licence: str | None) -> None:
    assert jar_licences.told_by(jar_with(tmp_path, **{file: text})) == licence


def test_of_a_jar_that_tells_nothing_its_pom_or_the_next_above_does(tmp_path: Path) -> None:
    poms = {
        "org/example/thing/1.0/thing-1.0.pom": PARENT,
        "org/example/all/2/all-2.pom": LICENSED.format("The MIT License"),
    }
    read: list[str] = []

    def source(path: str) -> Iterator[bytes]:
        read.append(path)
        yield poms[path].encode()

    other = LockedJar("lib", "org.example", "other", "1.0", "", "1" * 64, 1)
    path = jar_with(tmp_path, readme="")
    told = dict(jar_licences.licences({JAR: path, other: path}, source))
    assert told == {JAR: "MIT", other: "MIT"}
    assert read == list(poms)


def test_a_licence_that_nothing_tells_is_unknown(tmp_path: Path) -> None:
    def away(path: str) -> Iterator[bytes]:
        raise ReadError("away", temporary=True)
        yield b""

    path = jar_with(tmp_path, readme="")
    for source in (away, None):
        assert dict(jar_licences.licences({JAR: path}, source)) == {JAR: jar_licences.UNKNOWN}


def tool(folder: Path, name: str, output: object) -> Path:
    """A program that prints this, as JSON unless it is a text already."""
    text = output if isinstance(output, str) else json.dumps(output)
    path = folder / name
    path.write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\n")
    path.chmod(0o755)
    (folder / "env" / "lib" / "python3" / "site-packages").mkdir(parents=True, exist_ok=True)
    return folder


def dependency(name: str, *flaws: str) -> dict[str, Any]:
    vulns = [{"id": flaw, "fix_versions": ["2"]} for flaw in flaws]
    return {"name": name, "version": "1", "vulns": vulns}


def test_what_pip_audit_knows_is_told(tmp_path: Path) -> None:
    known = {"dependencies": [dependency("a"), dependency("b", "CVE-1")]}
    tools = tool(tmp_path, "pip-audit", known)
    assert audit.vulnerable_packages(tools, tmp_path / "env") == ["b 1: CVE-1 (mended in 2)"]


@pytest.mark.parametrize(
    "output",
    ["not json", {"dependencies": [{"name": "a", "skip_reason": "not found"}]}],
)
def test_a_service_that_knows_no_package_has_checked_nothing(
    tmp_path: Path, output: object
) -> None:
    tools = tool(tmp_path, "pip-audit", output)
    with pytest.raises(audit.NotAskedError):
        audit.vulnerable_packages(tools, tmp_path / "env")


def test_the_licences_of_packages_are_one_line_each(tmp_path: Path) -> None:
    long = {"Name": "a", "Version": "1", "License": "MIT\n" + "x" * 500}
    tools = tool(tmp_path, "pip-licenses", [long])
    ((name, version, licence),) = audit.packages(tools, tmp_path / "env")
    assert (name, version, licence[:5], len(licence)) == ("a", "1", "MIT x", 60)


@pytest.fixture
def osv() -> Iterator[str]:
    """A service that knows a flaw of the first jar of each question."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            results: list[dict[str, Any]] = [{} for _ in asked]
            assert asked[0]["package"] == {"ecosystem": "Maven", "name": "org.example:thing"}
            results[0] = {"vulns": [{"id": "GHSA-1"}]}
            body = json.dumps({"results": results}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing is told."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_what_is_known_of_jars_is_told(osv: str) -> None:
    assert audit.vulnerable_jars([JAR, JAR], osv) == ["org.example:thing:1.0: GHSA-1"]


def test_where_nobody_answers_nothing_is_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(audit, "OSV", "http://127.0.0.1:1")
    with pytest.raises(audit.NotAskedError):
        audit.vulnerable_jars([JAR], audit.OSV)
    monkeypatch.setattr(audit, "vulnerable_jars", lambda _: [])
    tools = tool(tmp_path, "pip-audit", "not json")
    assert audit._vulnerable(tools, tmp_path / "env", [JAR]) == audit.NOT_ASKED
    said = capsys.readouterr().out
    assert "Python packages: NOT CHECKED" in said
    assert "jars: 0 flaws" in said
    monkeypatch.setattr(audit, "vulnerable_jars", lambda _: ["a flaw"])
    assert audit._vulnerable(tools, tmp_path / "env", [JAR]) == audit.VULNERABLE
