package io.github.kgdb.kernel.paths;

import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.EntityMemo;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.api.Limit;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.TerminationTicker;
import io.github.kgdb.kernel.api.Truncation;

import org.eclipse.collections.api.set.primitive.LongSet;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Simple paths between every pair of a set of nodes. The pairs share what they read of the graph.
 */
public final class Paths {
    /**
     * @param steps the relations that a path may follow
     * @param mediators whether an edge at a mediator is half a hop
     * @param maxHops maximum length of a path
     * @param shortest return only the shortest paths of each pair
     * @param perPair maximum paths of one pair
     * @param firstOnly return only the first path of each pair; this does not count as a truncation
     * @param limit maximum paths of the whole start set
     * @param ordered whether paths of one pair and cost are ordered by their ids
     * @param maxDegree no path passes through a node with more relationships
     */
    public record Query(
            StepFilter steps,
            boolean mediators,
            int maxHops,
            boolean shortest,
            boolean firstOnly,
            long perPair,
            int limit,
            boolean ordered,
            long maxDegree) {}

    /**
     * @param entities from the source to the target
     * @param relations between them, with {@code ^} if followed against their direction
     * @param count the number of paths that differ from this one only in parallel relationships
     */
    public record Row(int hops, List<Entity> entities, List<String> relations, long count) {
        public Entity source() {
            return entities.get(0);
        }

        public Entity target() {
            return entities.get(entities.size() - 1);
        }
    }

    private static final long ROW_BYTES = 200;
    private static final long STEP_BYTES = 24;
    private static final long FRONTIER_BYTES = 500;
    private static final int FIRST_SPECS = 64;
    private static final long MAX_READS_OF_LONGEST = 1 << 14;
    private static final long[] ALL_PREFIXES = {};

    private final GraphView view;
    private final Query query;
    private final MemoryBudget.Account results;
    private final EntityMemo entities;
    private final PathArcs.Names names;
    private final Truncation truncation = new Truncation();
    private final List<Row> rows = new ArrayList<>();
    private final TerminationTicker ticker;

    private Paths(GraphView view, Query query, MemoryBudget.Account results) {
        this.view = view;
        this.query = query;
        this.results = results;
        this.entities = new EntityMemo(view, results);
        this.names = new Names();
        this.ticker = new TerminationTicker(view.termination());
    }

    /**
     * Rows ordered by the positions of source and target in the set and by cost, then by ids and
     * relations unless the query wants no order.
     */
    public static KernelResult<Row> find(
            GraphView view, long[] nodes, Query query, MemoryBudget.Account results) {
        Paths paths = new Paths(view, query, results);
        try (MemoryBudget.Account scratch = view.memory().open()) {
            SearchGraph graph =
                    new SearchGraph(
                            view,
                            query.steps(),
                            query.mediators(),
                            query.maxDegree(),
                            endsOnly(view, nodes),
                            scratch);
            paths.findAll(graph, nodes);
        }
        return KernelResult.of(paths.rows, paths.truncation, view);
    }

    private static LongSet endsOnly(GraphView view, long[] nodes) {
        LongHashSet endsOnly = new LongHashSet();
        for (long node : nodes) {
            if (!view.graph().mayVisit(node)) {
                endsOnly.add(node);
            }
        }
        return endsOnly;
    }

    private void findAll(SearchGraph graph, long[] nodes) {
        DistanceFrontier[] leaving = frontiers(graph, nodes, false);
        DistanceFrontier[] entering = graph.isSymmetric() ? leaving : frontiers(graph, nodes, true);
        for (int source = 0; source < nodes.length; source++) {
            for (int target = 0; target < nodes.length; target++) {
                if (graph.isSymmetric() ? source < target : source != target) {
                    addPair(graph, leaving[source], entering[target]);
                }
            }
        }
        truncation.addIf(rows.size() > query.limit(), Limit.LIMIT);
        if (rows.size() > query.limit()) {
            rows.subList(query.limit(), rows.size()).clear();
        }
        if (graph.hasHubs() && nodes.length > 1) {
            reportHubs(graph, leaving);
            if (entering != leaving) {
                reportHubs(graph, entering);
            }
        }
    }

    private static DistanceFrontier[] frontiers(SearchGraph graph, long[] nodes, boolean back) {
        graph.account().allocate(nodes.length * FRONTIER_BYTES);
        return Arrays.stream(nodes)
                .mapToObj(node -> new DistanceFrontier(graph, node, back))
                .toArray(DistanceFrontier[]::new);
    }

    private void addPair(SearchGraph graph, DistanceFrontier source, DistanceFrontier target) {
        ticker.tick();
        boolean reportsQuota = !query.firstOnly() && query.perPair() != Long.MAX_VALUE;
        // One path beyond the limit shows that it was reached; no further one is looked for.
        long max = reportsQuota ? query.perPair() : query.limit() + 1L - rows.size();
        if (max == 0) {
            return;
        }
        PathQuota quota = new PathQuota(query.firstOnly() ? 1 : max);
        if (!addPaths(graph, new BidirectionalSearch(graph, source, target), quota)) {
            truncation.addIf(reportsQuota, Limit.PER_PAIR);
        }
    }

