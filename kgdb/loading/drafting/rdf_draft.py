"""The draft for RDF: names, labels and literals by common vocabularies."""

from __future__ import annotations

from kgdb.loading.drafting.draft import Draft
from kgdb.loading.drafting.sample import Sample
from kgdb.loading.loaders.loader_files import read_spec
from kgdb.loading.loaders.loader_spec import RESERVED_LABELS

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
NAMES = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
)
"""Predicates for the name of an entity, the most usual one first."""

ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"


def rdf_draft(sample: Sample, label: str) -> Draft:
    """The draft for N-Triples or Turtle, for a graph with that label."""
    naming = next((one for one in NAMES if one in sample.predicates), NAMES[0])
    others = ", ".join(f"'{one}'" for one in (*NAMES, ALIAS) if one != naming)
    language = _language(sample)
    reserved = ", ".join(f"'{one}'" for one in sorted({*RESERVED_LABELS, label}))
    notes = [
        "Ids are the IRIs (and _:… for blank nodes). The name of an entity is its name in the "
        f"language {language!r}, else in any language, else an alias, else the end of its IRI. "
        "Names in other vocabularies and languages are aliases. Labels are the ends of the types' "
        "IRIs. What the source says about a triple are properties of its relationship.",
    ]
    if sample.format == "turtle" or len(sample.languages) > 1 or naming not in sample.predicates:
        notes.append("UNSURE: check that these are the right names and the right language.")
    views = {
        "annotations": read_spec("ntriples").views["annotations"].lstrip("\n"),
        "statements": f"""SELECT subject, predicate, object, datatype, language, properties,
       CASE WHEN kind <> 'literal' THEN
                 CASE WHEN predicate = '{TYPE}' AND kind = 'iri' THEN 'type' ELSE 'triple' END
            WHEN object = '' THEN 'empty value'
            WHEN predicate = '{naming}' THEN 'name'
            WHEN predicate IN ({others})
            THEN 'alias'
            ELSE 'literal' END AS role
FROM (SELECT source.*, properties FROM source LEFT JOIN annotations
      ON annotations.subject = source.subject AND annotations.predicate = source.predicate
         AND annotations.object = source.object
         AND annotations.datatype IS NOT DISTINCT FROM source.datatype
         AND annotations.language IS NOT DISTINCT FROM source.language)
""",
    }
    tables = {
        "triples": "SELECT subject AS head, predicate AS relation, object AS tail, properties\n"
        "FROM statements WHERE role IN ('triple')",
        "literals": "SELECT subject AS head, predicate AS relation, object AS value, datatype, "
        "language, properties\nFROM statements WHERE role IN ('literal')",
        "entities": f"""WITH ids AS (
    SELECT subject AS id FROM statements UNION SELECT object FROM statements WHERE role = 'triple'),
described AS (
    SELECT subject AS id,
           min(struct_pack(
               rank := CASE role WHEN 'name' THEN 0 ELSE 4 END +
                        CASE WHEN lower(language) = '{language}' THEN 0
                             WHEN lower(language) LIKE '{language}-%' THEN 1
                             WHEN language IS NULL THEN 2 ELSE 3 END,
               text := object)) FILTER (role IN ('name', 'alias')) AS name,
           list(object) FILTER (role IN ('name', 'alias')) AS aliases,
           list(regexp_extract(object, '([^/#:]+)[/#]*$', 1)) FILTER (role = 'type') AS labels
    FROM statements WHERE role IN ('name', 'alias', 'type') GROUP BY subject)
SELECT id,
       coalesce(name.text, TRY(url_decode(last)), last) AS name,
       aliases,
       [one FOR one IN labels IF one NOT IN ({reserved})] AS labels
FROM (SELECT id, regexp_extract(id, '([^/#]+)[/#]*$', 1) AS last FROM ids)
LEFT JOIN described USING (id)
""",
        "other": "SELECT CASE role WHEN 'alias' THEN 'aliases' ELSE role || 's' END AS reason,\n"
        "       count(*) AS records\n"
        "FROM statements WHERE role NOT IN ('triple', 'literal') GROUP BY role\n"
        "UNION ALL SELECT 'statements about triples', count(*)\n"
        "FROM source_annotations WHERE key <> 'graph'\n",
    }
    source = [f'format = "{sample.format}"']
    return Draft(notes, source, views=views, tables=tables)


def _language(sample: Sample) -> str:
    """English if the sample has any, else the most frequent language."""
    languages = [each.partition("-")[0].lower() for each in sample.languages]
    if "en" in languages or not languages:
        return "en"
    return max(sample.languages, key=lambda each: sample.languages[each]).partition("-")[0].lower()
