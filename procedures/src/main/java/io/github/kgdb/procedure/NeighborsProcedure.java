package io.github.kgdb.procedure;

import io.github.kgdb.kernel.Neighbors;
import io.github.kgdb.procedure.GraphCall.CallContext;

import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

public final class NeighborsProcedure {
    private static final Set<String> KEYS =
            Set.of("relations", "direction", "limit", "perRelation", "maxDegree");

    private static final String CONFIG =
            Parameters.RELATIONS
                    + "limit: most rows, default "
                    + Parameters.LIMIT
                    + ". perRelation: most rows per source, relation and direction, default 0 ="
                    + " no cap. maxDegree: most relationships read per source (with relations: per"
                    + " source, relation and direction), in the store's order, default "
                    + Parameters.MAX_DEGREE
                    + ", 0 = no cap. "
                    + Parameters.COMMON;

    @Context public Transaction transaction;

    @Context public TerminationGuard terminationGuard;

    @Context public ProcedureMemory memory;

    @Procedure(name = "kgdb.neighbors", mode = Mode.READ)
    @Description(
            "The neighbours of nodes, one row per source, relation, direction and neighbour, with"
                + " the count of parallel relationships. Ordered by source as given, relation,"
                + " direction, name and id. truncated is true on all rows of a source of which a"
                + " cap left out something, and on the last row if the limit left out rows of later"
                + " sources.")
    public Stream<NeighborRow> neighbors(
            @Name(value = "nodes", description = Parameters.NODES) Object nodes,
            @Name(value = "config", defaultValue = "{}", description = CONFIG)
                    Map<String, Object> config) {
        CallContext context = new CallContext(transaction, terminationGuard, memory);
        return GraphCall.run(
                "kgdb.neighbors", context, nodes, config, KEYS, NeighborsProcedure::rows);
    }

    private static List<NeighborRow> rows(GraphCall.Input input) {
        Config config = input.config();
        Neighbors.Query query =
                new Neighbors.Query(
                        input.relationTypes()
                                .allowed(config.texts("relations"), config.direction("direction")),
                        config.count("limit", 1, Parameters.LIMIT),
                        config.cap("perRelation", 0),
                        config.cap("maxDegree", Parameters.MAX_DEGREE));
        return Neighbors.find(input.view(), input.nodes(), query, input.results()).stream()
                .map(NeighborRow::new)
                .toList();
    }

    public static final class NeighborRow {
        public final String source;
        public final String relation;
        public final String direction;
        public final String id;
        public final String name;
        public final long count;
        public final boolean truncated;

        NeighborRow(Neighbors.Row row) {
            this.source = row.source().id();
            this.relation = row.relation();
            this.direction = row.direction().text();
            this.id = row.neighbour().id();
            this.name = row.neighbour().name();
            this.count = row.count();
            this.truncated = row.truncated();
        }
    }
}
