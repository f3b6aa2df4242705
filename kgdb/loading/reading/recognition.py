"""The outermost element of an XML text, by its first characters."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from kgdb.loading.reading.json_values import is_object

# Possessive: a file of comments has very many other ways to be divided into them.
_ROOT = re.compile(
    r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE\s+(?P<doctype>[\w:.-]+)(?:[^\[>]|\[.*?\]\s*(?=>))*>\s*)*+"
    r"<(?:[A-Za-z_][\w.-]*:)?(?P<root>[A-Za-z_][\w.-]*)(?=[\s/>])",
    re.DOTALL | re.IGNORECASE,
)
_HTML = frozenset({"html", "head", "body"})

_UNPACK = "Unpack it first, then name the unpacked file."
_ROBOT = (
    "Convert it by ROBOT: robot convert --input FILE --output graph.owl --format owl, then: "
    "kgdb load rdfxml graph.owl"
)
_OWL = re.compile(r"<(?:\w+:)?Ontology\s")
_JSON_LD = re.compile(r'"@(?:context|graph|id)"\s*:')
_GRAPHSON = re.compile(r'"@type"\s*:\s*"(?:g|tinker):')
_APOC = re.compile(r'"type"\s*:\s*"(?:node|relationship)"')
_APOC_KEYS = re.compile(r'"(?:labels|properties|start|end)"\s*:')
_BROWSER = re.compile(r'"identity"\s*:')
_BROWSER_KEYS = re.compile(r'"(?:labels|properties)"\s*:')
_NODES = re.compile(r'"(?:nodes|vertices|links|edges)"\s*:\s*\[')
_CYTOSCAPE = re.compile(r'"elements"\s*:\s*[\[{]')
_WIKIDATA = re.compile(r'"type"\s*:\s*"(?:item|property)"')
_WIKIDATA_KEYS = re.compile(r'"(?:claims|labels)"\s*:')
_HETNET = re.compile(r'"(?:metanode_kinds|metaedge_tuples)"\s*:')
_HETNET_HEAD = re.compile(r'"source_id"\s*:\s*\[')
_HETNET_TAIL = re.compile(r'"target_id"\s*:\s*\[')
_SPARQL_JSON = re.compile(r'^\{\s*"head"\s*:\s*\{[^{}]*"vars"\s*:')
# Possessive: a file of comments has very many other ways to be divided into them.
_COMMENTS = r"(?:\s|//[^\n]*(?:\n|$)|/\*.*?\*/)*+"
_CYPHER = re.compile(
    rf"{_COMMENTS}(?:CREATE\s*\(|CREATE\s+(?:OR\s+REPLACE\s+)?(?:CONSTRAINT|(?:\w+\s+)?INDEX)\b"
    r"|MERGE\s*\(|UNWIND\s+[\[$]|MATCH\s*(?:\(|\w+\s*=)|LOAD\s+CSV\b|CALL\s+[\w.]+"
    r"|:(?:begin|commit|param|use|auto)\b|BEGIN\s*;?\s*\n\s*(?:CREATE|MERGE|UNWIND)\b)",
    re.IGNORECASE | re.DOTALL,
)
_SQL = re.compile(
    r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/;?)*+(?:CREATE\s+(?:TABLE|DATABASE|SCHEMA)|INSERT\s+INTO"
    r"|DROP\s+TABLE|SET\s+\w+\s*=|PRAGMA)\b",
    re.IGNORECASE | re.DOTALL,
)
_OBO = re.compile(r"(?:\s|![^\n]*\n)*(?:format-version:|ontology:|\[Term\]|\[Typedef\])")
_GML = re.compile(
    r"(?:\s*(?:#[^\n]*|Creator[^\n]*|Version[^\n]*|comment[^\n]*)\n)*\s*graph\s*\[", re.I
)
_DOT = re.compile(rf"{_COMMENTS}(?:strict\s+)?(?:di)?graph\b[^\n{{]*\{{", re.IGNORECASE | re.DOTALL)
_PAJEK = re.compile(r"\s*\*(?:Vertices|Network)\b", re.IGNORECASE)
_OWL_FUNCTIONAL = re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:Prefix|Ontology)\s*\(")
_OWL_MANCHESTER = re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:Prefix|Ontology):\s*(?:\S+:\s*)?<")
_BRACE = re.compile(
    r"(?:^|[.}\n])\s*(?:GRAPH\s+)?(?:<[^<>\s]*>|[^\s<>\"'#;,.@{}]*:[^\s<>\"'#;,{}]*|\[\s*\])?\s*\{(?!\|)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*(?:"""|$)|"(?:[^"\\\n]|\\.)*"|#(?![^\s<>]*>)[^\n]*', re.DOTALL
)
_PREFIX = re.compile(
    r"^\s*@?(?:prefix\s+[^\s:<>]*:|base)\s*<[^<>\s]*>", re.IGNORECASE | re.MULTILINE
)
_CUI = r"C\d{7}\|"


