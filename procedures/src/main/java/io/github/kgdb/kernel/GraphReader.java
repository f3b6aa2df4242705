package io.github.kgdb.kernel;

/**
 * All that a kernel may ask of a graph. Nodes and relations are the store's numbers. Each node's
 * relationships come in the store's own order, the same for every call in one state of the store.
 */
public interface GraphReader {
    /**
     * Visits the relationships of {@code node} that {@code step} covers. One that leads to the node
     * itself is visited as {@code OUT} and as {@code IN} where both directions are asked for. The
     * visitor must not use this reader.
     *
     * @param cap how many relationships to read at most
     * @return whether there were more than {@code cap}
     */
    boolean expand(long node, RelationStep step, long cap, RelationshipVisitor visitor);

    /** Visits each relation of {@code node} with its counts, without reading the relationships. */
    void menu(long node, MenuVisitor visitor);

    @FunctionalInterface
    interface RelationshipVisitor {
        /**
         * @param direction {@code OUT} or {@code IN}
         */
        void visit(int relation, Direction direction, long neighbour);
    }

    @FunctionalInterface
    interface MenuVisitor {
        /** A relationship from the node to itself is in both counts. */
        void visit(int relation, long outgoing, long incoming);
    }
}
