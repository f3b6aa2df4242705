package io.github.kgdb.kernel.api;

/**
 * The relationships of one node in memory, sorted so that those to a given set of neighbors are
 * found without reading the others.
 */
public interface AdjacencyList {
    /**
     * Visits the relationships that the filter allows. All of them lead to nodes that may be
     * visited. Unless the filter selects relations, those of one direction come in ascending order
     * of their neighbors.
     */
    void visit(StepFilter steps, GraphReader.RelationshipVisitor visitor);

    /**
     * Visits the relationships that the filter allows and that lead to one of the others.
     *
     * @param others ascending
     */
    void visit(StepFilter steps, long[] others, GraphReader.RelationshipVisitor visitor);

    /** The distinct neighbors, ascending. The caller must not change the array. */
    long[] neighbors();

    /**
     * The cost of finding the relationships to that many others, in relationships read from the
     * store.
     */
    long readCost(int others);
}
