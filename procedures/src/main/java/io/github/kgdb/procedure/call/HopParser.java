package io.github.kgdb.procedure.call;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.arguments.RelationTypes;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.beam.Hop;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Converts maps of relations to similarities into hops. */
public final class HopParser {
    public static final ConfigKey<Direction> DIRECTION =
            ConfigKey.direction(
                    "direction",
                    List.of(Direction.OUT, Direction.BOTH),
                    Direction.OUT,
                    "'out' follows relations as they are written; 'both' follows them in both"
                            + " directions with the same similarity");
    public static final ConfigKey<Long> RELATIONS_PER_NODE =
            ConfigKey.limit(
                    "relationsPerNode",
                    0,
                    "relations to follow from one node; the most similar ones are followed");

    private final RelationTypes types;
    private final boolean bothWays;
    private final Set<RelationStep> excluded;

    public HopParser(GraphCall.Input input) {
        this.types = input.relationTypes();
        this.bothWays = input.config().get(DIRECTION) == Direction.BOTH;
        this.excluded = types.named(input.config().get(Parameters.EXCLUDE), null, Direction.BOTH);
    }

    /**
     * @param name the name of the argument, for messages
     */
    public Hop hop(String name, Object argument) {
        if (!(argument instanceof Map<?, ?> similarities)) {
            throw KgdbException.usage(
                    name
                            + ": expected a MAP of relations to similarities, got "
                            + CypherValues.describe(argument));
        }
        Hop.Builder hop = new Hop.Builder(similarities.size() * (bothWays ? 2 : 1));
        similarities.forEach((spec, value) -> add(hop, name, (String) spec, value));
        return hop.build();
    }

    private void add(Hop.Builder hop, String name, String spec, Object argument) {
        RelationStep step = types.step(spec);
        double similarity = number(name, spec, argument);
        put(hop, step, similarity);
        if (bothWays) {
            if (step.direction() == Direction.IN) {
                throw KgdbException.usage(
                        name
                                + " already say a direction by '^', as in "
                                + CypherValues.quote(spec)
                                + "; leave out either the '^' or config direction");
            }
            put(hop, new RelationStep(step.relation(), Direction.IN), similarity);
        }
    }

    private void put(Hop.Builder hop, RelationStep step, double similarity) {
        if (!excluded.contains(step)) {
            hop.put(step, similarity);
        }
    }

    static double number(String name, String key, Object argument) {
        if (argument instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw KgdbException.usage(
                name
                        + ": expected a finite number as the similarity of "
                        + CypherValues.quote(key)
                        + ", got "
                        + CypherValues.describe(argument));
    }
}
