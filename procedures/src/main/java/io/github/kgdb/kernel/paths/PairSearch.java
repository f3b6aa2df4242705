package io.github.kgdb.kernel.paths;

import io.github.kgdb.kernel.api.AdjacencyList;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.TerminationTicker;

import org.eclipse.collections.api.set.primitive.LongSet;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

import java.util.function.LongPredicate;

/**
 * The simple paths of one cost between two nodes, ordered by their nodes and relations. They are
 * found where the frontiers of the two nodes overlap; only arcs on some walk of that cost are
 * followed.
 */
final class PairSearch {
    private static final int ENTERED_BYTES = 32;

    /** Sorting and finding one node takes about as long as looking up this many arcs in a set. */
    private static final int LOOKUPS_PER_INDEXED_NODE = 8;

    private final SearchGraph graph;
    private final DistanceFrontier source;
    private final DistanceFrontier target;
    private final int budget;
    private final PathArcs arcs;
    private final LongHashSet entered = new LongHashSet();
    private final LongIntHashMap costsToTarget = new LongIntHashMap();
    private final PathArcs.Names names;
    private final PathBuffer path;
    private long[] firstPrefix = {};
    private boolean hasMiddle;

    /**
     * The frontiers must cover every path: their radii add up to at least one less than {@code
     * budget}, or to the budget if an edge may be half a hop.
     */
    PairSearch(
            SearchGraph graph,
            DistanceFrontier source,
            DistanceFrontier target,
            int budget,
            PathArcs.Names names) {
        this.graph = graph;
        this.source = source;
        this.target = target;
        this.budget = budget;
        this.names = names;
        this.arcs = new PathArcs(names, graph.account());
        this.path = new PathBuffer(source.start(), budget);
    }

    /**
     * Leaves out the paths that come before those that begin with these nodes in the order of
     * paths.
     */
    PairSearch beginningAt(long[] prefix) {
        firstPrefix = prefix;
        return this;
    }

    /** Visits every path whose cost is exactly the budget; returns false if the visitor stopped. */
    boolean visit(PathBuffer.Visitor visitor) {
        hasMiddle = source.reached() + target.reached() < budget;
        if (hasMiddle) {
            MiddleHop.visit(
                    graph,
                    source,
                    target,
                    this::isInside,
                    (from, step, to) -> {
                        arcs.add(from, to, step);
                        costsToTarget.put(from, target.reached() + 1);
                        if (entered.add(to)) {
                            graph.account().allocate(ENTERED_BYTES);
                        }
                    });
        }
        if (arcs.isEmpty() && hasMiddle && source.reached() <= 1 && target.reached() <= 1) {
            // With so few hops, every path contains the middle hop.
            return true;
        }
        addArcsFromSource();
        addArcsIntoTarget();
        if (arcs.isEmpty()) {
            return true;
        }
        findCostsToTarget();
        if (costToTarget(source.start()) > budget) {
            return true;
        }
        return visit(0, budget, visitor);
    }

    private boolean visit(int length, int left, PathBuffer.Visitor visitor) {
        graph.termination().check();
        long node = path.node(length);
        PathArcs.Bundles onwards = arcs.bundles(node, left, to -> leadsOn(node, to, left));
        for (int index = 0; ; index++) {
            PathArcs.Bundle bundle = onwards.at(index);
            if (bundle == null) {
                return true;
            }
            long to = bundle.to();
            if (path.contains(to, length) || isBeforeFirst(to, length + 1)) {
                continue;
            }
            path.extend(length, bundle);
            boolean goesOn =
                    to == target.start()
                            ? path.visit(length + 1, visitor)
                            : visit(length + 1, left - graph.cost(node, to), visitor);
            if (!goesOn) {
                return false;
            }
        }
    }

    /** Whether a path with this node at that index comes before the first prefix. */
    private boolean isBeforeFirst(long node, int index) {
        if (index >= firstPrefix.length) {
            return false;
        }
        int order = names.compare(node, firstPrefix[index]);
        if (order > 0) {
            // All later paths come behind the prefix, too.
            firstPrefix = new long[0];
        }
        return order < 0;
    }

    /** Whether a walk that has this much left to spend may go to the node and reach the target. */
    private boolean leadsOn(long from, long to, int left) {
        int rest = left - graph.cost(from, to);
        return to == target.start() ? rest == 0 : costToTarget(to) <= rest;
    }

    private void addArcsFromSource() {
        for (int cost = 0; cost < Math.min(source.reached(), budget); cost++) {
            int spent = cost;
            source.level(cost)
                    .forEach(
                            from -> {
                                if (isInside(from) && from != target.start()) {
                                    addArcsFrom(from, spent);
                                }
                            });
        }
    }

    private void addArcsFrom(long from, int spent) {
        graph.termination().check();
        SearchGraph.ArcVisitor add = (step, to) -> addFrom(from, spent, step, to);
        if (hasThreeHops()) {
            visit(source, from, arcs.froms(), add);
        } else {
            visit(source, from, to -> true, add);
        }
    }

