package io.github.kgdb.kernel.api;

/**
 * The relationships of one node in memory, and in an order in which those to a few of many
 * neighbors are found without going over the rest.
 */
public interface AdjacencyList {
    /**
     * Visits those that the steps allow: all lead to nodes that may be visited. Where the steps
     * select no relations, those of a direction come by their neighbors, ascending.
     */
    void visit(StepFilter steps, GraphReader.RelationshipVisitor visitor);

    /**
     * Visits those that the steps allow and that lead to one of the others.
     *
     * @param others ascending
     */
    void visit(StepFilter steps, long[] others, GraphReader.RelationshipVisitor visitor);

    /** All that its relationships lead to, each once, ascending; not to be changed. */
    long[] neighbors();

    /** As many relationships are read in the store while those to so many others are found. */
    long readCost(int others);
}
