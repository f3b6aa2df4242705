"""Stand-ins for the parts that need a server or model weights; all of them are deterministic.

The graph is the real :class:`kgdb.graph.Graph` over the real :class:`kgdb.graph.Database`: only
the driver under them is replaced, by one that answers the statements of ``cypher/`` from memory.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from memory_thoughts import MemoryThoughts
from numpy.typing import NDArray
from reference import CASES

from kgdb import shipped_files
from kgdb.errors import ModelError
from kgdb.graph import Database, Graph, GraphInfo
from kgdb.graph.connection.node_expressions import NameSource
from kgdb.graph.connection.statements import Place, in_one_record, statement
from kgdb.graph.retrieval.batch import LINK
from kgdb.language import Completion, CompletionRequest, Encoder, LanguageModel
from kgdb.methods import Reasoner, Resources, Watch, create

Row = dict[str, Any]
Fact = tuple[str, str, str]

_PHRASE = re.compile(r'"((?:[^"\\]|\\.)*)"')
# A term has none of the characters that Lucene gives a meaning.
_FUZZY = re.compile(r"([^\s+\-&|!(){}\[\]^\"~*?:\\/]+)~1")
_LETTERS = r"(?:[^\W\u3400-\u9fff]|[\u0300-\u036f])+"
_TOKEN = re.compile(rf"[\u3400-\u9fff]|{_LETTERS}(?:'{_LETTERS})*")
_TEXTS = ("text", "inverse", "question", "inverse_question")


def folded(text: str) -> list[str]:
    """The tokens of Neo4j's analyzer ``standard-folding``, near enough for names.

    Marks that stand apart from their letter (NFD) are kept: it folds single characters.
    """
    simple = text.casefold().translate(str.maketrans("łøđ’", "lod'"))
    plain = "".join(c if unicodedata.combining(c) else _without_marks(c) for c in simple)
    return _TOKEN.findall(plain)


def _without_marks(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(c for c in parts if not unicodedata.combining(c))


def matches(query: str, name: str) -> bool:
    """Whether a Lucene query finds a name; a query that Lucene would not parse is an error."""
    tokens = folded(name)
    if phrase := _PHRASE.fullmatch(query):
        # Inside quotation marks only the backslash is special.
        wanted = folded(re.sub(r"\\(.)", r"\1", phrase[1]))
        ends = range(len(wanted), len(tokens) + 1)
        return bool(wanted) and any(tokens[end - len(wanted) : end] == wanted for end in ends)
    terms = [_FUZZY.fullmatch(term) for term in query.split(" OR ")]
    if not all(terms):
        raise ValueError(f"Lucene would not parse {query!r} as a phrase or as fuzzy terms")
    return any(one_edit_apart(term[1], token) for term in terms if term for token in tokens)


def one_edit_apart(a: str, b: str) -> bool:
    """Whether at most one letter is added, lost, wrong or swapped with its neighbour."""
    same = 0
    while same < min(len(a), len(b)) and a[same] == b[same]:
        same += 1
    left, right = a[same:], b[same:]
    return (
        left[1:] == right[1:]
        or left[1:] == right
        or left == right[1:]
        or (left[:2] == right[1::-1] and left[2:] == right[2:])
    )


FOLDER = shipped_files.statements()
SEARCHES = {
    case.search.procedure.removeprefix("kgdb.").replace(".", "/"): method
    for method, case in CASES.items()
}
"""The method of each search, by the name that :attr:`MemoryDriver.sent` has for its call."""


_SCHEMA = (
    "// A sample of the",
    "// How many relationships join",
    "// The labels of entities",
)
"""What reads the schema begins so."""


_NO_ROWS: Row = {
    "status": "ok",
    "message": None,
    "line": None,
    "column": None,
    "columns": [],
    "rows": [],
    "truncated": False,
}


def refused_read(script: str) -> Row:
    """What ``kgdb.cypher.read`` says of what is no query."""
    return {"status": "SYNTAX", "message": f"Invalid input {script[:9]!r}", "line": 1, "column": 1}


class MemoryDriver(MemoryThoughts):
    """Answers the read statements of ``cypher/`` over triples between entities named by their id.

    ``names`` gives entities another name than their id, ``aliases`` more of them; ``sent`` keeps
    what was asked; ``vectors`` are the embeddings of relations, along and against them; ``reads``
    answers the queries of a language model.
    """

    def __init__(
        self,
        triples: Sequence[Fact],
        texts: Mapping[str, Mapping[str, str]] | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.triples = list(triples)
        self.texts = texts or {}
        ids = {entity for head, _, tail in triples for entity in (head, tail)}
        self.names = {entity: entity for entity in sorted(ids)} | dict(names or {})
        self.aliases: dict[str, list[str]] = {}
        self.graphs: list[Row] = []
        self.vectors: dict[str, tuple[list[float], list[float]]] = {}
        self.reads: Callable[[str], Row] = refused_read
        self.sent: list[tuple[str, Row]] = []
        self._statements = {
            statement(name): name
            for path in FOLDER.rglob("*.cypher")
            if not (name := path.relative_to(FOLDER).with_suffix("").as_posix()).startswith(
                "plain/"
            )
            and "`%" not in path.read_text(encoding="utf-8")
        }
        for name in ("entities/fulltext", "entities/named"):
            self._statements[statement(name, **graph_info().places)] = name
        calls = {name: CASES[method].search.call for name, method in SEARCHES.items()}
        calls |= {name: statement(name) for name in ("follow", "relations/around_chains")}
        calls["entities/link"] = LINK.call
        self._tables = {in_one_record(call)[1]: name for name, call in calls.items()}
        self._columns = {name: in_one_record(call)[0] for name, call in calls.items()}

    def execute_query(
        self, text: str, parameters: Row | None, **_: Any
    ) -> tuple[list[Record], None, None]:
        if text.startswith(_SCHEMA):
            return [], None, None  # no label tells one kind of entity from another
        name = self._statements.get(text) or self._tables[text]
        self.sent.append((name, parameters or {}))
        rows = list(self.answer(name, parameters or {}))
        if text in self._tables:
            columns = self._columns[name]
            rows = [{"rows": [[row.get(column) for column in columns] for row in rows]}]
        return [Record(row) for row in rows], None, None

    def answer(self, name: str, parameters: Row) -> Iterable[Row]:
        """The rows of the statement of that name."""
        if name in SEARCHES and name != "follow":
            return self._search(SEARCHES[name], **parameters)
        answer: Callable[..., Iterator[Row]] = getattr(self, f"_{name.replace('/', '_')}")
        return answer(**parameters)

    def close(self) -> None:
        """Nothing is open."""

    def _labels(self) -> Iterator[Row]:
        yield {"labels": []}

    def _graphs(self) -> Iterator[Row]:
        yield from ({"graph": graph} for graph in self.graphs)

    def _cypher_read(self, script: str, config: Row) -> Iterator[Row]:
        yield _NO_ROWS | self.reads(script)

    def _relations(self, kg: str) -> Iterator[Row]:
        counts = Counter(relation for _, relation, _ in self.triples)
        for relation in sorted(counts):
            given = self.texts.get(relation, {})
            texts = {key: given.get(key) for key in _TEXTS}
            yield {"id": relation, "count": counts[relation], **texts}

    def _relations_vectors(self, kg: str) -> Iterator[Row]:
        for row in self._relations(kg):
            along, against = self.vectors.get(row["id"], (None, None))
            yield {"id": row["id"], "along": along, "against": against}

    def _entities_fulltext(
        self, queries: Sequence[str], index: str, limit: int, **_: str
    ) -> Iterator[Row]:
        for number, query in enumerate(queries):
            found: list[Row] = [
                {"query": number, "id": id_, "name": name, "score": 1 / len(folded(name))}
                for id_, name in self.names.items()
                if any(matches(query, each) for each in (name, *self.aliases.get(id_, ())))
            ]
            found.sort(key=lambda row: (-row["score"], row["id"]))
            yield from found[:limit]

    def _entities_named(
        self,
        phrases: Sequence[Sequence[str]],
        misspelt: Sequence[str | None],
        index: str,
        limit: int,
        misspeltLimit: int,  # noqa: N803
        **_: str,
    ) -> Iterator[Row]:
        for of_text, fuzzy in zip(phrases, misspelt, strict=True):
            exact = self._with_aliases(of_text, index, limit)
            named = any(
                f'"{row["name"]}"'.lower() == of_text[row["query"]].lower() for row in exact
            )
            queries = [fuzzy] if fuzzy and not named else []
            yield {"exact": exact, "misspelt": self._with_aliases(queries, index, misspeltLimit)}

    def _with_aliases(self, queries: Sequence[str], index: str, limit: int) -> list[Row]:
        found = self._entities_fulltext(queries, index, limit)
        return [{**row, "aliases": self.aliases.get(row["id"], [])} for row in found]


class Record:
    """A record as the driver gives it."""

    def __init__(self, row: Row) -> None:
        self._row = row

    def data(self) -> Row:
        return self._row

    def __getitem__(self, key: str) -> Any:
        return self._row[key]


class MemoryDatabase(Database):
    """A database whose driver is in memory: nothing is connected to."""

    def __init__(self, driver: MemoryDriver, plugin: str | None = None) -> None:
        self.uri, self.name = "memory", "memory"
        self.driver = driver  # type: ignore[assignment]
        self._plugin = plugin or "auto"
        self._agent = "Neo4j/5.26.23"
        if plugin is None:
            # What the driver answers are the statements that call the procedures.
            self.uses_plugin = True

    def stream(
        self, name: str, batch: int, parameters: Row | None = None, /, **places: Place
    ) -> Generator[list[Row], None, None]:
        """The facts, which is all that tests stream; of a driver with sessions, what these give."""
        assert name == "facts"
        driver: Any = self.driver
        if hasattr(driver, "session"):
            yield from super().stream(name, batch, parameters, **places)
            return
        for head, relation, tail in driver.triples:
            ends = {"head_name": driver.names[head], "tail_name": driver.names[tail]}
            yield [{"head": head, "relation": relation, "tail": tail, **ends}]


def graph_info(name: str = "test", state: str = "ready") -> GraphInfo:
    return GraphInfo(
        name=name,
        labels=("Test",),
        title="Test",
        state=state,
        source="-",
        sha256="-",
        triples=0,
        entities=0,
        relations=0,
        loaded_at=None,
        names=(NameSource("Test", ("name",)),),
    )


def memory_graph(driver: MemoryDriver) -> Graph:
    return Graph(MemoryDatabase(driver), graph_info())


def opened(driver: MemoryDriver) -> Graph:
    """A graph whose relations have been read, which is done once for all questions."""
    graph = memory_graph(driver)
    assert graph.relations
    driver.sent.clear()
    return graph


def named(*names: str) -> Graph:
    """A graph of entities alone, whose ids are their names."""
    return memory_graph(MemoryDriver([], names={name: name for name in names}))


class BagOfWords:
    """An encoder whose similarity is the share of common words, plural or not."""

    name = "bag of words"
    dimensions = 1024

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.casefold()) or [""]:
                vectors[row, zlib.crc32(word.removesuffix("s").encode()) % self.dimensions] += 1
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


class FakeModel:
    """A language model that likes one word, and tells scores or not; it keeps what it was asked.

    It can only choose, as models with few ``parameters`` do.
    """

    name = "fake"

    def __init__(self, likes: str, *, tells_scores: bool = True) -> None:
        self._likes = likes
        self._tells_scores = tells_scores
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    context = 2048
    supports_grammar = False
    parameters: int | None = None

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        self.asked += [(ask.prompt, ask.choices) for ask in requests]
        return [self._choose(ask.prompt, ask.choices) for ask in requests]

    def _choose(self, prompt: str, options: Sequence[str]) -> Completion:
        # Only a prompt that holds a question makes a difference: the prior is flat.
        liked = [-10.0 + 9.0 * (self._likes in o and "?" in prompt) for o in options]
        best = options[liked.index(max(liked))]
        return Completion(best, 7, 2, tuple(liked) if self._tells_scores else None)


def reasoner(
    method: str,
    graph: Graph,
    llm: LanguageModel | None = None,
    encoder: Encoder | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> Reasoner:
    """A method over a graph, without a server or weights."""
    sentences = encoder or BagOfWords()
    resources = Resources(graph, sentences, llm, watch)
    return Reasoner(create(method, options), resources)
