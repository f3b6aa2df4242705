"""Writes a run of all tables into the documentation: pages, pictures, and the scores behind them.

kgdb lab reproduce --all --limit 100 --llm none --output FOLDER
python scripts/reproduction_pages.py FOLDER

The run ``reproductions`` of ``measurements/evaluation.toml`` says which run it was.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import measurements
from kgdb.lab.reproduction.spec import reproductions

PAGES = measurements.ROOT / "docs" / "measurements" / "reproductions"
SCORES = measurements.DATA / "reproductions"

_INDEX = """\
# Tables of the papers

`kgdb lab reproduce` runs the tables and figures of the papers, and writes one page for each:
[Reproduce tables of papers](../../how-to/reproducing.md) says how to read them. These pages are of
one run without a language model, as the command wrote them. Rows that need a model say so; the same
command with `--llm` puts them beside these.

| table or figure | |
|---|---|
"""


def main(folder: Path) -> None:
    """Copy each ``NAME.md``, ``NAME.svg`` and ``NAME.json`` of the folder."""
    origin = measurements.provenance([measurements.run("evaluation", "reproductions")])
    for place in (PAGES, SCORES):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
    lines = []
    for name, spec in reproductions().items():
        source = folder / f"{name}.md"
        if not source.is_file():
            lines.append(f"| {spec.title} | `{name}`, not part of this run |\n")
            continue
        shutil.copy(folder / f"{name}.json", SCORES)
        # Whoever looks at a page in a browser gets letters that are sharp at every size.
        page = source.read_text(encoding="utf-8").replace(f"({name}.png)", f"({name}.svg)")
        if (folder / f"{name}.svg").is_file():
            shutil.copy(folder / f"{name}.svg", PAGES)
        (PAGES / source.name).write_text(f"{page}\n{origin}\n", encoding="utf-8")
        lines.append(f"| [{spec.title}]({source.name}) | `{name}` |\n")
    (PAGES / "index.md").write_text(f"{_INDEX}{''.join(lines)}\n{origin}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
