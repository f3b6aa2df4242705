"""Writes docs/reference/options.md: the options of every method, as the code declares them."""

from __future__ import annotations

from pathlib import Path

from kgdb.methods import METHODS
from kgdb.methods.describing import describe, summaries

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "options.md"
HEAD = """# Method options

`make docs` writes this page from the options that the methods declare. `kgdb methods METHOD`
shows the same table.

Set an option with `--set OPTION=VALUE` on the command line, as often as needed, or with a keyword
in Python:

```console
$ kgdb answer "Who wrote The Tuesday Engine?" --method refkg --set max_hops=1 --set paths=1
```

```python
kg.answer("Who wrote The Tuesday Engine?", method="refkg", max_hops=1, paths=1)
```

`kgdb eval` measures several methods at once: `--set width=3` sets an option of all of them,
`--set refkg.width=3` of one.
"""


def page() -> str:
    """The page with the options of all methods."""
    texts = summaries({name: kind.make for name, kind in METHODS.items()})
    parts = [HEAD]
    for name, kind in METHODS.items():
        options = describe(kind.options)
        parts.append(f"\n## {name}\n\n{texts[name]}\n")
        if options:
            parts.append("\n| option | takes | default | meaning |\n|---|---|---|---|\n")
        parts += (
            f"| `{option.name}` | {_cell(option.values)} | `{option.default}` "
            f"| {_cell(option.text)} |\n"
            for option in options
        )
    return "".join(parts)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
