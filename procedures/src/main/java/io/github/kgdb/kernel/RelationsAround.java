package io.github.kgdb.kernel;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The distinct relations around a set of nodes: what could be followed from there. */
public final class RelationsAround {
    /**
     * @param steps the relations to tell of
     * @param limit rows of the whole call
     */
    public record Query(List<RelationStep> steps, int limit) {}

    /**
     * @param nodes how many of the given nodes have the relation in this direction
     * @param count how many relationships they have of it
     * @param truncated the limit left out rows
     */
    public record Row(
            String relation, Direction direction, long nodes, long count, boolean truncated) {}

    private static final Comparator<Row> ORDER =
            Comparator.comparingLong(Row::count)
                    .reversed()
                    .thenComparing(Row::relation, CodePoints.ORDER)
                    .thenComparing(row -> row.direction().text());

    private RelationsAround() {}

    /** Rows by count, largest first, then relation and direction. */
    public static List<Row> find(GraphView view, long[] nodes, Query query) {
        Map<RelationStep, Tally> tallies = new HashMap<>();
        for (long node : nodes) {
            view.graph()
                    .menu(
                            node,
                            (relation, outgoing, incoming) -> {
                                add(tallies, query, relation, Direction.OUT, outgoing);
                                add(tallies, query, relation, Direction.IN, incoming);
                            });
        }
        boolean truncated = tallies.size() > query.limit();
        return tallies.entrySet().stream()
                .map(
                        entry ->
                                new Row(
                                        view.dictionary().relation(entry.getKey().relation()),
                                        entry.getKey().direction(),
                                        entry.getValue().nodes(),
                                        entry.getValue().count(),
                                        truncated))
                .sorted(ORDER)
                .limit(query.limit())
                .toList();
    }

    private static void add(
            Map<RelationStep, Tally> tallies,
            Query query,
            int relation,
            Direction direction,
            long count) {
        if (count > 0
                && query.steps().stream().anyMatch(step -> step.covers(relation, direction))) {
            tallies.merge(new RelationStep(relation, direction), new Tally(1, count), Tally::plus);
        }
    }

    private record Tally(long nodes, long count) {
        Tally plus(Tally other) {
            return new Tally(nodes + other.nodes, count + other.count);
        }
    }
}
