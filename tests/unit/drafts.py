"""First loader files, and what they make of their sources."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from kgdb.loading import Counts, prepare, read_spec, write_draft


@dataclass(frozen=True)
class Drafted:
    """A draft, and what it makes of its source."""

    text: str
    format: str
    counts: Counts
    facts: set[tuple[str, str, str]]
    names: dict[str, str]
    labels: dict[str, list[str]]
    aliases: dict[str, list[str]]

    @property
    def unsure(self) -> int:
        return self.text.count("# UNSURE")


def drafted(folder: Path, name: str, content: str | bytes) -> Drafted:
    source = folder / name
    source.write_bytes(content.encode() if isinstance(content, str) else content)
    path = write_draft(str(folder / "mine"), source)
    with prepare(read_spec(str(path)), source, max_errors=0) as prepared:
        facts = {
            (row["head"], row["relation"], row["tail"])
            for batch in prepared.triples(100)
            for row in batch
        }
        values = {row["id"]: row["value"] for batch in prepared.literals(100) for row in batch}
        entities = [row for batch in prepared.entities(100) for row in batch]
        names, labels, aliases = (
            {row["id"]: row[key] for row in entities} for key in ("name", "labels", "aliases")
        )
        facts = {(head, relation, values.get(tail, tail)) for head, relation, tail in facts}
        text = path.read_text(encoding="utf-8")
        reads = tomllib.loads(text)["source"].get("format", "delimited")
        return Drafted(text, reads, prepared.counts, facts, names, labels, aliases)
