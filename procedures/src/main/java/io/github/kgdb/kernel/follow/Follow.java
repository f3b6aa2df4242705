package io.github.kgdb.kernel.follow;

import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.EntityMemo;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.api.Limit;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.TopK;
import io.github.kgdb.kernel.api.Truncation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Follows one exact chain of relations. As in Cypher, a path uses no relationship twice but may
 * visit a node twice.
 */
public final class Follow {
    /**
     * @param chain each step with one relation, in direction {@code OUT} or {@code IN}
     * @param limit maximum rows of the whole start set
     * @param examples paths to show in each row
     * @param maxDegree a node with more relationships of a step is not expanded by it
     * @param maxPaths maximum node sequences to enumerate if a relation occurs twice in the chain
     */
    public record Query(
            List<RelationStep> chain, int limit, int examples, long maxDegree, long maxPaths) {}

    /**
     * @param starts the number of start nodes that reach {@code end}
     * @param count the number of paths that end there
     * @param examples some of the paths as node sequences, from start to end
     */
    public record Row(Entity end, long starts, long count, List<List<Entity>> examples) {}

    private static final long END_BYTES = Entity.HEAP_BYTES + 40;

    /** For each example: its list of nodes, and the lists of their ids and names in the row. */
    private static final long EXAMPLE_BYTES = 160;

    private static final long EXAMPLE_NODE_BYTES = 24;

    private final GraphView view;
    private final LayeredGraph layers;
    private final MemoryBudget.Account account;
    private final EntityMemo entities;
    private final Truncation truncation;

    private Follow(
            GraphView view,
            LayeredGraph layers,
            MemoryBudget.Account account,
            Truncation truncation) {
        this.view = view;
        this.layers = layers;
        this.account = account;
        this.entities = new EntityMemo(view, account);
        this.truncation = truncation;
    }

    /** Rows ordered by starts and count (largest first), name and id. */
    public static KernelResult<Row> run(
            GraphView view, long[] starts, Query query, MemoryBudget.Account account) {
        Truncation truncation = new Truncation();
        LayeredGraph layers =
                LayeredGraph.from(
                        starts, query.chain(), query.maxDegree(), view, account, truncation);
        PathCounts counts = PathCounts.of(layers, query.maxPaths(), view.termination(), account);
        truncation.addIf(counts.truncated(), Limit.MAX_PATHS);
        List<Row> rows = new Follow(view, layers, account, truncation).rows(counts, query);
        return KernelResult.of(rows, truncation, view);
    }

    private List<Row> rows(PathCounts counts, Query query) {
        List<End> ends = new ArrayList<>();
        for (int index = 0; index < layers.last().size(); index++) {
            if (counts.counts()[index] > 0) {
                account.allocate(END_BYTES);
                ends.add(new End(index, counts.starts()[index], counts.counts()[index]));
            }
        }
        truncation.addIf(ends.size() > query.limit(), Limit.LIMIT);
        List<End> returned = first(ends, query.limit());
        return query.examples() == 0
                ? withoutExamples(returned)
                : withExamples(returned, query.examples());
    }

    /** The first ends in order. A hub leads to far more ends than are returned. */
    private static List<End> first(List<End> ends, int limit) {
        if (ends.size() <= limit) {
            ends.sort(null);
            return ends;
        }
        TopK<End> best = new TopK<>(Comparator.naturalOrder(), limit);
        ends.forEach(best::offer);
        return best.sorted();
    }

    private static List<Row> withoutExamples(List<End> ends) {
        List<Row> rows = new ArrayList<>(ends.size());
        for (End end : ends) {
            rows.add(new Row(end.entity(), end.starts, end.count, List.of()));
        }
        return rows;
    }

    private List<Row> withExamples(List<End> ends, int max) {
        PathEnumerator enumerator =
                new PathEnumerator(
                        layers, ArcOrder.byId(layers, entities::get), view.termination());
        List<Row> rows = new ArrayList<>(ends.size());
        for (End end : ends) {
            rows.add(
                    new Row(
                            end.entity(),
                            end.starts,
                            end.count,
                            examples(enumerator, end.index, max)));
        }
        return rows;
    }

    private List<List<Entity>> examples(PathEnumerator enumerator, int end, int max) {
        List<List<Entity>> examples = new ArrayList<>();
        enumerator.enumerate(
                end,
                (positions, paths) -> {
                    if (paths > 0) {
                        account.allocate(EXAMPLE_BYTES + EXAMPLE_NODE_BYTES * positions.length);
                        examples.add(
                                IntStream.range(0, positions.length)
                                        .mapToObj(
                                                level ->
                                                        entities.get(
                                                                layers.levels()
                                                                        .get(level)
                                                                        .nodes()[positions[level]]))
                                        .toList());
                    }
                    return examples.size() < max;
                });
        return examples;
    }

    /**
     * Ordered as rows are returned: by starts and count (largest first), then by name. The name is
     * read only for ties, because most ends of a hub are not returned.
     */
    private final class End implements Comparable<End> {
        private final int index;
        private final int starts;
        private final long count;
        private Entity entity;

        End(int index, int starts, long count) {
            this.index = index;
            this.starts = starts;
            this.count = count;
        }

        Entity entity() {
            if (entity == null) {
                view.termination().check();
                entity = view.dictionary().entity(layers.last().nodes()[index]);
                account.allocate(entity.longTextBytes());
            }
            return entity;
        }

        @Override
        public int compareTo(End other) {
            if (starts != other.starts) {
                return Integer.compare(other.starts, starts);
            }
            if (count != other.count) {
                return Long.compare(other.count, count);
            }
            return Entity.BY_NAME.compare(entity(), other.entity());
        }
    }
}
