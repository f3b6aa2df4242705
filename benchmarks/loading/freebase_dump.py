"""A generated dump with the shape of the last one that Freebase published, and far fewer lines.

What is known of the real one, in lines of 3,130,753,066:

- The file: 32,191,685,487 bytes of gzip and 425,229,008,315 without; 125,144,313 subjects. Literals
  in other languages than English are 1,208,052,013 of the lines (Anserini's notes on Freebase:
  1,922,701,053 lines without them).
- ``common.notable_for.display_name``: 1,157,934,920, in some 38 languages for each of 30,696,461
  nodes; ``type.object.key``: 146,583,100 (both from notes on a conversion to Parquet).
- ``type.object.type``, and the same again as ``rdf:type``: 266,321,867 each, and the way back,
  ``type.type.instance``, 266,257,391. The counts per type in the repository of Niel Chah,
  "Freebase-triples: A Methodology for Processing the Freebase Data Dumps" (arXiv:1712.08707,
  github.com/nchah/freebase-triples), give the kinds of subjects, 49,947,799 topics and 30,696,461
  ``common.notable_for`` among them, and the weight of each domain, ``_DOMAINS``. By the paper,
  nearly 60 % of the lines could be trimmed.
- 306,733,220 edges of 4,335 properties between 72,407,365 nodes are left once metadata and literals
  are gone (Lissandrini et al., the Freebase ExQ data dump), each with its inverse.

The shares of the other groups, ``_ASSUMED``, are guesses that fill up the rest of the lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb

LINES = 3_130_753_066
COMPRESSED, PLAIN = 32_191_685_487, 425_229_008_315

_SUBJECTS = 125_144_313
_TOPICS = 49_947_799
_NOTABLE = 30_696_461
_TYPED = 266_321_867
_KEYS = 146_583_100
_EDGES = 306_733_220
_DISPLAYED = 1_157_934_920
_FOREIGN = 1_208_052_013

_MEDIATORS = 28_000_000
_ASSUMED = {
    "names": 72_407_365,  # a name for each node of the ExQ dump, and each again as rdfs:label
    "aliases": 20_000_000,
    "descriptions": 20_000_000,
    "webpages": 60_000_000,
    "values": 110_000_000,  # literals of Freebase's own domains
    "users": 50_000_000,  # user.* and base.*
    "bookkeeping": 17_000_000,
}

# Entities with a type of the domain, in units of 100,000.
_DOMAINS = {
    "music": 426, "book": 86, "people": 58, "measurement_unit": 54, "location": 50, "film": 44,
    "media_common": 29, "tv": 25, "business": 18, "organization": 12, "fictional_universe": 11,
    "biology": 11, "award": 10, "sports": 10, "education": 9, "medicine": 8, "government": 3,
    "astronomy": 3, "soccer": 3, "time": 2, "geography": 2,
}  # fmt: skip
_LANGUAGES = (
    "en de fr es it pt nl sv da no fi pl cs sk hu ro bg ru uk el tr he ar fa hi th vi id fil ko ja "
    "zh zh-Hant ca hr lt lv sr"
).split()

_PAIRS = 2_168
"""Properties with their inverses, together the 4,335 of the ExQ dump and one."""

_TYPES = 400
_USER_PROPERTIES = 20_000
_POPULARITY = 0.75
"""Exponent of Zipf's law for how often a topic is the value of a fact."""

_NS = "http://rdf.freebase.com/ns/"
_W3 = "http://www.w3.org/"


@dataclass(frozen=True, slots=True)
class FreebaseDump:
    """The file, its lines and its bytes without compression."""

    source: Path
    lines: int
    plain: int


