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

/** Extends trails by one hop, over no relationship twice. */
final class Expansion {
    private static final long ARC_BYTES = 40;

    /** Of a node that the store counts by reading: on the whole far below the most, which is 50. */
    private static final long SPARSE_DEGREE = 10;

    private final GraphView view;
    private final boolean mediators;
    private final long relationsPerNode;
    private final long maxDegree;
    private final Truncation truncation;

    /**
     * @param mediators whether a hop that arrives at a mediator goes on, each half counting half
     * @param relationsPerNode the best relations of one node that are followed
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

    /** Goes one hop on from {@code origin}, which the trail has been at. */
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
     * The same, but only to nodes that are among {@code arrivals}, from whichever side has fewer
     * relationships. Where a mediator may lie between, always from the origin.
     *
     * @param arrivals null for any node
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

    /** The same over an edge of which all is read. */
    void extend(
            ScoredPath path,
            List<EdgeTable.Arc> arcs,
            Hop hop,
            LongDoubleMap arrivals,
            Consumer<ScoredPath> arrived) {
        TerminationTicker ticker = new TerminationTicker(view.termination());
        for (EdgeTable.Arc arc : arcs) {
            ticker.next();
            if (arrivals.containsKey(arc.node())) {
                double similarity = hop.similarity(arc.step());
                go(path, arc.origin(), arc.step(), arc.node(), similarity, arc.parallels())
                        .ifPresent(arrived);
            }
        }
    }

    /**
     * Visits where a hop that goes either way leads from a node.
     *
     * @param arrivals the only ones to visit, whatever their labels; null: all that may be
     */
    void read(long node, Hop hop, LongDoubleMap arrivals, NeighborVisitor visitor) {
        if (arrivals == null) {
            read(node, hop.steps(), other -> false, GraphReader.ALL, visitor);
        } else {
            read(node, hop.steps(), GraphReader.ALL, arrivals::containsKey, visitor);
        }
    }

    /**
     * Whether the same relationships are followed from either end of the hop: not where a mediator
     * may be within it, or only some relations of a node are followed.
     */
    boolean goesEitherWay(Hop hop) {
        return !mediators && followsAll(hop);
    }

    /**
     * About how many relationships that reads, counted no further than {@code limit}, and only
     * guessed where to count them takes as long as to read them; no number is larger where the node
     * may not be expanded.
     */
    long readCostUpTo(long limit, long node, Hop hop) {
        if (maxDegree == Long.MAX_VALUE && view.graph().isSparse(node)) {
            return SPARSE_DEGREE;
        }
        long max = Math.min(limit, maxDegree) + 1;
        long counted = view.graph().degreeUpTo(node, hop.steps(), max);
        return counted > maxDegree ? Long.MAX_VALUE : counted;
    }

    /** How many relationships that would have to read. */
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

    /** How many relationships the arrivals have; some number that is larger than {@code max}. */
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

    /** Those relations of the hop that the node has; the best of them where that is asked for. */
    StepFilter followed(long node, Hop hop) {
        return followsAll(hop)
                ? hop.steps()
                : StepFilter.only(best(present(node, hop).keySet(), hop));
    }

    /** The relations of the hop that the node has, with how many relationships of each. */
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
        return relationsPerNode >= hop.size();
    }

    /** Tells the node as a cut where it has more relationships to follow than may be. */
    boolean mayExpand(long node, long degree) {
        if (degree > maxDegree) {
            truncation.addHub(node);
            return false;
        }
        return true;
    }

    /** No trail that goes on by the step scores more; added up as its score is. */
    double bound(ScoredPath path, RelationStep step, Hop hop) {
        double whole = path.score() + hop.similarity(step);
        double half = path.score() + hop.similarity(step) / 2;
        return mediators ? Math.max(whole, half + hop.greatest() / 2) : whole;
    }

    /** Goes on from the end of the trail to a neighbor, and offers what may be visited. */
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

    /** At the end of a hop, or half-way where that is at a mediator. */
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

    /** Empty where the trail has used all of the parallel relationships. */
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
     * Visits each neighbor by each step once, with how many relationships lead there.
     *
     * @param exempt neighbors that need none of the labels asked for
     * @param wanted the only ones to visit
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
                                        ticker.next();
                                        visitor.visit(step, other, count);
                                    }));
        }
    }

    @FunctionalInterface
    interface NeighborVisitor {
        void visit(RelationStep step, long node, long parallels);
    }
}
