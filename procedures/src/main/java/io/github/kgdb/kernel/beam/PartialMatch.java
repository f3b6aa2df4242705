package io.github.kgdb.kernel.beam;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A match of part of a pattern: bound variables and matched edges. Immutable. */
final class PartialMatch {
    static final long UNBOUND = -1;

    /**
     * The match of an edge.
     *
     * @param links one link, or two with a mediator between, in the order in which they were
     *     followed
     * @param backwards whether they were followed from the edge's target to its source
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

    /** Null if the edge is missing, or not matched yet. */
    MatchedEdge edge(int edge) {
        return edges[edge];
    }

    /** This match with one more variable, bound without an edge. */
    PartialMatch with(int variable, long node, double similarity) {
        ScoredPath bound =
                path == null ? ScoredPath.at(node).plus(similarity) : path.and(node, similarity);
        long[] all = bindings.clone();
        all[variable] = node;
        return new PartialMatch(bound, all, edges);
    }

    /**
     * This match with one more edge.
     *
     * @param arrived the path of this match, extended by the links of the edge
     * @param variable the variable at their end
     * @param similarity the similarity of the node there to what the variable stands for
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
