package io.github.kgdb.kernel.paths;

import org.eclipse.collections.api.list.primitive.LongList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The nodes around one start by their distance, where a distance is a cost in half or whole hops.
 * All searches of a start set share its frontiers, which grow on demand.
 */
final class DistanceFrontier {
    /** The cost of a node beyond the frontier. */
    static final int OUTSIDE = Integer.MAX_VALUE;

    private static final int NODE_BYTES = 40;
    private static final int EXPECTED = 1 << 12;
    private static final long UNKNOWN = -1;

    /** Indexing one node takes about as long as a quarter of a binary search. */
    private static final int LOOKUPS_PER_INDEXED_NODE = 4;

    private final SearchGraph graph;
    private final long start;
    private final boolean back;
    private final List<LongArrayList> levels = new ArrayList<>();
    private LongIntHashMap costs = new LongIntHashMap();

    /** The nodes of cost 1, ascending, until {@link #costs} holds them; then null. */
    private long[] uncharted;

    private int lookups;
    private int reached;
    private long readCost = UNKNOWN;
    private long[] outermost;

    /**
     * @param back whether to grow against the direction of search: the nodes that lead to the start
     */
    DistanceFrontier(SearchGraph graph, long start, boolean back) {
        this.graph = graph;
        this.start = start;
        this.back = back;
        costs.put(start, 0);
        bucket(0).add(start);
    }

    long start() {
        return start;
    }

    boolean back() {
        return back;
    }

    /**
     * The radius: all nodes of at most this cost are known, and the nodes of lower cost are
     * expanded.
     */
    int reached() {
        return reached;
    }

    /** The distance from the start, or {@link #OUTSIDE} if it is more than {@link #reached}. */
    int cost(long node) {
        if (uncharted != null) {
            if (++lookups <= uncharted.length / LOOKUPS_PER_INDEXED_NODE) {
                return node == start ? 0 : Arrays.binarySearch(uncharted, node) < 0 ? OUTSIDE : 1;
            }
            chart();
        }
        int cost = costs.getIfAbsent(node, OUTSIDE);
        return cost <= reached ? cost : OUTSIDE;
    }

    /** The nodes of that cost, which must not exceed {@link #reached}. */
    LongList level(int cost) {
        LongArrayList bucket = bucket(cost);
        // With costs of 1 and 2, a node may later be found at a lower cost.
        return graph.hop() == 1 ? bucket : bucket.select(node -> costs.get(node) == cost);
    }

    /** The nodes whose cost is {@link #reached}, ascending. */
    long[] outermost() {
        if (outermost == null) {
            graph.account().allocate((long) Long.BYTES * width());
            outermost = level(reached).toSortedArray();
        }
        return outermost;
    }

    /** About how many nodes the next growth expands. */
    int width() {
        return bucket(reached).size();
    }

    /** Whether paths from or to the start may continue through the node. */
    boolean isOpen(long node) {
        return node == start || graph.isPassable(node);
    }

    /**
     * The number of relationships that the next growth has to read; stops counting at {@code
     * limit}.
     */
    long readCost(long limit) {
        if (readCost == UNKNOWN) {
            LongList nodes = level(reached);
            long sum = 0;
            for (int i = 0; i < nodes.size() && sum < limit; i++) {
                if (isOpen(nodes.get(i))) {
                    sum += graph.readCost(nodes.get(i), back, limit - sum);
                }
            }
            if (sum >= limit) {
                return limit;
            }
            readCost = sum;
        }
        return Math.min(readCost, limit);
    }

    /** Grows until all nodes of at most that cost are known. */
    void reachTo(int cost) {
        if (reached == 0 && cost > 0 && graph.hop() == 1) {
            reachNeighborsInMemory();
        }
        for (; reached < cost; reached++) {
            if (uncharted != null) {
                chart();
            }
            LongList nodes = level(reached);
            readCost = UNKNOWN;
            outermost = null;
            int from = reached;
            nodes.forEach(
                    node -> {
                        if (isOpen(node)) {
                            graph.termination().check();
                            reachFrom(node, from);
                        }
                    });
        }
    }

    /**
     * Takes a hub's neighbors as they are in memory; most searches look up few of them, so they are
     * indexed only when needed.
     */
    private void reachNeighborsInMemory() {
        long[] neighbors = graph.neighbors(start, back);
        if (neighbors != null) {
            boolean leadsBack = Arrays.binarySearch(neighbors, start) >= 0;
            uncharted =
                    leadsBack
                            ? LongStream.of(neighbors).filter(node -> node != start).toArray()
                            : neighbors;
            levels.add(new LongArrayList(uncharted));
            outermost = uncharted;
            readCost = UNKNOWN;
            reached = 1;
        }
    }

    private void chart() {
        graph.account().allocate((long) NODE_BYTES * uncharted.length);
        costs = new LongIntHashMap(uncharted.length + 1);
        costs.put(start, 0);
        for (long node : uncharted) {
            costs.put(node, 1);
        }
        uncharted = null;
    }

    private void reachFrom(long node, int cost) {
        SearchGraph.Arcs arcs = graph.arcs(node, back);
        if (cost == 0) {
            // Most arcs lead to new nodes: a table of the final size is not rehashed again and
            // again.
            costs = new LongIntHashMap(Math.min(arcs.size() + 1, EXPECTED));
            costs.put(start, 0);
        }
        for (int arc = 0; arc < arcs.size(); arc++) {
            long next = arcs.nodes()[arc];
            int nextCost = cost + graph.cost(node, next);
            int previous = costs.getIfAbsent(next, OUTSIDE);
            if (nextCost < previous) {
                if (previous == OUTSIDE) {
                    if (!arcs.visitable() && !graph.mayReach(next)) {
                        continue;
                    }
                    graph.account().allocate(NODE_BYTES);
                }
                costs.put(next, nextCost);
                bucket(nextCost).add(next);
            }
        }
    }

    private LongArrayList bucket(int cost) {
        while (levels.size() <= cost) {
            levels.add(new LongArrayList());
        }
        return levels.get(cost);
    }
}