    private void addFrom(long from, int spent, int step, long to) {
        int rest = target.cost(to);
        if (rest == DistanceFrontier.OUTSIDE) {
            if (source.cost(to) == DistanceFrontier.OUTSIDE
                    || hasOnlyMiddle(source) && !arcs.hasFrom(to)) {
                return;
            }
            // Arithmetic on OUTSIDE would overflow.
            rest = target.reached() + 1;
        }
        if (spent + 1 + rest <= budget
                && to != source.start()
                && isInside(to)
                && spent + graph.cost(from, to) + rest <= budget) {
            arcs.add(from, to, step);
        }
    }

    private void addArcsIntoTarget() {
        for (int cost = 0; cost < Math.min(target.reached(), budget); cost++) {
            int spent = cost;
            target.level(cost)
                    .forEach(
                            to -> {
                                if (isInside(to) && to != source.start()) {
                                    addArcsInto(to, spent);
                                }
                            });
        }
    }

    private void addArcsInto(long to, int spent) {
        graph.termination().check();
        SearchGraph.ArcVisitor add = (step, from) -> addInto(from, spent, step, to);
        if (hasThreeHops()) {
            visit(target, to, entered, add);
        } else {
            visit(target, to, from -> true, add);
        }
    }

    private void addInto(long from, int spent, int step, long to) {
        int before = source.cost(from);
        boolean readFromSource = before < source.reached();
        if (before == DistanceFrontier.OUTSIDE) {
            if (target.cost(from) == DistanceFrontier.OUTSIDE
                    || hasOnlyMiddle(target) && !entered.contains(from)) {
                return;
            }
            before = source.reached() + 1;
        }
        if (!readFromSource
                && spent + 1 + before <= budget
                && from != target.start()
                && isInside(from)
                && spent + graph.cost(from, to) + before <= budget) {
            arcs.add(from, to, RelationStep.reversed(step));
        }
    }

    /** Visits the arcs between the node and the nodes that satisfy {@code wanted}. */
    private void visit(
            DistanceFrontier frontier,
            long node,
            LongPredicate wanted,
            SearchGraph.ArcVisitor visitor) {
        SearchGraph.Arcs found = graph.arcs(node, frontier.back());
        for (int arc = 0; arc < found.size(); arc++) {
            long other = found.nodes()[arc];
            if (wanted.test(other)) {
                visitor.visit(found.steps()[arc], other);
            }
        }
    }

    /** Visits the arcs between the node and some others, without reading all arcs of a hub. */
    private void visit(
            DistanceFrontier frontier, long node, LongSet others, SearchGraph.ArcVisitor visitor) {
        AdjacencyList list = graph.cachedAdjacency(node);
        if (list == null
                || others.size() > list.readCost(Integer.MAX_VALUE) / LOOKUPS_PER_INDEXED_NODE) {
            visit(frontier, node, others::contains, visitor);
        } else {
            graph.visit(list, frontier.back(), others.toSortedArray(), visitor);
        }
    }

    /**
     * Whether only the middle hop joins the outermost nodes of the frontier to nodes outside the
     * other frontier. Then the many arcs of a hub that lead nowhere are skipped.
     */
    private boolean hasOnlyMiddle(DistanceFrontier frontier) {
        return hasMiddle && frontier.reached() == 1;
    }

    /**
     * Whether the middle hop joins two nodes that are each one hop from an end: a path of three
     * hops.
     */
    private boolean hasThreeHops() {
        return hasOnlyMiddle(source) && hasOnlyMiddle(target);
    }

    /** Whether a path may pass through the node or end there. */
    private boolean isInside(long node) {
        return node == source.start() || node == target.start() || graph.isPassable(node);
    }

    /**
     * Computes the costs that neither the target's frontier nor the middle hop knows. Repeats over
     * these nodes until no cost changes, at most once for each possible cost.
     */
    private void findCostsToTarget() {
        // No node outside the frontier costs less, so a node at this cost needs no further search.
        int minCostOutside = target.reached() + 1;
        long[] outside =
                arcs.froms().select(node -> costToTarget(node) > minCostOutside).toArray();
        TerminationTicker ticker = new TerminationTicker(graph.termination());
        boolean changes = true;
        while (changes) {
            changes = false;
            graph.termination().check();
            for (long from : outside) {
                ticker.tick();
                int previous = costToTarget(from);
                int min =
                        previous == minCostOutside
                                ? previous
                                : costToTarget(from, previous, minCostOutside);
                if (min < previous) {
                    costsToTarget.put(from, min);
                    changes = true;
                }
            }
        }
    }

    /**
     * The node's cost to the target over its arcs.
     *
     * @param previous the lowest cost known so far
     * @param limit stop at this cost
     */
    private int costToTarget(long from, int previous, int limit) {
        int[] min = {previous};
        arcs.forEachTarget(
                from,
                to -> {
                    int behind = costToTarget(to);
                    if (behind != DistanceFrontier.OUTSIDE) {
                        min[0] = Math.min(min[0], behind + graph.cost(from, to));
                    }
                    return min[0] > limit;
                });
        return min[0];
    }

    /**
     * A lower bound on the cost from the node to the target; {@link DistanceFrontier#OUTSIDE} if
     * there is no path.
     */
    private int costToTarget(long node) {
        int cost = target.cost(node);
        return cost == DistanceFrontier.OUTSIDE
                ? costsToTarget.getIfAbsent(node, DistanceFrontier.OUTSIDE)
                : cost;
    }
}