def write(lines: int, folder: Path, *, seed: int = 5) -> FreebaseDump:
    """Write about so many lines below ``folder``, sorted by subject; the same ones for a seed."""
    source = folder / "freebase.nt.gz"
    scale = lines / LINES
    with duckdb.connect() as connection:
        connection.execute("SET memory_limit = '2GB'")
        connection.execute("SET temp_directory = ?", [str(folder / "sorting")])
        _define(connection, seed)
        _ontology(connection)
        connection.execute(
            "CREATE TABLE statements (subject VARCHAR, predicate VARCHAR, o VARCHAR)"
        )
        for select in (*_numbered(scale), *_ONTOLOGY_LINES):
            connection.execute(f"INSERT INTO statements {select}")
        line = (
            "'<' || if(starts_with(subject, 'http'), '', ns()) || subject || '>\t<' || "
            "if(starts_with(predicate, 'http'), '', ns()) || predicate || '>\t' || o || '\t.'"
        )
        connection.execute("SET preserve_insertion_order = true")
        connection.execute(
            f"COPY (SELECT {line} FROM (FROM statements ORDER BY subject, predicate, o)) TO ? "
            "(FORMAT csv, DELIMITER '\x01', QUOTE '', ESCAPE '', HEADER false, COMPRESSION gzip)",
            [str(source)],
        )
        counted = connection.execute(
            f"SELECT count(*), sum(strlen({line}) + 1)::BIGINT FROM statements"
        ).fetchall()[0]
    return FreebaseDump(source, *counted)


