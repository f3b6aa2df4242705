"""One knowledge graph: the typed mirror of ``CALL kgdb.*`` and of its full-text index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, Unpack

from kgdb.errors import PluginMissing
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.round_trips import uncounted
from kgdb.graph.forms import Form, FormResult, read_form, run_form
from kgdb.graph.forms.named_values import NamedValue, labels_of, named_values
from kgdb.graph.forms.operators import FORMS
from kgdb.graph.forms.running import LIMIT, TIMEOUT_MS
from kgdb.graph.gds import projection
from kgdb.graph.gds.cheapest import CheapestPaths, Costs, cheapest_arcs
from kgdb.graph.gds.projection import Projection
from kgdb.graph.gds.weights import check_steps, cost, step_costs
from kgdb.graph.linking.candidates import fulltext, named
from kgdb.graph.option_values import items
from kgdb.graph.plain.plain_retrieval import PlainRetrieval
from kgdb.graph.retrieval import retrieval_options as options
from kgdb.graph.retrieval.batch import Batch, Searches
from kgdb.graph.retrieval.entity_properties import EntityProperties, entity_properties
from kgdb.graph.retrieval.identified import Identified
from kgdb.graph.retrieval.plugin import PluginRetrieval, Retrieval
from kgdb.graph.retrieval.relation_vectors import RelationVectors, stored_vectors
from kgdb.graph.retrieval.results import (
    Candidate,
    NamedCandidates,
    RelationInfo,
    Rows,
    WeightedPath,
)
from kgdb.graph.retrieval.retrieval_options import Config
from kgdb.graph.retrieval.step_filter import StepFilter
from kgdb.graph.schema import Schema, read_schema
from kgdb.graph.thoughts.matching import Grounding, Match, Pattern, Similarities, match
from kgdb.graph.thoughts.scripts import (
    GroundedRun,
    ReadAnswer,
    Thought,
    ThoughtRun,
    ground_thoughts,
    read_cypher,
    run_thoughts,
)
from kgdb.lazy import lazy_property
from kgdb.text_arguments import text, texts
from kgdb.values import Entity, Triple
from kgdb.wording import counted, escaped

_STREAMED = 10_000
"""Rows that are taken from the server together."""


class Graph(Searches):
    """A loaded knowledge graph. Each method is one round trip to the database.

    ``nodes`` are entities, or their ids. A relation is written ``"directed_by"``, or
    ``"^directed_by"`` for the way against it. An option that is not given, or ``None``, has the
    procedure's default, which ``docs/reference/procedures`` tells with what it means:
    ``per_relation`` here is ``perRelation`` there.

    What a method returns is a tuple whose ``cut`` names the caps that left something out.
    ``graph.batch`` has the same methods for several sets of entities at once.
    """

    def __init__(self, database: Database, info: GraphInfo) -> None:
        self.database = database
        self.info = info

    @property
    def name(self) -> str:
        """The name the graph was loaded under."""
        return self.info.name

    def _repr_html_(self) -> str:
        """The schema, as a picture."""
        about = [
            counted(self.info.entities, "entity", "entities"),
            counted(self.info.triples, "fact"),
        ]
        told = f"<p><b>{escaped(self.name)}</b> {', '.join(about)}</p>"
        return f"{told}{self.schema._repr_html_()}"

    @lazy_property
    def batch(self) -> Batch:
        """The same retrieval for several sets of entities, in one round trip."""
        return Batch(self._retrieval, self.identified)

    @lazy_property
    def identified(self) -> Identified:
        """Leaves nodes without an id out; see :mod:`kgdb.graph.retrieval.identified`."""
        return Identified(self.database, self.info)

    @lazy_property
    def _retrieval(self) -> Retrieval:
        if self.database.uses_plugin:
            return PluginRetrieval(self.database, self.name)
        return PlainRetrieval(self.database, self.info)

    def run_thought(self, script: str, **given: Unpack[options.ThoughtOptions]) -> ThoughtRun:
        """``CALL kgdb.got.run``: the graph of thought that a language model wrote in Cypher.

        The script is run in a sandbox and leaves nothing behind; what is wrong with it is told in
        the result.
        """
        scripts = [text("script", script, "a script in Cypher", empty=True)]
        return run_thoughts(self.database, scripts, Config.of(options.ThoughtOptions, given))[0]

    def ground_thoughts(
        self,
        scripts: Sequence[str],
        *,
        link: options.LinkOptions | None = None,
        **given: Unpack[options.ThoughtOptions],
    ) -> list[GroundedRun]:
        """:meth:`run_thought` for each script, and :meth:`link` for the names in the thoughts.

        Raises :class:`PluginMissing` where the server's plugin is not there, or not to be used.
        """
        scripts = texts("scripts", scripts, "scripts in Cypher", empty=True)
        if not self.database.uses_plugin:
            raise PluginMissing(
                "Graphs of thought are run by the kgdb plugin, which this connection does not use.",
                hint="kgdb status tells whether the server has it; --plugin auto uses it.",
            )
        config, linking = (
            Config.of(options.ThoughtOptions, given),
            Config.of(options.LinkOptions, link or {}),
        )
        return ground_thoughts(self.database, self.name, scripts, config, linking, self.identified)

    def match(
        self,
        pattern: Thought,
        nodes: Mapping[str, Grounding],
        relations: Mapping[str, Similarities],
        **given: Unpack[options.MatchOptions],
    ) -> Rows[Match]:
        """``CALL kgdb.got.match``: a thought as a pattern, its best embeddings in this graph.

        ``nodes`` grounds variables in entity ids (a list, or a map of ids to scores),
        ``relations`` each type of the thought in relations with their similarities:
        ``{"was directed by": {"directed_by": 0.9, "^written_by": 0.2}}``.
        """
        config = Config.of(options.MatchOptions, given)
        found = Pattern(pattern, nodes, relations)
        return match(self.database, self.name, found, config, self.identified)

    def read_cypher(self, script: str, **given: Unpack[options.ReadOptions]) -> ReadAnswer:
        """``CALL kgdb.cypher.read``: a query that a language model wrote, if it only reads.

        It sees this graph and no other, unless ``whole_store`` is set. What is wrong with it,
        unknown names included, is told in the result.
        """
        text("script", script, "a query in Cypher", empty=True)
        return read_cypher(self.database, script, self.name, Config.of(options.ReadOptions, given))

    def fulltext(self, queries: Sequence[str], *, limit: int = 10) -> list[list[Candidate]]:
        """The best ``limit`` entities for each Lucene query over the names."""
        return fulltext(self.database, self.info, self.identified, queries, limit)

    def named(
        self,
        phrases: Sequence[Sequence[str]],
        misspelt: Sequence[str | None],
        *,
        limit: int,
        misspelt_limit: int,
    ) -> list[NamedCandidates]:
        """For each text the candidates of its phrases, which are Lucene queries.

        Where none of them is a whole name, also those of its query for ``misspelt`` names, which
        may be ``None``. One round trip for all texts.
        """
        limits = (limit, misspelt_limit)
        return named(self.database, self.info, self.identified, phrases, misspelt, limits)

    def properties(self, nodes: Sequence[Entity | str]) -> list[EntityProperties]:
        """The labels and the properties of each of the nodes."""
        return entity_properties(self.database, self.info, nodes)

    def facts(self) -> Iterator[Triple]:
        """Every fact of the graph, literals included, in no order: streamed, as there are many."""
        batches = self.database.stream("facts", _STREAMED, **self.info.places)
        for rows in batches:
            for row in rows:
                yield Triple(
                    Entity(row["head"], row["head_name"]),
                    row["relation"],
                    Entity(row["tail"], row["tail_name"]),
                )

    def project(
        self,
        name: str | None = None,
        *,
        relations: Sequence[str] | None = None,
        undirected: bool = False,
        weights: Mapping[str, float] | None = None,
        default_weight: float = 1.0,
    ) -> AbstractContextManager[Projection]:
        """The graph in the catalog of Graph Data Science, for any ``gds.*`` call inside the block.

        >>> with kg.project(undirected=True) as p:                       # doctest: +SKIP
        ...     db.call("gds.wcc.stream", p.name)

        ``relations`` are those to project (default: all). ``weights`` gives each relationship the
        weight of its relation, else ``default_weight``, as the property :attr:`Projection.weight`.
        """
        if relations is not None and not isinstance(relations, str):
            relations = items("relations", relations)
        if relations or weights is not None:
            plan = projection.some(
                self.database,
                self.info,
                self.relations,
                relations=relations,
                undirected=undirected,
                weights=weights,
                default_weight=default_weight,
            )
        else:
            plan = projection.whole(self.database, self.info, undirected=undirected)
        return projection.projected(self.database, self.info, plan, name)

    @contextmanager
    def cheapest(
        self,
        weights: Mapping[str, float] | None = None,
        *,
        default_cost: float = 1.0,
        **given: Unpack[options.CheapestOptions],
    ) -> Iterator[CheapestPaths]:
        """Projects once, to find cheapest paths between many pairs inside the block.

        >>> with kg.cheapest({"has_genre": 5}) as paths:                 # doctest: +SKIP
        ...     paths.between("Inception", "Titanic", k=3)

        ``weights`` is what a step costs by its relation (``"^r"``: against it), else
        ``default_cost``; no cost is less than 0.
        """
        config = Config.of(options.CheapestOptions, given)
        for name in ("relations", "exclude"):
            check_steps(name, config[name], self.relations)
        costs = Costs(
            StepFilter.of(config),
            step_costs("weights", {} if weights is None else weights, self.relations),
            cost("default_cost", default_cost),
        )
        plan = cheapest_arcs(self.database, self.info, costs)
        with projection.projected(self.database, self.info, plan) as arcs:
            yield CheapestPaths(arcs, self.info, costs)

    def shortest_weighted(
        self,
        source: str | Entity,
        target: str | Entity,
        *,
        k: int = 1,
        weights: Mapping[str, float] | None = None,
        default_cost: float = 1.0,
        **given: Unpack[options.CheapestOptions],
    ) -> Rows[WeightedPath]:
        """The ``k`` cheapest paths between two entities, by ``gds.shortestPath.yens``.

        Each call projects the graph; :meth:`cheapest` does it once for many.
        """
        with self.cheapest(weights, default_cost=default_cost, **given) as paths:
            return paths.between(source, target, k)

    @lazy_property
    def schema(self) -> Schema:
        """Its labels, properties and relations, from statistics and samples; read once."""
        with uncounted():
            return read_schema(self.database, self.info, self.relations)

    def query(
        self,
        form: Form | Mapping[str, Any] | str,
        *,
        limit: int = LIMIT,
        timeout_ms: int = TIMEOUT_MS,
    ) -> FormResult:
        """What a logical form comes to: the value, or the entities, with the facts that prove it.

        ``form`` is one of :mod:`kgdb.graph.forms.operators`, or the same in JSON:
        ``{"op": "Count", "form": {"op": "FindAll", "label": "Movie"}}``.
        """
        parsed = form if isinstance(form, FORMS) else read_form(form)
        return run_form(
            self.database, self.info, self.schema, parsed, limit=limit, timeout_ms=timeout_ms
        )

    def named_in_text(
        self, ids: Sequence[str], texts: Sequence[str]
    ) -> tuple[dict[str, list[str]], list[NamedValue]]:
        """The labels of entities, and the values of properties among texts in lower case."""
        return (
            labels_of(self.database, self.info, ids) if ids else {},
            named_values(self.database, self.info, self.schema, texts),
        )

    @lazy_property
    def relations(self) -> Mapping[str, RelationInfo]:
        """Every relation of the graph with its texts, read once."""
        with uncounted():
            rows = self.database.run("relations", {"kg": self.name})
        taught = self.info.synonyms
        return {
            row["id"]: replace(RelationInfo.of(row), synonyms=taught.get(row["id"], ()))
            for row in rows
        }

    def relation_vectors(self, encoder: str) -> RelationVectors | None:
        """The embeddings of its relations by the encoder of that name, read once.

        ``None`` where the graph was loaded without them, or with those of another encoder.
        """
        text("encoder", encoder, "the name of an encoder")
        return self._relation_vectors if self.info.encoder == encoder else None

    @lazy_property
    def _relation_vectors(self) -> RelationVectors | None:
        with uncounted():
            rows = self.database.run("relations/vectors", {"kg": self.name})
        return stored_vectors(self.info.encoder or "", rows)
