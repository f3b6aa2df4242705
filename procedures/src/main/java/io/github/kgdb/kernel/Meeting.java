package io.github.kgdb.kernel;

import org.eclipse.collections.api.list.primitive.LongList;

/** Grows two balls towards each other, from the side where less has to be read. */
final class Meeting {
    private final Terrain terrain;
    private final Ball source;
    private final Ball target;

    Meeting(Terrain terrain, Ball source, Ball target) {
        this.terrain = terrain;
        this.source = source;
        this.target = target;
    }

    /**
     * Grows both until they cover every path of at most {@code maxHops} between their starts, but
     * for the hop in the middle where {@link Middle} can read it.
     */
    void cover(int maxHops) {
        int half = maxHops / 2 * terrain.hop();
        source.expandTo(half);
        target.expandTo(half);
        if (maxHops % 2 == 0) {
            cheaper().reachTo(half);
        } else {
            source.reachTo(half);
            target.reachTo(half);
            if (terrain.hop() != 1) {
                cheaper().expandTo(half + terrain.hop());
            }
        }
    }

    /**
     * Grows both until they cover all shortest paths, and returns the cost of these, or {@link
     * Ball#OUTSIDE} where it is more than {@code budget}.
     */
    int leastCost(int budget) {
        int least = Ball.OUTSIDE;
        for (int cost = 0; cost <= source.reached(); cost++) {
            least = Math.min(least, leastThrough(source.level(cost), cost, target));
        }
        while (least > certain() && certain() < budget) {
            Ball growing = cheaper();
            Ball other = growing == source ? target : source;
            if (growing.isExhausted()) {
                break;
            }
            growing.reachTo(growing.reached() + 1);
            int cost = growing.reached();
            least = Math.min(least, leastThrough(growing.level(cost), cost, other));
        }
        if (least > budget) {
            return Ball.OUTSIDE;
        }
        while (source.reached() + target.reached() < least) {
            Ball growing = cheaper();
            growing.reachTo(growing.reached() + 1);
        }
        return least;
    }

    /** Paths of that cost and less have been found, if there are any. */
    private int certain() {
        return source.reached() + target.reached() - (terrain.hop() - 1);
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
        return source.effort() <= target.effort() ? source : target;
    }
}
