package io.github.kgdb.procedure;

import io.github.kgdb.kernel.neighbors.RelationsAround;
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
import java.util.stream.Stream;

public final class RelationsProcedure extends GraphProcedure {
    static final String NAME = "kgdb.relations.around";

    private static final ConfigKey<Integer> LIMIT = Parameters.limit(10_000);

    static final List<ConfigKey<?>> KEYS =
            List.of(
                    Parameters.KG,
                    Parameters.RELATIONS,
                    Parameters.EXCLUDE,
                    Parameters.DIRECTION,
                    Parameters.MEDIATORS,
                    LIMIT,
                    Parameters.EXPANDED_DEGREE,
                    Parameters.IN_MEMORY,
                    Parameters.TIMEOUT_MS);

    @Procedure(name = NAME, mode = Mode.READ)
    @Description(
            "The distinct relations around nodes, by direction, with the number of nodes that have"
                + " each and the number of its relationships. Reads the degrees that the store"
                + " keeps, so a hub costs nothing; a relation that only leaves the graph kg is not"
                + " among them, but of others the relationships that leave it are counted. With"
                + " mediators it reads the relationships and returns the relation that leads on"
                + " from a mediator. Ordered by count (largest first), relation and direction.")
    public Stream<RelationRow> around(
            @Name(value = "nodes", description = Parameters.NODES) Object nodes,
            @Name(value = "config", defaultValue = "{}", description = Parameters.CONFIG)
                    Map<String, Object> config) {
        return GraphCall.run(
                NAME, this, config, KEYS, input -> search(input, nodes), RelationRow::new);
    }

    private static Batches<RelationsAround.Row> search(GraphCall.Input input, Object nodes) {
        Config config = input.config();
        RelationsAround.Query query =
                new RelationsAround.Query(
                        input.steps(),
                        config.get(Parameters.MEDIATORS),
                        config.get(LIMIT),
                        config.get(Parameters.EXPANDED_DEGREE));
        return Batches.over(
                input.session().startSets(nodes),
                (batch, starts) ->
                        RelationsAround.find(input.view(), starts, query, input.results()));
    }

    public static final class RelationRow {
        @Description(Parameters.BATCH)
        public Long batch;

        @Description("The relation.")
        public String relation;

        @Description("'out' or 'in', seen from the nodes.")
        public String direction;

        @Description("The relation that leads on from a mediator ('^r': against it), or null.")
        public String viaRelation;

        @Description("The number of nodes that have it.")
        public Long nodes;

        @Description(
                "The number of their relationships of this kind; through mediators, of pairs of"
                        + " them.")
        public Long count;

        @Description(Parameters.CUT)
        public List<String> cut;

        RelationRow(long batch, RelationsAround.Row row, List<String> cut) {
            this.batch = batch;
            this.cut = cut;
            if (row != null) {
                this.relation = row.relation();
                this.direction = row.direction().text();
                this.viaRelation = row.viaRelation();
                this.nodes = row.nodes();
                this.count = row.count();
            }
        }
    }
}
