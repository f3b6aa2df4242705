package io.github.kgdb.kernel.reference;

import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.follow.Follow;
import io.github.kgdb.kernel.reference.ReferenceGraph.Arc;
import io.github.kgdb.kernel.reference.ReferenceGraph.Edge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Enumerates the paths of a chain one by one, with the relationships that they use. */
final class FollowByBruteForce {
    record Row(String id, String name, long starts, long count, List<List<String>> paths) {
        static Row of(Follow.Row row) {
            return new Row(
                    row.end().id(),
                    row.end().name(),
                    row.starts(),
                    row.count(),
                    row.examples().stream()
                            .map(path -> path.stream().map(Entity::id).toList())
                            .toList());
        }
    }

    private static final Comparator<Row> ORDER =
            Comparator.comparingLong((Row row) -> -row.starts())
                    .thenComparing(row -> -row.count())
                    .thenComparing(Row::name, ReferenceGraph.BY_CODE_POINT)
                    .thenComparing(Row::id, ReferenceGraph.BY_CODE_POINT);

    private final ReferenceGraph graph;
    private final List<String> chain;
    private final Map<String, Set<String>> starts = new TreeMap<>();
    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<String, Set<List<String>>> backwards = new TreeMap<>();
    private final Set<String> hubs = ReferenceGraph.ordered();

    private FollowByBruteForce(ReferenceGraph graph, List<String> chain) {
        this.graph = graph;
        this.chain = chain;
    }

    static Result<Row> find(
            ReferenceGraph graph,
            List<String> starts,
            List<String> chain,
            int examples,
            int limit) {
        FollowByBruteForce search = new FollowByBruteForce(graph, chain);
        Set<String> level = new HashSet<>(starts);
        for (String spec : chain) {
            level = search.level(level, spec);
        }
        starts.forEach(start -> search.walk(start, List.of(start), new HashSet<>()));
        List<Row> rows = new ArrayList<>();
        search.counts.forEach((end, count) -> rows.add(search.row(end, count, examples)));
        rows.sort(ORDER);
        return new Result<>(
                rows.stream().limit(limit).toList(),
                ReferenceGraph.cut(search.hubs, rows.size() > limit ? "limit" : ""));
    }

    /** Any walk reports hubs, also one that uses a relationship twice. */
    private Set<String> level(Set<String> nodes, String spec) {
        Set<String> next = new HashSet<>();
        for (String node : nodes) {
            if (isHub(node, spec)) {
                hubs.add(node);
            } else {
                open(node, spec).stream().map(Arc::to).filter(graph::isVisible).forEach(next::add);
            }
        }
        return next;
    }

    private void walk(String node, List<String> path, Set<Edge> used) {
        int depth = path.size() - 1;
        if (depth == chain.size()) {
            List<String> reversed = new ArrayList<>(path);
            Collections.reverse(reversed);
            counts.merge(node, 1L, Long::sum);
            starts.computeIfAbsent(node, unseen -> new HashSet<>()).add(path.get(0));
            backwards
                    .computeIfAbsent(node, unseen -> new TreeSet<>(ReferenceGraph.ITEM_BY_ITEM))
                    .add(reversed);
            return;
        }
        if (isHub(node, chain.get(depth))) {
            return;
        }
        for (Arc arc : open(node, chain.get(depth))) {
            if (graph.isVisible(arc.to()) && used.add(arc.edge())) {
                List<String> longer = new ArrayList<>(path);
                longer.add(arc.to());
                walk(arc.to(), longer, used);
                used.remove(arc.edge());
            }
        }
    }

    private List<Arc> arcs(String node, String spec) {
        return graph.arcs(node).stream().filter(arc -> arc.spec().equals(spec)).toList();
    }

    private List<Arc> open(String node, String spec) {
        return graph.open(node).stream().filter(arc -> arc.spec().equals(spec)).toList();
    }

    private boolean isHub(String node, String spec) {
        long max = graph.rules().maxDegree();
        return max > 0 && arcs(node, spec).size() > max;
    }

    private Row row(String end, long count, int examples) {
        List<List<String>> paths = new ArrayList<>();
        for (List<String> each : backwards.get(end)) {
            if (paths.size() < examples) {
                List<String> path = new ArrayList<>(each);
                Collections.reverse(path);
                paths.add(path);
            }
        }
        return new Row(end, graph.name(end), starts.get(end).size(), count, paths);
    }
}
