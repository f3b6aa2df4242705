package io.github.kgdb.kernel;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A part of a pattern as it was found in the graph. */
final class Embedding {
    static final long UNBOUND = -1;

    /**
     * An edge of the pattern in the graph.
     *
     * @param links one, or two with a mediator between, in the order in which they were gone over
     * @param backwards whether that was from the edge's target to its source
     */
    record Found(List<Trail> links, boolean backwards) {}

    private final Trail trail;
    private final long[] bindings;
    private final Found[] edges;

    private Embedding(Trail trail, long[] bindings, Found[] edges) {
        this.trail = trail;
        this.bindings = bindings;
        this.edges = edges;
    }

    static Embedding empty(Pattern pattern) {
        long[] bindings = new long[pattern.variables()];
        Arrays.fill(bindings, UNBOUND);
        return new Embedding(null, bindings, new Found[pattern.edges().size()]);
    }

    /** Null while nothing is bound. */
    Trail trail() {
        return trail;
    }

    long binding(int variable) {
        return bindings[variable];
    }

    /** Null where the edge was not found, or not yet looked for. */
    Found edge(int edge) {
        return edges[edge];
    }

    /** The same and a variable that no edge leads to. */
    Embedding with(int variable, long node, double similarity) {
        Trail bound = trail == null ? Trail.at(node).plus(similarity) : trail.and(node, similarity);
        long[] all = bindings.clone();
        all[variable] = node;
        return new Embedding(bound, all, edges);
    }

    /**
     * The same and an edge.
     *
     * @param arrived the trail of this, and the links that the edge was found as
     * @param variable where they arrive
     * @param similarity of the node there to what the variable stands for
     */
    Embedding with(int edge, Trail arrived, boolean backwards, int variable, double similarity) {
        Deque<Trail> links = new ArrayDeque<>();
        for (Trail link = arrived; link != trail; link = link.before()) {
            links.addFirst(link);
        }
        Found[] found = edges.clone();
        found[edge] = new Found(List.copyOf(links), backwards);
        long[] all = bindings.clone();
        all[variable] = arrived.node();
        return new Embedding(similarity == 0 ? arrived : arrived.plus(similarity), all, found);
    }
}
