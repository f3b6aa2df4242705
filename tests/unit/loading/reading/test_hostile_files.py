"""Files that are made to do harm, or damaged: a clear error with the name of the file, or facts."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from kgdb.errors import KgdbError
from kgdb.loading import prepare, read_spec
from kgdb.loading.drafting.draft_writer import draft
from kgdb.loading.reading.input_limits import EXPANSION, MAX_DEPTH, MIN_UNPACKED
from kgdb.loading.reading.json_values import JsonDepth
from kgdb.loading.reading.recognition import recognize

pytestmark = pytest.mark.unit

RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'
ENTITY = "<!DOCTYPE x [<!ENTITY twice 'ab'>]>"
DEEP = 40_000
DIGITS = "9" * 5_000


def nested_rdf(levels: int) -> str:
    pairs = levels // 2
    inside = "<rdf:Description><e:p>" * pairs + "x" + "</e:p></rdf:Description>" * pairs
    return f"{RDF}{inside}</rdf:RDF>"


def nested_context(levels: int) -> str:
    begin = "{" + '"@context":{"p":{"@id":"http://e/p",' * levels
    return begin + '"@type":"@id"' + "}}" * levels + ',"@id":"http://e/a","p":"http://e/b"}'


def nested_triples(levels: int) -> str:
    return "<a:s> <a:p> " + "<<( <a:s> <a:p> " * levels + "<a:o>" + " )>>" * levels + " ."


def tar_of(name: str, headers: dict[str, str] | None = None, size: int = 9) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo(name)
        member.size = size
        member.pax_headers = headers or {}
        archive.addfile(member, io.BytesIO(b"head,relation,tail\na,b,c\n"[:size]))
    return out.getvalue()


def sparse_tar(size: int) -> bytes:
    """A file of that many zeros, of which the archive holds none."""
    return tar_of(
        "zeros.csv",
        {
            "GNU.sparse.major": "0",
            "GNU.sparse.minor": "1",
            "GNU.sparse.size": str(size),
            "GNU.sparse.map": f"{size},0",
        },
        0,
    )


def zip_with_name(name: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("ä" * (len(name) // 2), "head,relation,tail\na,b,c\n")
    return out.getvalue().replace("ä".encode() * (len(name) // 2), name)


REFUSED = {
    "entities of RDF/XML": ("rdfxml", f"{ENTITY}{RDF}</rdf:RDF>", "declares the entity 'twice'"),
    "entities of OWL": (
        "owl",
        f"{ENTITY}{RDF}<Ontology xmlns='http://www.w3.org/2002/07/owl#'/></rdf:RDF>",
        "declares the entity",
    ),
    "entities of GraphML": ("graphml", f"{ENTITY}<graphml/>", "declares the entity 'twice'"),
    "entities of GEXF": ("gexf", f"{ENTITY}<gexf/>", "declares the entity 'twice'"),
    "deep RDF/XML": ("rdfxml", nested_rdf(DEEP), "is nested more than"),
    "deep GraphML": ("graphml", "<graphml>" + "<graph><node id='a'>" * DEEP, "is nested more than"),
    "deep Turtle": ("turtle", nested_triples(DEEP), "is nested more than"),
    "deep TriG": ("trig", nested_triples(DEEP), "is nested more than"),
    "deep N-Triples": ("ntriples", nested_triples(DEEP), "a triple about a triple about a"),
    "deep JSON-LD": ("jsonld", nested_context(1_500), "is nested more than"),
    "deep node-link": ("node-link", '{"nodes": [' + "[" * DEEP, "is nested more than"),
    "deep JSON": ("jsonl", "[" * DEEP + "]" * DEEP, "no line is a JSON"),
    "deep objects": ("jsonl", "[{" + "\n[" * DEEP, "is nested more than"),
    "deep JSON line": ("jsonl", '{"a": ' + "[" * DEEP + "]" * DEEP + "}\n", "no line is a JSON"),
    "digits in node-link": (
        "node-link",
        f'{{"nodes": [{{"id": 1, "x": {DIGITS}}}]}}',
        "a number has more than 4,300 digits",
    ),
    "digits in JSON": ("jsonl", f'[{{"head": {DIGITS}}}]', "a number has more than 4,300 digits"),
    "utf-7": ("graphml", "<?xml version='1.0' encoding='utf-7'?><graphml/>", "'utf-7'"),
    "base64": ("rdfxml", f"<?xml version='1.0' encoding='base64'?>{RDF}</rdf:RDF>", "'base64'"),
    "rot13": ("gexf", "<?xml version='1.0' encoding='rot13'?><gexf/>", "'rot13'"),
    "utf-32": ("rdfxml", f"<?xml version='1.0' encoding='utf-32'?>{RDF}</rdf:RDF>", "'utf-32'"),
    "bogus": ("graphml", "<?xml version='1.0' encoding='bogus'?><graphml/>", "'bogus'"),
    "edge outside of a graph": (
        "graphml",
        "<graphml><edge source='a' target='b'/></graphml>",
        "the edge is outside of a graph",
    ),
    "null nodes": ("node-link", '{"elements": {"nodes": null, "edges": 5}}', "is not an object"),
    "a list for a type": ("apoc", '[{"type": ["node"], "id": "0"}]', "has no node"),
    "half a character": ("node-link", '{"nodes": ["\\ud800"], "links": []}', "is not an object"),
}


def refused(loader: str, source: Path) -> str:
    with pytest.raises(KgdbError) as failure, prepare(read_spec(loader), source, memory="400MB"):
        pass
    return failure.value.message


@pytest.mark.parametrize("name", REFUSED)
def test_hostile_files_are_refused_by_name(tmp_path: Path, name: str) -> None:
    loader, content, problem = REFUSED[name]
    source = tmp_path / "hostile"
    source.write_text(content, encoding="utf-8")
    message = refused(loader, source)
    assert str(source) in message
    assert problem in message


@pytest.mark.parametrize("name", REFUSED)
def test_a_draft_of_a_hostile_file_fails_with_an_error_or_succeeds(
    tmp_path: Path, name: str
) -> None:
    source = tmp_path / "hostile"
    source.write_text(REFUSED[name][1], encoding="utf-8")
    failure = None
    try:
        draft("mine", source)
    except KgdbError as error:
        failure = error
    assert failure is None or str(source) in str(failure)


ARCHIVES = {
    "deep.tar": (tar_of("d/" * 1_500 + "a.csv"), "1,501 folders deep"),
    "sparse-map.tar": (
        tar_of("a.csv", {"GNU.sparse.map": "0,zz", "GNU.sparse.size": "9"}),
        "damaged",
    ),
    "size.tar": (tar_of("a.csv", {"GNU.sparse.size": "0,1,zz"}), "damaged"),
    "sparse.tar": (sparse_tar(MIN_UNPACKED + 1), f"allows {EXPANSION} times the size"),
    "name.zip": (zip_with_name(b"\xff\xfe.csv"), "a file whose name is not UTF-8"),
    "long.tar": (tar_of("n" * 300 + ".csv"), "name too long"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_hostile_archives_are_refused_by_name(tmp_path: Path, name: str) -> None:
    content, problem = ARCHIVES[name]
    source = tmp_path / name
    source.write_bytes(content)
    message = refused("csv", source)
    assert str(source) in message
    assert problem in message
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_expanding_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgdb.loading.reading.input_limits.MIN_UNPACKED", 1 << 18)
    rows = b"head,relation,tail\n" + b"a,b,c\n" * 100_000
    for name, pack in (("a.csv.bz2", bz2.compress), ("a.csv.gz", gzip.compress)):
        source = tmp_path / name
        source.write_bytes(pack(rows))
        assert f"{EXPANSION} times the size" in refused("csv", source)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("x = " + "[" * DEEP, "nested too deep"),
        (f"x = {DIGITS}", "not valid TOML"),
        ("x = 0x" + "f" * 5_000, "more than 64 bits"),
        (".".join("a" * DEEP) + " = 1", "nested too deep"),
        ("x = '" + "y" * 2_000_000 + "'", "expected at most"),
    ],
)
def test_hostile_loader_files(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "hostile.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(KgdbError, match=problem) as failure:
        read_spec(str(path))
    assert str(path) in failure.value.message


@pytest.mark.parametrize("encoding", ["shift_jis", "windows-1252", "utf-16"])
def test_other_encodings_of_xml_are_read(tmp_path: Path, encoding: str) -> None:
    name = "日本" if encoding == "shift_jis" else "Größe"
    text = (
        f"<?xml version='1.0' encoding='{encoding}'?><graphml><graph><node id='a'>"
        f"<data key='name'>{name}</data></node><edge source='a' target='a'/></graph></graphml>"
    )
    source = tmp_path / "a.graphml"
    source.write_bytes(text.encode(encoding))
    with prepare(read_spec("graphml"), source) as prepared:
        assert prepared.examples(1)[0][0] == name


def test_the_deepest_files_are_read(tmp_path: Path) -> None:
    source = tmp_path / "deep"
    source.write_text(nested_rdf(MAX_DEPTH - 2), encoding="utf-8")
    with prepare(read_spec("rdfxml"), source) as prepared:
        assert prepared.counts.triples == MAX_DEPTH // 2 - 1
    value = json.loads("[" * (MAX_DEPTH - 5) + "1" + "]" * (MAX_DEPTH - 5))
    source.write_text(json.dumps({"nodes": [{"id": "a", "x": value}]}), encoding="utf-8")
    with prepare(read_spec("node-link"), source) as prepared:
        assert prepared.counts.literals == 1


@pytest.mark.parametrize(
    "piece", ["/**/", "-- a\n", "// a\n", "<!---->", "<?a?>", '"type":"item",']
)
def test_a_beginning_of_comments_takes_no_time(piece: str) -> None:
    started = time.process_time()
    recognize((piece * 16_000 + "x").encode())
    recognize(("{" + piece * 16_000 + "x").encode())
    assert time.process_time() - started < 1


def test_defaults_of_nodes_count_for_what_a_file_unpacks_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgdb.loading.reading.input_limits.MIN_UNPACKED", 1)
    monkeypatch.setattr("kgdb.loading.reading.input_limits.EXPANSION", 5)
    keys = "".join(f'<key id="{i}" for="node"><default>x</default></key>' for i in range(100))
    nodes = "".join(f'<node id="{i}"/>' for i in range(100))
    source = tmp_path / "defaults.graphml"
    source.write_text(f"<graphml>{keys}<graph>{nodes}</graph></graphml>", encoding="utf-8")
    assert "5 times the size" in refused("graphml", source)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_depth_counts_no_brackets_in_texts(size: int) -> None:
    flat = json.dumps([{"a": '\\"[[[[' * 300, "b\\": "]" * 300}] * 3).encode()
    deep = json.dumps({"]": "\\"}).encode() + b"[" * (MAX_DEPTH + 1)

    def exceeds(text: bytes) -> bool:
        depth = JsonDepth()
        blocks = [text[at : at + size] for at in range(0, len(text), size)]
        return max(map(depth.exceeds, blocks))

    assert not exceeds(flat)
    assert exceeds(deep)
    assert not exceeds(deep[:-1])
