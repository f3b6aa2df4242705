package io.github.kgdb.kernel.beam;

import io.github.kgdb.kernel.api.Dictionary;
import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.EntityMemo;
import io.github.kgdb.kernel.api.RelationStep;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * A path with its score, as an immutable linked list of edges. An edge begins where the previous
 * one ended or, in patterns that branch, at any node of the path. Extensions of one path share it.
 */
final class ScoredPath {
    private final ScoredPath before;
    private final long origin;
    private final long node;
    private final RelationStep step;
    private final double similarity;
    private final double score;
    private final long count;
    private final int depth;
    private String id;
    private List<String> ids;

    private ScoredPath(
            ScoredPath before,
            long origin,
            long node,
            RelationStep step,
            double similarity,
            double score,
            long count) {
        this.before = before;
        this.origin = origin;
        this.node = node;
        this.step = step;
        this.similarity = similarity;
        this.score = score;
        this.count = count;
        this.depth = before == null ? 0 : before.depth + 1;
    }

    static ScoredPath at(long start) {
        return new ScoredPath(null, start, start, null, 0, 0, 1);
    }

    /** The path with one more node that no edge leads to. */
    ScoredPath and(long start, double similarity) {
        return new ScoredPath(this, start, start, null, similarity, score + similarity, count);
    }

    /**
     * The path with one more edge.
     *
     * @param count the number of paths with these nodes and edges
     */
    ScoredPath to(long from, RelationStep by, long next, double similarity, long count) {
        return new ScoredPath(this, from, next, by, similarity, score + similarity, count);
    }

    /** The path with half the similarity of its last edge. */
    ScoredPath inHalf() {
        return before.to(origin, step, node, similarity / 2, count);
    }

    /** The path with a higher score. */
    ScoredPath plus(double more) {
        return new ScoredPath(before, origin, node, step, similarity, score + more, count);
    }

    ScoredPath before() {
        return before;
    }

    /** The node at which the last edge begins. */
    long origin() {
        return origin;
    }

    /** The last node. */
    long node() {
        return node;
    }

    /** The step of the last edge, or null if no edge leads to {@link #node}. */
    RelationStep step() {
        return step;
    }

    /** What the last edge adds to the score. */
    double similarity() {
        return similarity;
    }

    double score() {
        return score;
    }

    long count() {
        return count;
    }

    /**
     * The number of relationships of that relation and direction between the two nodes that the
     * path uses.
     */
    int used(long from, RelationStep by, long to) {
        int used = 0;
        for (ScoredPath path = this; path != null; path = path.before) {
            if (path.step != null
                    && (path.step.equals(by) && path.origin == from && path.node == to
                            || path.step.equals(by.reversed())
                                    && path.origin == to
                                    && path.node == from)) {
                used++;
            }
        }
        return used;
    }

    /** The number of paths that this one extends. */
    int depth() {
        return depth;
    }

    /** The id of the last node. Read lazily, because most paths are dropped before they need it. */
    String id(Dictionary dictionary) {
        if (id == null) {
            id = dictionary.id(node);
        }
        return id;
    }

    /** The ids from the start to the end. */
    List<String> ids(Dictionary dictionary) {
        if (ids == null) {
            ids = new ArrayList<>(before == null ? List.of() : before.ids(dictionary));
            ids.add(id(dictionary));
        }
        return ids;
    }

    List<Entity> entities(EntityMemo entities) {
        return collect(path -> entities.get(path.node));
    }

    List<RelationStep> steps() {
        return edges(path -> path.step);
    }

    List<Double> similarities() {
        return edges(path -> path.similarity);
    }

    private <T> List<T> edges(Function<ScoredPath, T> part) {
        return collect(path -> path.step == null ? null : part.apply(path)).stream()
                .filter(Objects::nonNull)
                .toList();
    }

    private <T> List<T> collect(Function<ScoredPath, T> part) {
        List<T> parts = new ArrayList<>();
        for (ScoredPath path = this; path != null; path = path.before) {
            parts.add(part.apply(path));
        }
        Collections.reverse(parts);
        return parts;
    }
}
