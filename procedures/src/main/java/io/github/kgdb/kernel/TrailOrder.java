package io.github.kgdb.kernel;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Trails by score, largest first, then the ids of their nodes and their relations. */
final class TrailOrder implements Comparator<Trail> {
    private final GraphView view;
    private final Map<RelationStep, String> specs = new HashMap<>();

    TrailOrder(GraphView view) {
        this.view = view;
    }

    @Override
    public int compare(Trail left, Trail right) {
        int byScore = Double.compare(right.score(), left.score());
        if (byScore != 0) {
            return byScore;
        }
        int byIds = compareIds(left, right);
        return byIds != 0 ? byIds : CodePoints.LISTS.compare(relations(left), relations(right));
    }

    List<String> relations(Trail trail) {
        return trail.steps().stream().map(this::spec).toList();
    }

    String spec(RelationStep step) {
        return specs.computeIfAbsent(step, view::spec);
    }

    private int compareIds(Trail left, Trail right) {
        Dictionary dictionary = view.dictionary();
        // Most ties are between neighbours of one node: no need for all that leads there.
        return left.before() == right.before() && left.before() != null
                ? Entity.BY_ID.compare(left.entity(dictionary), right.entity(dictionary))
                : CodePoints.LISTS.compare(left.ids(dictionary), right.ids(dictionary));
    }
}
