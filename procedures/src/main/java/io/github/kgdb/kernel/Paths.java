package io.github.kgdb.kernel;

import org.eclipse.collections.api.set.primitive.LongSet;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Simple paths between every pair of a set, which share what they read of the graph. */
public final class Paths {
    /**
     * @param steps what a path may go over
     * @param mediators whether an edge at a mediator is half a hop
     * @param maxHops of a path
     * @param shortest only the shortest paths of each pair
     * @param perPair paths of one pair
     * @param firstOnly only the first path of each pair, without that being a cut
     * @param limit paths of the whole start set
     * @param maxDegree no path goes through a node with more relationships
     */
    public record Query(
            Steps steps,
            boolean mediators,
            int maxHops,
            boolean shortest,
            boolean firstOnly,
            long perPair,
            int limit,
            long maxDegree) {}

    /**
     * @param entities from the source to the target
     * @param relations between them, {@code ^} before one that is gone against
     * @param count how many paths differ from this one only in parallel relationships
     */
    public record Row(int hops, List<Entity> entities, List<String> relations, long count) {
        public Entity source() {
            return entities.get(0);
        }

        public Entity target() {
            return entities.get(entities.size() - 1);
        }
    }

    private static final Comparator<Row> ORDER =
            ((Comparator<Row>) Paths::compareIds).thenComparing(Row::relations, CodePoints.LISTS);

    private static final long ROW_BYTES = 120;
    private static final long STEP_BYTES = 16;

    private final GraphView view;
    private final Query query;
    private final MemoryBudget.Account results;
    private final Entities entities;
    private final Map<RelationStep, String> specs = new HashMap<>();
    private final Cuts cuts = new Cuts();
    private final List<Row> rows = new ArrayList<>();

    private Paths(GraphView view, Query query, MemoryBudget.Account results) {
        this.view = view;
        this.query = query;
        this.results = results;
        this.entities = new Entities(view, results);
    }

    /** Rows by the places of source and target in the set, cost, ids and relations. */
    public static Found<Row> find(
            GraphView view, long[] nodes, Query query, MemoryBudget.Account results) {
        Paths paths = new Paths(view, query, results);
        try (MemoryBudget.Account scratch = view.memory().open()) {
            Terrain terrain =
                    new Terrain(
                            view,
                            query.steps(),
                            query.mediators(),
                            query.maxDegree(),
                            endsOnly(view, nodes),
                            scratch);
            paths.findAll(terrain, nodes);
        }
        return Found.of(paths.rows, paths.cuts, view);
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

    private void findAll(Terrain terrain, long[] nodes) {
        Ball[] leaving = balls(terrain, nodes, false);
        Ball[] entering = terrain.isSymmetric() ? leaving : balls(terrain, nodes, true);
        for (int source = 0; source < nodes.length; source++) {
            for (int target = 0; target < nodes.length; target++) {
                if (terrain.isSymmetric() ? source < target : source != target) {
                    addPair(terrain, leaving[source], entering[target]);
                }
            }
        }
        cuts.addIf(rows.size() > query.limit(), Cap.LIMIT);
        if (rows.size() > query.limit()) {
            rows.subList(query.limit(), rows.size()).clear();
        }
        if (terrain.hasHubs() && nodes.length > 1) {
            tellHubs(terrain, leaving);
            if (entering != leaving) {
                tellHubs(terrain, entering);
            }
        }
    }

    private static Ball[] balls(Terrain terrain, long[] nodes, boolean back) {
        return Arrays.stream(nodes)
                .mapToObj(node -> new Ball(terrain, node, back))
                .toArray(Ball[]::new);
    }

    private void addPair(Terrain terrain, Ball source, Ball target) {
        Meeting meeting = new Meeting(terrain, source, target);
        int budget = query.maxHops() * terrain.hop();
        if (query.shortest()) {
            budget = meeting.leastCost(budget);
        } else {
            meeting.cover(query.maxHops());
        }
        if (budget == Ball.OUTSIDE) {
            return;
        }
        PairSearch search = new PairSearch(terrain, source, target, budget);
        long room = query.firstOnly() ? 1 : query.perPair();
        // Where there is no path at all, the least cost is more than any budget.
        for (int cost = search.leastCost(); cost <= budget; cost++) {
            room -= addPaths(terrain, search, cost, room);
            if (room < 0) {
                cuts.addIf(!query.firstOnly(), Cap.PER_PAIR);
                return;
            }
        }
    }

    /** Returns how many paths there were, or one more than {@code room} if that many or more. */
    private long addPaths(Terrain terrain, PairSearch search, int cost, long room) {
        int hops = (cost + terrain.hop() - 1) / terrain.hop();
        if (room == 0) {
            // Whether there is one more is all that is left to know.
            boolean none = search.visit(cost, (nodes, steps, length, count) -> false);
            return none ? 0 : 1;
        }
        Best<Row> best = new Best<>(ORDER, room);
        search.visit(
                cost,
                (nodes, steps, length, count) -> {
                    // Between two hubs there are thousands of paths, and few of them are kept.
                    if (best.worst() != null && compareIds(nodes, length, best.worst()) > 0) {
                        best.pass();
                    } else if (best.offer(row(hops, nodes, steps, length, count))) {
                        results.allocate(ROW_BYTES + STEP_BYTES * length);
                    }
                    return true;
                });
        List<Row> kept = best.sorted();
        rows.addAll(kept);
        return kept.size() + (best.hasOverflown() ? 1 : 0);
    }

    private static int compareIds(Row left, Row right) {
        int shared = Math.min(left.entities().size(), right.entities().size());
        for (int i = 0; i < shared; i++) {
            int compared = Entity.BY_ID.compare(left.entities().get(i), right.entities().get(i));
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(left.entities().size(), right.entities().size());
    }

    /** As {@link #compareIds(Row, Row)} for a path that is no row yet. */
    private int compareIds(long[] nodes, int length, Row right) {
        int shared = Math.min(length + 1, right.entities().size());
        for (int i = 0; i < shared; i++) {
            int compared = Entity.BY_ID.compare(entities.get(nodes[i]), right.entities().get(i));
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(length + 1, right.entities().size());
    }

    private Row row(int hops, long[] nodes, RelationStep[] steps, int length, long count) {
        return new Row(
                hops,
                IntStream.rangeClosed(0, length).mapToObj(i -> entities.get(nodes[i])).toList(),
                IntStream.range(0, length)
                        .mapToObj(i -> specs.computeIfAbsent(steps[i], view::spec))
                        .toList(),
                count);
    }

    /** Tells the hubs that some path within the hops may have had to go through. */
    private void tellHubs(Terrain terrain, Ball[] balls) {
        int radius = query.maxHops() * terrain.hop() / 2;
        for (Ball ball : balls) {
            ball.reachTo(radius);
            for (int cost = 1; cost <= radius; cost++) {
                ball.level(cost)
                        .forEach(
                                node -> {
                                    if (terrain.isBlockedHub(node)) {
                                        cuts.addHub(node);
                                    }
                                });
            }
        }
    }
}