def _define(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Macros: everything random is a hash of a number, whatever thread makes the row."""
    for macro in (
        f"ns() AS '{_NS}'",
        f"chance(i, salt) AS hash(i, salt, {seed}) / 18446744073709551616.0",
        # Mids in no order of what they stand for, as those of Freebase.
        "mid(i) AS 'm.0' || lower(to_base((i * 2654435761 + 40503) % 4294967296, 32, 7))",
        "node(text) AS '<' || ns() || text || '>'",
        f"popular(n, i, salt) AS floor(n * chance(i, salt) ** {1 / (1 - _POPULARITY)})::BIGINT",
        "words(i, salt, n) AS array_to_string([substr('babebodadedofafikakekolalelilomamemi"
        "naneonoparareririsasotatovavyzazezo', 1 + 2 * (hash(i, salt, k) % 34)::INT, "
        "2 + 2 * (hash(k, i) % 3)::INT) FOR k IN range(n)], ' ')",
        f"language_of(i, salt) AS if(chance(i, salt) < {_names_in_english()}, 'en', "
        f"{_LANGUAGES[1:]!r}[1 + (hash(i, salt, 1) % {len(_LANGUAGES) - 1})::INT])",
    ):
        connection.execute(f"CREATE MACRO {macro}")


def _names_in_english() -> float:
    """What display names leave of the foreign literals is spread over names and descriptions."""
    foreign = _FOREIGN - _DISPLAYED * (1 - 1 / len(_LANGUAGES))
    texts = 2 * _ASSUMED["names"] + _ASSUMED["aliases"] + _ASSUMED["descriptions"]
    return 1 - foreign / texts


def _ontology(connection: duckdb.DuckDBPyConnection) -> None:
    """Types of the domains, every second one of mediators, and pairs of properties of them."""
    parts = ", ".join(f"('{name}', {weight})" for name, weight in _DOMAINS.items())
    connection.execute(
        f"""
        CREATE TABLE domains AS SELECT name, sum(weight) OVER (ORDER BY weight DESC, name)
            / sum(weight) OVER () AS until FROM (VALUES {parts}) AS given (name, weight);
        CREATE TABLE types AS
        SELECT number, name || '.type_' || number AS type, number % 2 = 1 AS mediator FROM (
            SELECT number, (SELECT min({{'until': until, 'name': name}}).name FROM domains
                            WHERE until >= (number * 0.6180339887) % 1) AS name
            FROM range({_TYPES}) AS numbers (number));
        CREATE TABLE properties AS
        SELECT i AS number, own.type || '.property_' || i AS property,
               other.type || '.inverse_' || i AS inverse, own.type AS of_type, other.type AS range
        FROM range({_PAIRS}) AS numbers (i)
        JOIN types AS own ON own.number = i % {_TYPES}
        JOIN types AS other ON other.number = (i * 7 + 6) % {_TYPES} // 2 * 2;
        """
    )


_ONTOLOGY_LINES = (
    "SELECT type, unnest(['type.object.type', 'type.object.name', 'freebase.type_hints.mediator']),"
    """ unnest([node('type.type'), '"' || type || '"@en', '"' || mediator || '"']) FROM types""",
    """
    SELECT property, unnest(['type.object.type', 'type.object.name', 'type.property.expected_type',
                             'type.property.schema', 'type.property.reverse_property']),
           unnest([node('type.property'), '"Property of"@en', node(range), node(of_type),
                   node(inverse)])
    FROM properties""",
    """
    SELECT inverse, unnest(['type.object.type', 'type.object.name', 'type.property.expected_type',
                            'type.property.schema', 'type.property.master_property']),
           unnest([node('type.property'), '"Inverse of"@en', node(of_type), node(range),
                   node(property)])
    FROM properties""",
)


def _numbered(scale: float) -> list[str]:
    """A SELECT for each group of lines. Numbers are of topics first, then of mediators."""

    def part(of: int) -> int:
        return max(1, round(of * scale))

    topics, mediators, notable = part(_TOPICS), part(_MEDIATORS), part(_NOTABLE)
    subjects = part(_SUBJECTS)
    named = part(_ASSUMED["names"])
    first_notable = topics + mediators
    per_topic = (_TYPED - _SUBJECTS) / _TOPICS
    # Each fact is there forward and back: of a mediator with 2 or 3 values, or of two topics.
    of_mediators = 5 * mediators // 2
    of_topics = max(1, part(_EDGES) // 2 - of_mediators)
    return [
        *_typed(topics, mediators, notable, subjects, per_topic),
        *_facts(0, of_topics, topics, f"popular({topics}, i, 'head')", mediator=False),
        *_facts(
            of_topics,
            of_topics + of_mediators,
            topics,
            f"{topics} + i % {mediators}",
            mediator=True,
        ),
        f"""
        SELECT mid(i), unnest(['type.object.name', '{_W3}2000/01/rdf-schema#label']), text FROM (
            SELECT i % {first_notable} AS i, '"' || words(i, 'name', 1 + i % 3) || '"@'
                || if(i < {first_notable}, language_of(i, 'name'), 'en') AS text
            FROM range({named}) AS numbers (i))
        """,
        f"""
        SELECT mid({first_notable} + i % {notable}), 'common.notable_for.display_name',
               '"' || words(hash(i % {notable}) % 5000, 'notable', 2) || '"@'
               || {_LANGUAGES!r}[1 + i // {notable}]
        FROM range(least({part(_DISPLAYED)}, {notable * len(_LANGUAGES)})) AS numbers (i)
        """,
        f"""
        SELECT mid(subject), predicate, object FROM (
            SELECT {first_notable} + i AS of, i % {topics} AS topic FROM range({notable}) AS n (i)),
        LATERAL (VALUES
            (of, 'common.notable_for.predicate', '"/type/object/type"'),
            (of, 'common.notable_for.object', node('music.type_' || of % 50)),
            (of, 'common.notable_for.notable_object', node(mid(of % 997))),
            (topic, 'common.topic.notable_for', node(mid(of))),
            (topic, 'common.topic.notable_types', node(mid(of % 997)))
        ) AS said (subject, predicate, object)
        """,
        *_rest(part, topics, mediators),
    ]


def _typed(topics: int, mediators: int, notable: int, subjects: int, per_topic: float) -> list[str]:
    """Types, three times each: in Freebase's words, in those of RDF, and as the type's instance."""
    typed = f"""
        SELECT i, 'common.topic' AS type FROM range({topics}) AS n (i)
        UNION ALL SELECT i, if(chance(i, k) < 0.5, 'base.type_ontology.kind_' || k,
                               (SELECT list(type ORDER BY number) FROM types WHERE NOT mediator)
                               [1 + (hash(i, k) % {_TYPES // 2})::INT])
        FROM range({topics}) AS n (i), range(3) AS m (k) WHERE chance(i, 9 + k) < {per_topic} - k
        UNION ALL SELECT {topics} + i, (SELECT list(type ORDER BY number) FROM types WHERE mediator)
                               [1 + (i % {_TYPES // 2})::INT]
        FROM range({mediators}) AS n (i)
        UNION ALL SELECT {topics} + {mediators} + i, 'common.notable_for'
        FROM range({notable}) AS n (i)
        UNION ALL SELECT i, ['common.document', 'common.webpage', 'type.content', 'type.namespace',
                             'book.isbn'][1 + i % 5]
        FROM range({topics + mediators + notable}, {subjects}) AS n (i)"""
    return [
        "SELECT mid(i), unnest(['type.object.type', "
        f"'{_W3}1999/02/22-rdf-syntax-ns#type']), node(type) FROM ({typed})",
        f"SELECT type, 'type.type.instance', node(mid(i)) FROM ({typed})",
    ]


def _facts(begin: int, end: int, topics: int, head: str, *, mediator: bool) -> list[str]:
    """Facts of topics, or of mediators, by properties of which few are used often."""
    drawn = f"""
        SELECT {head} AS head, popular({topics}, i, 'tail') AS tail,
               2 * popular({_PAIRS // 2}, i, 'property') + {int(mediator)} AS number
        FROM range({begin}, {end}) AS numbers (i)"""
    joined = f"FROM ({drawn}) JOIN properties USING (number)"
    return [
        f"SELECT mid(head), property, node(mid(tail)) {joined}",
        f"SELECT mid(tail), inverse, node(mid(head)) {joined}",
    ]


def _rest(part: Callable[[int], int], topics: int, mediators: int) -> list[str]:
    """Literals, keys, texts, web pages, and what users and Freebase itself noted."""
    assumed = {name: part(lines) for name, lines in _ASSUMED.items()}
    return [
        f"""
        SELECT mid(i % {topics + mediators}), properties.of_type || '.value_' || number,
               CASE i % 4 WHEN 0 THEN '"' || (1900 + i % 120) || '"'
                    WHEN 1 THEN '"' || (1900 + i % 120) || '-07-01"^^<{_W3}2001/XMLSchema#date>'
                    WHEN 2 THEN '"' || hash(i) % 100000 / 10.0 || '"'
                    ELSE '"' || words(i, 'value', 2) || '"@en' END
        FROM range({assumed["values"]}) AS numbers (i)
        JOIN properties ON number = popular({_PAIRS}, i, 'value')
        """,
        f"""
        SELECT mid(i % {topics}),
               unnest(['type.object.key', 'http://rdf.freebase.com/key/' || space]),
               unnest(['"/' || replace(space, '.', '/') || '/' || hash(i) || '"',
                       '"' || hash(i) || '"'])
        FROM (SELECT i, 'wikipedia.' || {_LANGUAGES!r}[1 + i % {len(_LANGUAGES)}] AS space
              FROM range({part(_KEYS)}) AS numbers (i))
        """,
        f"""
        SELECT mid(popular({topics}, i, 'alias')), 'common.topic.alias',
               '"' || words(i, 'alias', 2) || '"@' || language_of(i, 'alias')
        FROM range({assumed["aliases"]}) AS numbers (i)
        """,
        f"""
        SELECT mid(i % {topics}), 'common.topic.description',
               '"' || words(i, 'description', 100) || '"@' || language_of(i, 'description')
        FROM range({assumed["descriptions"]}) AS numbers (i)
        """,
        f"""
        SELECT mid(i % {topics}), 'common.topic.topic_equivalent_webpage',
               '<http://example.org/wiki/index.html?curid=' || hash(i) || '>'
        FROM range({assumed["webpages"]}) AS numbers (i)
        """,
        f"""
        SELECT mid(i % {topics}), if(i % 2 = 0, 'base.base_', 'user.user_') || n % 500 || '.kind_'
               || n % 7 || '.property_' || n, node(mid(popular({topics}, i, 'user')))
        FROM (SELECT i, popular({_USER_PROPERTIES}, i, 'of user') AS n
              FROM range({assumed["users"]}) AS numbers (i))
        """,
        f"""
        SELECT mid(i % {topics}), 'dataworld.gardening_hint.replaced_by', node(mid(i))
        FROM range({assumed["bookkeeping"]}) AS numbers (i)
        """,
    ]
