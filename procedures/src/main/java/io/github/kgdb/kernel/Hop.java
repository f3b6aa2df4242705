package io.github.kgdb.kernel;

import java.util.HashMap;
import java.util.Map;

/**
 * One hop of a search that knows relations by similarity only.
 *
 * @param greatest of the similarities
 */
record Hop(Map<RelationStep, Double> similarities, Steps steps, double greatest) {
    static Hop of(Map<RelationStep, Double> similarities) {
        double greatest = Double.NEGATIVE_INFINITY;
        for (double similarity : similarities.values()) {
            greatest = Math.max(greatest, similarity);
        }
        return new Hop(similarities, Steps.only(similarities.keySet()), greatest);
    }

    double similarity(RelationStep step) {
        return similarities.get(step);
    }

    /** The same hop from its other end. */
    Hop reversed() {
        Map<RelationStep, Double> reversed = new HashMap<>();
        similarities.forEach((step, similarity) -> reversed.put(step.reversed(), similarity));
        return of(reversed);
    }
}
