package io.github.kgdb.procedure;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.CypherValues;
import io.github.kgdb.graph.RelationTypes;
import io.github.kgdb.kernel.Direction;
import io.github.kgdb.kernel.RelationStep;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads maps of relations to similarities, as searches that know relations by these take them. */
final class Similarities {
    static final ConfigKey<Direction> DIRECTION =
            ConfigKey.direction(
                    "direction",
                    List.of(Direction.OUT, Direction.BOTH),
                    Direction.OUT,
                    "'out': relations are followed as they are written; 'both': either way, with"
                            + " the same similarity");
    static final ConfigKey<Long> RELATIONS_PER_NODE =
            ConfigKey.cap(
                    "relationsPerNode",
                    0,
                    "relations followed from one node, those with the largest similarity");

    private final RelationTypes types;
    private final boolean bothWays;
    private final Set<RelationStep> excluded;

    Similarities(GraphCall.Input input) {
        this.types = input.relationTypes();
        this.bothWays = input.config().get(DIRECTION) == Direction.BOTH;
        this.excluded = types.named(input.config().get(Parameters.EXCLUDE), null, Direction.BOTH);
    }

    /**
     * @param argument what the caller knows it as, for messages
     */
    Map<RelationStep, Double> hop(String argument, Object given) {
        if (!(given instanceof Map<?, ?> similarities)) {
            throw KgdbException.usage(
                    argument
                            + ": expected a MAP of relations to similarities, got "
                            + CypherValues.describe(given));
        }
        Map<RelationStep, Double> hop = new HashMap<>();
        similarities.forEach((spec, value) -> add(hop, argument, (String) spec, value));
        hop.keySet().removeAll(excluded);
        return hop;
    }

    private void add(Map<RelationStep, Double> hop, String argument, String spec, Object given) {
        RelationStep step = types.step(spec);
        double similarity = number(argument, spec, given);
        hop.put(step, similarity);
        if (bothWays) {
            if (step.direction() == Direction.IN) {
                throw KgdbException.usage(
                        argument
                                + " already say a direction by '^', as in "
                                + CypherValues.quote(spec)
                                + "; leave out either the '^' or config direction");
            }
            hop.put(new RelationStep(step.relation(), Direction.IN), similarity);
        }
    }

    static double number(String argument, String key, Object given) {
        if (given instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw KgdbException.usage(
                argument
                        + ": expected a finite number as the similarity of "
                        + CypherValues.quote(key)
                        + ", got "
                        + CypherValues.describe(given));
    }
}
