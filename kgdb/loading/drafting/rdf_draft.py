"""The tables of a first loader file for RDF: names, labels and literals by common vocabularies."""

from __future__ import annotations

from kgdb.loading.drafting.draft import Draft
from kgdb.loading.drafting.sample import Sample
from kgdb.loading.loaders.spec import RESERVED_LABELS

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
NAMES = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
)
"""Predicates that name an entity, the usual one first."""

ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"


def rdf_draft(sample: Sample, label: str) -> Draft:
    """Of N-Triples or Turtle, for a graph with that label."""
    naming = next((one for one in NAMES if one in sample.predicates), NAMES[0])
    others = ", ".join(f"'{one}'" for one in (*NAMES, ALIAS) if one != naming)
    language = _language(sample)
    reserved = ", ".join(f"'{one}'" for one in sorted({*RESERVED_LABELS, label}))
    notes = [
        "Ids are the IRIs (and _:… for blank nodes). A name is that in the language "
        f"{language!r}, else in any, else an alias, else the end of the IRI; names by other "
        "vocabularies and in other languages are aliases. Labels are the ends of types' IRIs.",
    ]
    if sample.format == "turtle" or len(sample.languages) > 1 or naming not in sample.predicates:
        notes.append("UNSURE: look whether these are the right names and the right language.")
    views = {
        "said": f"""SELECT subject, predicate, object, datatype, language,
       CASE WHEN kind <> 'literal' THEN
                 CASE WHEN predicate = '{TYPE}' AND kind = 'iri' THEN 'type' ELSE 'triple' END
            WHEN object = '' THEN 'empty value'
            WHEN predicate = '{naming}' THEN 'name'
            WHEN predicate IN ({others})
            THEN 'alias'
            ELSE 'literal' END AS what
FROM source
"""
    }
    tables = {
        "triples": "SELECT subject AS head, predicate AS relation, object AS tail\n"
        "FROM said WHERE what IN ('triple')",
        "literals": "SELECT subject AS head, predicate AS relation, object AS value, datatype, "
        "language\nFROM said WHERE what IN ('literal')",
        "entities": f"""WITH ids AS (
    SELECT subject AS id FROM said UNION SELECT object FROM said WHERE what = 'triple'),
described AS (
    SELECT subject AS id,
           min(struct_pack(
               place := CASE what WHEN 'name' THEN 0 ELSE 4 END +
                        CASE WHEN lower(language) = '{language}' THEN 0
                             WHEN lower(language) LIKE '{language}-%' THEN 1
                             WHEN language IS NULL THEN 2 ELSE 3 END,
               text := object)) FILTER (what IN ('name', 'alias')) AS name,
           list(object) FILTER (what IN ('name', 'alias')) AS aliases,
           list(regexp_extract(object, '([^/#:]+)[/#]*$', 1)) FILTER (what = 'type') AS labels
    FROM said WHERE what IN ('name', 'alias', 'type') GROUP BY subject)
SELECT id,
       coalesce(name.text, TRY(url_decode(last)), last) AS name,
       aliases,
       [one FOR one IN labels IF one NOT IN ({reserved})] AS labels
FROM (SELECT id, regexp_extract(id, '([^/#]+)[/#]*$', 1) AS last FROM ids)
LEFT JOIN described USING (id)
""",
        "other": "SELECT CASE what WHEN 'alias' THEN 'aliases' ELSE what || 's' END AS why,\n"
        "       count(*) AS records\n"
        "FROM said WHERE what NOT IN ('triple', 'literal') GROUP BY what\n",
    }
    return Draft(notes, [f'format = "{sample.format}"'], views, tables)


def _language(sample: Sample) -> str:
    """English where there is some, else the most frequent one."""
    spoken = [each.partition("-")[0].lower() for each in sample.languages]
    if "en" in spoken or not spoken:
        return "en"
    return max(sample.languages, key=lambda each: sample.languages[each]).partition("-")[0].lower()
