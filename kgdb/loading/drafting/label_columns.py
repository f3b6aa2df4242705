"""Columns that hold the names of what another column holds: country and countryLabel."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.loading.drafting.sample import Column

# The first is how those are called that SPARQL adds at Wikidata.
_SUFFIXES = ("label", "_label", " label", "_name", " name", "_title", " title")
_OF_IDS = ("_id", " id")


def companions(columns: Sequence[Column], key: Column) -> dict[str, Column]:
    """For the name of a column, the one that says how its entities are called.

    Numbers are ids of the rows at most, in ``key``: others may be those of rows, too.
    """
    texts = [one for one in columns if one.kind == "text" and (one is key or not one.is_numeric)]
    by_word = {column.word: column for column in texts}
    found = {}
    for column in texts:
        stems = [column.word.removesuffix(end) for end in _OF_IDS if column.word.endswith(end)]
        words = [stem + suffix for stem in (column.word, *stems) for suffix in _SUFFIXES]
        name = next((by_word[word] for word in (*words, *stems) if word in by_word), None)
        if name and column.values:
            found[column.name] = name
    return found


def called(column: Column) -> str:
    """What a column of ids is the relation to: country_id to a country."""
    name = column.title or column.name
    ending = next((end for end in _OF_IDS if column.word.endswith(end)), "")
    return name[: len(name) - len(ending)] if len(name) > len(ending) else name
