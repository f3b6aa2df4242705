package io.github.kgdb.procedure;

import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.neighbors.Neighbors;
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

public final class NeighborsProcedure extends GraphProcedure {
    static final String NAME = "kgdb.neighbors";

    private static final ConfigKey<Integer> LIMIT = Parameters.limit(1000);
    private static final ConfigKey<Long> PER_RELATION =
            ConfigKey.limit("perRelation", 0, "maximum rows of one source, relation and direction");

    static final List<ConfigKey<?>> KEYS =
            List.of(
                    Parameters.KG,
                    Parameters.RELATIONS,
                    Parameters.EXCLUDE,
                    Parameters.DIRECTION,
                    Parameters.WHERE,
                    Parameters.PROPERTIES,
                    Parameters.LABELS,
                    Parameters.MEDIATORS,
                    LIMIT,
                    PER_RELATION,
                    Parameters.EXPANDED_DEGREE,
                    Parameters.IN_MEMORY,
                    Parameters.TIMEOUT_MS);

    @Procedure(name = NAME, mode = Mode.READ)
    @Description(
            "The neighbors of nodes. One row for each source, relation, direction and neighbor,"
                    + " with the number of parallel relationships. Ordered by source as given,"
                    + " relation, direction, name and id.")
    public Stream<NeighborRow> neighbors(
            @Name(value = "nodes", description = Parameters.NODES) Object nodes,
            @Name(value = "config", defaultValue = "{}", description = Parameters.CONFIG)
                    Map<String, Object> config) {
        return GraphCall.run(
                NAME, this, config, KEYS, input -> search(input, nodes), NeighborRow::new);
    }

    private static Batches<WithProperties<Neighbors.Row>> search(GraphCall.Input input, Object nodes) {
        Config config = input.config();
        Neighbors.Query query =
                new Neighbors.Query(
                        input.steps(),
                        config.get(Parameters.MEDIATORS),
                        config.get(LIMIT),
                        config.get(PER_RELATION),
                        config.get(Parameters.EXPANDED_DEGREE));
        return Batches.over(
                input.session().startSets(nodes),
                (batch, starts) ->
                        WithProperties.of(
                                input,
                                Neighbors.find(input.view(), starts, query, input.results()),
                                NeighborsProcedure::shown));
    }

    private static List<Shown> shown(Neighbors.Row row) {
        String relation = (row.direction() == Direction.IN ? "^" : "") + row.relation();
        String source = row.source().id();
        String neighbor = row.neighbor().id();
        return List.of(
                row.via() == null
                        ? new Shown(List.of(source, neighbor), List.of(relation))
                        : new Shown(
                                List.of(source, row.via().id(), neighbor),
                                List.of(relation, row.viaRelation())));
    }

    public static final class NeighborRow {
        @Description(Parameters.BATCH)
        public Long batch;

        @Description("The id of the node that was expanded.")
        public String source;

        @Description("The relation between the two.")
        public String relation;

        @Description("'out' or 'in', seen from the source.")
        public String direction;

        @Description("The id of the neighbor.")
        public String id;

        @Description("The name of the neighbor.")
        public String name;

        @Description(
                "The number of parallel relationships; through a mediator, of pairs of"
                        + " relationships.")
        public Long count;

        @Description("The id of the mediator between the two, or null.")
        public String via;

        @Description("The relation that leads on from the mediator ('^r': against it), or null.")
        public String viaRelation;

        @Description(Parameters.PROPERTIES_OF_STEPS)
        public List<List<Map<String, Object>>> properties;

        @Description(Parameters.CUT)
        public List<String> cut;

        NeighborRow(long batch, WithProperties<Neighbors.Row> found, List<String> cut) {
            this.batch = batch;
            this.cut = cut;
            if (found != null) {
                Neighbors.Row row = found.row();
                this.source = row.source().id();
                this.relation = row.relation();
                this.direction = row.direction().text();
                this.id = row.neighbor().id();
                this.name = row.neighbor().name();
                this.count = row.count();
                this.via = row.via() == null ? null : row.via().id();
                this.viaRelation = row.viaRelation();
                this.properties = found.path();
            }
        }
    }
}
