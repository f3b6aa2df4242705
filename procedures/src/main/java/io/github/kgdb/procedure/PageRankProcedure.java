package io.github.kgdb.procedure;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.arguments.RelationTypes;
import io.github.kgdb.graph.arguments.StartSets;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.pagerank.CandidateGraph;
import io.github.kgdb.kernel.pagerank.EdgeList;
import io.github.kgdb.kernel.pagerank.PageRank;
import io.github.kgdb.procedure.call.Config;
import io.github.kgdb.procedure.call.ConfigKey;
import io.github.kgdb.procedure.call.GraphCall;
import io.github.kgdb.procedure.call.GraphCall.Batches;
import io.github.kgdb.procedure.call.GraphProcedure;
import io.github.kgdb.procedure.call.Parameters;

import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

public final class PageRankProcedure extends GraphProcedure {
    static final String NAME = "kgdb.pagerank";

    private static final ConfigKey<Object> SOURCE_NODES =
            ConfigKey.any(
                    "sourceNodes",
                    "as nodes, or null",
                    "personalized PageRank: the nodes of the candidate graph at which random"
                            + " surfers start; null: all nodes");
    private static final ConfigKey<Double> DAMPING =
            ConfigKey.number(
                    "dampingFactor", 0, 1, 0.85, "the share of a score that a node passes on");
    private static final ConfigKey<Integer> MAX_ITERATIONS =
            ConfigKey.count("maxIterations", 1, 100_000, 20, "maximum iterations");
    private static final ConfigKey<Double> TOLERANCE =
            ConfigKey.number(
                    "tolerance",
                    0,
                    Double.POSITIVE_INFINITY,
                    1e-7,
                    "a node whose score grew by no more than this passes nothing on");
    private static final ConfigKey<Long> LIMIT =
            ConfigKey.limit("limit", 0, "maximum rows of each start set");

    static final List<ConfigKey<?>> KEYS =
            List.of(
                    Parameters.KG,
                    DAMPING,
                    MAX_ITERATIONS,
                    TOLERANCE,
                    SOURCE_NODES,
                    Parameters.RELATIONS,
                    Parameters.EXCLUDE,
                    Parameters.DIRECTION_OF_EDGES,
                    LIMIT,
                    Parameters.IN_MEMORY,
                    Parameters.TIMEOUT_MS);

    @Procedure(name = NAME, mode = Mode.READ)
    @Description(
            "PageRank of a small candidate graph (RoK, equations 2 and 3), plain or personalized."
                + " The scores are those of gds.pageRank on the same graph with the same settings."
                + " Ordered by score (largest first) and id.")
    public Stream<RankRow> pagerank(
            @Name(value = "nodes", description = Parameters.NODES) Object nodes,
            @Name(
                            value = "relationships",
                            defaultValue = "null",
                            description =
                                    "The edges of the candidate graph: RELATIONSHIPs, or [source"
                                        + " id, target id] LISTs. A duplicate counts twice; ends"
                                        + " that are not among nodes are added. For a batch, one"
                                        + " such LIST for each start set. null: all relationships"
                                        + " among the nodes.")
                    List<Object> relationships,
            @Name(value = "config", defaultValue = "{}", description = Parameters.CONFIG)
                    Map<String, Object> config) {
        return GraphCall.run(
                NAME,
                this,
                config,
                KEYS,
                input -> search(input, nodes, relationships),
                RankRow::new);
    }

    private static Batches<CandidateGraph.Row> search(
            GraphCall.Input input, Object nodes, List<Object> value) {
        Config config = input.config();
        StartSets starts = input.session().startSets(nodes);
        List<EdgeList> edges = value == null ? null : edges(input, value, starts);
        Direction direction =
                Objects.requireNonNullElse(
                        config.get(Parameters.DIRECTION_OF_EDGES), Direction.OUT);
        long[] sources = sources(input);
        PageRank.Query query =
                new PageRank.Query(
                        config.get(DAMPING), config.get(MAX_ITERATIONS), config.get(TOLERANCE));
        StepFilter steps = steps(input, direction);
        return Batches.over(
                starts,
                (batch, set) -> {
                    CandidateGraph candidates =
                            new CandidateGraph(input.view(), input.results(), set);
                    if (edges == null) {
                        candidates.addRelationships(steps);
                    } else {
                        candidates.addEdges(edges.get(batch), direction);
                    }
                    return candidates.rank(sources, query, config.get(LIMIT));
                });
    }

    private static List<EdgeList> edges(
            GraphCall.Input input, List<Object> value, StartSets starts) {
        for (ConfigKey<List<String>> key : List.of(Parameters.RELATIONS, Parameters.EXCLUDE)) {
            if (!input.config().get(key).isEmpty()) {
                throw KgdbException.usage(
                        key.name()
                                + " chooses among the graph's relationships; leave it out where"
                                + " relationships are given");
            }
        }
        // A pair of ids is a list too, so only the nodes decide whether this is a batch.
        List<Object> perSet = starts.isBatch() ? value : List.of(value);
        if (starts.isBatch() && value.size() != starts.sets().size()) {
            throw KgdbException.usage(
                    "relationships: expected a LIST for each of the "
                            + starts.sets().size()
                            + " start sets, got "
                            + value.size());
        }
        return perSet.stream().map(each -> input.session().edges("relationships", each)).toList();
    }

    /** Null if the ranks are not personalized. */
    private static long[] sources(GraphCall.Input input) {
        Object value = input.config().get(SOURCE_NODES);
        if (value == null) {
            return null;
        }
        StartSets sources = input.session().startSets(SOURCE_NODES.name(), value);
        if (sources.isBatch() || sources.sets().isEmpty()) {
            throw KgdbException.usage(
                    "sourceNodes: expected one or more nodes or ids, got "
                            + CypherValues.describe(value));
        }
        return sources.sets().get(0);
    }

    private static StepFilter steps(GraphCall.Input input, Direction direction) {
        List<String> relations = input.config().get(Parameters.RELATIONS);
        Direction value = input.config().get(Parameters.DIRECTION_OF_EDGES);
        return input.relationTypes()
                .steps(
                        relations,
                        value == null && RelationTypes.sayDirections(relations) ? null : direction,
                        input.config().get(Parameters.EXCLUDE));
    }

    public static final class RankRow {
        @Description(Parameters.BATCH)
        public Long batch;

        @Description("The id of the node.")
        public String id;

        @Description("Its name.")
        public String name;

        @Description("Its PageRank.")
        public Double score;

        @Description("The number of iterations, without a last one that had nothing to pass on.")
        public Long iterations;

        @Description("Whether every node's last gain was within the tolerance.")
        public Boolean converged;

        @Description(Parameters.CUT)
        public List<String> cut;

        RankRow(long batch, CandidateGraph.Row row, List<String> cut) {
            this.batch = batch;
            this.cut = cut;
            if (row != null) {
                this.id = row.entity().id();
                this.name = row.entity().name();
                this.score = row.score();
                this.iterations = (long) row.iterations();
                this.converged = row.converged();
            }
        }
    }
}
