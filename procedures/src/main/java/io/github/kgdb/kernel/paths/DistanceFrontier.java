package io.github.kgdb.kernel.paths;

import org.eclipse.collections.api.list.primitive.LongList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What lies around one start, cost by cost. It grows as far as its searches need it, and is shared
 * by all of them.
 */
final class DistanceFrontier {
    /** The cost of a node that lies outside. */
    static final int OUTSIDE = Integer.MAX_VALUE;

    private static final int NODE_BYTES = 40;
    private static final int EXPECTED = 1 << 12;
    private static final long UNKNOWN = -1;

    /** So many nodes are charted while one is looked for among those that are in order. */
    private static final int LOOKUPS_PER_INDEXED_NODE = 4;

    private final SearchGraph graph;
    private final long start;
    private final boolean back;
    private final List<LongArrayList> levels = new ArrayList<>();
    private LongIntHashMap costs = new LongIntHashMap();

    /** The nodes of cost 1, ascending, as long as {@link #costs} lack them; else null. */
    private long[] uncharted;

    private int lookups;
    private int reached;
    private long readCost = UNKNOWN;
    private long[] outermost;

    /**
     * @param back whether it holds what leads to the start, instead of what the start leads to
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
     * All nodes whose cost is no more are known, and those whose cost is less have their arcs read.
     */
    int reached() {
        return reached;
    }

    /** {@link #OUTSIDE} where it is more than {@link #reached}. */
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

    /** The nodes of that cost, which must be no more than {@link #reached}. */
    LongList level(int cost) {
        LongArrayList bucket = bucket(cost);
        // With costs of 1 and 2, a node may have been found again at a lower cost.
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

    /** How many nodes the next growth begins at, about. */
    int width() {
        return bucket(reached).size();
    }

    /** Whether paths that begin or end at the start may go on from the node. */
    boolean isOpen(long node) {
        return node == start || graph.isPassable(node);
    }

    /**
     * How many relationships the next growth has to read, counted no further than {@code limit}.
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

    /** Finds all nodes whose cost is at most {@code cost}. */
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

    /** Of what lies around a hub, little is mostly asked for: it is not charted before it is. */
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
            // Most lead to new nodes: a table that grew for a hub's would be filled many times.
            costs = new LongIntHashMap(Math.min(arcs.size() + 1, EXPECTED));
            costs.put(start, 0);
        }
        for (int arc = 0; arc < arcs.size(); arc++) {
            long next = arcs.nodes()[arc];
            int nextCost = cost + graph.cost(node, next);
            int known = costs.getIfAbsent(next, OUTSIDE);
            if (nextCost < known) {
                if (known == OUTSIDE) {
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
