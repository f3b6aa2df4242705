package io.github.kgdb.kernel;

import org.eclipse.collections.api.list.primitive.LongList;

/** Grows two balls towards each other, from the side where less has to be read. */
final class Meeting {
    /** Up to here, relationships are counted before the sides are compared. */
    private static final long FIRST_COUNT = 256;

    private static final long MORE = 16;

    private final Terrain terrain;
    private final Ball source;
    private final Ball target;

    Meeting(Terrain terrain, Ball source, Ball target) {
        this.terrain = terrain;
        this.source = source;
        this.target = target;
    }

    /**
     * Grows both until they cover every path of that cost between their starts, but for the hop in
     * the middle where {@link Middle} can read it.
     */
    void cover(int cost) {
        int enough = terrain.hop() == 1 ? cost - 1 : cost;
        while (source.reached() + target.reached() < enough) {
            Ball growing = cheaper();
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
        Ball smaller = less ? source : target;
        Ball other = smaller == source ? target : source;
        for (int cost = 0; cost <= smaller.reached(); cost++) {
            least = Math.min(least, leastThrough(smaller.level(cost), cost, other));
        }
        return Math.max(least, 1);
    }

    private int leastThrough(LongList nodes, int cost, Ball other) {
        int least = Ball.OUTSIDE;
        for (int i = 0; i < nodes.size(); i++) {
            long node = nodes.get(i);
            int rest = other.cost(node);
            if (rest != Ball.OUTSIDE && cost + rest < least && mayMeetAt(node)) {
                least = cost + rest;
            }
        }
        return least;
    }

    private boolean mayMeetAt(long node) {
        return node == source.start() || node == target.start() || terrain.isPassable(node);
    }

    private Ball cheaper() {
        Ball narrow = source.width() <= target.width() ? source : target;
        Ball wide = narrow == source ? target : source;
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
