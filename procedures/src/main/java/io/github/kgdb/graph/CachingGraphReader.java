package io.github.kgdb.graph;

import io.github.kgdb.kernel.Direction;
import io.github.kgdb.kernel.GraphReader;
import io.github.kgdb.kernel.AdjacencyList;
import io.github.kgdb.kernel.StepFilter;
import io.github.kgdb.kernel.Termination;
import io.github.kgdb.kernel.TerminationTicker;

import java.util.function.LongPredicate;

/**
 * Reads hubs from what earlier calls have copied of them, and all else in the store. A node is
 * copied when most of its relationships are asked for, so the first call takes little longer; where
 * only some are, of a few relations or one direction, when as many have been read as it has, and
 * where it has few anyway, when they have been read four times.
 */
final class CachingGraphReader implements GraphReader {
    private static final StepFilter ANY = StepFilter.any(Direction.BOTH);

    /** To copy a node of few relationships takes as long as to read it so many times. */
    static final int READS_OF_SPARSE = 4;

    private final CursorGraphReader store;
    private final AdjacencyListCache hubs;
    private final boolean filtered;
    private final Termination termination;
    private final TerminationTicker turns;

    /**
     * @param filter that of the store
     */
    CachingGraphReader(
            CursorGraphReader store,
            AdjacencyListCache hubs,
            NodeFilter filter,
            Termination termination) {
        this.store = store;
        this.hubs = hubs;
        this.filtered = !filter.labels().isEmpty();
        this.termination = termination;
        this.turns = new TerminationTicker(termination);
    }

    @Override
    public void expand(long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        CachedAdjacencyList hub = hubs.get(node);
        if (hub == null) {
            if (expandSparse(node, steps, exempt, visitor)) {
                return;
            }
            // To count beforehand takes half as long as to read the few of a relation.
            if (steps.isSelection() || hubs.isMissed(node) || !isMostOfHub(node, steps)) {
                expandSome(node, steps, exempt, visitor);
                return;
            }
            hub = CachedAdjacencyList.read(store, node, this::isInGraph);
            hubs.remember(hub);
        }
        termination.check();
        LongPredicate wanted = filtered ? other -> exempt.test(other) || mayVisitNext(other) : ALL;
        hub.visit(steps, wanted, visitor);
    }

    /** The same as {@link #mayVisit} for one of many. */
    private boolean mayVisitNext(long other) {
        turns.next();
        return store.mayVisit(other);
    }

    private boolean isInGraph(long other) {
        turns.next();
        return store.isInGraph(other);
    }

    private void expandSome(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        long[] read = {0};
        store.expand(
                node,
                steps,
                exempt,
                (relation, direction, neighbour) -> {
                    read[0]++;
                    visitor.visit(relation, direction, neighbour);
                });
        // One is found to have none by looking at its relations, too.
        missCopy(node, read[0] + 1);
    }

    @Override
    public boolean expandUncounted(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        return hubs.get(node) == null && expandSparse(node, steps, exempt, visitor);
    }

    /** Not for a node that is remembered. */
    private boolean expandSparse(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        long read = store.expandSparse(node, steps, exempt, visitor);
        if (hubs.isWorthwhile(read)) {
            missCopy(node, read / READS_OF_SPARSE);
        }
        return read != CursorGraphReader.NOT_SPARSE;
    }

    @Override
    public long degree(long node, StepFilter steps) {
        CachedAdjacencyList hub = hubs.get(node);
        return hub == null ? store.degree(node, steps) : hub.degree(steps);
    }

    @Override
    public long countedDegree(long node, StepFilter steps, long enough) {
        CachedAdjacencyList hub = hubs.get(node);
        return hub == null ? store.countedDegree(node, steps, enough) : hub.degree(steps);
    }

    @Override
    public boolean isSparse(long node) {
        return hubs.get(node) == null && store.isSparse(node);
    }

    @Override
    public void menu(long node, MenuVisitor visitor) {
        CachedAdjacencyList hub = hubs.get(node);
        if (hub == null) {
            store.menu(node, visitor);
        } else {
            hub.menu(visitor);
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

    /** None where labels are asked for: each neighbour would have to be looked at. */
    @Override
    public AdjacencyList copy(long node) {
        return filtered ? null : hubs.get(node);
    }

    @Override
    public void missCopy(long node, long reads) {
        if (filtered || !hubs.miss(node, reads)) {
            return;
        }
        long all = store.countedDegree(node, ANY, Integer.MAX_VALUE);
        if (hubs.isWorthwhile(all) && hubs.hasRoomFor(node, all) && hubs.isDue(node, all)) {
            hubs.remember(CachedAdjacencyList.read(store, node, this::isInGraph));
        }
    }

    private boolean isMostOfHub(long node, StepFilter steps) {
        long asked = store.countedDegree(node, steps, Integer.MAX_VALUE);
        if (!hubs.isWorthwhile(asked)) {
            return false;
        }
        long most = 2 * asked;
        long all = store.countedDegree(node, ANY, most + 1);
        return all <= most && hubs.hasRoomFor(node, all);
    }
}
