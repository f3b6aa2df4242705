package io.github.kgdb.kernel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** A scored path that grows at its end. Trails that grew from the same one share it. */
final class Trail {
    private final Trail before;
    private final long node;
    private final RelationStep step;
    private final double similarity;
    private final double score;
    private final long count;
    private Entity entity;
    private List<String> ids;

    private Trail(
            Trail before,
            long node,
            RelationStep step,
            double similarity,
            double score,
            long count) {
        this.before = before;
        this.node = node;
        this.step = step;
        this.similarity = similarity;
        this.score = score;
        this.count = count;
    }

    static Trail at(long start) {
        return new Trail(null, start, null, 0, 0, 1);
    }

    /**
     * One step on.
     *
     * @param count how many paths run over these nodes and steps
     */
    Trail to(long next, RelationStep by, double similarity, long count) {
        return new Trail(this, next, by, similarity, score + similarity, count);
    }

    /** The same, its last step counting half. */
    Trail inHalf() {
        return before.to(node, step, similarity / 2, count);
    }

    Trail before() {
        return before;
    }

    long node() {
        return node;
    }

    double score() {
        return score;
    }

    long count() {
        return count;
    }

    /** How many relationships between the end and {@code next} the trail has used, seen as this. */
    int used(RelationStep by, long next) {
        int used = 0;
        for (Trail trail = this; trail.before != null; trail = trail.before) {
            boolean same =
                    trail.step.equals(by) && trail.before.node == node && trail.node == next;
            boolean sameBack =
                    trail.step.equals(by.reversed())
                            && trail.before.node == next
                            && trail.node == node;
            if (same || sameBack) {
                used++;
            }
        }
        return used;
    }

    /** Read when it is first asked for: most trails are dropped before. */
    Entity entity(Dictionary dictionary) {
        if (entity == null) {
            entity = dictionary.entity(node);
        }
        return entity;
    }

    /** The ids from the start to the end. */
    List<String> ids(Dictionary dictionary) {
        if (ids == null) {
            ids = new ArrayList<>(before == null ? List.of() : before.ids(dictionary));
            ids.add(entity(dictionary).id());
        }
        return ids;
    }

    List<Entity> entities(Dictionary dictionary) {
        return collect(trail -> trail.entity(dictionary), true);
    }

    List<RelationStep> steps() {
        return collect(trail -> trail.step, false);
    }

    List<Double> similarities() {
        return collect(trail -> trail.similarity, false);
    }

    private <T> List<T> collect(Function<Trail, T> part, boolean withStart) {
        List<T> parts = new ArrayList<>();
        for (Trail trail = this; trail != null; trail = trail.before) {
            if (withStart || trail.before != null) {
                parts.add(part.apply(trail));
            }
        }
        Collections.reverse(parts);
        return parts;
    }
}
