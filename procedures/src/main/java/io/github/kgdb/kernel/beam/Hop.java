package io.github.kgdb.kernel.beam;

import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;

import org.eclipse.collections.api.map.primitive.IntDoubleMap;
import org.eclipse.collections.impl.map.mutable.primitive.IntDoubleHashMap;

/**
 * One hop of a similarity-based search: its candidate relations with their similarities. Immutable.
 */
public final class Hop {
    /** Collects the steps of a hop. */
    public static final class Builder {
        private final IntDoubleHashMap similarities;

        /**
         * @param expected the approximate number of steps
         */
        public Builder(int expected) {
            this.similarities = new IntDoubleHashMap(expected);
        }

        /** Adds a step, or replaces its similarity. */
        public void put(RelationStep step, double similarity) {
            similarities.put(step.code(), similarity);
        }

        /** The hop with the steps so far. The builder must not be used afterwards. */
        public Hop build() {
            return new Hop(
                    similarities,
                    false,
                    StepFilter.ofCodes(similarities.keysView()),
                    similarities.isEmpty() ? Double.NEGATIVE_INFINITY : similarities.max());
        }
    }

    /** By the code of the step as it was added. */
    private final IntDoubleMap similarities;

    private final boolean reversed;
    private final StepFilter steps;
    private final double greatest;

    private Hop(IntDoubleMap similarities, boolean reversed, StepFilter steps, double greatest) {
        this.similarities = similarities;
        this.reversed = reversed;
        this.steps = steps;
        this.greatest = greatest;
    }

    /** The same hop, from its other end. */
    Hop reversed() {
        return new Hop(similarities, !reversed, steps.reversed(), greatest);
    }

    StepFilter steps() {
        return steps;
    }

    /** The number of steps. */
    int size() {
        return similarities.size();
    }

    boolean contains(RelationStep step) {
        return similarities.containsKey(codeAsGiven(step));
    }

    /** The similarity of a step that the hop contains. */
    double similarity(RelationStep step) {
        return similarities.get(codeAsGiven(step));
    }

    /** The largest similarity. */
    double greatest() {
        return greatest;
    }

    private int codeAsGiven(RelationStep step) {
        return reversed ? RelationStep.reversed(step.code()) : step.code();
    }
}
