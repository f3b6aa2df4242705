package io.github.kgdb.procedure;

import io.github.kgdb.graph.arguments.RelationTypes;
import io.github.kgdb.graph.arguments.StartSets;
import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.follow.Follow;
import io.github.kgdb.procedure.call.BatchArguments;
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

public final class FollowProcedure extends GraphProcedure {
    static final String NAME = "kgdb.follow";

    private static final ConfigKey<Integer> LIMIT = Parameters.limit(1000);
    private static final ConfigKey<Integer> PATHS =
            ConfigKey.count(
                    "paths",
                    0,
                    Integer.MAX_VALUE,
                    5,
                    "paths to show in each row, the first by their ids read from the end"
                            + " backwards");
    private static final ConfigKey<Long> MAX_PATHS =
            ConfigKey.limit(
                    "maxPaths",
                    1_000_000,
                    "maximum paths to enumerate if a relation occurs twice in the chain; beyond it,"
                        + " counts are lower bounds. Other chains are counted without enumeration");

    static final List<ConfigKey<?>> KEYS =
            List.of(
                    Parameters.KG,
                    Parameters.WHERE,
                    Parameters.PROPERTIES,
                    Parameters.LABELS,
                    LIMIT,
                    PATHS,
                    Parameters.EXPANDED_DEGREE,
                    MAX_PATHS,
                    Parameters.IN_MEMORY,
                    Parameters.TIMEOUT_MS);

    @Procedure(name = NAME, mode = Mode.READ)
    @Description(
            "Follows one chain of relations from nodes. One row for each entity at the end of the"
                + " chain, with the number of start nodes that reach it (starts), the number of"
                + " paths (count; a path uses no relationship twice), and some of the paths as ids"
                + " and as names. Ordered by starts and count (largest first), name and id.")
    public Stream<FollowRow> follow(
            @Name(value = "nodes", description = Parameters.NODES) Object nodes,
            @Name(
                            value = "relations",
                            description =
                                    "The chain: 'r' follows relation r along its direction, '^r'"
                                        + " against it; [] ends at the start nodes. Or a LIST of"
                                        + " chains, one for each start set.")
                    List<Object> relations,
            @Name(value = "config", defaultValue = "{}", description = Parameters.CONFIG)
                    Map<String, Object> config) {
        return GraphCall.run(
                NAME, this, config, KEYS, input -> search(input, nodes, relations), FollowRow::new);
    }

    private static Batches<WithProperties<Follow.Row>> search(
            GraphCall.Input input, Object nodes, List<Object> relations) {
        StartSets starts = input.session().startSets(nodes);
        List<List<RelationStep>> chains =
                BatchArguments.of(
                        "relations",
                        relations,
                        starts,
                        input.termination(),
                        chain -> chain(input.relationTypes(), chain));
        return Batches.over(
                starts,
                (batch, set) ->
                        WithProperties.of(
                                input,
                                Follow.run(
                                        input.view(),
                                        set,
                                        query(input.config(), chains.get(batch)),
                                        input.results()),
                                row -> shown(row, specs(input, chains.get(batch)))));
    }

    private static List<String> specs(GraphCall.Input input, List<RelationStep> chain) {
        return chain.stream().map(input.view()::spec).toList();
    }

    private static List<Shown> shown(Follow.Row row, List<String> relations) {
        return row.examples().stream().map(path -> new Shown(Entity.ids(path), relations)).toList();
    }

    private static List<RelationStep> chain(RelationTypes types, List<?> chain) {
        BatchArguments.requireLength("relations", chain, "relations");
        return chain.stream()
                .map(relation -> types.step(BatchArguments.text("relations", relation)))
                .toList();
    }

    private static Follow.Query query(Config config, List<RelationStep> chain) {
        return new Follow.Query(
                chain,
                config.get(LIMIT),
                config.get(PATHS),
                config.get(Parameters.EXPANDED_DEGREE),
                config.get(MAX_PATHS));
    }

    public static final class FollowRow {
        @Description(Parameters.BATCH)
        public Long batch;

        @Description("The id of the entity at the end of the chain.")
        public String id;

        @Description("Its name.")
        public String name;

        @Description("The number of start nodes that reach it.")
        public Long starts;

        @Description("The number of paths that end at it.")
        public Long count;

        @Description("Some of the paths, each as ids from start to end.")
        public List<List<String>> paths;

        @Description("The same paths, each as names.")
        public List<List<String>> names;

        @Description(Parameters.PROPERTIES_OF_PATHS)
        public List<List<List<Map<String, Object>>>> properties;

        @Description(Parameters.CUT)
        public List<String> cut;

        FollowRow(long batch, WithProperties<Follow.Row> found, List<String> cut) {
            this.batch = batch;
            this.cut = cut;
            if (found != null) {
                Follow.Row row = found.row();
                this.id = row.end().id();
                this.name = row.end().name();
                this.starts = row.starts();
                this.count = row.count();
                this.paths = row.examples().stream().map(Entity::ids).toList();
                this.names = row.examples().stream().map(Entity::names).toList();
                this.properties = found.paths();
            }
        }
    }
}
