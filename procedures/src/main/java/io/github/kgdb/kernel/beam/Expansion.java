package io.github.kgdb.kernel.beam;

import io.github.kgdb.kernel.api.CodePoints;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.SaturatedMath;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.TerminationTicker;
import io.github.kgdb.kernel.api.TopK;
import io.github.kgdb.kernel.api.Truncation;

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
import java.util.function.LongPredicate;

/** Extends scored paths by one hop, without using a relationship twice. */
final class Expansion {
    private static final long ARC_BYTES = 40;

    /**
     * A guess for nodes whose relationships the store counts by reading them. Most have far fewer
     * than the maximum of such nodes, which is 50.
     */
    private static final long SPARSE_DEGREE = 10;

    private final GraphView view;
    private final boolean mediators;
    private final long relationsPerNode;
    private final long maxDegree;
    private final Truncation truncation;

    /**
     * @param mediators whether a hop that arrives at a mediator continues, and each half counts
     *     half
     * @param relationsPerNode the most similar relations to follow from one node
     * @param maxDegree a node with more relationships to follow is not expanded
     */
    Expansion(
            GraphView view,
            boolean mediators,
            long relationsPerNode,
            long maxDegree,
            Truncation truncation) {
        this.view = view;
        this.mediators = mediators;
        this.relationsPerNode = relationsPerNode;
        this.maxDegree = maxDegree;
        this.truncation = truncation;
    }

    /** Extends the path by one hop from {@code origin}, a node of the path. */
    void extend(ScoredPath path, long origin, Hop hop, Consumer<ScoredPath> arrived) {
        extend(path, origin, hop, node -> false, arrived);
    }

    private void extend(
            ScoredPath path,
            long origin,
            Hop hop,
            LongPredicate exempt,
            Consumer<ScoredPath> arrived) {
        expand(path, origin, hop, 1, exempt, next -> arrive(next, hop, exempt, arrived));
    }

    /**
     * Extends the path only to nodes in {@code arrivals}, and reads from the side that has fewer
     * relationships. If a mediator may lie between, always reads from the origin.
     *
     * @param arrivals null: any node
     */
    void extend(
            ScoredPath path,
            long origin,
            Hop hop,
            LongDoubleMap arrivals,
            Consumer<ScoredPath> arrived) {
        if (arrivals == null) {
            extend(path, origin, hop, arrived);
        } else if (mediators) {
            extend(
                    path,
                    origin,
                    hop,
                    arrivals::containsKey,
                    next -> {
                        if (arrivals.containsKey(next.node())) {
                            arrived.accept(next);
                        }
                    });
        } else {
            join(path, origin, hop, arrivals, arrived);
        }
    }

    /** Extends the path over an edge whose matches have all been read. */
    void extend(
            ScoredPath path,
            List<EdgeTable.Arc> arcs,
            Hop hop,
            LongDoubleMap arrivals,
            Consumer<ScoredPath> arrived) {
        TerminationTicker ticker = new TerminationTicker(view.termination());
        for (EdgeTable.Arc arc : arcs) {
            ticker.tick();
            if (arrivals.containsKey(arc.node())) {
                double similarity = hop.similarity(arc.step());
                go(path, arc.origin(), arc.step(), arc.node(), similarity, arc.parallels())
                        .ifPresent(arrived);
            }
        }
    }

    /**
     * Visits the nodes to which a hop that goes either way leads.
     *
     * @param arrivals the only nodes to visit, whatever their labels; null: all that may be visited
     */
    void read(long node, Hop hop, LongDoubleMap arrivals, NeighborVisitor visitor) {
        if (arrivals == null) {
            read(node, hop.steps(), other -> false, GraphReader.ALL, visitor);
        } else {
            read(node, hop.steps(), GraphReader.ALL, arrivals::containsKey, visitor);
        }
    }

    /**
     * Whether the hop follows the same relationships from either end. It does not if it may contain
     * a mediator, or if only some relations of a node are followed.
     */
    boolean goesEitherWay(Hop hop) {
        return !mediators && followsAll(hop);
    }

    /**
     * An estimate of the relationships to read; stops counting at {@code limit}. A constant guess
     * where counting costs as much as reading, and the largest number if the node may not be
     * expanded.
     */
    long readCostUpTo(long limit, long node, Hop hop) {
        if (maxDegree == Long.MAX_VALUE && view.graph().isSparse(node)) {
            return SPARSE_DEGREE;
        }
        long max = Math.min(limit, maxDegree) + 1;
        long counted = view.graph().degreeUpTo(node, hop.steps(), max);
        return counted > maxDegree ? Long.MAX_VALUE : counted;
    }

    /** The number of relationships to read. */
    long readCost(long origin, Hop hop, LongDoubleMap arrivals) {
        StepFilter steps = followed(origin, hop);
        long forwards = view.graph().degree(origin, steps);
        return arrivals == null || mediators
                ? forwards
                : Math.min(forwards, reverseReadCost(arrivals, steps, forwards));
    }

    private void join(
            ScoredPath path,
            long origin,
            Hop hop,
            LongDoubleMap arrivals,
            Consumer<ScoredPath> arrived) {
        StepFilter steps = followed(origin, hop);
        long forwards = view.graph().degree(origin, steps);
        long backwards = reverseReadCost(arrivals, steps, forwards);
        if (Math.min(forwards, backwards) > maxDegree) {
            truncation.addHub(origin);
            return;
        }
        NeighborVisitor forth =
                (step, node, parallels) ->
                        go(path, origin, step, node, hop.similarity(step), parallels)
                                .ifPresent(arrived);
        if (backwards < forwards) {
            arrivals.forEachKey(
                    node ->
                            read(
                                    node,
                                    steps.reversed(),
                                    GraphReader.ALL,
                                    other -> other == origin,
                                    (step, unused, parallels) ->
                                            forth.visit(step.reversed(), node, parallels)));
        } else {
            read(origin, steps, GraphReader.ALL, arrivals::containsKey, forth);
        }
    }