def xml_root(text: str) -> str | None:
    """The name of the outermost element without its prefix; ``None`` if the text is not XML.

    Pages of HTML count as XML with the root ``html``.
    """
    match = _ROOT.match(text)
    if not match:
        return None
    root = match["root"]
    if root.lower() in _HTML or (match["doctype"] or "").lower() == "html":
        return "html"
    # An N-Triples line begins with an IRI in angle brackets: <a:b> is none of XML's usual roots.
    return root if match["doctype"] or "</" in text or "<?xml" in text or "/>" in text else None


def _networkx(reader: str, options: str = "") -> str:
    return (
        "Convert it in Python: networkx.write_graphml("
        f"networkx.{reader}('FILE'{options}), 'graph.graphml'), "
        "then: kgdb load graphml graph.graphml"
    )


@dataclass(frozen=True, slots=True)
class Recognized:
    """What a file is: ``content`` in words, and the loader that reads it, or else what helps.

    ``of_folder``: the loader reads the whole folder of the file.
    """

    content: str
    loader: str | None = None
    hint: str = ""
    of_folder: bool = False

    def hint_for(self, path: Path) -> str:
        """What helps, with the name of the file in its commands."""
        return self.hint.replace("'FILE'", repr(str(path))).replace("FILE", shlex.quote(str(path)))


_DUMP = Recognized(
    "a dump of a Neo4j database",
    None,
    "Load it into the local server and use it there: kgdb adopt mine --dump FILE",
)

CYPHER_SCRIPT = Recognized(
    "a script of Cypher statements",
    None,
    "Run it in a Neo4j: cypher-shell -a bolt://localhost:7687 -u neo4j -f FILE (or paste it into "
    "Neo4j Browser). Then: kgdb adopt NAME --uri bolt://localhost:7687",
)

_PICKLE = Recognized(
    "a Python pickle, which can run any program when it is opened",
    None,
    "If you trust it, open it yourself, and write its graph: networkx.write_graphml(graph, "
    "'graph.graphml'), then: kgdb load graphml graph.graphml",
)

_BINARY = {
    # Since Neo4j 5 the compression follows this; before, this follows the compression.
    b"DZV1": _DUMP,
    b"DGV1": _DUMP,
    b"zstd\0\0\0": _DUMP,
    b"gzip\0\0\0": _DUMP,
    b"7z\xbc\xaf\x27\x1c": Recognized("a 7-Zip archive", None, _UNPACK),
    b"Rar!": Recognized("a RAR archive", None, _UNPACK),
    b"\x1f\x9d": Recognized("compressed by compress", None, _UNPACK),
    b"\x04\x22\x4d\x18": Recognized("compressed by lz4", None, "Unpack it first: lz4 -d"),
    b"$HDT": Recognized(
        "RDF in HDT",
        None,
        "Convert it: hdt2rdf.sh FILE graph.nt, then: kgdb load ntriples graph.nt",
    ),
    b"ARROW1": Recognized(
        "an Arrow (Feather) file",
        None,
        "Convert it in Python: pandas.read_feather('FILE').to_parquet('table.parquet'), then: "
        "kgdb load mine --init table.parquet",
    ),
    **{bytes([0x80, version]): _PICKLE for version in range(2, 6)},
}

_XML_ROOTS = {
    "graphml": Recognized("GraphML", "graphml"),
    "gexf": Recognized("GEXF", "gexf"),
    "RDF": Recognized("RDF/XML", "rdfxml"),
    "Ontology": Recognized("an ontology in OWL/XML", None, _ROBOT),
    "TriX": Recognized(
        "RDF in TriX",
        None,
        "Convert it: riot --output=nquads FILE > graph.nq, then: kgdb load ntriples graph.nq",
    ),
    "sparql": Recognized(
        "the result of a SPARQL query in XML",
        None,
        "Ask for CSV (text/csv), then: kgdb load mine --init result.csv. Or ask for triples by "
        "CONSTRUCT.",
    ),
    "html": Recognized(
        "a web page (HTML)", None, "The server may have sent an error page instead of the file."
    ),
}

_OWL_ONTOLOGY = Recognized("an ontology in OWL (RDF/XML)", "owl")


_TEXTS: tuple[tuple[re.Pattern[str], Recognized], ...] = (
    (_OBO, Recognized("an ontology in OBO", "obo")),
    (_OWL_FUNCTIONAL, Recognized("an ontology in OWL's functional syntax", None, _ROBOT)),
    (_OWL_MANCHESTER, Recognized("an ontology in OWL's Manchester syntax", None, _ROBOT)),
    (
        _SQL,
        Recognized(
            "a script of SQL statements",
            None,
            "Run it in its database, and export each table as CSV, then: kgdb load mine --init "
            "table.csv",
        ),
    ),
    (_CYPHER, CYPHER_SCRIPT),
    # igraph writes nodes without labels, which networkx refuses by default.
    (_GML, Recognized("a graph in GML", None, _networkx("read_gml", ", label='id'"))),
    (_DOT, Recognized("a graph in DOT", None, _networkx("nx_pydot.read_dot"))),
    (_PAJEK, Recognized("a graph in Pajek's format", None, _networkx("read_pajek"))),
)


