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
 * Relation-aware beam search (GoT-R, equations 5 to 7). Each hop follows the relations for which it
 * has a similarity, and keeps the paths with the largest sum of similarities.
 */
public final class Beam {
    /**
     * @param hops per hop, the similarity of each relation to the wanted one
     * @param mediators whether a hop that arrives at a mediator continues, and each half counts
     *     half
     * @param width beam width: paths kept after each hop
     * @param relationsPerNode the most similar relations to follow from one node
     * @param maxDegree a node with more relationships to follow is not expanded
     */
    public record Query(
            List<Hop> hops, boolean mediators, int width, long relationsPerNode, long maxDegree) {}

    /**
     * @param entities from the start to the end
     * @param relations between them, with {@code ^} if followed against their direction
     * @param similarities of these relations, as they count in the score
     * @param count the number of paths that differ from this one only in parallel relationships
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

    /** For each node of a path: its entries in the path's list of ids and in the row's lists. */
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

    /** Rows ordered by score (largest first), ids and relations. */
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
