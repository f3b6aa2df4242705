package io.github.kgdb.kernel.beam;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A part of a pattern as it was found in the graph. */
final class PartialMatch {
    static final long UNBOUND = -1;

    /**
     * An edge of the pattern in the graph.
     *
     * @param links one, or two with a mediator between, in the order in which they were gone over
     * @param backwards whether that was from the edge's target to its source
     */
    record MatchedEdge(List<ScoredPath> links, boolean backwards) {}

    private final ScoredPath path;
    private final long[] bindings;
    private final MatchedEdge[] edges;

    private PartialMatch(ScoredPath path, long[] bindings, MatchedEdge[] edges) {
        this.path = path;
        this.bindings = bindings;
        this.edges = edges;
    }

    static PartialMatch empty(Pattern pattern) {
        long[] bindings = new long[pattern.variables()];
        Arrays.fill(bindings, UNBOUND);
        return new PartialMatch(null, bindings, new MatchedEdge[pattern.edges().size()]);
    }

    /** Null while nothing is bound. */
    ScoredPath path() {
        return path;
    }

    long binding(int variable) {
        return bindings[variable];
    }

    /** Null where the edge was not found, or not yet looked for. */
    MatchedEdge edge(int edge) {
        return edges[edge];
    }

    /** The same and a variable that no edge leads to. */
    PartialMatch with(int variable, long node, double similarity) {
        ScoredPath bound =
                path == null ? ScoredPath.at(node).plus(similarity) : path.and(node, similarity);
        long[] all = bindings.clone();
        all[variable] = node;
        return new PartialMatch(bound, all, edges);
    }

    /**
     * The same and an edge.
     *
     * @param arrived the trail of this, and the links that the edge was found as
     * @param variable where they arrive
     * @param similarity of the node there to what the variable stands for
     */
    PartialMatch with(
            int edge, ScoredPath arrived, boolean backwards, int variable, double similarity) {
        Deque<ScoredPath> links = new ArrayDeque<>();
        for (ScoredPath link = arrived; link != path; link = link.before()) {
            links.addFirst(link);
        }
        MatchedEdge[] found = edges.clone();
        found[edge] = new MatchedEdge(List.copyOf(links), backwards);
        long[] all = bindings.clone();
        all[variable] = arrived.node();
        return new PartialMatch(similarity == 0 ? arrived : arrived.plus(similarity), all, found);
    }
}
