"""The formats of source files, and the description of one input table of a loader."""

from __future__ import annotations

from dataclasses import dataclass

from kgdb.errors import UsageError
from kgdb.wording import listed, short


@dataclass(frozen=True, slots=True)
class Format:
    """A format of source files.

    ``expected`` says in words what a file holds. ``reader`` is the function that makes a table of
    the files, as ``module:function`` below this package: it is imported when a source needs it. It
    takes the connection, the source and the files; with ``elements`` it takes one open file, and
    yields the elements of a graph. ``also`` are recognized files of other loaders that it reads,
    ``names`` what people call the format, or programs that write it.
    """

    expected: str
    reader: str
    elements: bool = False
    names: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    is_xml: bool = False
    is_document: bool = False
    """Whether a file is one value of JSON, which may be one line."""
    has_fields: bool = False
    """Whether its lines are fields with a delimiter between them."""
    may_have_more: bool = False
    """Whether files may have more columns than a loader names."""
    annotates: bool = False
    """Whether its reader makes a second table, of annotations beside that of triples."""


FORMATS = {
    "delimited": Format(
        "UTF-8 lines of fields, without quoting", "tabular:read_delimited", has_fields=True
    ),
    "csv": Format(
        "UTF-8 comma-separated values with a header line",
        "tabular:read_csv",
        has_fields=True,
        may_have_more=True,
    ),
    "jsonl": Format(
        "UTF-8 lines that are one JSON object each, or one JSON array of objects",
        "jsonl:read_jsonl",
        names=("json", "ndjson"),
        may_have_more=True,
    ),
    "parquet": Format("a Parquet file", "tabular:read_parquet", may_have_more=True),
    "ntriples": Format(
        "UTF-8 N-Triples or N-Quads, one statement a line",
        "ntriples:read_ntriples",
        names=("nquads", "n-quads", "nq", "nt", "n-triples", "rdfstar"),
        annotates=True,
    ),
    "turtle": Format("UTF-8 Turtle", "rdf_formats:read_rdf", names=("ttl", "n3"), annotates=True),
    "trig": Format("UTF-8 TriG", "rdf_formats:read_rdf", also=("turtle",), annotates=True),
    "rdfxml": Format(
        "RDF/XML",
        "rdf_formats:read_rdf",
        names=("rdf", "rdf-xml", "owl", "rdf/xml"),
        also=("owl",),
        is_xml=True,
        annotates=True,
    ),
    "jsonld": Format(
        "UTF-8 JSON-LD",
        "rdf_formats:read_rdf",
        names=("json-ld", "json_ld"),
        is_document=True,
        annotates=True,
    ),
    "apoc": Format("JSON of nodes and relationships, as APOC exports them", "apoc_json:read_apoc"),
    "graphml": Format("GraphML", "graphml:read_graphml", True, names=("yed",), is_xml=True),
    "gexf": Format("GEXF", "gexf:read_gexf", True, names=("gephi",), is_xml=True),
    "obo": Format("UTF-8 OBO: an ontology with [Term]s", "obo:read_obo", True),
    "node-link": Format(
        "one JSON object with nodes and links (or edges)",
        "node_link:read_node_link",
        True,
        names=("networkx", "nodelink", "node_link", "d3", "cytoscape"),
        also=("hetionet",),
        is_document=True,
    ),
}
"""All that kgdb knows of each format of loader files, but for how :mod:`.recognition` finds it."""


@dataclass(frozen=True, slots=True)
class Source:
    """One input table of a loader's SQL.

    ``columns`` lists all fields of ``delimited``; for ``csv``, ``jsonl`` and ``parquet`` it lists
    the required columns, and the file may have more. ``required_if_set`` lists columns that are
    required if the user sets the option that names them. ``delimiter`` and ``skip``, the number of
    lines to skip at the beginning of each file, apply to ``delimited`` and ``csv``. ``names``
    replaces the header line of ``csv``; without a header line, ``header`` is false. With
    ``relative_iris``, an object of ``ntriples`` in angle brackets that is not an absolute IRI
    (``<152>``) is valid: its ``kind`` is ``relative``.
    """

    table: str
    format: str
    columns: tuple[str, ...] = ()
    delimiter: str = "\t"
    relative_iris: bool = False
    required_if_set: tuple[str, ...] = ()
    skip: int = 0
    names: tuple[str, ...] = ()
    header: bool = True

    def check(self) -> None:
        """Raise :class:`UsageError` for column names that SQL cannot tell apart."""
        for columns in (self.columns, self.names):
            if len({column.casefold() for column in columns}) < len(columns):
                raise UsageError(
                    f"The table {short(self.table)} names a column twice: {listed(columns)}.",
                    hint="Column names must differ in more than upper and lower case.",
                )

    @property
    def expected(self) -> str:
        """The expected content of the table's files, in words."""
        text = FORMATS[self.format].expected
        if FORMATS[self.format].has_fields:
            name = {"\t": "a TAB", " ": "a space"}.get(self.delimiter, repr(self.delimiter))
            text += f", separated by {name}"
        if self.columns:
            text += f" ({listed(self.columns)})"
        return text
