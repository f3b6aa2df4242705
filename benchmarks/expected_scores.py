"""Writes the scores of a run into the files of tables, as those that are expected from now on.

kgdb lab reproduce --all --limit 100 --llm none --output FOLDER
python -m benchmarks.expected_scores FOLDER
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgdb import shipped_files
from kgdb.lab.reproduction.spec import Reproduction
from kgdb.lab.reproduction.table_measures import JUDGED, VARYING

_BEGINS = "\n[expected]\n"


def main(folder: Path) -> None:
    """Replace ``[expected]``, the last part of a file, by the scores in ``FOLDER/NAME.json``."""
    for path in sorted(shipped_files.reproductions().glob("*.toml")):
        scores = folder / f"{path.stem}.json"
        if scores.is_file():
            spec = Reproduction.read(path)
            before, _, _ = path.read_text(encoding="utf-8").partition(_BEGINS)
            text = before.rstrip() + "\n" + _expected(spec, json.loads(scores.read_text()))
            path.write_text(text, encoding="utf-8")


def _expected(spec: Reproduction, told: Mapping[str, Any]) -> str:
    columns = {each.title: each for each in spec.columns if each.measure not in VARYING | JUDGED}
    rows = [row for row in told["rows"] if row["scores"]]
    if not rows:
        return ""
    # Of other models that stand beside them nothing is expected.
    rows = [row for row in rows if row["models"] == rows[0]["models"]]
    lines = [_BEGINS.rstrip("\n"), f"limit = {told['limit']}", f"seed = {told['seed']}"]
    lines += [f"models = {json.dumps(rows[0]['models'])}", "tolerance = 5"]
    for row in rows:
        lines += ["", f"[expected.scores.{json.dumps(row['row'], ensure_ascii=False)}]"]
        lines += [
            f"{json.dumps(title, ensure_ascii=False)} = {score['value'] * columns[title].scale:.1f}"
            for title, score in row["scores"].items()
            if title in columns
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
