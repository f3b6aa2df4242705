package io.github.kgdb.kernel.api;

import java.util.function.LongPredicate;

/**
 * All that a kernel may ask of a graph. Nodes and relations are the store's numbers. Kernels must
 * not depend on the order in which relationships are visited: it is the store's own.
 */
public interface GraphReader {
    /**
     * Exempts all nodes, for kernels that go on to few of the nodes they read, and ask of these
     * alone whether they may be visited.
     */
    LongPredicate ALL = node -> true;

    /**
     * Visits the relationships of {@code node} that {@code steps} allow and whose other end may be
     * visited. One that leads to the node itself is visited as {@code OUT} and as {@code IN} where
     * both are allowed. The visitor must not use this reader.
     */
    default void expand(long node, StepFilter steps, RelationshipVisitor visitor) {
        expand(node, steps, neighbor -> false, visitor);
    }

    /**
     * @param exempt nodes to visit although they have none of the labels asked for; tested first
     */
    void expand(long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor);

    /**
     * Expands a node that {@link #isSparse} where that spares counting its relationships. Otherwise
     * does nothing, and returns false.
     */
    boolean expandIfSparse(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor);

    /** Whether the node is in the graph and has one of the labels asked for, if any are. */
    boolean mayVisit(long node);

    /**
     * Whether all relationships of the relation that a node is expanded by lead to nodes that may
     * be visited, as far as that is known without reading the nodes.
     */
    boolean staysInside(int relation);

    /**
     * How many relationships of {@code node} the steps allow, wherever they lead, without reading
     * them where the store keeps their number. One that leads to the node itself counts in each
     * direction.
     */
    long degree(long node, StepFilter steps);

    /**
     * About the same, counted no further than {@code limit}. One that leads to the node itself may
     * count once.
     */
    long degreeUpTo(long node, StepFilter steps, long limit);

    /** Whether the node has so few relationships that all are as soon read as counted. */
    boolean isSparse(long node);

    /** Visits each relation of {@code node} with its counts, without reading the relationships. */
    void degreesByType(long node, DegreeVisitor visitor);

    /** What is in memory of the node, or null. */
    default AdjacencyList cachedAdjacency(long node) {
        return null;
    }

    /**
     * Tells that so many relationships of other nodes were read because there is no copy of this
     * one. Where that goes on, making one costs less.
     */
    default void recordCacheMiss(long node, long reads) {}

    /** Whether the node stands for a fact of several parts, and is only ever passed through. */
    boolean isMediator(long node);

    @FunctionalInterface
    interface RelationshipVisitor {
        /**
         * @param direction {@code OUT} or {@code IN}
         */
        void visit(int relation, Direction direction, long neighbor);
    }

    @FunctionalInterface
    interface DegreeVisitor {
        /** A relationship from the node to itself is in both counts. */
        void visit(int relation, long outgoing, long incoming);
    }
}
