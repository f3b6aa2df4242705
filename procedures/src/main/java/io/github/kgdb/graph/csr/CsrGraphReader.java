package io.github.kgdb.graph.csr;

import static io.github.kgdb.kernel.api.Direction.IN;
import static io.github.kgdb.kernel.api.Direction.OUT;

import io.github.kgdb.graph.cache.AdjacencyListCache;
import io.github.kgdb.graph.cache.CachingGraphReader;
import io.github.kgdb.graph.store.NodeFilter;
import io.github.kgdb.kernel.api.AdjacencyList;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.Termination;

import org.eclipse.collections.api.set.primitive.IntSet;

import java.util.function.LongPredicate;

/**
 * Reads a graph from its copy in memory. Reads labels other than the graph's from the store, and
 * arcs sorted by neighbor from the cache of adjacency lists.
 */
public final class CsrGraphReader implements GraphReader {
    /** The store keeps the degrees of nodes from this number of relationships on. */
    private static final int DENSE = 50;

    private static final int CHECK_EVERY = 1024;

    private final CsrGraph adjacency;
    private final NodeFilter filter;
    private final GraphReader store;
    private final Termination termination;

    /**
     * @param store a reader with the same filter
     */
    public CsrGraphReader(
            CsrGraph adjacency, NodeFilter filter, GraphReader store, Termination termination) {
        this.adjacency = adjacency;
        this.filter = filter;
        this.store = store;
        this.termination = termination;
    }

    @Override
    public void expand(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        termination.check();
        int index = adjacency.index(node);
        if (index == CsrGraph.OUTSIDE) {
            return;
        }
        int[] read = {0};
        visitRuns(
                index,
                steps,
                (half, direction, from, to) -> {
                    read[0] += to - from;
                    // Not at each arc, because a check takes as long as an arc.
                    for (int begin = from; begin < to; begin += CHECK_EVERY) {
                        if (begin > from) {
                            termination.check();
                        }
                        int end = Math.min(to, begin + CHECK_EVERY);
                        visit(half, direction, begin, end, exempt, visitor);
                    }
                });
        if (arcs(index) >= AdjacencyListCache.MIN_DEGREE) {
            recordCacheMiss(
                    node, hasFew(index) ? read[0] / CachingGraphReader.READS_OF_SPARSE : read[0]);
        }
    }

    private void visit(
            CsrGraph.DirectedArcs half,
            Direction direction,
            int from,
            int to,
            LongPredicate exempt,
            RelationshipVisitor visitor) {
        for (int arc = from; arc < to; arc++) {
            int other = half.neighbors()[arc];
            if (other == CsrGraph.OUTSIDE) {
                continue;
            }
            if (exempt.test(other) || hasLabel(other)) {
                visitor.visit(half.relations()[arc], direction, other);
            }
        }
    }

    /** Never needed here: degrees are cheap, and include relationships that leave the graph. */
    @Override
    public boolean expandIfSparse(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        return false;
    }

    @Override
    public long degree(long node, StepFilter steps) {
        termination.check();
        int index = adjacency.index(node);
        long[] degree = {0};
        if (index != CsrGraph.OUTSIDE) {
            visitRuns(index, steps, (half, direction, from, to) -> degree[0] += to - from);
        }
        return degree[0];
    }

    @Override
    public long degreeUpTo(long node, StepFilter steps, long limit) {
        return degree(node, steps);
    }

    @Override
    public boolean isSparse(long node) {
        int index = adjacency.index(node);
        return index == CsrGraph.OUTSIDE || hasFew(index);
    }

    private boolean hasFew(int index) {
        return arcs(index) < DENSE;
    }

    private int arcs(int index) {
        return adjacency.outgoing().count(index) + adjacency.incoming().count(index);
    }

    @Override
    public void degreesByType(long node, DegreeVisitor visitor) {
        termination.check();
        int index = adjacency.index(node);
        if (index == CsrGraph.OUTSIDE) {
            return;
        }
        CsrGraph.DirectedArcs outgoing = adjacency.outgoing();
        CsrGraph.DirectedArcs incoming = adjacency.incoming();
        int out = outgoing.begin(index);
        int in = incoming.begin(index);
        while (out < outgoing.end(index) || in < incoming.end(index)) {
            int relation = Math.min(relation(outgoing, index, out), relation(incoming, index, in));
            int nextOut = outgoing.first(index, out, relation + 1);
            int nextIn = incoming.first(index, in, relation + 1);
            visitor.visit(relation, nextOut - out, nextIn - in);
            out = nextOut;
            in = nextIn;
        }
    }

    @Override
    public boolean leadsInside(long node, RelationStep step) {
        int index = adjacency.index(node);
        boolean[] found = {false};
        if (index != CsrGraph.OUTSIDE) {
            visitRuns(
                    index,
                    StepFilter.only(step),
                    (half, direction, from, to) -> {
                        for (int arc = from; arc < to && !found[0]; arc++) {
                            int other = half.neighbors()[arc];
                            found[0] = other != CsrGraph.OUTSIDE && hasLabel(other);
                        }
                    });
        }
        return found[0];
    }

    @Override
    public boolean mayVisit(long node) {
        return adjacency.index(node) != CsrGraph.OUTSIDE && hasLabel(node);
    }

    @Override
    public boolean staysInside(int relation) {
        return filter.labels().isEmpty();
    }

    @Override
    public boolean isMediator(long node) {
        int index = adjacency.index(node);
        return filter.mediators() && index != CsrGraph.OUTSIDE && adjacency.mediators().get(index);
    }

    @Override
    public AdjacencyList cachedAdjacency(long node) {
        return store.cachedAdjacency(node);
    }

    @Override
    public void recordCacheMiss(long node, long reads) {
        store.recordCacheMiss(node, reads);
    }

    /** Whether a node of the graph passes the filter's labels. */
    private boolean hasLabel(long node) {
        return filter.labels().isEmpty() || store.mayVisit(node);
    }

    /** The relation of the arc, or the largest number after the last arc. */
    private static int relation(CsrGraph.DirectedArcs half, int index, int arc) {
        return arc < half.end(index) ? half.relations()[arc] : Integer.MAX_VALUE;
    }

    private void visitRuns(int index, StepFilter steps, RunVisitor visitor) {
        visitRuns(adjacency.outgoing(), OUT, index, steps, steps.outgoing(), visitor);
        visitRuns(adjacency.incoming(), IN, index, steps, steps.incoming(), visitor);
    }

    private static void visitRuns(
            CsrGraph.DirectedArcs half,
            Direction direction,
            int index,
            StepFilter steps,
            IntSet allowed,
            RunVisitor visitor) {
        if (allowed != null && allowed.size() < half.count(index)) {
            allowed.forEach(
                    relation -> {
                        if (steps.allows(relation, direction)) {
                            int from = half.first(index, half.begin(index), relation);
                            visitor.visit(
                                    half, direction, from, half.first(index, from, relation + 1));
                        }
                    });
            return;
        }
        if (allowed == null && steps.nothingIsDenied()) {
            visitor.visit(half, direction, half.begin(index), half.end(index));
            return;
        }
        for (int from = half.begin(index); from < half.end(index); ) {
            int relation = half.relations()[from];
            int to = half.first(index, from, relation + 1);
            if (steps.allows(relation, direction)) {
                visitor.visit(half, direction, from, to);
            }
            from = to;
        }
    }

    @FunctionalInterface
    private interface RunVisitor {
        void visit(CsrGraph.DirectedArcs half, Direction direction, int from, int to);
    }
}
