"""Names that are one name written in different ways: *St. John* and *St John*.

They differ only in spaces, Unicode form, case or punctuation. Where the name of an entity is its
id, each way of writing makes an entity of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb

from kgdb.loading.preparing.tables import MENTIONS
from kgdb.loading.scratch.sql_quoting import literal
from kgdb.wording import counted, plural, short

OPTION = "merge_names"
"""The option of a loader that merges them, if it is ``yes``."""

MOST_COUNTED = 5_000_000
"""In a graph with more entities they are not counted, for the memory that it takes."""

_EXAMPLES = 3
_SIGNS = (" ", ".", "-", "'", ",")
_OTHER_SIGNS = ("’", "\u00a0")
_SEPARATORS = r"[\s\pZ_.,;:!?'’‘`´\"“”„–—-]+"


def are_merged(options: Mapping[str, str]) -> bool:
    """Whether a loader's options ask for it."""
    return options.get(OPTION) == "yes"


def merge_near_duplicates(connection: duckdb.DuckDBPyConnection) -> str | None:
    """Make one entity of those whose ids are one name, and the others' names its aliases.

    To be called between ``run_loader_sql`` and ``build`` of :mod:`kgdb.loading.preparing`. The name
    that most facts have remains. Returns a note, ``None`` if there were none.
    """
    connection.execute(
        f"""
        CREATE TEMP TABLE mentioned AS
        SELECT id, mentions FROM ({MENTIONS})
        LEFT JOIN named USING (id)
        WHERE coalesce(name, id) = id AND mediator IS NOT TRUE
        """
    )
    found = _groups(connection, "mentioned", "id")
    connection.execute(
        f"CREATE TEMP TABLE written_otherwise AS SELECT unnest(names[2:]) AS id, "
        f"names[1] AS merged FROM ({found})"
    )
    note = _note(
        connection,
        found,
        "was merged with one that differs",
        "were merged with others that differ",
    )
    for table, column in (
        ("raw_triples", "head"),
        ("raw_triples", "tail"),
        ("raw_literals", "head"),
    ):
        connection.execute(
            f"UPDATE {table} SET {column} = merged FROM written_otherwise AS other "
            f"WHERE {table}.{column} = other.id"
        )
    connection.execute(
        """
        CREATE OR REPLACE TABLE named AS
        SELECT id, min(name) AS name, flatten(list(aliases)) AS aliases,
               flatten(list(labels)) AS labels, bool_or(mediator) AS mediator
        FROM (SELECT coalesce(merged, named.id) AS id, if(merged IS NULL, name, NULL) AS name,
                     coalesce(aliases, []) AS aliases, coalesce(labels, []) AS labels, mediator
              FROM named LEFT JOIN written_otherwise USING (id)
              UNION ALL SELECT merged, NULL, [id], [], false FROM written_otherwise)
        GROUP BY id
        """
    )
    connection.execute("DROP TABLE mentioned")
    connection.execute("DROP TABLE written_otherwise")
    return note


def count_near_duplicates(
    connection: duckdb.DuckDBPyConnection, options: Mapping[str, str]
) -> str | None:
    """A note on them, with examples; ``None`` if there are none, or too many entities to count.

    It reads the tables of ``build``; ``options`` are those of the loader.
    """
    ((entities,),) = connection.execute("SELECT count(*) FROM entities").fetchall()
    if entities > MOST_COUNTED:
        return None
    found = _groups(connection, "(FROM entities WHERE name = id AND NOT mediator)", "name")
    advice = f"; --set {OPTION}=yes merges them" if OPTION in options else ""
    return _note(connection, found, "differs from another", "differ from others", advice)


def _groups(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> str:
    """A SELECT of the names that are one, as ``names``, first the one with the most mentions.

    The first comparison is cheap, and is done by hashes; few names are left for the second.
    """
    ascii_form = _without(f"lower({column})", _SIGNS)
    form = _without(f"lower(nfc_normalize({column}))", (*_SIGNS, *_OTHER_SIGNS))
    rough = f"CASE WHEN strlen({column}) = length({column}) THEN {ascii_form} ELSE {form} END"
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE like_others AS WITH hashed AS MATERIALIZED "
        f"(SELECT {column} AS name, mentions, hash({rough}) AS key FROM {table}) "
        "SELECT name, mentions FROM hashed WHERE key IN "
        "(SELECT key FROM hashed GROUP BY key HAVING count(*) > 1)"
    )
    exact = f"trim(regexp_replace(lower(nfc_normalize(name)), {literal(_SEPARATORS)}, ' ', 'g'))"
    return (
        f"SELECT list(name ORDER BY mentions DESC, name) AS names FROM "
        f"(SELECT name, mentions, {exact} AS key FROM like_others) "
        # Without letters it is a number, whose punctuation counts.
        f"WHERE regexp_matches(key, '\\pL') GROUP BY key HAVING count(*) > 1"
    )


def _without(text: str, signs: Sequence[str]) -> str:
    for sign in signs:
        text = f"replace({text}, {literal(sign)}, '')"
    return text


def _note(
    connection: duckdb.DuckDBPyConnection, groups: str, one: str, many: str, advice: str = ""
) -> str | None:
    """What happened to the names, with their number and examples."""
    number, examples = connection.execute(
        f"SELECT coalesce(sum(len(names) - 1), 0)::BIGINT, list(names[:2] ORDER BY names[1])"
        f"[:{_EXAMPLES}] FROM ({groups})"
    ).fetchall()[0]
    if not number:
        return None
    pairs = ", ".join(f"{short(first, 40)} and {short(other, 40)}" for first, other in examples)
    return (
        f"{counted(number, 'name')} {plural(number, one, many)} only in spaces, case, punctuation "
        f"or Unicode form, such as {pairs}{advice}"
    )
