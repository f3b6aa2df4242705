package io.github.kgdb.kernel.reference;

import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.paths.Paths;
import io.github.kgdb.kernel.reference.ReferenceGraph.Arc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Extends paths from each source in every allowed way, up to the target or the maximum length. */
final class PathsByBruteForce {
    record Row(int hops, List<String> ids, List<String> relations, long count) {
        static Row of(Paths.Row row) {
            return new Row(
                    row.hops(),
                    row.entities().stream().map(Entity::id).toList(),
                    row.relations(),
                    row.count());
        }
    }

    /**
     * @param perPair {@link Long#MAX_VALUE} for no limit
     */
    record Query(int maxHops, boolean shortest, boolean firstOnly, long perPair, int limit) {}

    private record Path(int cost, List<String> ids, List<String> relations, long count) {}

    private static final Comparator<Path> ORDER =
            Comparator.comparingInt(Path::cost)
                    .thenComparing(Path::ids, ReferenceGraph.ITEM_BY_ITEM)
                    .thenComparing(Path::relations, ReferenceGraph.ITEM_BY_ITEM);

    private final ReferenceGraph graph;
    private final Query query;
    private final int budget;

    private PathsByBruteForce(ReferenceGraph graph, Query query) {
        this.graph = graph;
        this.query = query;
        this.budget = 2 * query.maxHops;
    }

    static Result<Row> find(ReferenceGraph graph, List<String> nodes, Query query) {
        PathsByBruteForce search = new PathsByBruteForce(graph, query);
        List<Row> rows = new ArrayList<>();
        boolean cutPair = false;
        for (int source = 0; source < nodes.size(); source++) {
            for (int target = 0; target < nodes.size(); target++) {
                boolean wanted = graph.rules().areSymmetric() ? source < target : source != target;
                if (wanted) {
                    List<Path> paths = search.between(nodes.get(source), nodes.get(target));
                    long max = query.firstOnly ? 1 : query.perPair;
                    cutPair |= paths.size() > max && !query.firstOnly;
                    paths.stream().limit(max).map(PathsByBruteForce::row).forEach(rows::add);
                }
            }
        }
        return new Result<>(
                rows.stream().limit(query.limit).toList(),
                ReferenceGraph.cut(
                        search.hubsNear(nodes),
                        cutPair ? "perPair" : "",
                        rows.size() > query.limit ? "limit" : ""));
    }

    private static Row row(Path path) {
        return new Row((path.cost + 1) / 2, path.ids, path.relations, path.count);
    }

    private List<Path> between(String source, String target) {
        List<Path> found = new ArrayList<>();
        walk(new Path(0, List.of(source), List.of(), 1), target, found);
        found.sort(ORDER);
        if (!query.shortest || found.isEmpty()) {
            return found;
        }
        int min = found.get(0).cost;
        return found.stream().filter(path -> path.cost == min).toList();
    }

    private void walk(Path path, String target, List<Path> found) {
        String node = path.ids.get(path.ids.size() - 1);
        Map<List<String>, Long> parallels =
                graph.open(node).stream()
                        .collect(
                                Collectors.groupingBy(
                                        arc -> List.of(arc.spec(), arc.to()),
                                        Collectors.counting()));
        parallels.forEach(
                (step, count) -> {
                    String next = step.get(1);
                    int cost = path.cost + cost(node, next);
                    if (cost > budget || path.ids.contains(next)) {
                        return;
                    }
                    Path longer =
                            new Path(
                                    cost,
                                    longer(path.ids, next),
                                    longer(path.relations, step.get(0)),
                                    path.count * count);
                    if (next.equals(target)) {
                        found.add(longer);
                    } else if (graph.isVisible(next) && !graph.isHub(next)) {
                        walk(longer, target, found);
                    }
                });
    }

    /** The cost in half hops. */
    private int cost(String from, String to) {
        return graph.isMediator(from) || graph.isMediator(to) ? 1 : 2;
    }

    private Set<String> hubsNear(List<String> nodes) {
        Set<String> hubs = ReferenceGraph.ordered();
        int radius = graph.rules().mediators() ? query.maxHops : query.maxHops / 2 * 2;
        for (String node : nodes.size() > 1 ? nodes : List.<String>of()) {
            spread(node, node, 0, radius, graph::open, new HashMap<>(), hubs);
            spread(node, node, 0, radius, graph::openInto, new HashMap<>(), hubs);
        }
        return hubs;
    }

    private void spread(
            String start,
            String node,
            int spent,
            int radius,
            Function<String, List<Arc>> arcs,
            Map<String, Integer> known,
            Set<String> hubs) {
        for (Arc arc : arcs.apply(node)) {
            String next = arc.to();
            int cost = spent + cost(node, next);
            if (next.equals(start)
                    || cost > radius
                    || !graph.isVisible(next)
                    || known.getOrDefault(next, Integer.MAX_VALUE) <= cost) {
                continue;
            }
            known.put(next, cost);
            if (graph.isHub(next)) {
                hubs.add(next);
            } else {
                spread(start, next, cost, radius, arcs, known, hubs);
            }
        }
    }

    private static List<String> longer(List<String> list, String item) {
        List<String> longer = new ArrayList<>(list);
        longer.add(item);
        return longer;
    }
}
