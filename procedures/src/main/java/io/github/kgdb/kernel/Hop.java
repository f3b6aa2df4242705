package io.github.kgdb.kernel;

import java.util.Map;

/** One hop of a search that knows relations by similarity only. */
final class Hop {
    private final Map<RelationStep, Double> similarities;
    private final boolean reversed;
    private final Steps steps;
    private final double greatest;

    private Hop(
            Map<RelationStep, Double> similarities,
            boolean reversed,
            Steps steps,
            double greatest) {
        this.similarities = similarities;
        this.reversed = reversed;
        this.steps = steps;
        this.greatest = greatest;
    }

    static Hop of(Map<RelationStep, Double> similarities) {
        double greatest = Double.NEGATIVE_INFINITY;
        for (double similarity : similarities.values()) {
            greatest = Math.max(greatest, similarity);
        }
        return new Hop(similarities, false, Steps.only(similarities.keySet()), greatest);
    }

    /** The same hop from its other end. */
    Hop reversed() {
        return new Hop(similarities, !reversed, steps.reversed(), greatest);
    }

    Steps steps() {
        return steps;
    }

    /** How many steps it knows. */
    int size() {
        return similarities.size();
    }

    boolean contains(RelationStep step) {
        return similarities.containsKey(asGiven(step));
    }

    /** Of a step that it contains. */
    double similarity(RelationStep step) {
        return similarities.get(asGiven(step));
    }

    /** The largest similarity. */
    double greatest() {
        return greatest;
    }

    private RelationStep asGiven(RelationStep step) {
        return reversed ? step.reversed() : step;
    }
}
