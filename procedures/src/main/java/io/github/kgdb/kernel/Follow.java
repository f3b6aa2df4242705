package io.github.kgdb.kernel;

import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Follows one exact chain of relations. A path uses no relationship twice but may come back to a
 * node, as in Cypher.
 */
public final class Follow {
    /**
     * @param chain each step with one relation, in direction {@code OUT} or {@code IN}
     * @param limit rows of the whole call
     * @param examples paths shown per row
     * @param maxDegree relationships read of one node at one step
     * @param maxPaths node sequences looked at, where a relation occurs twice in the chain
     */
    public record Query(
            List<RelationStep> chain, int limit, int examples, long maxDegree, long maxPaths) {}

    /**
     * @param starts how many of the start nodes reach {@code end}
     * @param count how many paths end there
     * @param examples some of the node sequences that paths run through, start and end included
     * @param truncated the call was cut by one of its caps
     */
    public record Row(
            Entity end, long starts, long count, List<List<Entity>> examples, boolean truncated) {}

    private static final long END_BYTES = Entity.HEAP_BYTES + 40;

    private static final Comparator<End> ORDER =
            Comparator.comparingInt(End::starts)
                    .thenComparingLong(End::count)
                    .reversed()
                    .thenComparing(End::entity, Entity.BY_NAME);

    private final GraphView view;
    private final Walks walks;
    private final MemoryBudget.Account account;
    private final LongObjectHashMap<Entity> entities = new LongObjectHashMap<>();

    private Follow(GraphView view, Walks walks, MemoryBudget.Account account) {
        this.view = view;
        this.walks = walks;
        this.account = account;
    }

    /** Rows by starts and count, largest first, then name and id. */
    public static List<Row> run(
            GraphView view, long[] starts, Query query, MemoryBudget.Account account) {
        Walks walks = Walks.from(starts, query.chain(), query.maxDegree(), view, account);
        PathCounts counts = PathCounts.of(walks, query.maxPaths(), view.termination(), account);
        return new Follow(view, walks, account).rows(counts, query);
    }

    private List<Row> rows(PathCounts counts, Query query) {
        List<End> ends = new ArrayList<>();
        for (int place = 0; place < walks.last().size(); place++) {
            if (counts.counts()[place] > 0) {
                account.allocate(END_BYTES);
                Entity entity = entity(walks.last().nodes()[place]);
                ends.add(new End(place, entity, counts.starts()[place], counts.counts()[place]));
            }
        }
        ends.sort(ORDER);
        boolean truncated = walks.truncated() || counts.truncated() || ends.size() > query.limit();
        PathEnumerator enumerator =
                new PathEnumerator(walks, ArcOrder.byId(walks, this::entity), view.termination());
        return ends.stream()
                .limit(query.limit())
                .map(
                        end ->
                                new Row(
                                        end.entity,
                                        end.starts,
                                        end.count,
                                        examples(enumerator, end.place, query.examples()),
                                        truncated))
                .toList();
    }

    private List<List<Entity>> examples(PathEnumerator enumerator, int end, int most) {
        List<List<Entity>> examples = new ArrayList<>();
        if (most == 0) {
            return examples;
        }
        enumerator.enumerate(
                end,
                (places, paths) -> {
                    if (paths > 0) {
                        account.allocate(60 + 8L * places.length);
                        examples.add(
                                IntStream.range(0, places.length)
                                        .mapToObj(
                                                level ->
                                                        entity(
                                                                walks.levels()
                                                                        .get(level)
                                                                        .nodes()[places[level]]))
                                        .toList());
                    }
                    return examples.size() < most;
                });
        return examples;
    }

    private Entity entity(long node) {
        return entities.getIfAbsentPut(
                node,
                () -> {
                    view.termination().check();
                    account.allocate(Entity.HEAP_BYTES);
                    return view.dictionary().entity(node);
                });
    }

    private record End(int place, Entity entity, int starts, long count) {}
}
