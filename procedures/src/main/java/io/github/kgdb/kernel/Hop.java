package io.github.kgdb.kernel;

import java.util.HashMap;
import java.util.Map;

/** One hop of a search that knows relations by similarity only. */
record Hop(Map<RelationStep, Double> similarities, Steps steps) {
    static Hop of(Map<RelationStep, Double> similarities) {
        return new Hop(similarities, Steps.only(similarities.keySet()));
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
