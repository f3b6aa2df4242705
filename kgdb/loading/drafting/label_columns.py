"""Label columns: the names of the entities in another column, as country and countryLabel."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.loading.drafting.sample import Column

# The first is the suffix of the label columns that Wikidata's SPARQL service adds.
_SUFFIXES = ("label", "_label", " label", "_name", " name", "_title", " title")
_ID_ENDINGS = ("_id", " id")


def label_columns(columns: Sequence[Column], key: Column) -> dict[str, Column]:
    """For each column with a label column: the column's name, and its label column.

    A numeric column counts only if it is ``key``: other numbers may be values.
    """
    texts = [one for one in columns if one.kind == "text" and (one is key or not one.is_numeric)]
    by_word = {column.word: column for column in texts}
    labels = {}
    for column in texts:
        stems = [column.word.removesuffix(end) for end in _ID_ENDINGS if column.word.endswith(end)]
        words = [stem + suffix for stem in (column.word, *stems) for suffix in _SUFFIXES]
        name = next((by_word[word] for word in (*words, *stems) if word in by_word), None)
        if name and column.values:
            labels[column.name] = name
    return labels


def relation_name(column: Column) -> str:
    """The relation that a column of ids stands for: country for country_id."""
    name = column.title or column.name
    ending = next((end for end in _ID_ENDINGS if column.word.endswith(end)), "")
    return name[: len(name) - len(ending)] if len(name) > len(ending) else name
