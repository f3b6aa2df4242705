package io.github.kgdb.graph.cache;

import io.github.kgdb.graph.store.CursorGraphReader;
import io.github.kgdb.graph.store.NodeFilter;
import io.github.kgdb.kernel.api.AdjacencyList;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.kernel.api.TerminationTicker;

import java.util.function.LongPredicate;

/**
 * Reads adjacency lists from the cache and everything else from the store. A call that reads most
 * relationships of a node fills the cache at once, which takes little longer. A node of which calls
 * read only part (a few relations, or one direction) is cached after as many reads as its degree,
 * and a sparse node after four full reads.
 */
public final class CachingGraphReader implements GraphReader {
    private static final StepFilter ANY = StepFilter.any(Direction.BOTH);

    /** Caching a sparse node costs as much as reading it this many times. */
    public static final int READS_OF_SPARSE = 4;

    private final CursorGraphReader store;
    private final AdjacencyListCache cache;
    private final boolean filtered;
    private final Termination termination;
    private final TerminationTicker ticker;

    /**
     * @param filter the filter of {@code store}
     */
    public CachingGraphReader(
            CursorGraphReader store,
            AdjacencyListCache cache,
            NodeFilter filter,
            Termination termination) {
        this.store = store;
        this.cache = cache;
        this.filtered = !filter.labels().isEmpty();
        this.termination = termination;
        this.ticker = new TerminationTicker(termination);
    }

    @Override
    public void expand(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        CachedAdjacencyList list = cache.get(node);
        if (list == null) {
            if (expandSparse(node, steps, exempt, visitor)) {
                return;
            }
            // Counting first takes half as long as reading the few relationships of a relation.
            if (steps.isSelection() || cache.isMissed(node) || !isMostOfHub(node, steps)) {
                expandSome(node, steps, exempt, visitor);
                return;
            }
            list = CachedAdjacencyList.read(store, node, this::isInGraph);
            cache.put(list);
        }
        termination.check();
        LongPredicate wanted = filtered ? other -> exempt.test(other) || mayVisitNext(other) : ALL;
        list.visit(steps, wanted, visitor);
    }

    /** {@link #mayVisit} for one of many nodes. */
    private boolean mayVisitNext(long other) {
        ticker.tick();
        return store.mayVisit(other);
    }

    private boolean isInGraph(long other) {
        ticker.tick();
        return store.isInGraph(other);
    }

    private void expandSome(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        long[] read = {0};
        store.expand(
                node,
                steps,
                exempt,
                (relation, direction, neighbor) -> {
                    read[0]++;
                    visitor.visit(relation, direction, neighbor);
                });
        // A node without such relationships costs a read too.
        recordCacheMiss(node, read[0] + 1);
    }

    @Override
    public boolean expandIfSparse(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        return cache.get(node) == null && expandSparse(node, steps, exempt, visitor);
    }

    /** For a node that is not cached. */
    private boolean expandSparse(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        long read = store.expandSparse(node, steps, exempt, visitor);
        if (cache.isWorthwhile(read)) {
            recordCacheMiss(node, read / READS_OF_SPARSE);
        }
        return read != CursorGraphReader.NOT_SPARSE;
    }

    @Override
    public long degree(long node, StepFilter steps) {
        CachedAdjacencyList list = cache.get(node);
        return list == null ? store.degree(node, steps) : list.degree(steps);
    }

    @Override
    public long degreeUpTo(long node, StepFilter steps, long limit) {
        CachedAdjacencyList list = cache.get(node);
        return list == null ? store.degreeUpTo(node, steps, limit) : list.degree(steps);
    }

    @Override
    public boolean isSparse(long node) {
        return cache.get(node) == null && store.isSparse(node);
    }

    @Override
    public void degreesByType(long node, DegreeVisitor visitor) {
        CachedAdjacencyList list = cache.get(node);
        if (list == null) {
            store.degreesByType(node, visitor);
        } else {
            list.degreesByType(visitor);
        }
    }

    @Override
    public boolean leadsInside(long node, RelationStep step) {
        CachedAdjacencyList list = cache.get(node);
        if (list == null) {
            return store.leadsInside(node, step);
        }
        return filtered ? GraphReader.super.leadsInside(node, step) : list.leadsInside(step);
    }

    @Override
    public boolean staysInside(int relation) {
        return store.staysInside(relation);
    }

    @Override
    public boolean mayVisit(long node) {
        return store.mayVisit(node);
    }

    @Override
    public boolean isMediator(long node) {
        return store.isMediator(node);
    }

    /** Null if the filter has labels: each neighbor would have to be checked. */
    @Override
    public AdjacencyList cachedAdjacency(long node) {
        return filtered ? null : cache.get(node);
    }

    @Override
    public void recordCacheMiss(long node, long reads) {
        if (filtered || !cache.recordMiss(node, reads)) {
            return;
        }
        long all = store.degreeUpTo(node, ANY, Integer.MAX_VALUE);
        if (cache.isWorthwhile(all) && cache.hasRoomFor(node, all) && cache.isDue(node, all)) {
            cache.put(CachedAdjacencyList.read(store, node, this::isInGraph));
        }
    }

    private boolean isMostOfHub(long node, StepFilter steps) {
        long requested = store.degreeUpTo(node, steps, Integer.MAX_VALUE);
        if (!cache.isWorthwhile(requested)) {
            return false;
        }
        long max = 2 * requested;
        long all = store.degreeUpTo(node, ANY, max + 1);
        return all <= max && cache.hasRoomFor(node, all);
    }
}
