"""The pages of one run of all tables of the papers, with how the run was made below each.

    kgdb lab reproduce --all --limit 100 --llm none --output measurements/reproductions

``measurements/reproductions`` is the folder that the command wrote: pages, pictures and scores. The
run ``reproductions`` of ``measurements/evaluation.toml`` says which run it was.
"""

from __future__ import annotations

import measurements
from kgdb.lab.reproduction.spec import reproductions

RUN = measurements.DATA / "reproductions"

_INDEX = """\
# Tables of the papers

`kgdb lab reproduce` runs the tables and figures of the papers, and writes one page for each:
[Reproduce tables of papers](../../how-to/reproducing.md) says how to read them. These pages are of
one run without a language model, as the command wrote them. Rows that need a model say so; the same
command with `--llm` puts them beside these.

| table or figure | |
|---|---|
"""


def pages() -> dict[str, str]:
    """The index and a page for each table that was run, by the name of its file."""
    origin = measurements.provenance([measurements.run("evaluation", "reproductions")])
    made, lines = {}, []
    for name, spec in reproductions().items():
        source = RUN / f"{name}.md"
        if not source.is_file():
            lines.append(f"| {spec.title} | `{name}`, not part of this run |\n")
            continue
        # Whoever looks at a page in a browser gets letters that are sharp at every size.
        page = source.read_text(encoding="utf-8").replace(f"({name}.png)", f"({name}.svg)")
        made[source.name] = f"{page}\n{origin}\n"
        lines.append(f"| [{spec.title}]({source.name}) | `{name}` |\n")
    return {"index.md": f"{_INDEX}{''.join(lines)}\n{origin}\n", **made}
