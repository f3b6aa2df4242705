package io.github.kgdb.kernel.paths;

import io.github.kgdb.kernel.api.AdjacencyList;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;

import org.eclipse.collections.api.list.primitive.LongList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * The arcs from the outermost nodes of one frontier to the outermost nodes of another: the hop in
 * the middle of a path. If both contain hubs, neither side is expanded as a whole: only the
 * relations that a hub of one side and, in reverse, a hub of the other side have are read.
 */
final class MiddleHop {
    @FunctionalInterface
    interface Visitor {
        /**
         * @param step its code
         */
        void visit(long from, int step, long to);
    }

    /**
     * Up to this many relationships, reading them costs no more than listing the node's relations.
     */
    private static final long LIGHT = 64;

    /** The outermost nodes of a frontier that paths may pass through. */
    private static final class Side {
        final DistanceFrontier frontier;
        final LongPredicate inside;

        /**
         * The nodes whose arcs to the other side are cheap to find: those with few arcs or a cached
         * adjacency list.
         */
        final LongArrayList light = new LongArrayList();

        final LongArrayList hubs = new LongArrayList();
        private final SearchGraph graph;
        private final LongHashSet hubSet = new LongHashSet();
        private long lightReadCost;

        Side(SearchGraph graph, DistanceFrontier frontier, LongPredicate inside) {
            this.graph = graph;
            this.frontier = frontier;
            this.inside = inside;
        }

        /**
         * Separates the hubs from the other nodes. Returns false as soon as the nodes have more
         * relationships than {@code limit}.
         */
        boolean weigh(long limit, Side other) {
            LongList nodes = frontier.level(frontier.reached());
            for (int i = 0; i < nodes.size(); i++) {
                long node = nodes.get(i);
                if (inside.test(node)) {
                    AdjacencyList list = graph.cachedAdjacency(node);
                    long reads =
                            list == null
                                    ? graph.readCost(node, frontier.back(), LIGHT + 1)
                                    : list.readCost(other.frontier.width());
                    if (list == null && reads > LIGHT) {
                        hubs.add(node);
                        hubSet.add(node);
                    } else {
                        lightReadCost += reads;
                        light.add(node);
                    }
                    if (lightReadCost + LIGHT * hubs.size() > limit) {
                        return false;
                    }
                }
            }
            return true;
        }

        boolean isHub(long node) {
            return hubSet.contains(node);
        }

        boolean isOutermost(long node) {
            return frontier.cost(node) == frontier.reached() && inside.test(node);
        }

        /**
         * Reports to the cache that the other side was read instead, with that many reads, because
         * this side's hubs are not cached.
         */
        void reportCacheMisses(long reads) {
            hubs.forEach(node -> graph.recordCacheMiss(node, reads / hubs.size()));
        }

        /** The number of relationships of the nodes; stops counting at {@code limit}. */
        long readCost(long limit) {
            long readCost = lightReadCost;
            for (int i = 0; i < hubs.size() && readCost < limit; i++) {
                readCost += graph.readCost(hubs.get(i), frontier.back(), limit - readCost);
            }
            return readCost;
        }
    }

    private final SearchGraph graph;
    private final Side source;
    private final Side target;
    private final Visitor visitor;

    private MiddleHop(SearchGraph graph, Side source, Side target, Visitor visitor) {
        this.graph = graph;
        this.source = source;
        this.target = target;
        this.visitor = visitor;
    }

    /**
     * Visits each of these arcs once.
     *
     * @param inside whether a path may pass through the node, or begin or end there
     */
    static void visit(
            SearchGraph graph,
            DistanceFrontier source,
            DistanceFrontier target,
            LongPredicate inside,
            Visitor visitor) {
        Side leaving = new Side(graph, source, node -> node != target.start() && inside.test(node));
        Side entering =
                new Side(graph, target, node -> node != source.start() && inside.test(node));
        new MiddleHop(graph, leaving, entering, visitor).visit();
    }

