package io.github.kgdb.kernel.api;

/**
 * What a kernel works with: a graph, its names, and the limits on time and memory that can end the
 * call.
 */
public record GraphView(
        GraphReader graph, Dictionary dictionary, Termination termination, MemoryBudget memory) {
    /** The relation as callers write it, with {@code ^} if it is followed against its direction. */
    public String spec(RelationStep step) {
        String relation = dictionary.relation(step.relation());
        return step.direction() == Direction.IN ? "^" + relation : relation;
    }

    /**
     * Whether the node may be expanded. If it is a hub, adds it to {@code truncation} and returns
     * false.
     *
     * @param maxDegree a node with more relationships that the filter allows is a hub
     */
    public boolean mayExpand(long node, StepFilter steps, long maxDegree, Truncation truncation) {
        if (maxDegree == Long.MAX_VALUE || graph.degree(node, steps) <= maxDegree) {
            return true;
        }
        truncation.addHub(node);
        return false;
    }
}
