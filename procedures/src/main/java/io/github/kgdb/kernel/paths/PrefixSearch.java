package io.github.kgdb.kernel.paths;

/**
 * The simple paths of four or more hops between two nodes, in the order of {@link PairSearch}: a
 * {@link ThreeHopSearch} completes one prefix after another. Where few paths are wanted, the first
 * prefixes have enough of them, and PairSearch would read many times as much before its first path.
 */
final class PrefixSearch {
    private static final int REST = 3;

    private final SearchGraph graph;
    private final DistanceFrontier source;
    private final DistanceFrontier target;
    private final int prefixHops;
    private final PathArcs.Names names;
    private final PathBuffer path;
    private long readsLeft;
    private long[] unfinished;

    /** For a number of hops that satisfies {@link #suits}. */
    PrefixSearch(
            SearchGraph graph,
            DistanceFrontier source,
            DistanceFrontier target,
            int hops,
            PathArcs.Names names) {
        this.graph = graph;
        this.source = source;
        this.target = new DistanceFrontier(graph, target.start(), target.back());
        this.prefixHops = hops - REST;
        this.names = names;
        this.path = new PathBuffer(source.start(), hops);
        this.unfinished = path.prefix(0);
    }

    /** Whether this search suits paths of that cost. */
    static boolean suits(SearchGraph graph, int cost) {
        return cost > REST && graph.hop() == 1;
    }

    /**
     * Visits the paths of as many prefixes as can be completed with about so many reads of
     * relationships; returns false if the visitor stopped.
     */
    boolean visit(long maxReads, PathBuffer.Visitor visitor) {
        readsLeft = maxReads;
        if (!mayRead(target.start(), target.back())) {
            return true;
        }
        target.reachTo(1);
        unfinished = null;
        return visitFrom(0, visitor);
    }

    /** The first prefix whose paths have not been visited; null if all have. */
    long[] unfinished() {
        return unfinished;
    }

    private boolean visitFrom(int length, PathBuffer.Visitor visitor) {
        graph.termination().check();
        long node = path.node(length);
        if (!mayRead(node, source.back())) {
            unfinished = path.prefix(length);
            return true;
        }
        DistanceFrontier neighbors = new DistanceFrontier(graph, node, source.back());
        neighbors.reachTo(1);
        if (length < prefixHops) {
            return visitBehind(length, neighbors, visitor);
        }
        ThreeHopSearch rest =
                new ThreeHopSearch(graph, neighbors, target, names, path, prefixHops, readsLeft);
        boolean goesOn = rest.visit(visitor);
        readsLeft = rest.readsLeft();
        unfinished = rest.unfinished();
        return goesOn;
    }

    private boolean visitBehind(
            int length, DistanceFrontier neighbors, PathBuffer.Visitor visitor) {
        PathArcs.Bundles onwards =
                arcs(length, neighbors).bundles(neighbors.start(), 0, to -> true);
        for (int index = 0; unfinished == null; index++) {
            PathArcs.Bundle bundle = onwards.at(index);
            if (bundle == null) {
                return true;
            }
            path.extend(length, bundle);
            if (!visitFrom(length + 1, visitor)) {
                return false;
            }
        }
        return true;
    }

    private PathArcs arcs(int length, DistanceFrontier neighbors) {
        PathArcs onwards = new PathArcs(names, graph.account());
        SearchGraph.Arcs arcs = graph.arcs(neighbors.start(), source.back());
        for (int arc = 0; arc < arcs.size(); arc++) {
            long to = arcs.nodes()[arc];
            if (neighbors.cost(to) == 1
                    && to != target.start()
                    && graph.isPassable(to)
                    && !path.contains(to, length)) {
                onwards.add(neighbors.start(), to, arcs.steps()[arc]);
            }
        }
        return onwards;
    }

    /** Whether enough reads are left to read the node's arcs; they are taken if so. */
    private boolean mayRead(long node, boolean back) {
        if (graph.cachedAdjacency(node) != null) {
            return true;
        }
        long reads = graph.readCost(node, back, readsLeft + 1);
        if (reads > readsLeft) {
            return false;
        }
        readsLeft -= reads;
        return true;
    }
}
