package io.github.kgdb.kernel.neighbors;

import io.github.kgdb.kernel.api.CodePoints;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.api.Limit;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.SaturatedMath;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.TerminationTicker;
import io.github.kgdb.kernel.api.Truncation;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The distinct relations around a set of nodes: those that can be followed from there. */
public final class RelationsAround {
    /**
     * @param steps the relations to return
     * @param mediators whether to return the relations that lead on from mediators, which requires
     *     reading relationships
     * @param limit maximum rows of the whole start set
     * @param maxDegree where relationships are read, a node with more of them is skipped
     */
    public record Query(StepFilter steps, boolean mediators, int limit, long maxDegree) {}

    /**
     * @param viaRelation the relation that leads on from a mediator, or null
     * @param nodes the number of start nodes with the relation in this direction
     * @param count the number of their relationships; through mediators, of pairs of them
     */
    public record Row(
            String relation, Direction direction, String viaRelation, long nodes, long count) {}

    private static final Comparator<Row> ORDER =
            Comparator.comparingLong(Row::count)
                    .reversed()
                    .thenComparing(Row::relation, CodePoints.ORDER)
                    .thenComparing(row -> row.direction().text())
                    .thenComparing(Row::viaRelation, Comparator.nullsFirst(CodePoints.ORDER));

    private static final long TALLY_BYTES = 200;
    private static final long ARC_BYTES = 130;

    private final GraphView view;
    private final Query query;
    private final Truncation truncation = new Truncation();
    private final Map<Key, Tally> tallies = new HashMap<>();
    private final MemoryBudget.Account results;

    private RelationsAround(GraphView view, Query query, MemoryBudget.Account results) {
        this.view = view;
        this.query = query;
        this.results = results;
    }

    /** Rows ordered by count (largest first), relation and direction. */
    public static KernelResult<Row> find(
            GraphView view, long[] nodes, Query query, MemoryBudget.Account results) {
        RelationsAround around = new RelationsAround(view, query, results);
        for (long node : nodes) {
            view.termination().check();
            around.add(node);
        }
        return KernelResult.of(around.rows(), around.truncation, view);
    }

    private void add(long node) {
        Map<Key, Long> counts = new HashMap<>();
        if (query.mediators()) {
            countThroughMediators(node, counts);
        } else {
            visitDegrees(
                    node,
                    (step, count) -> counts.merge(new Key(step, null), count, SaturatedMath::plus));
        }
        int before = tallies.size();
        counts.forEach((key, count) -> tallies.merge(key, new Tally(1, count), Tally::plus));
        results.allocate((tallies.size() - before) * TALLY_BYTES);
    }

    private void countThroughMediators(long node, Map<Key, Long> counts) {
        if (!view.mayExpand(node, query.steps(), query.maxDegree(), truncation)) {
            return;
        }
        try (MemoryBudget.Account scratch = view.memory().open()) {
            Map<Arc, Long> arcs = new HashMap<>();
            view.graph()
                    .expand(
                            node,
                            query.steps(),
                            (relation, direction, other) -> {
                                RelationStep step = new RelationStep(relation, direction);
                                if (arcs.merge(new Arc(step, other), 1L, SaturatedMath::plus)
                                        == 1) {
                                    scratch.allocate(ARC_BYTES);
                                }
                            });
            count(arcs, counts);
        }
    }

    private void count(Map<Arc, Long> arcs, Map<Key, Long> counts) {
        TerminationTicker ticker = new TerminationTicker(view.termination());
        arcs.forEach(
                (arc, parallels) -> {
                    ticker.tick();
                    if (view.graph().isMediator(arc.node)) {
                        countBehind(arc, parallels, counts);
                    } else {
                        counts.merge(new Key(arc.step, null), parallels, SaturatedMath::plus);
                    }
                });
    }

    private void countBehind(Arc arc, long parallels, Map<Key, Long> counts) {
        if (!view.mayExpand(arc.node, query.steps(), query.maxDegree(), truncation)) {
            return;
        }
        visitDegrees(
                arc.node,
                (step, degree) -> {
                    // The relationship that led to the mediator does not lead on.
                    long onwards = step.equals(arc.step.reversed()) ? degree - 1 : degree;
                    if (onwards > 0) {
                        long pairs = SaturatedMath.times(parallels, onwards);
                        counts.merge(new Key(arc.step, step), pairs, SaturatedMath::plus);
                    }
                });
    }

    /** Visits the steps by which one can go on in the graph, with the node's degrees. */
    private void visitDegrees(long node, StepVisitor visitor) {
        Map<RelationStep, Long> degrees = new HashMap<>();
        view.graph()
                .degreesByType(
                        node,
                        (relation, outgoing, incoming) -> {
                            visit(relation, Direction.OUT, outgoing, degrees::put);
                            visit(relation, Direction.IN, incoming, degrees::put);
                        });
        degrees.forEach(
                (step, count) -> {
                    if (view.graph().leadsInside(node, step)) {
                        visitor.visit(step, count);
                    }
                });
    }

    private void visit(int relation, Direction direction, long count, StepVisitor visitor) {
        if (count > 0 && query.steps().allows(relation, direction)) {
            visitor.visit(new RelationStep(relation, direction), count);
        }
    }

    private List<Row> rows() {
        truncation.addIf(tallies.size() > query.limit(), Limit.LIMIT);
        return tallies.entrySet().stream()
                .map(entry -> row(entry.getKey(), entry.getValue()))
                .sorted(ORDER)
                .limit(query.limit())
                .toList();
    }

    private Row row(Key key, Tally tally) {
        return new Row(
                view.dictionary().relation(key.step.relation()),
                key.step.direction(),
                key.behind == null ? null : view.spec(key.behind),
                tally.nodes,
                tally.count);
    }

    @FunctionalInterface
    private interface StepVisitor {
        void visit(RelationStep step, long count);
    }

    private record Arc(RelationStep step, long node) {}

    /**
     * @param behind the step after a mediator, or null
     */
    private record Key(RelationStep step, RelationStep behind) {}

    private record Tally(long nodes, long count) {
        Tally plus(Tally other) {
            return new Tally(
                    SaturatedMath.plus(nodes, other.nodes), SaturatedMath.plus(count, other.count));
        }
    }
}
