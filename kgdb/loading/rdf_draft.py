"""The tables of a first loader file for RDF: names, labels and literals by common vocabularies."""

from __future__ import annotations

from kgdb.loading.sampling import Sample
from kgdb.loading.spec import RESERVED_LABELS

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
NAMES = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
)
"""Predicates that name an entity, the usual one first."""

ALIASES = "http://www.w3.org/2004/02/skos/core#altLabel"


def rdf_tables(sample: Sample, label: str) -> tuple[list[str], dict[str, str]]:
    """Notes for the reader, and the SELECTs."""
    naming = next((one for one in NAMES if one in sample.predicates), NAMES[0])
    language = _language(sample)
    reserved = ", ".join(f"'{one}'" for one in sorted({*RESERVED_LABELS, label}))
    notes = [
        "Ids are the IRIs (and _:… for blank nodes).",
        f"Names are those of {naming} in the language {language!r}, else in any, else the end of "
        "the IRI; names in other languages are aliases.",
        f"Labels are the ends of the IRIs of {TYPE}.",
    ]
    if sample.format == "turtle" or len(sample.languages) > 1 or naming not in sample.predicates:
        notes.append("UNSURE: look whether these are the right names and the right language.")
    used = f"'{TYPE}', '{naming}', '{ALIASES}'"
    spoken = f"language = '{language}' OR language LIKE '{language}-%'"
    entities = f"""
WITH ids AS (
    SELECT subject AS id FROM source
    UNION SELECT object FROM source WHERE kind <> 'literal' AND predicate <> '{TYPE}'),
named AS (
    SELECT subject AS id,
           min(struct_pack(
               place := CASE WHEN {spoken} THEN 0 WHEN language IS NULL THEN 1 ELSE 2 END,
               text := object)) FILTER (predicate = '{naming}') AS name,
           list(object) FILTER (predicate IN ('{naming}', '{ALIASES}')) AS aliases
    FROM source WHERE kind = 'literal' AND predicate IN ({used}) GROUP BY subject),
typed AS (
    SELECT subject AS id, list(regexp_extract(object, '([^/#:]+)[/#]*$', 1)) AS labels
    FROM source WHERE predicate = '{TYPE}' AND kind <> 'literal' GROUP BY subject)
SELECT id, coalesce(name.text, url_decode(regexp_extract(id, '([^/#]+)[/#]*$', 1))) AS name,
       aliases, [one FOR one IN labels IF one NOT IN ({reserved})] AS labels
FROM ids LEFT JOIN named USING (id) LEFT JOIN typed USING (id)
"""
    tables = {
        "triples": (
            "SELECT subject AS head, predicate AS relation, object AS tail FROM source "
            f"WHERE kind <> 'literal' AND predicate <> '{TYPE}'"
        ),
        "literals": (
            "SELECT subject AS head, predicate AS relation, object AS value, datatype, language "
            f"FROM source WHERE kind = 'literal' AND predicate NOT IN ({used})"
        ),
        "entities": entities,
        "other": (
            "SELECT CASE WHEN kind = 'literal' THEN 'names' ELSE 'types' END AS why, "
            "count(*) AS records FROM source\n"
            f"WHERE (kind = 'literal' AND predicate IN ({used}))\n"
            f"   OR (kind <> 'literal' AND predicate = '{TYPE}') GROUP BY 1\n"
        ),
    }
    return notes, tables


def _language(sample: Sample) -> str:
    """English where there is some, else the most frequent one."""
    spoken = [each.partition("-")[0].lower() for each in sample.languages]
    if "en" in spoken or not spoken:
        return "en"
    return max(sample.languages, key=lambda each: sample.languages[each]).partition("-")[0]
