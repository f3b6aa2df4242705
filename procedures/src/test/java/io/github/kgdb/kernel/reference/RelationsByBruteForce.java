package io.github.kgdb.kernel.reference;

import io.github.kgdb.kernel.neighbors.RelationsAround;
import io.github.kgdb.kernel.reference.ReferenceGraph.Arc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts the relations around nodes relationship by relationship. */
final class RelationsByBruteForce {
    record Row(String relation, String direction, String viaRelation, long nodes, long count) {
        static Row of(RelationsAround.Row row) {
            return new Row(
                    row.relation(),
                    row.direction().text(),
                    row.viaRelation(),
                    row.nodes(),
                    row.count());
        }
    }

    private static final Comparator<String> BY_TEXT =
            Comparator.nullsFirst(ReferenceGraph.BY_CODE_POINT);
    private static final Comparator<Row> ORDER =
            Comparator.comparingLong((Row row) -> -row.count())
                    .thenComparing(Row::relation, BY_TEXT)
                    .thenComparing(Row::direction, BY_TEXT)
                    .thenComparing(Row::viaRelation, BY_TEXT);

    private record Key(String spec, String behind) {}

    private final ReferenceGraph graph;
    private final Map<Key, Set<String>> nodes = new HashMap<>();
    private final Map<Key, Long> counts = new HashMap<>();
    private final Set<String> hubs = ReferenceGraph.ordered();

    private RelationsByBruteForce(ReferenceGraph graph) {
        this.graph = graph;
    }

    static Result<Row> find(ReferenceGraph graph, List<String> sources, int limit) {
        RelationsByBruteForce search = new RelationsByBruteForce(graph);
        for (String source : sources) {
            if (graph.rules().mediators()) {
                search.goThroughMediators(source);
            } else {
                search.arcs(source).forEach(arc -> search.count(source, arc.spec(), null));
            }
        }
        List<Row> rows = new ArrayList<>();
        search.counts.forEach(
                (key, count) ->
                        rows.add(
                                new Row(
                                        ReferenceGraph.bare(key.spec),
                                        ReferenceGraph.isAgainst(key.spec) ? "in" : "out",
                                        key.behind,
                                        search.nodes.get(key).size(),
                                        count)));
        rows.sort(ORDER);
        return new Result<>(
                rows.stream().limit(limit).toList(),
                ReferenceGraph.cut(search.hubs, rows.size() > limit ? "limit" : ""));
    }

    private void goThroughMediators(String source) {
        if (graph.isHub(source)) {
            hubs.add(source);
            return;
        }
        for (Arc arc : graph.arcs(source)) {
            if (!graph.isVisible(arc.to())) {
                continue;
            }
            if (!graph.isMediator(arc.to())) {
                count(source, arc.spec(), null);
            } else if (graph.isHub(arc.to())) {
                hubs.add(arc.to());
            } else {
                for (Arc next : arcs(arc.to())) {
                    boolean isBack =
                            next.edge() == arc.edge()
                                    && next.spec().equals(ReferenceGraph.reversed(arc.spec()));
                    if (!isBack) {
                        count(source, arc.spec(), next.spec());
                    }
                }
            }
        }
    }

    /** Those whose kind leads to some node of the graph. */
    private List<Arc> arcs(String node) {
        Set<String> inside = new HashSet<>();
        for (Arc arc : graph.arcs(node)) {
            if (graph.isVisible(arc.to())) {
                inside.add(arc.spec());
            }
        }
        return graph.arcs(node).stream().filter(arc -> inside.contains(arc.spec())).toList();
    }

    private void count(String source, String spec, String behind) {
        Key key = new Key(spec, behind);
        counts.merge(key, 1L, Long::sum);
        nodes.computeIfAbsent(key, unseen -> new HashSet<>()).add(source);
    }
}
