package io.github.kgdb.kernel.reference;

import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.beam.Beam;
import io.github.kgdb.kernel.reference.ReferenceGraph.Arc;
import io.github.kgdb.kernel.reference.ReferenceGraph.Edge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Enumerates paths with the relationships that they use, and groups paths with the same nodes and
 * relations.
 */
final class BeamByBruteForce {
    record Row(
            List<String> ids,
            List<String> relations,
            List<Double> similarities,
            double score,
            long count) {
        static Row of(Beam.Row row) {
            return new Row(
                    row.entities().stream().map(Entity::id).toList(),
                    row.relations(),
                    row.similarities(),
                    row.score(),
                    row.count());
        }
    }

    /**
     * @param hops per hop, similarities by spec
     */
    record Query(List<Map<String, Double>> hops, int width, long relationsPerNode) {}

    private record Path(
            List<String> ids, List<String> specs, List<Double> similarities, List<Edge> edges) {
        String end() {
            return ids.get(ids.size() - 1);
        }

        double score() {
            double score = 0;
            for (double similarity : similarities) {
                score += similarity;
            }
            return score;
        }
    }

    private static final Comparator<Row> ORDER =
            Comparator.comparingDouble((Row row) -> -row.score())
                    .thenComparing(Row::ids, ReferenceGraph.ITEM_BY_ITEM)
                    .thenComparing(Row::relations, ReferenceGraph.ITEM_BY_ITEM);

    private final ReferenceGraph graph;
    private final Query query;
    private final Set<String> hubs = ReferenceGraph.ordered();

    private BeamByBruteForce(ReferenceGraph graph, Query query) {
        this.graph = graph;
        this.query = query;
    }

    static Result<Row> search(ReferenceGraph graph, List<String> starts, Query query) {
        BeamByBruteForce search = new BeamByBruteForce(graph, query);
        List<Path> paths =
                starts.stream()
                        .map(start -> new Path(List.of(start), List.of(), List.of(), List.of()))
                        .toList();
        for (Map<String, Double> hop : query.hops) {
            List<Path> next = new ArrayList<>();
            paths.forEach(path -> next.addAll(search.hop(path, hop)));
            List<Row> best = search.rows(next);
            paths =
                    next.stream()
                            .filter(
                                    path ->
                                            best.stream()
                                                    .anyMatch(
                                                            row ->
                                                                    row.ids.equals(path.ids)
                                                                            && row.relations.equals(
                                                                                    path.specs)))
                            .toList();
        }
        return new Result<>(search.rows(paths), ReferenceGraph.cut(search.hubs));
    }

    private List<Row> rows(List<Path> paths) {
        Map<List<List<String>>, List<Path>> together =
                paths.stream()
                        .collect(Collectors.groupingBy(path -> List.of(path.ids, path.specs)));
        return together.values().stream()
                .map(
                        same ->
                                new Row(
                                        same.get(0).ids,
                                        same.get(0).specs,
                                        same.get(0).similarities,
                                        same.get(0).score(),
                                        same.size()))
                .sorted(ORDER)
                .limit(query.width)
                .toList();
    }

    private List<Path> hop(Path path, Map<String, Double> hop) {
        List<Path> arrived = new ArrayList<>();
        for (Path first : step(path, hop, 1)) {
            if (!graph.isMediator(first.end())) {
                arrived.add(first);
                continue;
            }
            List<Double> similarities = new ArrayList<>(first.similarities);
            int last = similarities.size() - 1;
            similarities.set(last, similarities.get(last) / 2);
            Path half = new Path(first.ids, first.specs, similarities, first.edges);
            for (Path second : step(half, hop, 2)) {
                if (!graph.isMediator(second.end())) {
                    arrived.add(second);
                }
            }
        }
        return arrived;
    }

    private List<Path> step(Path path, Map<String, Double> hop, int parts) {
        List<Arc> present =
                graph.arcs(path.end()).stream().filter(arc -> hop.containsKey(arc.spec())).toList();
        Comparator<String> bySimilarity =
                Comparator.comparingDouble((String spec) -> -hop.get(spec))
                        .thenComparing(ReferenceGraph::bare, ReferenceGraph.BY_CODE_POINT)
                        .thenComparing(ReferenceGraph::isAgainst);
        Set<String> followed =
                present.stream()
                        .map(Arc::spec)
                        .distinct()
                        .sorted(bySimilarity)
                        .limit(query.relationsPerNode)
                        .collect(Collectors.toSet());
        List<Arc> arcs = present.stream().filter(arc -> followed.contains(arc.spec())).toList();
        if (graph.rules().maxDegree() > 0 && arcs.size() > graph.rules().maxDegree()) {
            hubs.add(path.end());
            return List.of();
        }
        return arcs.stream()
                .filter(arc -> graph.rules().allow(arc.edge()))
                .filter(arc -> graph.isVisible(arc.to()) && !path.edges.contains(arc.edge()))
                .map(
                        arc ->
                                new Path(
                                        longer(path.ids, arc.to()),
                                        longer(path.specs, arc.spec()),
                                        longer(path.similarities, hop.get(arc.spec()) / parts),
                                        longer(path.edges, arc.edge())))
                .toList();
    }

    private static <T> List<T> longer(List<T> list, T item) {
        List<T> longer = new ArrayList<>(list);
        longer.add(item);
        return longer;
    }
}
