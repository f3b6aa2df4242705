package io.github.kgdb.procedure;

import io.github.kgdb.KgdbException;
import io.github.kgdb.kernel.Entity;
import io.github.kgdb.kernel.Follow;
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
import java.util.function.Function;
import java.util.stream.Stream;

public final class FollowProcedure {
    private static final Set<String> KEYS = Set.of("limit", "paths", "maxDegree", "maxPaths");
    private static final int PATHS = 5;
    private static final int MAX_PATHS = 1_000_000;

    /** Far beyond any question; what it guards is the stack, which is as deep as the chain. */
    private static final int LONGEST_CHAIN = 100;

    private static final String CONFIG =
            "limit: most rows, default "
                    + Parameters.LIMIT
                    + ". paths: most example paths per row, by their ids read from the end"
                    + " backwards, default "
                    + PATHS
                    + ". maxDegree: most relationships read per node and step, in the store's"
                    + " order, default "
                    + Parameters.MAX_DEGREE
                    + ", 0 = no cap. maxPaths: most paths looked at where a relation occurs twice"
                    + " in the chain (any other is counted without), default "
                    + MAX_PATHS
                    + ", 0 = no cap. "
                    + Parameters.COMMON;

    @Context public Transaction transaction;

    @Context public TerminationGuard terminationGuard;

    @Context public ProcedureMemory memory;

    @Procedure(name = "kgdb.follow", mode = Mode.READ)
    @Description(
            "Follows one chain of relations from nodes. One row per entity it ends at: how many of"
                + " the nodes reach it (starts), by how many paths (count; no relationship twice in"
                + " one path), and some of them as lists of ids and of names. Ordered by starts and"
                + " count, largest first, name and id. truncated is true on all rows if a cap left"
                + " out rows, relationships or paths.")
    public Stream<FollowRow> follow(
            @Name(value = "nodes", description = Parameters.NODES) Object nodes,
            @Name(
                            value = "relations",
                            description =
                                    "The chain: 'r' follows relation r along its direction, '^r'"
                                            + " against it; [] ends at the nodes themselves.")
                    List<String> relations,
            @Name(value = "config", defaultValue = "{}", description = CONFIG)
                    Map<String, Object> config) {
        CallContext context = new CallContext(transaction, terminationGuard, memory);
        return GraphCall.run(
                "kgdb.follow", context, nodes, config, KEYS, input -> rows(input, relations));
    }

    private static List<FollowRow> rows(GraphCall.Input input, List<String> relations) {
        Config config = input.config();
        List<String> chain = Config.texts("relations", relations);
        if (chain.size() > LONGEST_CHAIN) {
            throw KgdbException.usage(
                    "relations: expected at most "
                            + LONGEST_CHAIN
                            + " relations in a chain, got "
                            + chain.size());
        }
        Follow.Query query =
                new Follow.Query(
                        input.relationTypes().chain(chain),
                        config.count("limit", 1, Parameters.LIMIT),
                        config.count("paths", 0, PATHS),
                        config.cap("maxDegree", Parameters.MAX_DEGREE),
                        config.cap("maxPaths", MAX_PATHS));
        return Follow.run(input.view(), input.nodes(), query, input.results()).stream()
                .map(FollowRow::new)
                .toList();
    }

    public static final class FollowRow {
        public final String id;
        public final String name;
        public final long starts;
        public final long count;
        public final List<List<String>> paths;
        public final List<List<String>> names;
        public final boolean truncated;

        FollowRow(Follow.Row row) {
            this.id = row.end().id();
            this.name = row.end().name();
            this.starts = row.starts();
            this.count = row.count();
            this.paths = each(row.examples(), Entity::id);
            this.names = each(row.examples(), Entity::name);
            this.truncated = row.truncated();
        }

        private static List<List<String>> each(
                List<List<Entity>> paths, Function<Entity, String> part) {
            return paths.stream().map(path -> path.stream().map(part).toList()).toList();
        }
    }
}
