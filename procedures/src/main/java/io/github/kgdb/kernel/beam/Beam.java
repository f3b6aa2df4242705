package io.github.kgdb.kernel.beam;

import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.EntityMemo;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.TopK;
import io.github.kgdb.kernel.api.Truncation;

import java.util.Arrays;
import java.util.List;

/**
 * Relation-aware beam search (GoT-R, equations 5 to 7): each hop follows those relations of a
 * path's end that the hop knows a similarity for, and keeps the paths with the largest sum.
 */
public final class Beam {
    /**
     * @param hops per hop, how similar each relation is to the one that was asked for
     * @param mediators whether a hop that arrives at a mediator goes on, each half counting half
     * @param width paths kept after each hop
     * @param relationsPerNode the best relations of one path end that are followed
     * @param maxDegree a node with more relationships to follow is not expanded
     */
    public record Query(
            List<Hop> hops, boolean mediators, int width, long relationsPerNode, long maxDegree) {}

    /**
     * @param entities from the start to the end
     * @param relations between them, {@code ^} before one that is gone against
     * @param similarities of these relations, as they count in the score
     * @param count how many paths differ from this one only in parallel relationships
     */
    public record Row(
            List<Entity> entities,
            List<String> relations,
            List<Double> similarities,
            double score,
            long count) {
        public Entity end() {
            return entities.get(entities.size() - 1);
        }
    }

    private static final long PATH_BYTES = 400;

    /** Of each node of a trail: in its list of ids, and in those of the row. */
    private static final long PATH_NODE_BYTES = 40;

    private final GraphView view;
    private final Query query;
    private final MemoryBudget.Account account;
    private final Truncation truncation = new Truncation();
    private final ScoredPathOrder order;
    private final Expansion expansion;
    private final EntityMemo entities;

    private Beam(GraphView view, Query query, MemoryBudget.Account account) {
        this.view = view;
        this.query = query;
        this.account = account;
        this.entities = new EntityMemo(view, account);
        this.order = new ScoredPathOrder(view);
        this.expansion =
                new Expansion(
                        view,
                        query.mediators(),
                        query.relationsPerNode(),
                        query.maxDegree(),
                        truncation);
    }

    /** Rows by score, largest first, then ids and relations. */
    public static KernelResult<Row> search(
            GraphView view, long[] starts, Query query, MemoryBudget.Account account) {
        Beam beam = new Beam(view, query, account);
        List<Row> rows = beam.search(starts).stream().map(beam::row).toList();
        return KernelResult.of(rows, beam.truncation, view);
    }

    private List<ScoredPath> search(long[] starts) {
        List<ScoredPath> paths = Arrays.stream(starts).mapToObj(ScoredPath::at).toList();
        int nodes = 1;
        for (Hop hop : query.hops()) {
            TopK<ScoredPath> best = new TopK<>(order, query.width());
            try (MemoryBudget.Account scratch = view.memory().open()) {
                LazyExpansion branches = new LazyExpansion(view, expansion, hop, scratch);
                paths.forEach(branches::addFrom);
                branches.follow(best, query.mediators() && query.maxDegree() != Long.MAX_VALUE);
            }
            paths = List.copyOf(best.items());
            nodes++;
            account.allocate(paths.size() * (PATH_BYTES + PATH_NODE_BYTES * nodes));
        }
        return paths.stream().sorted(order).limit(query.width()).toList();
    }

    private Row row(ScoredPath path) {
        view.termination().check();
        return new Row(
                path.entities(entities),
                order.relations(path),
                path.similarities(),
                path.score(),
                path.count());
    }
}
