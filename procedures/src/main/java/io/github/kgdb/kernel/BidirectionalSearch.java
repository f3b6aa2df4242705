package io.github.kgdb.kernel;

import org.eclipse.collections.api.list.primitive.LongList;

/** Grows two balls towards each other, from the side where less has to be read. */
final class BidirectionalSearch {
    /** Up to here, relationships are counted before the sides are compared. */
    private static final long FIRST_COUNT = 256;

    private static final long MORE = 16;

    private final SearchGraph terrain;
    private final DistanceFrontier source;
    private final DistanceFrontier target;

    BidirectionalSearch(SearchGraph terrain, DistanceFrontier source, DistanceFrontier target) {
        this.terrain = terrain;
        this.source = source;
        this.target = target;
    }

    /**
     * Grows both until they cover every path of that cost between their starts, but for the hop in
     * the middle where {@link MiddleHop} can read it.
     */
    void cover(int cost) {
        int enough = terrain.hop() == 1 ? cost - 1 : cost;
        while (source.reached() + target.reached() < enough) {
            DistanceFrontier growing = cheaper();
            growing.reachTo(growing.reached() + 1);
        }
    }

    /** No path costs less, as far as can be told without growing. */
    int leastCost() {
        int least = source.reached() + target.reached() - (terrain.hop() - 1) + 1;
        boolean less =
                source.reached() == target.reached()
                        ? source.width() <= target.width()
                        : source.reached() < target.reached();
        DistanceFrontier smaller = less ? source : target;
        DistanceFrontier other = smaller == source ? target : source;
        for (int cost = 0; cost <= smaller.reached(); cost++) {
            least = Math.min(least, leastThrough(smaller.level(cost), cost, other));
        }
        return Math.max(least, 1);
    }

    private int leastThrough(LongList nodes, int cost, DistanceFrontier other) {
        int least = DistanceFrontier.OUTSIDE;
        for (int i = 0; i < nodes.size(); i++) {
            long node = nodes.get(i);
            int rest = other.cost(node);
            if (rest != DistanceFrontier.OUTSIDE && cost + rest < least && mayMeetAt(node)) {
                least = cost + rest;
            }
        }
        return least;
    }

    private boolean mayMeetAt(long node) {
        return node == source.start() || node == target.start() || terrain.isPassable(node);
    }

    private DistanceFrontier cheaper() {
        DistanceFrontier narrow = source.width() <= target.width() ? source : target;
        DistanceFrontier wide = narrow == source ? target : source;
        for (long enough = FIRST_COUNT; ; enough *= MORE) {
            long least = narrow.effort(enough);
            if (wide.effort(least + 1) <= least) {
                return wide;
            }
            if (least < enough) {
                return narrow;
            }
        }
    }
}
