package io.github.kgdb.kernel.pagerank;

import io.github.kgdb.kernel.api.Termination;

import java.util.Arrays;

/**
 * PageRank of a small graph (RoK, equations 2 and 3), computed like that of the Graph Data Science
 * library: every node begins with 1 − d and passes on its latest gain while that exceeds the
 * tolerance; the gain of a node without successors is lost.
 */
public final class PageRank {
    /**
     * @param damping the share d that is passed on
     * @param maxIterations maximum iterations, including the one that spreads the initial values
     * @param tolerance a node whose gain does not exceed it passes nothing on
     */
    public record Query(double damping, int maxIterations, double tolerance) {}

    /**
     * @param iterations the number of iterations, without a last one that had nothing to pass on
     * @param converged whether nothing was left to pass on
     */
    public record Ranks(double[] scores, int iterations, boolean converged) {}

    /** The number of edges that take some milliseconds. */
    private static final int CHECK_EVERY = 1 << 20;

    private PageRank() {}

    /**
     * @param nodes the number of nodes; edges hold indexes of nodes
     * @param starts indexes of the nodes at which random surfers start, or null: all
     */
    static Ranks of(
            int nodes,
            int[] sources,
            int[] targets,
            int[] starts,
            Query query,
            Termination termination) {
        int[] offsets = new int[nodes + 1];
        for (int source : sources) {
            offsets[source + 1]++;
        }
        for (int node = 0; node < nodes; node++) {
            offsets[node + 1] += offsets[node];
        }
        int[] next = offsets.clone();
        int[] successors = new int[sources.length];
        for (int edge = 0; edge < successors.length; edge++) {
            successors[next[sources[edge]]++] = targets[edge];
        }
        return spread(offsets, successors, starts, query, termination);
    }

    private static Ranks spread(
            int[] offsets, int[] successors, int[] starts, Query query, Termination termination) {
        int nodes = offsets.length - 1;
        double[] scores = new double[nodes];
        if (starts == null) {
            Arrays.fill(scores, 1 - query.damping());
        } else {
            Arrays.stream(starts).forEach(start -> scores[start] = 1 - query.damping());
        }
        double[] gained = scores.clone();
        boolean[] passes = new boolean[nodes];
        Arrays.fill(passes, true);
        boolean converged = false;
        int iteration = 1;
        while (iteration < query.maxIterations() && !converged) {
            termination.check();
            int spread = 0;
            double[] received = new double[nodes];
            for (int node = 0; node < nodes; node++) {
                int degree = offsets[node + 1] - offsets[node];
                spread += degree;
                if (spread > CHECK_EVERY) {
                    termination.check();
                    spread = 0;
                }
                for (int i = offsets[node]; passes[node] && i < offsets[node + 1]; i++) {
                    received[successors[i]] += gained[node] / degree;
                }
            }
            converged = true;
            for (int node = 0; node < nodes; node++) {
                gained[node] = query.damping() * received[node];
                scores[node] += gained[node];
                passes[node] = gained[node] > query.tolerance();
                converged &= !passes[node];
            }
            iteration++;
        }
        return new Ranks(scores, converged ? iteration - 1 : iteration, converged);
    }
}