    /**
     * The number of relationships of the arrivals; some larger number if it exceeds {@code max}.
     */
    private long reverseReadCost(LongDoubleMap arrivals, StepFilter steps, long max) {
        if (arrivals.size() > max) {
            return arrivals.size();
        }
        long readCost = 0;
        LongIterator nodes = arrivals.keysView().longIterator();
        while (nodes.hasNext() && readCost <= max) {
            readCost += view.graph().degree(nodes.next(), steps.reversed());
        }
        return readCost;
    }

    /**
     * The relations of the hop that the node has, or the most similar of them if their number is
     * limited.
     */
    StepFilter followed(long node, Hop hop) {
        return followsAll(hop)
                ? hop.steps()
                : StepFilter.only(best(present(node, hop).keySet(), hop));
    }

    /** The relations of the hop that the node has, with their degrees. */
    Map<RelationStep, Long> present(long node, Hop hop) {
        Map<RelationStep, Long> present = new HashMap<>();
        view.graph()
                .degreesByType(
                        node,
                        (relation, outgoing, incoming) -> {
                            RelationStep along = new RelationStep(relation, Direction.OUT);
                            if (outgoing > 0 && hop.contains(along)) {
                                present.put(along, outgoing);
                            }
                            if (incoming > 0 && hop.contains(along.reversed())) {
                                present.put(along.reversed(), incoming);
                            }
                        });
        return present;
    }

    /** The relations to follow from one node: all, or the most similar. */
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
        return relationsPerNode >= hop.size();
    }

    /**
     * Returns false and reports the node as a hub if it has more relationships to follow than
     * allowed.
     */
    boolean mayExpand(long node, long degree) {
        if (degree > maxDegree) {
            truncation.addHub(node);
            return false;
        }
        return true;
    }

    /**
     * An upper bound on the score of a path that continues by the step. Added up in the order of
     * the score, so that rounding is the same.
     */
    double bound(ScoredPath path, RelationStep step, Hop hop) {
        double whole = path.score() + hop.similarity(step);
        double half = path.score() + hop.similarity(step) / 2;
        return mediators ? Math.max(whole, half + hop.greatest() / 2) : whole;
    }

    /**
     * Extends the path from its end to a neighbor, and offers the result if the neighbor may be
     * visited.
     */
    void follow(
            ScoredPath path,
            RelationStep step,
            long node,
            long parallels,
            Hop hop,
            TopK<ScoredPath> best) {
        go(path, path.node(), step, node, hop.similarity(step), parallels)
                .filter(next -> mediators || best.wouldKeep(next))
                .filter(next -> view.graph().mayVisit(node))
                .ifPresent(next -> arrive(next, hop, other -> false, best::offer));
    }

    /** Called at the end of a hop, or halfway through it at a mediator. */
    private void arrive(
            ScoredPath path, Hop hop, LongPredicate exempt, Consumer<ScoredPath> arrived) {
        if (!mediators || !view.graph().isMediator(path.node())) {
            arrived.accept(path);
            return;
        }
        ScoredPath half = path.inHalf();
        expand(
                half,
                half.node(),
                hop,
                0.5,
                exempt,
                next -> {
                    if (!view.graph().isMediator(next.node())) {
                        arrived.accept(next);
                    }
                });
    }

    private void expand(
            ScoredPath path,
            long origin,
            Hop hop,
            double weight,
            LongPredicate exempt,
            Consumer<ScoredPath> next) {
        StepFilter steps = followed(origin, hop);
        if (!view.mayExpand(origin, steps, maxDegree, truncation)) {
            return;
        }
        read(
                origin,
                steps,
                exempt,
                GraphReader.ALL,
                (step, node, parallels) ->
                        go(path, origin, step, node, weight * hop.similarity(step), parallels)
                                .ifPresent(next));
    }

    /** Empty if the path has used all of the parallel relationships. */
    private static Optional<ScoredPath> go(
            ScoredPath path,
            long origin,
            RelationStep step,
            long node,
            double similarity,
            long parallels) {
        long free = parallels - path.used(origin, step, node);
        return free <= 0
                ? Optional.empty()
                : Optional.of(
                        path.to(
                                origin,
                                step,
                                node,
                                similarity,
                                SaturatedMath.times(path.count(), free)));
    }

    /**
     * Visits each neighbor once for each step that leads there, with the number of parallel
     * relationships.
     *
     * @param exempt neighbors to visit whatever their labels
     * @param wanted the only neighbors to visit
     */
    private void read(
            long node,
            StepFilter steps,
            LongPredicate exempt,
            LongPredicate wanted,
            NeighborVisitor visitor) {
        view.termination().check();
        Map<RelationStep, LongLongHashMap> parallels = new HashMap<>();
        try (MemoryBudget.Account scratch = view.memory().open()) {
            NeighborCounts counts = new NeighborCounts(parallels);
            view.graph()
                    .expand(
                            node,
                            steps,
                            exempt,
                            (relation, direction, other) -> {
                                if (wanted.test(other)) {
                                    scratch.allocate(ARC_BYTES);
                                    counts.of(relation, direction).addToValue(other, 1);
                                }
                            });
            TerminationTicker ticker = new TerminationTicker(view.termination());
            parallels.forEach(
                    (step, nodes) ->
                            nodes.forEachKeyValue(
                                    (other, count) -> {
                                        ticker.tick();
                                        visitor.visit(step, other, count);
                                    }));
        }
    }

    @FunctionalInterface
    interface NeighborVisitor {
        void visit(RelationStep step, long node, long parallels);
    }
}
