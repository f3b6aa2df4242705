package io.github.kgdb.kernel.api;

/** What a kernel works with: a graph, its names, and the two things that can end the call. */
public record GraphView(
        GraphReader graph, Dictionary dictionary, Termination termination, MemoryBudget memory) {
    /** A relation as callers write it: {@code ^} before one that is followed against. */
    public String spec(RelationStep step) {
        String relation = dictionary.relation(step.relation());
        return step.direction() == Direction.IN ? "^" + relation : relation;
    }

    /**
     * Whether the node may be expanded; a hub is told in {@code truncation} instead.
     *
     * @param maxDegree the most relationships that {@code steps} allow at it
     */
    public boolean mayExpand(long node, StepFilter steps, long maxDegree, Truncation truncation) {
        if (maxDegree == Long.MAX_VALUE || graph.degree(node, steps) <= maxDegree) {
            return true;
        }
        truncation.addHub(node);
        return false;
    }
}
