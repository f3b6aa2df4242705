package io.github.kgdb.kernel.beam;

import io.github.kgdb.kernel.api.CodePoints;
import io.github.kgdb.kernel.api.Dictionary;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.RelationStep;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Orders paths by score (largest first), then by the ids of their nodes and their relations. */
final class ScoredPathOrder implements Comparator<ScoredPath> {
    private final GraphView view;
    private final Map<RelationStep, String> specs = new HashMap<>();

    ScoredPathOrder(GraphView view) {
        this.view = view;
    }

    @Override
    public int compare(ScoredPath left, ScoredPath right) {
        int byScore = Double.compare(right.score(), left.score());
        if (byScore != 0) {
            return byScore;
        }
        int byIds = compareIds(left, right);
        return byIds != 0 ? byIds : CodePoints.LISTS.compare(relations(left), relations(right));
    }

    List<String> relations(ScoredPath path) {
        return path.steps().stream().map(this::spec).toList();
    }

    String spec(RelationStep step) {
        return specs.computeIfAbsent(step, view::spec);
    }

    /** Reads the id of the last node only if everything before it is equal. */
    private int compareIds(ScoredPath left, ScoredPath right) {
        Dictionary dictionary = view.dictionary();
        if (left.before() == null || right.before() == null || left.depth() != right.depth()) {
            return CodePoints.LISTS.compare(left.ids(dictionary), right.ids(dictionary));
        }
        int before =
                left.before() == right.before()
                        ? 0
                        : CodePoints.LISTS.compare(
                                left.before().ids(dictionary), right.before().ids(dictionary));
        return before != 0
                ? before
                : CodePoints.ORDER.compare(left.id(dictionary), right.id(dictionary));
    }
}
