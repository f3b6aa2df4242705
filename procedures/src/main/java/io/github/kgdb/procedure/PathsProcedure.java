package io.github.kgdb.procedure;

import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.paths.Paths;
import io.github.kgdb.procedure.call.Config;
import io.github.kgdb.procedure.call.ConfigKey;
import io.github.kgdb.procedure.call.GraphCall;
import io.github.kgdb.procedure.call.GraphCall.Batches;
import io.github.kgdb.procedure.call.GraphProcedure;
import io.github.kgdb.procedure.call.Parameters;
import io.github.kgdb.procedure.call.WithProperties;
import io.github.kgdb.procedure.call.WithProperties.Shown;

import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

public final class PathsProcedure extends GraphProcedure {
    static final String ALL = "kgdb.paths.all";
    static final String SHORTEST = "kgdb.paths.shortest";

    private static final ConfigKey<Integer> MAX_HOPS =
            ConfigKey.count("maxHops", 1, 10, 3, "maximum length of a path in hops");
    private static final ConfigKey<Integer> MAX_HOPS_OF_SHORTEST =
            ConfigKey.count("maxHops", 1, 20, 4, "maximum length of a path in hops");
    private static final ConfigKey<Boolean> EVERY =
            ConfigKey.flag(
                    "all",
                    true,
                    "return every shortest path of a pair; otherwise only the first in order");
    private static final ConfigKey<Long> PER_PAIR =
            ConfigKey.limit("perPair", 100, "maximum rows of each pair");
    private static final ConfigKey<Integer> LIMIT = Parameters.limit(1000);
    private static final ConfigKey<Boolean> ORDERED =
            ConfigKey.flag(
                    "ordered",
                    true,
                    "return the paths of a pair by length, ids and relations; otherwise in any"
                        + " order, of which a limit keeps any, long ones too: faster between hubs");

    static final List<ConfigKey<?>> KEYS_OF_ALL =
            List.of(
                    Parameters.KG,
                    MAX_HOPS,
                    Parameters.RELATIONS,
                    Parameters.EXCLUDE,
                    Parameters.DIRECTION,
                    Parameters.WHERE,
                    Parameters.PROPERTIES,
                    Parameters.LABELS,
                    Parameters.MEDIATORS,
                    PER_PAIR,
                    LIMIT,
                    ORDERED,
                    Parameters.INNER_DEGREE,
                    Parameters.IN_MEMORY,
                    Parameters.TIMEOUT_MS);
    static final List<ConfigKey<?>> KEYS_OF_SHORTEST =
            List.of(
                    Parameters.KG,
                    MAX_HOPS_OF_SHORTEST,
                    EVERY,
                    Parameters.RELATIONS,
                    Parameters.EXCLUDE,
                    Parameters.DIRECTION,
                    Parameters.WHERE,
                    Parameters.PROPERTIES,
                    Parameters.LABELS,
                    Parameters.MEDIATORS,
                    PER_PAIR,
                    LIMIT,
                    Parameters.INNER_DEGREE,
                    Parameters.IN_MEMORY,
                    Parameters.TIMEOUT_MS);

    @Procedure(name = ALL, mode = Mode.READ)
    @Description(
            "All simple paths of at most maxHops hops between every pair of a set of nodes. If"
                + " every relation may be followed in both directions, each pair comes once,"
                + " otherwise in both orders. Ordered by the positions of source and target in the"
                + " set, length, ids and relations.")
    public Stream<PathRow> all(
            @Name(value = "nodes", description = Parameters.NODES) Object nodes,
            @Name(value = "config", defaultValue = "{}", description = Parameters.CONFIG)
                    Map<String, Object> config) {
        return GraphCall.run(
                ALL,
                this,
                config,
                KEYS_OF_ALL,
                input ->
                        search(
                                input,
                                nodes,
                                MAX_HOPS,
                                input.config().get(ORDERED),
                                false,
                                false),
                PathRow::new);
    }

    @Procedure(name = SHORTEST, mode = Mode.READ)
    @Description(
            "The shortest paths of at most maxHops hops between every pair of a set of nodes. If"
                + " every relation may be followed in both directions, each pair comes once,"
                + " otherwise in both orders. Ordered by the positions of source and target in the"
                + " set, ids and relations.")
    public Stream<PathRow> shortest(
            @Name(value = "nodes", description = Parameters.NODES) Object nodes,
            @Name(value = "config", defaultValue = "{}", description = Parameters.CONFIG)
                    Map<String, Object> config) {
        return GraphCall.run(
                SHORTEST,
                this,
                config,
                KEYS_OF_SHORTEST,
                input ->
                        search(
                                input,
                                nodes,
                                MAX_HOPS_OF_SHORTEST,
                                true,
                                true,
                                !input.config().get(EVERY)),
                PathRow::new);
    }

    private static Batches<WithProperties<Paths.Row>> search(
            GraphCall.Input input,
            Object nodes,
            ConfigKey<Integer> maxHops,
            boolean ordered,
            boolean shortest,
            boolean firstOnly) {
        Config config = input.config();
        Paths.Query query =
                new Paths.Query(
                        input.steps(),
                        config.get(Parameters.MEDIATORS),
                        config.get(maxHops),
                        shortest,
                        firstOnly,
                        config.get(PER_PAIR),
                        config.get(LIMIT),
                        ordered,
                        config.get(Parameters.INNER_DEGREE));
        return Batches.over(
                input.session().startSets(nodes),
                (batch, set) ->
                        WithProperties.of(
                                input,
                                Paths.find(input.view(), set, query, input.results()),
                                row ->
                                        List.of(
                                                new Shown(
                                                        Entity.ids(row.entities()),
                                                        row.relations()))));
    }

    public static final class PathRow {
        @Description(Parameters.BATCH)
        public Long batch;

        @Description("The id of the node of the set at which the path begins.")
        public String source;

        @Description("The id of the node of the set at which the path ends.")
        public String target;

        @Description("The length of the path; with mediators, an edge at a mediator is half a hop.")
        public Long hops;

        @Description("The ids of its nodes, from source to target.")
        public List<String> ids;

        @Description("Their names.")
        public List<String> names;

        @Description("The relations between the nodes; '^r': against the direction of r.")
        public List<String> relations;

        @Description(
                "The number of paths with these nodes and relations; parallel relationships make"
                        + " more than one.")
        public Long count;

        @Description(Parameters.PROPERTIES_OF_STEPS)
        public List<List<Map<String, Object>>> properties;

        @Description(Parameters.CUT)
        public List<String> cut;

        PathRow(long batch, WithProperties<Paths.Row> found, List<String> cut) {
            this.batch = batch;
            this.cut = cut;
            if (found != null) {
                Paths.Row row = found.row();
                this.source = row.source().id();
                this.target = row.target().id();
                this.hops = (long) row.hops();
                this.ids = Entity.ids(row.entities());
                this.names = Entity.names(row.entities());
                this.relations = row.relations();
                this.count = row.count();
                this.properties = found.path();
            }
        }
    }
}