    private void visit() {
        Side narrow = source.frontier.width() <= target.frontier.width() ? source : target;
        Side wide = narrow == source ? target : source;
        narrow.weigh(Long.MAX_VALUE, wide);
        // Without hubs, separating them has already read nearly everything that crossing reads.
        if (narrow.hubs.isEmpty()
                || !wide.weigh(narrow.readCost(wide.frontier.width() * (LIGHT + 1)), narrow)) {
            cross(narrow);
            return;
        }
        long both = source.lightReadCost + target.lightReadCost;
        long leaving = source.readCost(both + 1);
        long entering = target.readCost(Math.min(both, leaving) + 1);
        if (entering > both && leaving > both) {
            source.light.forEach(this::leave);
            target.light.forEach(node -> enter(node, source::isHub));
            joinHubs();
        } else {
            cross(leaving <= entering ? source : target);
            (leaving <= entering ? target : source).reportCacheMisses(Math.min(leaving, entering));
        }
    }

    /** Reads all arcs of one side. */
    private void cross(Side side) {
        if (side == source) {
            side.light.forEach(this::leave);
            side.hubs.forEach(this::leave);
        } else {
            side.light.forEach(node -> enter(node, from -> true));
            side.hubs.forEach(node -> enter(node, from -> true));
        }
    }

    /** Visits all arcs from a node of the source's side. */
    private void leave(long from) {
        visit(source, from, target, (step, to) -> visitor.visit(from, step, to));
    }

    /** Visits the arcs into a node of the target's side from nodes that satisfy {@code wanted}. */
    private void enter(long to, LongPredicate wanted) {
        visit(
                target,
                to,
                source,
                (step, from) -> {
                    if (wanted.test(from)) {
                        visitor.visit(from, RelationStep.reversed(step), to);
                    }
                });
    }

    /** Visits the arcs between a node of one side and the other side. */
    private void visit(Side side, long node, Side other, SearchGraph.ArcVisitor found) {
        graph.termination().check();
        AdjacencyList list = graph.cachedAdjacency(node);
        if (list == null) {
            SearchGraph.Arcs arcs = graph.arcs(node, side.frontier.back());
            for (int arc = 0; arc < arcs.size(); arc++) {
                if (other.isOutermost(arcs.nodes()[arc])) {
                    found.visit(arcs.steps()[arc], arcs.nodes()[arc]);
                }
            }
            return;
        }
        graph.visit(
                list,
                side.frontier.back(),
                other.frontier.outermost(),
                (step, end) -> {
                    if (other.inside.test(end)) {
                        found.visit(step, end);
                    }
                });
    }

    private void joinHubs() {
        Set<RelationStep> shared = availableSteps(source);
        Set<RelationStep> entering = new HashSet<>();
        availableSteps(target).forEach(step -> entering.add(step.reversed()));
        shared.retainAll(entering);
        if (shared.isEmpty()) {
            return;
        }
        StepFilter leaving = StepFilter.only(shared);
        long leavingReadCost = readCost(source, leaving);
        long enteringReadCost = readCost(target, leaving.reversed());
        if (leavingReadCost <= enteringReadCost) {
            source.hubs.forEach(
                    from ->
                            graph.read(
                                    from,
                                    leaving,
                                    (step, to) -> {
                                        if (target.isHub(to)) {
                                            visitor.visit(from, step, to);
                                        }
                                    }));
        } else {
            target.hubs.forEach(
                    to ->
                            graph.read(
                                    to,
                                    leaving.reversed(),
                                    (step, from) -> {
                                        if (source.isHub(from)) {
                                            visitor.visit(from, RelationStep.reversed(step), to);
                                        }
                                    }));
        }
    }

    private Set<RelationStep> availableSteps(Side side) {
        Set<RelationStep> availableSteps = new HashSet<>();
        side.hubs.forEach(
                node -> graph.availableSteps(node, side.frontier.back(), availableSteps::add));
        return availableSteps;
    }

    private long readCost(Side side, StepFilter steps) {
        long[] readCost = {0};
        side.hubs.forEach(node -> readCost[0] += graph.degree(node, steps));
        return readCost[0];
    }
}
