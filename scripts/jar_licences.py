"""The licence of each jar of the local server, as the jar itself or else its POM says.

A jar tells it in its manifest, in the POM inside it, or as a text. Of the rest one POM is read for
each group and version, with those it inherits from, where the Maven repository can be reached.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

from kgdb.errors import KgdbError
from kgdb.runtime.jars.download import FileReader, ReadError
from kgdb.runtime.jars.lock_file import LockedJar

UNKNOWN = "unknown: neither the jar nor a POM that can be read says"

_PARENTS = 6
_BUNDLE = re.compile(r"^Bundle-License: *(.+)$", re.MULTILINE)
_INSIDE = re.compile(r"META-INF/maven/[^/]+/([^/]+)/pom\.xml")
_TEXT = re.compile(r"(META-INF/)?(LICEN[CS]E|COPYING)[^/]*", re.IGNORECASE)
_BEGINNINGS = {
    "Apache-2.0": r"Apache License\s+Version 2\.0",
    "GPL-3.0": r"GNU GENERAL PUBLIC LICENSE\s+Version 3",
    "GPL-2.0": r"GNU General Public License \(GPL\)|GNU GENERAL PUBLIC LICENSE\s+Version 2",
    "Apache-2.0, LGPL-2.1": r"SPDX-License-Identifier: Apache-2\.0 OR LGPL-2\.1",
    "BSD-3-Clause": r"Neither the name of .{0,200}?nor the names of",
    "MIT": r"Permission is hereby granted, free of charge",
    "EPL-2.0": r"Eclipse Public License - v 2\.0",
}
"""What texts of licences are known by."""

_NAMES = {
    "LGPL-2.1": r"LGPL|lesser|gnu\.org/licenses/lgpl",
    "GPL-2.0 WITH Classpath-exception-2.0": r"classpath",
    "GPL-3.0": r"(?:GPL|General Public License).*3",
    "Apache-2.0": r"apache.*2|^The Apache License$|^Apache License$|ASL 2|LICENSE-2\.0",
    "MIT": r"\bMIT\b|^Bouncy Castle Licence$|jquery\.org/license",
    "BSD-3-Clause": r"BSD.?3|3.Clause|New BSD|Eclipse Distribution License|EDL|asm\.ow2",
    "BSD-2-Clause": r"BSD.?2|2.Clause",
    "EPL-1.0": r"epl-v10|Eclipse Public License.*v ?1",
    "EPL-2.0": r"EPL.?2|Eclipse Public License.*2",
    "MPL-2.0": r"Mozilla Public License.*2\.0",
    "CC0-1.0": r"publicdomain/zero",
    "WTFPL": r"wtfpl",
}
"""The many ways of writing the same, most of them addresses."""


def told_by(jar: Path) -> str | None:
    """What the jar says of its licence; ``None``: nothing."""
    with zipfile.ZipFile(jar) as archive:
        names = archive.namelist()
        if "META-INF/MANIFEST.MF" in names:
            manifest = archive.read("META-INF/MANIFEST.MF").decode(errors="replace")
            unfolded = re.sub(r"\r?\n ", "", manifest).replace("\r", "")
            if found := _BUNDLE.search(unfolded):
                return of_bundle(found[1])
        # Of a jar with others inside, only its own counts.
        poms = [found for name in names if (found := _INSIDE.fullmatch(name))]
        for pom in poms:
            if jar.name.startswith(f"{pom[1]}-") and (licences := _licences(archive.read(pom[0]))):
                return licences
        for name in names:
            if _TEXT.fullmatch(name):
                text = archive.read(name)[:20_000].decode(errors="replace")
                for licence, beginning in _BEGINNINGS.items():
                    if re.search(beginning, text, re.DOTALL):
                        return licence
    return None


def told_by_pom(jar: LockedJar, source: FileReader) -> str | None:
    """What its POM says, or one that it inherits from.

    Raises :class:`ReadError` where the repository cannot be read.
    """
    place = (jar.group, jar.artifact, jar.version)
    for _ in range(_PARENTS):
        group, artifact, version = place
        path = f"{group.replace('.', '/')}/{artifact}/{version}/{artifact}-{version}.pom"
        pom = b"".join(source(path))
        if licences := _licences(pom):
            return licences
        parent = ElementTree.fromstring(pom).find("{*}parent")
        if parent is None:
            return None
        place = tuple(
            parent.findtext(f"{{*}}{key}", "") for key in ("groupId", "artifactId", "version")
        )
    return None


def licences(
    jars: Mapping[LockedJar, Path], source: FileReader | None
) -> Iterator[tuple[LockedJar, str]]:
    """Each jar with its licence; without ``source`` no POM is read."""
    known: dict[tuple[str, str], str] = {}
    for jar, path in jars.items():
        licence = told_by(path)
        if licence is None and source is not None:
            key = jar.group, jar.version
            if key not in known:
                try:
                    known[key] = told_by_pom(jar, source) or UNKNOWN
                except (ReadError, KgdbError, ElementTree.ParseError):
                    known[key] = UNKNOWN
            licence = known[key]
        yield jar, licence or UNKNOWN


def of_bundle(text: str) -> str:
    """The licences that a manifest lists, by their short names."""
    # Of each comes the name or address, and then what is said of it: ;link=…;description=…
    listed = re.split(r'"?,\s*(?=https?:|[\w.-]+;|")', text)
    names = [one.partition(";")[0].strip(' "') for one in listed]
    return ", ".join(dict.fromkeys(map(short_name, filter(None, names))))


def short_name(text: str) -> str:
    """A licence by its short name, where the text is one of the many ways to write it."""
    for licence, pattern in _NAMES.items():
        if re.search(pattern, text, re.IGNORECASE):
            return licence
    return text


def _licences(pom: bytes) -> str | None:
    names = [
        " ".join((licence.findtext("{*}name") or "").split())
        for licence in ElementTree.fromstring(pom).iterfind("{*}licenses/{*}license")
    ]
    return ", ".join(dict.fromkeys(map(short_name, filter(None, names)))) or None
