package io.github.kgdb.kernel;

import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Extends trails by one hop, over no relationship twice. */
final class Expansion {
    private static final long ARC_BYTES = 40;

    private final GraphView view;
    private final boolean mediators;
    private final long relationsPerNode;
    private final long maxDegree;
    private final Cuts cuts;

    /**
     * @param mediators whether a hop that arrives at a mediator goes on, each half counting half
     * @param relationsPerNode the best relations of one node that are followed
     * @param maxDegree a node with more relationships to follow is not expanded
     */
    Expansion(
            GraphView view, boolean mediators, long relationsPerNode, long maxDegree, Cuts cuts) {
        this.view = view;
        this.mediators = mediators;
        this.relationsPerNode = relationsPerNode;
        this.maxDegree = maxDegree;
        this.cuts = cuts;
    }

    /** Goes one hop on from {@code origin}, which the trail has been at. */
    void extend(Trail trail, long origin, Hop hop, Consumer<Trail> arrived) {
        expand(trail, origin, hop, 1, next -> arrive(next, hop, arrived));
    }

    /** How many relationships {@link #extend} would have to read. */
    long effort(long origin, Hop hop) {
        return view.graph().degree(origin, followed(origin, hop));
    }

    /** Those relations of the hop that the node has; the best of them where that is asked for. */
    Steps followed(long node, Hop hop) {
        if (relationsPerNode >= hop.similarities().size()) {
            return hop.steps();
        }
        List<RelationStep> present = new ArrayList<>();
        view.graph()
                .menu(
                        node,
                        (relation, outgoing, incoming) -> {
                            RelationStep along = new RelationStep(relation, Direction.OUT);
                            if (outgoing > 0 && hop.similarities().containsKey(along)) {
                                present.add(along);
                            }
                            if (incoming > 0 && hop.similarities().containsKey(along.reversed())) {
                                present.add(along.reversed());
                            }
                        });
        present.sort(
                Comparator.comparingDouble(hop::similarity)
                        .reversed()
                        .thenComparing(
                                step -> view.dictionary().relation(step.relation()),
                                CodePoints.ORDER)
                        .thenComparing(RelationStep::direction));
        return Steps.only(present.subList(0, (int) Math.min(present.size(), relationsPerNode)));
    }

    /** At the end of a hop, or half-way where that is at a mediator. */
    private void arrive(Trail trail, Hop hop, Consumer<Trail> arrived) {
        if (!mediators || !view.graph().isMediator(trail.node())) {
            arrived.accept(trail);
            return;
        }
        Trail half = trail.inHalf();
        expand(
                half,
                half.node(),
                hop,
                0.5,
                next -> {
                    if (!view.graph().isMediator(next.node())) {
                        arrived.accept(next);
                    }
                });
    }

    private void expand(Trail trail, long origin, Hop hop, double weight, Consumer<Trail> next) {
        view.termination().check();
        Steps steps = followed(origin, hop);
        if (!view.mayExpand(origin, steps, maxDegree, cuts)) {
            return;
        }
        try (MemoryBudget.Account scratch = view.memory().open()) {
            parallels(origin, steps, scratch)
                    .forEach(
                            (step, nodes) -> {
                                double similarity = weight * hop.similarity(step);
                                nodes.forEachKeyValue(
                                        (node, parallels) ->
                                                go(
                                                        trail, origin, step, node, similarity,
                                                        parallels, next));
                            });
        }
    }

    private static void go(
            Trail trail,
            long origin,
            RelationStep step,
            long node,
            double similarity,
            long parallels,
            Consumer<Trail> next) {
        long free = parallels - trail.used(origin, step, node);
        if (free > 0) {
            long count = Counts.times(trail.count(), free);
            next.accept(trail.to(origin, step, node, similarity, count));
        }
    }

    private Map<RelationStep, LongLongHashMap> parallels(
            long node, Steps steps, MemoryBudget.Account scratch) {
        Map<RelationStep, LongLongHashMap> parallels = new HashMap<>();
        view.graph()
                .expand(
                        node,
                        steps,
                        (relation, direction, other) -> {
                            scratch.allocate(ARC_BYTES);
                            parallels
                                    .computeIfAbsent(
                                            new RelationStep(relation, direction),
                                            unseen -> new LongLongHashMap())
                                    .addToValue(other, 1);
                        });
        return parallels;
    }
}
