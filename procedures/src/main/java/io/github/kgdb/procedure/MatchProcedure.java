package io.github.kgdb.procedure;

import io.github.kgdb.KgdbException;
import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.beam.Match;
import io.github.kgdb.procedure.call.Config;
import io.github.kgdb.procedure.call.ConfigKey;
import io.github.kgdb.procedure.call.GraphCall;
import io.github.kgdb.procedure.call.GraphCall.Batches;
import io.github.kgdb.procedure.call.GraphProcedure;
import io.github.kgdb.procedure.call.HopParser;
import io.github.kgdb.procedure.call.Parameters;
import io.github.kgdb.procedure.call.ThoughtArguments;

import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

public final class MatchProcedure extends GraphProcedure {
    static final String NAME = "kgdb.got.match";

    private static final ConfigKey<String> ANSWER =
            ConfigKey.text("answer", "the variable whose entity is returned in id and name");
    private static final ConfigKey<Integer> WIDTH =
            ConfigKey.count(
                    "width",
                    1,
                    100_000,
                    100,
                    "beam width: the number of best partial matches kept after each edge");
    private static final ConfigKey<Integer> LIMIT = Parameters.limit(10);

    static final List<ConfigKey<?>> KEYS =
            List.of(
                    Parameters.KG,
                    ANSWER,
                    HopParser.DIRECTION,
                    Parameters.EXCLUDE,
                    Parameters.LABELS,
                    Parameters.MEDIATORS,
                    WIDTH,
                    LIMIT,
                    HopParser.RELATIONS_PER_NODE,
                    Parameters.EXPANDED_DEGREE,
                    Parameters.IN_MEMORY,
                    Parameters.TIMEOUT_MS);

    @Procedure(name = NAME, mode = Mode.READ)
    @Description(
            "Finds a graph of thought in the knowledge graph: the matches of the pattern with the"
                + " largest sum of similarities. The pattern may branch and join. A match uses no"
                + " relationship twice; two variables may stand for one entity. Edges between"
                + " grounded nodes are semi-joined first, so that the beam holds only partial"
                + " matches that can be completed there. On a chain from a grounded node the result"
                + " is that of kgdb.beam. Ordered by score (largest first), then the ids in the"
                + " order in which the pattern was searched.")
    public Stream<MatchRow> match(
            @Name(
                            value = "thought",
                            description =
                                    "MAP {nodes, relationships} as kgdb.got.run returns them. A"
                                            + " relationship is a MAP of source and target (indexes"
                                            + " into nodes, or variables), type, and optional"
                                            + " (BOOLEAN). Without nodes, source and target are"
                                            + " variables. Or a LIST of such MAPs.")
                    Object thought,
            @Name(
                            value = "grounding",
                            description =
                                    "MAP {nodes, relations}. nodes maps variables to entity ids (a"
                                        + " LIST, or a MAP of ids to what each adds to the score)."
                                        + " relations maps each type of the thought to a MAP of"
                                        + " relations ('^r': against r) to similarities. Or a LIST"
                                        + " of such MAPs, one for each thought.")
                    Object grounding,
            @Name(value = "config", defaultValue = "{}", description = Parameters.CONFIG)
                    Map<String, Object> config) {
        return GraphCall.run(
                NAME,
                this,
                config,
                KEYS,
                input -> search(input, thought, grounding),
                MatchRow::new);
    }

    private static Batches<Labelled> search(
            GraphCall.Input input, Object thought, Object grounding) {
        List<ThoughtArguments.Grounded> thoughts = thoughts(input, thought, grounding);
        String answer = input.config().get(ANSWER);
        List<Integer> answers =
                thoughts.stream().map(each -> answer == null ? null : each.index(answer)).toList();
        return new Batches<>(
                thoughts.size(),
                batch -> {
                    ThoughtArguments.Grounded grounded = thoughts.get(batch);
                    return Match.find(
                                    input.view(), query(input.config(), grounded), input.results())
                            .map(row -> new Labelled(grounded, answers.get(batch), row));
                });
    }

    private static List<ThoughtArguments.Grounded> thoughts(
            GraphCall.Input input, Object thought, Object grounding) {
        if (!(thought instanceof List<?> batch)) {
            return List.of(ThoughtArguments.read(input, thought, grounding));
        }
        if (!(grounding instanceof List<?> groundings) || groundings.size() != batch.size()) {
            throw KgdbException.usage(
                    "grounding: expected a LIST with one MAP for each of the "
                            + batch.size()
                            + " thoughts");
        }
        List<ThoughtArguments.Grounded> read = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            input.termination().check();
            read.add(ThoughtArguments.read(input, batch.get(i), groundings.get(i)));
        }
        return read;
    }

    private static Match.Query query(Config config, ThoughtArguments.Grounded grounded) {
        return new Match.Query(
                grounded.pattern(),
                config.get(Parameters.MEDIATORS),
                config.get(WIDTH),
                config.get(LIMIT),
                config.get(HopParser.RELATIONS_PER_NODE),
                config.get(Parameters.EXPANDED_DEGREE));
    }

    /** A match with the variable names of its thought. */
    private record Labelled(ThoughtArguments.Grounded thought, Integer answer, Match.Row row) {}

    public static final class MatchRow {
        @Description("The index of the thought in a LIST of thoughts, from 0.")
        public Long batch;

        @Description("The id of the answer's entity; null without config answer.")
        public String id;

        @Description("Its name.")
        public String name;

        @Description("The sum of the similarities.")
        public Double score;

        @Description(
                "Variables to ids; null for a variable that only missing optional edges lead to.")
        public Map<String, Object> ids;

        @Description("Variables to names.")
        public Map<String, Object> names;

        @Description(
                "For each relationship of the thought, the relations that match it, from its source"
                    + " to its target ('^r': against r): one, two around a mediator, or none if it"
                    + " is optional and missing.")
        public List<List<String>> relations;

        @Description("For each relationship of the thought, what it adds to the score.")
        public List<Double> similarities;

        @Description("The matched facts: [head id, relation, tail id] as the graph states them.")
        public List<List<String>> triples;

        @Description(
                "The number of matches with these entities and relations; parallel relationships"
                        + " make more than one.")
        public Long count;

        @Description(Parameters.CUT)
        public List<String> cut;

        MatchRow(long batch, Labelled labelled, List<String> cut) {
            this.batch = batch;
            this.cut = cut;
            if (labelled != null) {
                Match.Row row = labelled.row();
                Entity answer =
                        labelled.answer() == null ? null : row.bindings().get(labelled.answer());
                this.id = answer == null ? null : answer.id();
                this.name = answer == null ? null : answer.name();
                this.score = row.score();
                this.ids = byVariable(labelled, Entity::id);
                this.names = byVariable(labelled, Entity::name);
                this.relations = row.edges().stream().map(Match.Evidence::relations).toList();
                this.similarities = row.edges().stream().map(Match.Evidence::similarity).toList();
                this.triples =
                        row.edges().stream().flatMap(edge -> edge.triples().stream()).toList();
                this.count = row.count();
            }
        }

        private static Map<String, Object> byVariable(
                Labelled labelled, Function<Entity, String> part) {
            Map<String, Object> values = new LinkedHashMap<>();
            List<String> variables = labelled.thought().variables();
            for (int i = 0; i < variables.size(); i++) {
                Entity entity = labelled.row().bindings().get(i);
                values.put(variables.get(i), entity == null ? null : part.apply(entity));
            }
            return values;
        }
    }
}
