package io.github.kgdb.procedure;

import io.github.kgdb.kernel.RelationsAround;
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

public final class RelationsProcedure {
    private static final Set<String> KEYS = Set.of("relations", "direction", "limit");
    private static final int LIMIT = 10_000;

    private static final String CONFIG =
            Parameters.RELATIONS + "limit: most rows, default " + LIMIT + ". " + Parameters.COMMON;

    @Context public Transaction transaction;

    @Context public TerminationGuard terminationGuard;

    @Context public ProcedureMemory memory;

    @Procedure(name = "kgdb.relations.around", mode = Mode.READ)
    @Description(
            "The distinct relations around nodes, with direction: how many of the nodes have it,"
                + " and how many relationships of it they have. Reads the store's degrees and no"
                + " relationship, so a hub costs nothing, and relationships that leave the graph kg"
                + " are counted too. Ordered by count, largest first, relation and direction."
                + " truncated is true on all rows if the limit left out some.")
    public Stream<RelationRow> around(
            @Name(value = "nodes", description = Parameters.NODES) Object nodes,
            @Name(value = "config", defaultValue = "{}", description = CONFIG)
                    Map<String, Object> config) {
        CallContext context = new CallContext(transaction, terminationGuard, memory);
        return GraphCall.run(
                "kgdb.relations.around", context, nodes, config, KEYS, RelationsProcedure::rows);
    }

    private static List<RelationRow> rows(GraphCall.Input input) {
        Config config = input.config();
        RelationsAround.Query query =
                new RelationsAround.Query(
                        input.relationTypes()
                                .allowed(config.texts("relations"), config.direction("direction")),
                        config.count("limit", 1, LIMIT));
        return RelationsAround.find(input.view(), input.nodes(), query).stream()
                .map(RelationRow::new)
                .toList();
    }

    public static final class RelationRow {
        public final String relation;
        public final String direction;
        public final long nodes;
        public final long count;
        public final boolean truncated;

        RelationRow(RelationsAround.Row row) {
            this.relation = row.relation();
            this.direction = row.direction().text();
            this.nodes = row.nodes();
            this.count = row.count();
            this.truncated = row.truncated();
        }
    }
}
