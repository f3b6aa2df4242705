package io.github.kgdb.kernel.reference;

import io.github.kgdb.kernel.neighbors.Neighbors;
import io.github.kgdb.kernel.reference.ReferenceGraph.Arc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads every relationship, and every pair of relationships at a mediator, one by one. */
final class NeighborsByBruteForce {
    record Row(
            String source,
            String relation,
            String direction,
            String viaRelation,
            String name,
            String id,
            String via,
            long count) {
        static Row of(Neighbors.Row row) {
            return new Row(
                    row.source().id(),
                    row.relation(),
                    row.direction().text(),
                    row.viaRelation(),
                    row.neighbor().name(),
                    row.neighbor().id(),
                    row.via() == null ? null : row.via().id(),
                    row.count());
        }

        private List<String> group() {
            return List.of(source, relation, direction, String.valueOf(viaRelation));
        }
    }

    private static final Comparator<String> ORDER =
            Comparator.nullsFirst(ReferenceGraph.BY_CODE_POINT);
    private static final Comparator<Row> WITHIN_SOURCE =
            Comparator.comparing(Row::relation, ORDER)
                    .thenComparing(Row::direction, ORDER)
                    .thenComparing(Row::viaRelation, ORDER)
                    .thenComparing(Row::name, ORDER)
                    .thenComparing(Row::id, ORDER)
                    .thenComparing(Row::via, ORDER);

    private final ReferenceGraph graph;
    private final Set<String> hubs = ReferenceGraph.ordered();

    private NeighborsByBruteForce(ReferenceGraph graph) {
        this.graph = graph;
    }

    static Result<Row> find(
            ReferenceGraph graph, List<String> sources, long perRelation, int limit) {
        NeighborsByBruteForce search = new NeighborsByBruteForce(graph);
        List<Row> all = new ArrayList<>();
        sources.forEach(source -> all.addAll(search.from(source)));
        Map<List<String>, Long> seen = new TreeMap<>(ReferenceGraph.ITEM_BY_ITEM);
        List<Row> kept =
                all.stream()
                        .filter(row -> seen.merge(row.group(), 1L, Long::sum) <= perRelation)
                        .toList();
        return new Result<>(
                kept.stream().limit(limit).toList(),
                ReferenceGraph.cut(
                        search.hubs,
                        kept.size() < all.size() ? "perRelation" : "",
                        kept.size() > limit ? "limit" : ""));
    }

    private List<Row> from(String source) {
        if (graph.isHub(source)) {
            hubs.add(source);
            return List.of();
        }
        List<Row> single = new ArrayList<>();
        for (Arc arc : graph.open(source)) {
            if (!graph.isVisible(arc.to())) {
                continue;
            }
            if (!graph.isMediator(arc.to())) {
                single.add(row(source, arc, null, arc.to(), null));
            } else if (graph.isHub(arc.to())) {
                hubs.add(arc.to());
            } else {
                for (Arc next : graph.open(arc.to())) {
                    if (next.edge() != arc.edge()
                            && graph.isVisible(next.to())
                            && !graph.isMediator(next.to())
                            && !next.to().equals(source)) {
                        single.add(row(source, arc, next.spec(), next.to(), arc.to()));
                    }
                }
            }
        }
        return single.stream()
                .collect(Collectors.groupingBy(row -> row, Collectors.counting()))
                .entrySet()
                .stream()
                .map(entry -> counted(entry.getKey(), entry.getValue()))
                .sorted(WITHIN_SOURCE)
                .toList();
    }

    private Row row(String source, Arc arc, String viaRelation, String end, String via) {
        return new Row(
                source,
                ReferenceGraph.bare(arc.spec()),
                ReferenceGraph.isAgainst(arc.spec()) ? "in" : "out",
                viaRelation,
                graph.name(end),
                end,
                via,
                1);
    }

    private static Row counted(Row row, long count) {
        return new Row(
                row.source,
                row.relation,
                row.direction,
                row.viaRelation,
                row.name,
                row.id,
                row.via,
                count);
    }
}
