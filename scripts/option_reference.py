"""The page reference/options.md: the options of methods and searches, from the code."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import get_args, get_type_hints

from kgdb.graph import Graph
from kgdb.graph.retrieval.retrieval_options import SearchOption, declared
from kgdb.methods import all_methods, kind_of
from kgdb.methods.option_declarations import describe

HEAD = """# Method and search options

The options that the methods declare. `kgdb answer --methods NAME` shows the same table.

Set an option with `--set OPTION=VALUE` on the command line, as often as needed, or with a keyword
in Python:

```console
$ kgdb answer "Who wrote The Tuesday Engine?" --method refkg --set max_hops=1 --set paths=1
```

```python
kg.answer("Who wrote The Tuesday Engine?", method="refkg", max_hops=1, paths=1)
```

Every method also takes `form`: `entities` (the default), or `text` for a paragraph that cites its
facts; see [Ask questions](../how-to/asking.md#answers-as-texts).

`kgdb eval` measures several methods at once: `--set width=3` sets an option of all of them,
`--set refkg.width=3` of one.
"""
SEARCH_HEAD = """
## Searches from Python

The searches of a graph take these as keywords in Python. Their ranges are those of the procedures,
whose keys are written in camel case: `maxHops` for `max_hops`.
"""
SEARCHES: Mapping[str, Mapping[str, SearchOption]] = {
    name: declared(get_args(hints["given"])[0])
    for name, method in inspect.getmembers(Graph, inspect.isfunction)
    if "given" in (hints := get_type_hints(method))
}
"""The options of each method of a graph, by its signature."""


def page() -> str:
    """The page with the options of all methods and searches."""
    parts = [HEAD]
    for name, kind in all_methods().items():
        parts += [f"\n## {name}\n\n{kind.summary}\n\n", *method_table(name)]
    parts.append(SEARCH_HEAD)
    for name in SEARCHES:
        parts += [f"\n### {name}\n\n", *search_table(name)]
    return "".join(parts)


def method_table(method: str) -> Iterator[str]:
    """The rows of a method's options, each group below its title."""
    yield "| option | takes | default | meaning |\n|---|---|---|---|\n"
    for group, options in groupby(describe(kind_of(method).options), lambda one: one.group):
        if group:
            yield f"| **{group}** | | | |\n"
        for option in options:
            takes = option.takes.replace(" | ", ", ")
            yield f"| `{option.name}` | {takes} | `{option.default}` | {option.help} |\n"


def search_table(search: str) -> Iterator[str]:
    """The rows of a search's options."""
    yield "| option | default | meaning |\n|---|---|---|\n"
    for name, option in SEARCHES[search].items():
        default = list(option.default) if isinstance(option.default, tuple) else option.default
        yield f"| `{name}` | `{default!r}` | {option.help} |\n"