    /** Reads each name once for all pairs. */
    private final class Names implements PathArcs.Names {
        /** By code. An array, because every returned arc looks up its own. */
        private String[] specs = new String[FIRST_SPECS];

        @Override
        public String sortKey(long node) {
            return query.ordered() ? entities.id(node) : "";
        }

        @Override
        public String spec(int step) {
            if (step >= specs.length) {
                specs = Arrays.copyOf(specs, Math.max(2 * specs.length, step + 1));
            }
            String spec = specs[step];
            if (spec == null) {
                spec = view.spec(RelationStep.decoded(step));
                specs[step] = spec;
            }
            return spec;
        }
    }

    /** The number of paths of a pair that may still be returned. */
    private static final class PathQuota {
        private final long max;
        private long used;

        PathQuota(long max) {
            this.max = max;
        }

        boolean isUsed() {
            return used > 0;
        }

        boolean isFull() {
            return used == max;
        }
    }

    /** Returns false if there are more paths than the quota allows. */
    private boolean addPaths(SearchGraph graph, BidirectionalSearch search, PathQuota quota) {
        int budget = query.maxHops() * graph.hop();
        // Most paths are long: without an order, a few are found soonest among the longest.
        PrefixSearch longest = query.ordered() ? null : prefixes(graph, search, budget);
        if (longest != null
                && !longest.visit(MAX_READS_OF_LONGEST, visitor(graph, budget, quota))) {
            return false;
        }
        for (int cost = search.minCost(); cost <= budget; cost++) {
            boolean hasBegun = longest != null && cost == budget;
            PrefixSearch prefixes = hasBegun ? longest : prefixes(graph, search, cost);
            PathBuffer.Visitor visitor = visitor(graph, cost, quota);
            if (prefixes != null && !hasBegun && !prefixes.visit(search.growthCost(), visitor)) {
                return false;
            }
            long[] unfinished = prefixes == null ? ALL_PREFIXES : prefixes.unfinished();
            if (unfinished != null && !addPaths(graph, search, cost, unfinished, visitor)) {
                return false;
            }
            if (query.shortest() && quota.isUsed()) {
                return true;
            }
        }
        return true;
    }

    /** Null for a cost that it does not suit, and for shortest paths: they are few if long. */
    private PrefixSearch prefixes(SearchGraph graph, BidirectionalSearch search, int cost) {
        return query.shortest() || !PrefixSearch.suits(graph, cost)
                ? null
                : new PrefixSearch(graph, search.source(), search.target(), cost, names);
    }

    /**
     * @param unfinished the prefix of the first path to add
     */
    private boolean addPaths(
            SearchGraph graph,
            BidirectionalSearch search,
            int cost,
            long[] unfinished,
            PathBuffer.Visitor visitor) {
        DistanceFrontier source = search.source();
        DistanceFrontier target = search.target();
        // Grows step by step: when shorter paths fill the quota, nothing more is read.
        search.cover(cost);
        return ThreeHopSearch.suits(graph, source, target, cost)
                ? new ThreeHopSearch(graph, source, target, names).visit(visitor)
                : new PairSearch(graph, source, target, cost, names)
                        .beginningAt(unfinished)
                        .visit(visitor);
    }

    /** Adds a row for each path, and stops when the quota is full. */
    private PathBuffer.Visitor visitor(SearchGraph graph, int cost, PathQuota quota) {
        int hops = (cost + graph.hop() - 1) / graph.hop();
        return (nodes, relations, length, count) -> {
            if (quota.isFull()) {
                return false;
            }
            ticker.tick();
            quota.used++;
            results.allocate(ROW_BYTES + STEP_BYTES * length);
            rows.add(row(hops, nodes, relations, length, count));
            return true;
        };
    }

    private Row row(int hops, long[] nodes, String[] relations, int length, long count) {
        // A loop, because building rows dominates a search that reads little and returns much.
        Entity[] onPath = new Entity[length + 1];
        for (int i = 0; i <= length; i++) {
            onPath[i] = entities.get(nodes[i]);
        }
        return new Row(hops, List.of(onPath), List.of(Arrays.copyOf(relations, length)), count);
    }

    /** Reports the hubs that some path within the maximum length may have had to pass through. */
    private void reportHubs(SearchGraph graph, DistanceFrontier[] frontiers) {
        int radius = query.maxHops() * graph.hop() / 2;
        for (DistanceFrontier frontier : frontiers) {
            frontier.reachTo(radius);
            for (int cost = 1; cost <= radius; cost++) {
                frontier.level(cost)
                        .forEach(
                                node -> {
                                    if (graph.isBlockedHub(node)) {
                                        truncation.addHub(node);
                                    }
                                });
            }
        }
    }
}
