package io.github.kgdb.kernel.api;

import java.util.function.LongPredicate;

/**
 * A graph as kernels read it. Nodes and relations are the store's numbers. Relationships come in
 * the store's own order; a kernel must not depend on it.
 */
public interface GraphReader {
    /**
     * Exempts all nodes. For kernels that continue from few of the nodes they read and check only
     * these with {@link #mayVisit}.
     */
    LongPredicate ALL = node -> true;

    /**
     * Visits the relationships of {@code node} that the filter allows and whose other end may be
     * visited. A self-loop is visited once as {@code OUT} and once as {@code IN}, if both are
     * allowed. The visitor must not use this reader.
     */
    default void expand(long node, StepFilter steps, RelationshipVisitor visitor) {
        expand(node, steps, neighbor -> false, visitor);
    }

    /**
     * @param exempt nodes to visit whatever their labels; tested before the labels
     */
    void expand(long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor);

    /**
     * Expands a node if it {@link #isSparse}, without counting its relationships first. Otherwise
     * does nothing and returns false. So does a reader that leaves out relationships by their
     * properties: callers count what they visit, and a degree includes those.
     */
    boolean expandIfSparse(
            long node, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor);

    /**
     * Whether the node is in the graph and has one of the labels of the call's filter, if it has
     * any.
     */
    boolean mayVisit(long node);

    /**
     * Whether every relationship of the relation leads to nodes that may be visited. False if that
     * is unknown without reading the nodes.
     */
    boolean staysInside(int relation);

    /**
     * The number of relationships of {@code node} that the filter allows, whatever their other
     * ends. Uses the degrees that the store keeps where there are any. A self-loop counts once in
     * each direction.
     */
    long degree(long node, StepFilter steps);

    /**
     * Like {@link #degree}, but stops counting at {@code limit}. A self-loop may count only once.
     */
    long degreeUpTo(long node, StepFilter steps, long limit);

    /**
     * Whether the node has so few relationships that reading them costs no more than counting them.
     */
    boolean isSparse(long node);

    /** Visits each relation of {@code node} with its degrees, without reading relationships. */
    void degreesByType(long node, DegreeVisitor visitor);

    /** Whether a relationship of {@code node} by that step leads to a node that may be visited. */
    default boolean leadsInside(long node, RelationStep step) {
        if (staysInside(step.relation())) {
            return true;
        }
        boolean[] found = {false};
        expand(node, StepFilter.only(step), (relation, direction, other) -> found[0] = true);
        return found[0];
    }

    /** The node's relationships if a cache holds them, otherwise null. */
    default AdjacencyList cachedAdjacency(long node) {
        return null;
    }

    /**
     * Reports a cache miss: that many relationships of other nodes were read because no adjacency
     * list of this node is cached. After enough misses, the cache fills it.
     */
    default void recordCacheMiss(long node, long reads) {}

    /**
     * Whether the node is a mediator: it stands for a fact with several parts, and paths only pass
     * through it.
     */
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
        /** A self-loop is in both counts. */
        void visit(int relation, long outgoing, long incoming);
    }
}
