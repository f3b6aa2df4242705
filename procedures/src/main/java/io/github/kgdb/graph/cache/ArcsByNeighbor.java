package io.github.kgdb.graph.cache;

import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.StepFilter;

import java.util.Arrays;

/**
 * The arcs of a hub sorted by neighbor: those to a few other nodes are found without reading all of
 * them, whatever the number of relations.
 *
 * @param arcs a neighbor and, in the lowest 16 bits, a relation: Neo4j has at most 65,536 types
 */
record ArcsByNeighbor(long[] arcs) {
    private static final int RELATION_BITS = 16;
    private static final int RELATION = (1 << RELATION_BITS) - 1;

    static ArcsByNeighbor of(CachedAdjacencyList.DirectedArcs half) {
        long[] arcs = new long[half.neighbors().length];
        for (int index = 0; index < half.relations().length; index++) {
            int relation = half.relations()[index];
            for (int arc = half.begin(index); arc < half.ends()[index]; arc++) {
                arcs[arc] = half.neighbors()[arc] << RELATION_BITS | relation;
            }
        }
        Arrays.sort(arcs);
        return new ArcsByNeighbor(arcs);
    }

    /** Visits all arcs, ascending. */
    void visit(StepFilter steps, Direction direction, GraphReader.RelationshipVisitor visitor) {
        boolean all = steps.allowsAll(direction);
        for (long arc : arcs) {
            int relation = (int) arc & RELATION;
            if (all || steps.allows(relation, direction)) {
                visitor.visit(relation, direction, arc >>> RELATION_BITS);
            }
        }
    }

    /**
     * Visits the arcs that lead to one of the others.
     *
     * @param others ascending
     */
    void join(
            StepFilter steps,
            Direction direction,
            long[] others,
            GraphReader.RelationshipVisitor visitor) {
        boolean all = steps.allowsAll(direction);
        int arc = 0;
        int other = 0;
        while (arc < arcs.length && other < others.length) {
            long neighbor = arcs[arc] >>> RELATION_BITS;
            if (neighbor == others[other]) {
                int relation = (int) arcs[arc] & RELATION;
                if (all || steps.allows(relation, direction)) {
                    visitor.visit(relation, direction, neighbor);
                }
                // An arc of another relation, or a parallel one, may follow.
                arc++;
            } else if (neighbor < others[other]) {
                arc = firstFrom(arcs, arc + 1, others[other] << RELATION_BITS);
            } else {
                other = firstFrom(others, other + 1, neighbor);
            }
        }
    }

    /** The first index whose value is not less than wanted, by galloping search. */
    private static int firstFrom(long[] values, int from, long wanted) {
        int low = from;
        int high = from;
        for (int step = 1; high < values.length && values[high] < wanted; step *= 2) {
            low = high + 1;
            high = Math.min(values.length, high + step);
        }
        while (low < high) {
            int middle = low + high >>> 1;
            if (values[middle] < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
