"""Cypher scripts that create a graph, such as Neo4j's examples and APOC's exports.

A script is never run: this module reads the statements that write plain values, and refuses all
others by their name. It holds in memory what a script creates, since a later statement may add to
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File
from kgdb.loading.reading.graph_files.created_graph import CreatedGraph, Row
from kgdb.loading.reading.graph_files.cypher_patterns import read_pattern
from kgdb.loading.reading.graph_files.cypher_tokens import CypherProblem, Tokens, tokens_of
from kgdb.loading.reading.graph_files.elements import Element

_SCHEMA = frozenset("CONSTRAINT INDEX FULLTEXT RANGE TEXT POINT LOOKUP VECTOR BTREE".split())
_WRITING = frozenset("CREATE MERGE SET DELETE DETACH REMOVE FOREACH CALL LOAD".split())
_CLEANING = "UNIQUE IMPORT LABEL"


def read_cypher_script(file: File, stream: BinaryIO) -> Iterator[Element]:
    """What the script creates; raises :class:`LoadError` for a statement that is not read."""
    text = ""
    try:
        text = stream.read().decode("utf-8-sig")
        graph = CreatedGraph()
        _Script(Tokens(tokens_of(text)), graph).read()
    except UnicodeDecodeError as error:
        raise LoadError(
            f"{file.name} is not UTF-8: {error.reason}.",
            hint=f"Convert it: iconv -f WINDOWS-1252 -t UTF-8 {file.name.name} > converted",
        ) from error
    except CypherProblem as error:
        line = text.count("\n", 0, error.position) + 1
        column = error.position - text.rfind("\n", 0, error.position)
        raise LoadError(
            f"{file.name}, line {line:,}, column {column:,}: {error}.",
            hint="kgdb runs no script; it reads CREATE, MERGE, MATCH, UNWIND and SET with plain "
            "values. Run this one in a Neo4j of your own: cypher-shell -a bolt://localhost:7687 "
            f"-u neo4j -f {file.name.name}. Then: kgdb adopt mine --uri bolt://localhost:7687",
        ) from error
    yield from graph.elements()


class _Script:
    """Reads clause after clause; ``_rows`` has the variables, once for each item of a list."""

    def __init__(self, tokens: Tokens, graph: CreatedGraph) -> None:
        self._tokens = tokens
        self._graph = graph
        self._rows: list[Row] = [{}]
        self._created: list[bool] = []

    def read(self) -> None:
        tokens = self._tokens
        while tokens.next.kind != "end":
            if tokens.takes(";"):
                self._rows = [{}]
            elif tokens.takes(":"):  # a command of cypher-shell
                self._skip_command()
            else:
                self._clause()

    def _clause(self) -> None:
        tokens = self._tokens
        begin = tokens.next
        if tokens.takes_word("CREATE", "MERGE"):
            merge = begin.is_word("MERGE")
            if tokens.takes_word("OR"):  # OR REPLACE
                tokens.take()
            if tokens.next.is_word(*_SCHEMA):
                self._skip_statement()
            else:
                self._patterns(merge=merge)
        elif tokens.takes_word("MATCH"):
            self._match()
        elif tokens.takes_word("UNWIND"):
            self._unwind()
        elif tokens.takes_word("SET"):
            self._set(self._rows)
        elif begin.is_word("ON") and tokens.after(1).is_word("CREATE", "MATCH"):
            self._set_after_merge()
        elif begin.is_word("BEGIN", "COMMIT", "SCHEMA", "DROP", "USE") or (
            begin.is_word("WITH", "RETURN", "CALL") and self._reads_only()
        ):
            self._skip_statement()
        else:
            raise CypherProblem(f"{begin.text} is not read", begin.position)

    def _patterns(self, *, merge: bool) -> None:
        while True:
            pattern = read_pattern(self._tokens)
            self._created = [self._graph.write(pattern, row, merge=merge) for row in self._rows]
            if not self._tokens.takes(","):
                return

    def _match(self) -> None:
        tokens = self._tokens
        while True:
            pattern = read_pattern(tokens)
            if pattern.steps:
                place = pattern.first.token.position
                raise CypherProblem("MATCH of a relationship is not read", place)
            self._rows = [
                found for row in self._rows for found in self._graph.match(pattern.first, row)
            ]
            if not tokens.takes(","):
                break
        if tokens.takes_word("WHERE"):
            self._where()
        if tokens.next.is_word("REMOVE", "DELETE", "DETACH", "WITH"):
            self._clean()

    def _where(self) -> None:
        """Equalities, and values IN a list, with AND between them."""
        tokens = self._tokens
        while True:
            left = tokens.value()
            if tokens.takes_word("IN"):
                items = tokens.value()
                self._rows = [row for row in self._rows if left(row) in (items(row) or ())]
            else:
                tokens.expect("=")
                right = tokens.value()
                self._rows = [row for row in self._rows if left(row) == right(row)]
            if not tokens.takes_word("AND"):
                return

    def _clean(self) -> None:
        """Skip the statement by which APOC's scripts remove labels of their own.

        Many scripts first delete all nodes: of those that they created so far, there is none.
        """
        begin = self._tokens.next
        texts = [token.text for token in self._tokens.statement()]
        deletes_nothing = begin.is_word("DELETE", "DETACH") and not self._rows
        if _CLEANING not in texts and not deletes_nothing:
            raise CypherProblem(f"{begin.text} is not read", begin.position)
        self._skip_statement()

    def _unwind(self) -> None:
        tokens = self._tokens
        items = tokens.value()
        if not tokens.takes_word("AS"):
            raise tokens.problem("expected AS")
        name = tokens.name("a variable")
        self._rows = [{**row, name: item} for row in self._rows for item in items(row) or ()]

    def _set_after_merge(self) -> None:
        """``ON CREATE SET`` where the last MERGE created something, ``ON MATCH SET`` elsewhere."""
        tokens = self._tokens
        tokens.take()
        created = tokens.take().is_word("CREATE")
        if not tokens.takes_word("SET"):
            raise tokens.problem("expected SET")
        rows = zip(self._rows, self._created, strict=True)
        self._set([row for row, each in rows if each == created])

    def _set(self, rows: Sequence[Row]) -> None:
        """Labels and properties of variables: ``n:Label``, ``n.key = …``, ``n += …``."""
        tokens = self._tokens
        while True:
            variable = tokens.next
            name = tokens.name("a variable")
            if tokens.takes(":"):
                labels = [tokens.name("a label")]
                while tokens.takes(":"):
                    labels.append(tokens.name("a label"))
                for row in rows:
                    self._graph.add_labels(row.get(name), labels, variable)
            else:
                key = tokens.name("a property") if tokens.takes(".") else None
                if not tokens.takes("=", "+="):
                    raise tokens.problem("expected = or +=")
                value = tokens.value()
                for row in rows:
                    given = value(row)
                    values = given if key is None else {key: given}
                    self._graph.set_properties(row.get(name), values, variable)
            if not tokens.takes(","):
                return

    def _reads_only(self) -> bool:
        """Whether the rest of the statement writes nothing, apart from waiting for indexes."""
        words = self._tokens.statement()
        if words[0].is_word("CALL"):
            return ".".join(token.text for token in words[1:4]).lower() == "db...awaitindexes"
        return not any(token.is_word(*_WRITING) for token in words)

    def _skip_statement(self) -> None:
        for _ in self._tokens.statement():
            self._tokens.take()

    def _skip_command(self) -> None:
        """Skip a command of cypher-shell, which ends with its line."""
        tokens = self._tokens
        command = tokens.next
        if not command.is_word("BEGIN", "COMMIT", "PARAM", "PARAMS", "USE", "AUTO", "SCHEMA"):
            raise CypherProblem(f":{command.text} is not read", command.position)
        line = command.line
        while tokens.next.kind != "end" and tokens.next.line == line:
            tokens.take()
