package io.github.kgdb.procedure;

import io.github.kgdb.graph.arguments.StartSets;
import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.beam.Beam;
import io.github.kgdb.kernel.beam.Hop;
import io.github.kgdb.procedure.call.BatchArguments;
import io.github.kgdb.procedure.call.Config;
import io.github.kgdb.procedure.call.ConfigKey;
import io.github.kgdb.procedure.call.GraphCall;
import io.github.kgdb.procedure.call.GraphCall.Batches;
import io.github.kgdb.procedure.call.GraphProcedure;
import io.github.kgdb.procedure.call.HopParser;
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

public final class BeamProcedure extends GraphProcedure {
    static final String NAME = "kgdb.beam";

    private static final ConfigKey<Integer> WIDTH =
            ConfigKey.count(
                    "width",
                    1,
                    100_000,
                    10,
                    "beam width: the number of best paths kept after each hop");

    static final List<ConfigKey<?>> KEYS =
            List.of(
                    Parameters.KG,
                    HopParser.DIRECTION,
                    Parameters.EXCLUDE,
                    Parameters.WHERE,
                    Parameters.PROPERTIES,
                    Parameters.LABELS,
                    Parameters.MEDIATORS,
                    WIDTH,
                    HopParser.RELATIONS_PER_NODE,
                    Parameters.EXPANDED_DEGREE,
                    Parameters.IN_MEMORY,
                    Parameters.TIMEOUT_MS);

    @Procedure(name = NAME, mode = Mode.READ)
    @Description(
            "Relation-aware beam search (GoT-R, equations 5 to 7). Each hop has candidate relations"
                + " with similarities; it follows those that a node has and keeps the paths with"
                + " the largest sum of similarities. A path uses no relationship twice. Ordered by"
                + " score (largest first), ids and relations.")
    public Stream<BeamRow> beam(
            @Name(value = "nodes", description = Parameters.NODES) Object nodes,
            @Name(
                            value = "hops",
                            description =
                                    "One MAP of relations ('^r': against r) to similarities for"
                                        + " each hop. Or a LIST of such LISTs, one for each start"
                                        + " set.")
                    List<Object> hops,
            @Name(value = "config", defaultValue = "{}", description = Parameters.CONFIG)
                    Map<String, Object> config) {
        return GraphCall.run(
                NAME, this, config, KEYS, input -> search(input, nodes, hops), BeamRow::new);
    }

    private static Batches<WithProperties<Beam.Row>> search(
            GraphCall.Input input, Object nodes, List<Object> hops) {
        StartSets starts = input.session().startSets(nodes);
        HopParser similarities = new HopParser(input);
        List<List<Hop>> perSet =
                BatchArguments.of(
                        "hops",
                        hops,
                        starts,
                        input.termination(),
                        chain -> chain(similarities, chain));
        return Batches.over(
                starts,
                (batch, set) ->
                        WithProperties.of(
                                input,
                                Beam.search(
                                        input.view(),
                                        set,
                                        query(input.config(), perSet.get(batch)),
                                        input.results()),
                                row ->
                                        List.of(
                                                new Shown(
                                                        Entity.ids(row.entities()),
                                                        row.relations()))));
    }

    private static List<Hop> chain(HopParser similarities, List<?> hops) {
        BatchArguments.requireLength("hops", hops, "hops");
        return hops.stream().map(hop -> similarities.hop("hops", hop)).toList();
    }

    private static Beam.Query query(Config config, List<Hop> hops) {
        return new Beam.Query(
                hops,
                config.get(Parameters.MEDIATORS),
                config.get(WIDTH),
                config.get(HopParser.RELATIONS_PER_NODE),
                config.get(Parameters.EXPANDED_DEGREE));
    }

    public static final class BeamRow {
        @Description(Parameters.BATCH)
        public Long batch;

        @Description("The id of the entity at the end of the path.")
        public String id;

        @Description("Its name.")
        public String name;

        @Description("The sum of the similarities.")
        public Double score;

        @Description("The ids of the path's nodes, from the start to the end.")
        public List<String> ids;

        @Description("Their names.")
        public List<String> names;

        @Description("The relations between the nodes; '^r': against the direction of r.")
        public List<String> relations;

        @Description(
                "What each relation adds to the score; a relation at a mediator adds half of its"
                        + " similarity.")
        public List<Double> similarities;

        @Description(
                "The number of paths with these nodes and relations; parallel relationships make"
                        + " more than one.")
        public Long count;

        @Description(Parameters.PROPERTIES_OF_STEPS)
        public List<List<Map<String, Object>>> properties;

        @Description(Parameters.CUT)
        public List<String> cut;

        BeamRow(long batch, WithProperties<Beam.Row> found, List<String> cut) {
            this.batch = batch;
            this.cut = cut;
            if (found != null) {
                Beam.Row row = found.row();
                this.id = row.end().id();
                this.name = row.end().name();
                this.score = row.score();
                this.ids = Entity.ids(row.entities());
                this.names = Entity.names(row.entities());
                this.relations = row.relations();
                this.similarities = row.similarities();
                this.count = row.count();
                this.properties = found.path();
            }
        }
    }
}
