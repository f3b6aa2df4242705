package io.github.kgdb.kernel;

import org.eclipse.collections.api.block.procedure.primitive.LongProcedure;
import org.eclipse.collections.api.iterator.LongIterator;
import org.eclipse.collections.api.map.primitive.LongDoubleMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    Expansion(GraphView view, boolean mediators, long relationsPerNode, long maxDegree, Cuts cuts) {
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

    /**
     * The same, but only to nodes that are among {@code arrivals}, from whichever side has fewer
     * relationships. Where a mediator may lie between, always from the origin.
     *
     * @param arrivals null for any node
     */
    void extend(
            Trail trail, long origin, Hop hop, LongDoubleMap arrivals, Consumer<Trail> arrived) {
        if (arrivals == null) {
            extend(trail, origin, hop, arrived);
        } else if (mediators) {
            extend(
                    trail,
                    origin,
                    hop,
                    next -> {
                        if (arrivals.containsKey(next.node())) {
                            arrived.accept(next);
                        }
                    });
        } else {
            join(trail, origin, hop, arrivals, arrived);
        }
    }

    /** How many relationships that would have to read. */
    long effort(long origin, Hop hop, LongDoubleMap arrivals) {
        Steps steps = followed(origin, hop);
        long forwards = view.graph().degree(origin, steps);
        return arrivals == null || mediators
                ? forwards
                : Math.min(forwards, effortBack(arrivals, steps, forwards));
    }

    private void join(
            Trail trail, long origin, Hop hop, LongDoubleMap arrivals, Consumer<Trail> arrived) {
        Steps steps = followed(origin, hop);
        long forwards = view.graph().degree(origin, steps);
        long backwards = effortBack(arrivals, steps, forwards);
        if (Math.min(forwards, backwards) > maxDegree) {
            cuts.addHub(origin);
            return;
        }
        LongProcedure fromArrival =
                node ->
                        read(
                                node,
                                steps.reversed(),
                                (step, other, parallels) -> {
                                    if (other == origin) {
                                        RelationStep by = step.reversed();
                                        go(trail, origin, by, node, hop.similarity(by), parallels)
                                                .ifPresent(arrived);
                                    }
                                });
        if (backwards < forwards) {
            arrivals.forEachKey(fromArrival);
        } else {
            read(
                    origin,
                    steps,
                    (step, node, parallels) -> {
                        if (arrivals.containsKey(node)) {
                            go(trail, origin, step, node, hop.similarity(step), parallels)
                                    .ifPresent(arrived);
                        }
                    });
        }
    }

    /** How many relationships the arrivals have; some number that is larger than {@code most}. */
    private long effortBack(LongDoubleMap arrivals, Steps steps, long most) {
        if (arrivals.size() > most) {
            return arrivals.size();
        }
        long effort = 0;
        LongIterator nodes = arrivals.keysView().longIterator();
        while (nodes.hasNext() && effort <= most) {
            effort += view.graph().degree(nodes.next(), steps.reversed());
        }
        return effort;
    }

    /** Those relations of the hop that the node has; the best of them where that is asked for. */
    Steps followed(long node, Hop hop) {
        return followsAll(hop) ? hop.steps() : Steps.only(best(present(node, hop).keySet(), hop));
    }

    /** The relations of the hop that the node has, with how many relationships of each. */
    Map<RelationStep, Long> present(long node, Hop hop) {
        Map<RelationStep, Long> present = new HashMap<>();
        view.graph()
                .menu(
                        node,
                        (relation, outgoing, incoming) -> {
                            RelationStep along = new RelationStep(relation, Direction.OUT);
                            if (outgoing > 0 && hop.similarities().containsKey(along)) {
                                present.put(along, outgoing);
                            }
                            if (incoming > 0 && hop.similarities().containsKey(along.reversed())) {
                                present.put(along.reversed(), incoming);
                            }
                        });
        return present;
    }

    /** As many as are followed from one node. */
    List<RelationStep> best(Collection<RelationStep> present, Hop hop) {
        if (followsAll(hop) || present.size() <= relationsPerNode) {
            return List.copyOf(present);
        }
        return present.stream()
                .sorted(
                        Comparator.comparingDouble(hop::similarity)
                                .reversed()
                                .thenComparing(
                                        step -> view.dictionary().relation(step.relation()),
                                        CodePoints.ORDER)
                                .thenComparing(RelationStep::direction))
                .limit(relationsPerNode)
                .toList();
    }

    private boolean followsAll(Hop hop) {
        return relationsPerNode >= hop.similarities().size();
    }

    /** Tells the node as a cut where it has more relationships to follow than may be. */
    boolean mayExpand(long node, long degree) {
        if (degree > maxDegree) {
            cuts.addHub(node);
            return false;
        }
        return true;
    }

    /** No trail that goes on by the step scores more; added up as its score is. */
    double bound(Trail trail, RelationStep step, Hop hop) {
        double whole = trail.score() + hop.similarity(step);
        double half = trail.score() + hop.similarity(step) / 2;
        return mediators ? Math.max(whole, half + hop.greatest() / 2) : whole;
    }

    /** Goes on from the end of the trail to a neighbour, and offers what may be visited. */
    void follow(
            Trail trail, RelationStep step, long node, long parallels, Hop hop, Best<Trail> best) {
        go(trail, trail.node(), step, node, hop.similarity(step), parallels)
                .filter(next -> mediators || best.wouldKeep(next))
                .filter(next -> view.graph().mayVisit(node))
                .ifPresent(next -> arrive(next, hop, best::offer));
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
        Steps steps = followed(origin, hop);
        if (!view.mayExpand(origin, steps, maxDegree, cuts)) {
            return;
        }
        read(
                origin,
                steps,
                (step, node, parallels) ->
                        go(trail, origin, step, node, weight * hop.similarity(step), parallels)
                                .ifPresent(next));
    }

    /** Empty where the trail has used all of the parallel relationships. */
    private static Optional<Trail> go(
            Trail trail,
            long origin,
            RelationStep step,
            long node,
            double similarity,
            long parallels) {
        long free = parallels - trail.used(origin, step, node);
        return free <= 0
                ? Optional.empty()
                : Optional.of(
                        trail.to(
                                origin, step, node, similarity, Counts.times(trail.count(), free)));
    }

    /** Visits each neighbour by each step once, with how many relationships lead there. */
    private void read(long node, Steps steps, NeighbourVisitor visitor) {
        view.termination().check();
        Map<RelationStep, LongLongHashMap> parallels = new HashMap<>();
        try (MemoryBudget.Account scratch = view.memory().open()) {
            Neighbourhood neighbourhood = new Neighbourhood(parallels);
            view.graph()
                    .expand(
                            node,
                            steps,
                            (relation, direction, other) -> {
                                scratch.allocate(ARC_BYTES);
                                neighbourhood.of(relation, direction).addToValue(other, 1);
                            });
            parallels.forEach(
                    (step, nodes) ->
                            nodes.forEachKeyValue(
                                    (other, count) -> visitor.visit(step, other, count)));
        }
    }

    @FunctionalInterface
    private interface NeighbourVisitor {
        void visit(RelationStep step, long node, long parallels);
    }
}
