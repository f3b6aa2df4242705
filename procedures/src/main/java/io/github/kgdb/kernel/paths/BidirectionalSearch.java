package io.github.kgdb.kernel.paths;

import org.eclipse.collections.api.list.primitive.LongList;

/** Grows two frontiers towards each other, at each step the one that is cheaper to read. */
final class BidirectionalSearch {
    /** The two sides are first compared by counting up to this many relationships. */
    private static final long FIRST_COUNT = 256;

    private static final long MORE = 16;

    private final SearchGraph graph;
    private final DistanceFrontier source;
    private final DistanceFrontier target;

    BidirectionalSearch(SearchGraph graph, DistanceFrontier source, DistanceFrontier target) {
        this.graph = graph;
        this.source = source;
        this.target = target;
    }

    DistanceFrontier source() {
        return source;
    }

    DistanceFrontier target() {
        return target;
    }

    /**
     * Grows both until they cover every path of that cost between their starts, except for the hop
     * in the middle if {@link MiddleHop} can read it.
     */
    void cover(int cost) {
        int required = graph.hop() == 1 ? cost - 1 : cost;
        while (source.reached() + target.reached() < required) {
            DistanceFrontier growing = cheaper();
            growing.reachTo(growing.reached() + 1);
        }
    }

    /** The number of relationships that the next growth reads. */
    long growthCost() {
        return cheaper().readCost(Long.MAX_VALUE);
    }

    /** A lower bound on the cost of a path, without growing. */
    int minCost() {
        int min = source.reached() + target.reached() - (graph.hop() - 1) + 1;
        boolean less =
                source.reached() == target.reached()
                        ? source.width() <= target.width()
                        : source.reached() < target.reached();
        DistanceFrontier smaller = less ? source : target;
        DistanceFrontier other = smaller == source ? target : source;
        for (int cost = 0; cost <= smaller.reached(); cost++) {
            min = Math.min(min, minCostThrough(smaller.level(cost), cost, other));
        }
        return Math.max(min, 1);
    }

    private int minCostThrough(LongList nodes, int cost, DistanceFrontier other) {
        int min = DistanceFrontier.OUTSIDE;
        for (int i = 0; i < nodes.size(); i++) {
            long node = nodes.get(i);
            int rest = other.cost(node);
            if (rest != DistanceFrontier.OUTSIDE && cost + rest < min && mayMeetAt(node)) {
                min = cost + rest;
            }
        }
        return min;
    }

    private boolean mayMeetAt(long node) {
        return node == source.start() || node == target.start() || graph.isPassable(node);
    }

    private DistanceFrontier cheaper() {
        DistanceFrontier narrow = source.width() <= target.width() ? source : target;
        DistanceFrontier wide = narrow == source ? target : source;
        for (long limit = FIRST_COUNT; ; limit *= MORE) {
            long min = narrow.readCost(limit);
            if (wide.readCost(min + 1) <= min) {
                return wide;
            }
            if (min < limit) {
                return narrow;
            }
        }
    }
}
