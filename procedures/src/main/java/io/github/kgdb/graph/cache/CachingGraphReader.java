package io.github.kgdb.graph.cache;

import io.github.kgdb.graph.store.CursorGraphReader;
import io.github.kgdb.graph.store.NodeFilter;
import io.github.kgdb.kernel.api.AdjacencyList;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.kernel.api.TerminationTicker;

import java.util.function.LongPredicate;

/**
 * Reads hubs from what earlier calls have copied of them, and all else in the store. A node is
 * copied when most of its relationships are asked for, so the first call takes little longer; where
 * only some are, of a few relations or one direction, when as many have been read as it has, and
 * where it has few anyway, when they have been read four times.
 */
public final class CachingGraphReader implements GraphReader {
    private static final StepFilter ANY = StepFilter.any(Direction.BOTH);

    /** To copy a node of few relationships takes as long as to read it so many times. */
    public static final int READS_OF_SPARSE = 4;

    private final CursorGraphReader store;
    private final AdjacencyListCache cache;
    private final boolean filtered;
    private final Termination termination;
    private final TerminationTicker ticker;

    /**
     * @param filter that of the store
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
            // To count beforehand takes half as long as to read the few of a relation.
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

    /** The same as {@link #mayVisit} for one of many. */
    private boolean mayVisitNext(long other) {
        ticker.next();
        return store.mayVisit(other);
    }

    private boolean isInGraph(long other) {
        ticker.next();
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
        // One is found to have none by looking at its relations, too.
        recordCacheMiss(node, read[0] + 1);
    }

    @Override
    public boolean expandIfSparse(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        return cache.get(node) == null && expandSparse(node, steps, exempt, visitor);
    }

    /** Not for a node that is remembered. */
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

    /** None where labels are asked for: each neighbor would have to be looked at. */
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