_TABLES: tuple[tuple[re.Pattern[str], Recognized], ...] = (
    (
        re.compile(r"relation,display_relation,x_index,x_id,x_type,x_name,x_source,y_"),
        Recognized("a table of PrimeKG", "primekg"),
    ),
    (
        re.compile(r"/a/\[/r/[^\t]*\t/r/[^\t]*\t/c/[^\t]*\t"),
        Recognized("a table of ConceptNet's assertions", "conceptnet"),
    ),
    (
        re.compile(
            rf"{_CUI}(?:[A-Z]{{3}}\|[PSps]\||A\d*\|[A-Z]*\|[A-Z]{{2,3}}\|{_CUI}|\|[A-Z]*\|[A-Z]{{2,3}}\|{_CUI}|T\d{{3}}\|)"
        ),
        Recognized("a table of UMLS", "umls", of_folder=True),
    ),
    (
        re.compile(
            r"source\tmetaedge\ttarget\r?\n(?:Anatomy|Compound|Disease|Gene|Pharmacologic Class)::"
        ),
        Recognized("the edges of Hetionet", "hetionet-tsv", of_folder=True),
    ),
)
"""Tables of known graphs, by their first line."""

_HETNET_JSON = Recognized("a hetnet in JSON, such as Hetionet", "hetionet")
_JSON: tuple[tuple[tuple[re.Pattern[str], ...], Recognized], ...] = (
    (
        (_GRAPHSON,),
        Recognized(
            "GraphSON of TinkerPop",
            None,
            "Export GraphML instead: g.io('graph.graphml').write(), then: kgdb load graphml "
            "graph.graphml",
        ),
    ),
    (
        (_SPARQL_JSON,),
        Recognized(
            "the result of a SPARQL query in JSON",
            None,
            "Ask for CSV (text/csv), then: kgdb load mine --init result.csv. Or ask for triples "
            "by CONSTRUCT.",
        ),
    ),
    ((_JSON_LD,), Recognized("JSON-LD", "jsonld")),
    ((_WIKIDATA, _WIKIDATA_KEYS), Recognized("JSON of Wikidata's entities", "wikidata-json")),
    ((_HETNET,), _HETNET_JSON),
    ((_HETNET_HEAD, _HETNET_TAIL), _HETNET_JSON),
    ((_APOC, _APOC_KEYS), Recognized("an export of APOC", "apoc")),
    ((_BROWSER, _BROWSER_KEYS), Recognized("the result of a query, exported by Neo4j", "apoc")),
)
_DOCUMENTS = (
    (_NODES, Recognized("node-link JSON", "node-link")),
    (_CYTOSCAPE, Recognized("Cytoscape's JSON", "node-link")),
)
"""Documents of one object, which may also be lines of a table where there are several."""


def recognize_name(path: Path, compression: str = "") -> Recognized | None:
    """What a file is by its name: one that no loader reads, however it begins or is packed."""
    if {suffix.lower() for suffix in path.suffixes[-2:]} & {".cypher", ".cql"}:
        return CYPHER_SCRIPT
    is_dump = path.suffix == ".dump" and compression in {"zstd", "gzip"}
    return _DUMP if is_dump else None


def recognize(head: bytes) -> Recognized | None:
    """What the first unpacked bytes of a file are; ``None`` for a table, or something unknown."""
    for magic, found in _BINARY.items():
        if head.startswith(magic):
            return found
    if head[257:262] == b"ustar":
        return _DUMP if b"neostore" in head or head.startswith(b"database") else None
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace").lstrip()
    if root := xml_root(text):
        if root == "RDF" and _OWL.search(text):
            return _OWL_ONTOLOGY
        hint = "Convert it to a format that kgdb reads: docs/reference/formats.md"
        return _XML_ROOTS.get(root) or Recognized(f"XML (<{root}>)", None, hint)
    if text.startswith(("{", "[")) and not _OBO.match(text):
        return _json(text)
    return _text(text)


def _text(text: str) -> Recognized | None:
    """What a text that is neither XML nor JSON is."""
    if _PREFIX.search(text):
        return Recognized("TriG", "trig") if is_trig(text) else Recognized("Turtle", "turtle")
    if found := next((found for pattern, found in _TABLES if pattern.match(text)), None):
        return found
    if "\t" in text.partition("\n")[0].rstrip():  # a table may begin like anything
        return None
    return next((found for pattern, found in _TEXTS if pattern.match(text)), None)


def is_trig(text: str) -> bool:
    """Whether a text of the Turtle family has braces around statements."""
    return bool(_BRACE.search(_QUOTED.sub('""', text)))


def _json(text: str) -> Recognized | None:
    """What a text that begins like JSON is; ``None`` for lines or an array of plain objects."""
    for patterns, found in _JSON:
        if all(pattern.search(text) for pattern in patterns):
            return found
    if not text.startswith("{") or _has_several(text):
        return None
    return next((found for pattern, found in _DOCUMENTS if pattern.search(text)), None)


def _has_several(text: str) -> bool:
    """Whether the first line is an object of its own, with others below."""
    first, _, rest = text.partition("\n")
    return bool(rest.strip()) and is_object(first)
