"""Linking mentions to entities: through the plugin, in plain Cypher, and both alike."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import numpy as np
import pytest
from numpy.typing import NDArray

import kgdb
from kgdb import loading
from kgdb.errors import DatabaseError
from kgdb.graph import Graph, count_round_trips, find_graph, link
from kgdb.graph.retrieval.results import LinkedEntity, Rows
from kgdb.loading.writing import embeddings

pytestmark = pytest.mark.integration

NAMES = [
    *(
        "Casablanca",
        "Casablanca Express",
        "Amélie",
        "Don't Wake the Miller",
        "The Who",
        "It",
        "AND",
    ),
    *(
        "*",
        "???",
        "C:\\>",
        "C",
        "Straße",
        "Małgorzata Śnieżyńska",
        "第七个渡口",
        "第七个",
        "الأميرة",
    ),
    *("Ёлка", "Ελλάς", "हिन्दी", "한국어", "ภาษาไทย", "🙂", "👩‍🚀 in space", "Heat", "heat", "HEAT"),
    *('He said "no"', "a* b? c~2", "name:value", "x && y", "[1 TO 5]", "/regex/", "trailing\\"),
    *("`); MATCH (n) DETACH DELETE n //", "Spider-Man", "Hello Dolly", "O'Brien", "Œdipus", "Ⅷ"),
    *("ﬁligree", "Ǆungla", "ŉ", "İstanbul", "ＦＵＬＬ", "e\u0301tude", "The Salt Ledger", "x"),
    *("ウォール・イー", "000", "2046年", "Heat ゛", "𐐔𐐯𐑅𐐨𐑉"),
]
ALIASES = {"Heat": "Hitze;火", "Casablanca": "Dār al-Bayḍāʾ;Casa", "It": "ça;AND"}

# Some of these code points are no letters, or none at all so far, though kana are around them.
MIXED = [
    *(
        "000\u3040",
        "\u3040",
        "000゛",
        "゛ 0000",
        "2046 年",
        "二〇四六年",
        "１２３４ー・",
        "0゠0゠0",
    ),
    *(
        "ウォール・イー",
        "ウォールイー",
        "ｳｫｰﾙ･ｲｰ",
        "Heat゛",
        "000・000",
        "\ufe70\ufe70 000",
        "\ufe70'000",
    ),
]


class Letters:
    """An encoder that counts letters."""

    name = "letters"

    def encode(self, texts: Any) -> NDArray[np.float32]:
        rows = np.array([[1 + t.count("e"), t.count("a"), len(t)] for t in texts], np.float32)
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


@pytest.fixture(scope="module")
def plugin(connection: kgdb.Connection, tmp_path_factory: Any) -> Iterator[Graph]:
    """A graph of strange names, some with aliases, all with embeddings."""
    folder: Path = tmp_path_factory.mktemp("names")
    (folder / "names.toml").write_text(
        'name = "names"\nlabel = "Names"\n[source]\ndelimiter = "\\t"\n'
        'columns = ["id", "name", "aliases"]\n[tables]\n'
        "triples = \"SELECT id AS head, 'is' AS relation, id AS tail FROM source\"\n"
        "entities = \"SELECT id, name, string_split(aliases, ';') AS aliases FROM source\"\n",
        encoding="utf-8",
    )
    lines = [f"n{i}\t{name}\t{ALIASES.get(name, '')}\n" for i, name in enumerate(NAMES)]
    (folder / "names.tsv").write_text("".join(lines), encoding="utf-8")
    spec = loading.read_spec(str(folder / "names.toml"))
    with loading.prepare(spec, folder / "names.tsv") as prepared:
        loading.load(prepared, connection)
    info = find_graph(connection, "names")
    assert loading.embed_names(connection, info, Letters()) == len(NAMES)
    yield Graph(connection, info)
    loading.unload(connection, info)
    left = connection.query(INDEXES)
    assert [row["name"] for row in left if "Names" in row["name"]] == []


INDEXES: Any = "SHOW INDEXES YIELD name RETURN name"


@pytest.fixture(scope="module")
def twin(plugin: Graph) -> Iterator[Graph]:
    """The same graph in plain Cypher."""
    with kgdb.connect(plugin="never") as db:
        yield Graph(db, find_graph(db, "names"))


def one(graph: Graph, mention: str, **options: Any) -> Rows[LinkedEntity]:
    """The entities of one mention."""
    (found,) = graph.link([mention], **options)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_found_as_it_is(plugin: Graph, twin: Graph, name: str) -> None:
    for graph in (plugin, twin):
        best = one(graph, name)[0]
        assert (best.entity.name, best.score, best.reason) == (name, 1.0, "exact")


@pytest.mark.parametrize(
    ("mention", "name", "matched", "reason"),
    [
        ("CASABLANCA", "Casablanca", "Casablanca", "case"),
        ("amelie", "Amélie", "Amélie", "folded"),
        ("dont wake the miller", "Don't Wake the Miller", "Don't Wake the Miller", "punctuation"),
        ("OBrien", "O'Brien", "O'Brien", "punctuation"),
        ("O’Brien", "O'Brien", "O'Brien", "folded"),
        ("Casablenca", "Casablanca", "Casablanca", "typo"),
        ("第七个渡囗", "第七个渡口", "第七个渡口", "typo"),
        ("الاميرة", "الأميرة", "الأميرة", "folded"),
        ("full", "ＦＵＬＬ", "ＦＵＬＬ", "case"),
        ("STRASSE", "Straße", "Straße", "case"),
        ("and", "AND", "AND", "case"),
        ("ça", "It", "ça", "exact"),
        ("hitze", "Heat", "Hitze", "case"),
        ("dar al bayda", "Casablanca", "Dār al-Bayḍāʾ", "punctuation"),
        ("n3", "Don't Wake the Miller", "n3", "id"),
        ("Ledger, The Salt", "The Salt Ledger", "The Salt Ledger", "words"),
    ],
)
def test_why_it_matched(
    plugin: Graph, twin: Graph, mention: str, name: str, matched: str, reason: str
) -> None:
    for graph in (plugin, twin):
        best = one(graph, mention)[0]
        assert (best.entity.name, best.matched, best.reason) == (name, matched, reason)


@pytest.mark.parametrize("mention", ["", " ", "\0", '"', "\\", "a OR", "name:*", "("])
def test_what_is_no_name_finds_nothing_sure(plugin: Graph, twin: Graph, mention: str) -> None:
    for graph in (plugin, twin):
        assert one(graph, mention, min_score=0.9) == ()


def test_a_mention_of_ten_thousand_letters_is_cut(plugin: Graph, twin: Graph) -> None:
    for graph in (plugin, twin):
        for letter in ("x", "渡", "Heat ", '"'):
            assert "mention" in one(graph, letter * 10_000, min_score=0.99).cut


def perturbed(name: str, rng: random.Random) -> str:
    """The name with some of what people do to names."""
    letters = list(name)
    for _ in range(rng.randrange(3)):
        at = rng.randrange(len(letters) + 1)
        letters[at : at + rng.randrange(2)] = rng.choice(
            ["", "e", "é", " ", "'", '"', "\\", "~", "渡"]
        )
    text = "".join(letters)
    return rng.choice(
        [
            str,
            str.upper,
            str.lower,
            str.title,
            lambda t: unicodedata.normalize("NFD", t),
            lambda t: unicodedata.normalize("NFKC", t),
            lambda t: " ".join(reversed(t.split())),
            lambda t: f" {t} ",
        ]
    )(text)


@pytest.mark.parametrize("seed", range(6))
def test_the_plugin_and_plain_cypher_give_the_same_rows(
    plugin: Graph, twin: Graph, seed: int
) -> None:
    rng = random.Random(seed)
    aliases = [alias for each in ALIASES.values() for alias in each.split(";")]
    mentions = [perturbed(rng.choice(NAMES + aliases), rng) for _ in range(60)]
    vectors = [rng.choice([None, [], [rng.random(), rng.random(), rng.random()]]) for _ in mentions]
    options: dict[str, Any] = {
        "limit": rng.choice([1, 5, 50]),
        # All names: which of equally good ones an index leaves out is its own affair.
        "candidates": 100,
        "fuzzy": rng.random() < 0.8,
        "vector_weight": rng.choice([0.0, 0.5, 1.0]),
    }
    for given in (None, vectors):
        require_same_rows(plugin, twin, mentions, given, **options)


@pytest.mark.parametrize("mention", MIXED)
def test_digits_among_kana_and_what_is_no_letter_yet(
    plugin: Graph, twin: Graph, mention: str
) -> None:
    require_same_rows(plugin, twin, [mention], candidates=100, limit=50)
    # The words of a question are looked up by queries of their own.
    assert link(plugin, [mention]) == link(twin, [mention])
    assert link(plugin, [f"[{mention}]"]) == link(twin, [f"[{mention}]"])


def test_letters_are_counted_as_people_count_them(plugin: Graph, twin: Graph) -> None:
    """Two letters may be wrong in long words only; these five have ten units in UTF-16."""
    for graph in (plugin, twin):
        assert "𐐔𐐯𐑅𐐨𐑉" not in [row.entity.name for row in one(graph, "𐐔𐐯𐐁𐐁𐑉")]
    require_same_rows(plugin, twin, ["𐐔𐐯𐑅𐐨𐐁", "𐐔𐐯𐐁𐐁𐑉"], candidates=100, limit=50)


def require_same_rows(
    plugin: Graph, twin: Graph, mentions: Sequence[str], vectors: Any = None, **options: Any
) -> None:
    """The plugin and plain Cypher link these mentions alike."""
    expected = plugin.link(mentions, vectors, **options)
    found = twin.link(mentions, vectors, **options)
    for mention, left, right in zip(mentions, expected, found, strict=True):
        assert left.cut == right.cut, mention
        assert len(left) == len(right), mention
        for linked, other in zip(left, right, strict=True):
            # The server computes similarities in single precision.
            near = pytest.approx(other.vector_score, abs=1e-5)
            assert linked == replace(other, score=ANY, vector_score=ANY), mention
            assert linked.score == pytest.approx(other.score, abs=1e-5), mention
            assert linked.vector_score == near, mention


def test_vectors_are_refused_where_they_do_not_fit(plugin: Graph, twin: Graph) -> None:
    for graph in (plugin, twin):
        with pytest.raises(DatabaseError, match="vectors of 3 numbers"):
            graph.link(["Heat"], [[1.0]])
        with pytest.raises(DatabaseError, match="all zeros"):
            graph.link(["Heat"], [[0.0, 0.0, 0.0]])


def test_all_names_are_embedded_whatever_the_ids_are(
    connection: kgdb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ids may be texts, numbers, the same twice, or missing; so may names."""
    monkeypatch.setattr(embeddings, "BATCH", 3)
    ids = ["", "a", "a", "b", 7, 7.5, -1, True, None, "c"]
    with connection.driver.session(database=connection.name) as session:
        session.run(MIXED_GRAPH, ids=ids, names=["Ada", 1953, None, "", *NAMES[:6]]).consume()
    info = find_graph(connection, "mixed")
    try:
        assert loading.embed_names(connection, info, Letters()) == len(ids)
        (row,) = connection.query(EMBEDDED)
        assert row == {"all": len(ids), "named": Letters().encode(["1953"])[0].tolist()}
        assert find_graph(connection, "mixed").name_encoder == Letters().name
    finally:
        loading.unload(connection, info)


