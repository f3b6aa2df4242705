"""Words that users teach for the labels, properties and relations of a graph."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph import Graph
from kgdb.graph.connection.catalog import synonym_properties
from kgdb.wording import listed, short

_EXAMPLE = 'For example, in TOML: WORKS_ON = ["staffs", "assigned to"]'


def set_synonyms(graph: Graph, content: str) -> int:
    """Teach the graph the words in ``content``: TOML or JSON with a list of words for each name.

    They replace earlier words for these names; all other names keep theirs. Returns the number of
    the names. Raises :class:`UsageError` for anything else in the file, and then writes nothing.
    A connection reads them when it takes the graph anew.
    """
    given = {name: _words(name, words) for name, words in _parsed(content).items()}
    known = graph.schema.names
    for name in given:
        if name not in known:
            folded = {each.casefold(): each for each in known}
            near = get_close_matches(name.casefold(), folded, n=1)
            meant = f" Did you mean {short(folded[near[0]])}?" if near else ""
            raise UsageError(
                f"The graph has no label, property or relation {short(name)}.{meant}",
                hint=f"Its names are: {listed(known)}.",
            )
    properties = synonym_properties({**graph.info.synonyms, **given})
    values = {"name": graph.name, "properties": properties}
    graph.database.write("schema/set_synonyms", values)
    return len(given)


def _parsed(content: str) -> dict[str, Any]:
    kind = "JSON" if content.lstrip().startswith("{") else "TOML"
    try:
        parsed: dict[str, Any] = json.loads(content) if kind == "JSON" else tomllib.loads(content)
    except ValueError as error:
        raise UsageError(f"The synonyms are no {kind}: {error}.", hint=_EXAMPLE) from error
    return parsed


def _words(name: str, words: Any) -> Sequence[str]:
    """The words in lower case, as questions are compared with them."""
    if not isinstance(words, list) or not all(
        isinstance(word, str) and any(map(str.isalpha, word)) for word in words
    ):
        raise UsageError(
            f"The synonyms of {short(name)} are {short(words)}; expected a list of words.",
            hint=_EXAMPLE,
        )
    return [" ".join(word.lower().split()) for word in words]