MIXED_GRAPH = """
CREATE (:KnowledgeGraph {name: 'mixed', label: 'Mixed', idProperty: 'key', nameProperty: 'title'})
CREATE (:Entity:Mixed:Mediator {key: 'mediator'}), (:Entity:Mixed:Literal {key: 'literal'})
WITH * UNWIND range(0, size($ids) - 1) AS i
CREATE (:Entity:Mixed {key: $ids[i], title: $names[i]})
"""
EMBEDDED: Any = """
MATCH (e:Mixed) WHERE e.embedding IS NOT NULL
RETURN count(*) AS all, head(collect(CASE WHEN e.title = 1953 THEN e.embedding END)) AS named
"""


def test_questions_name_entities_by_their_aliases(plugin: Graph) -> None:
    questions = ["Who wrote [HITZE]?", "Where is the Dar al-Baydac?", "Who saw Dār al-Bayḍāʾ?"]
    linked = link(plugin, questions)
    names = [[entity.name for each in links for entity in each.entities] for links in linked]
    assert names == [["Heat"], ["Casablanca"], ["Casablanca"]]


def test_round_trips(plugin: Graph, twin: Graph) -> None:
    twin.link(["Heat"])  # reads which indexes there are
    for graph, most in ((plugin, 1), (twin, 3)):
        with count_round_trips() as trips:
            graph.link(["Heat", "Casablenca", "qqqqqqqqqqqq"])
        assert trips.count == most


def test_the_demo_has_no_embeddings(demo: kgdb.KnowledgeGraph) -> None:
    assert one(demo, "ada wier")[0].entity.id == "Ada Weir"
    with pytest.raises(DatabaseError, match="no vector index kgdb_Demo_embeddings"):
        demo.link(["Ada Weir"], [[1.0]])
