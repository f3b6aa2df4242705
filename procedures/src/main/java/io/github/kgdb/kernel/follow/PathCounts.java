package io.github.kgdb.kernel.follow;

import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.SaturatedMath;
import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.kernel.api.TerminationTicker;

import org.eclipse.collections.impl.set.mutable.primitive.IntHashSet;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The number of paths that end at each node of the last level, and the number of starts from which
 * they come.
 *
 * @param counts per position in the last level; 0 if no walk to it is a path
 * @param truncated whether the counts are lower bounds
 */
record PathCounts(long[] counts, int[] starts, boolean truncated) {
    /**
     * @param maxPaths maximum node sequences to enumerate, if enumeration cannot be avoided
     */
    static PathCounts of(
            LayeredGraph layers,
            long maxPaths,
            Termination termination,
            MemoryBudget.Account account) {
        account.allocate(12L * layers.last().size());
        return usesNoRelationTwice(layers.chain())
                ? byLevel(layers, termination, account)
                : byEnumeration(layers, maxPaths, termination);
    }

    private static boolean usesNoRelationTwice(List<RelationStep> chain) {
        IntHashSet relations = new IntHashSet();
        for (RelationStep step : chain) {
            if (!relations.add(step.relation())) {
                return false;
            }
        }
        return true;
    }

    /** Steps of different relations share no relationship, so counts multiply level by level. */
    private static PathCounts byLevel(
            LayeredGraph layers, Termination termination, MemoryBudget.Account account) {
        List<LayeredGraph.Level> levels = layers.levels();
        long[] counts = new long[levels.get(0).size()];
        Arrays.fill(counts, 1);
        boolean overflow = false;
        for (LayeredGraph.Level level : levels.subList(1, levels.size())) {
            account.allocate(level.size() * (long) Long.BYTES);
            long[] next = new long[level.size()];
            for (int node = 0; node < level.size(); node++) {
                termination.check();
                for (int arc = level.offsets()[node]; arc < level.offsets()[node + 1]; arc++) {
                    long through =
                            SaturatedMath.times(
                                    counts[level.origins()[arc]], level.parallels()[arc]);
                    next[node] = SaturatedMath.plus(next[node], through);
                }
            }
            counts = next;
        }
        for (long count : counts) {
            overflow |= count == Long.MAX_VALUE;
        }
        return new PathCounts(counts, starts(levels, termination, account), overflow);
    }

    /** The number of starts from which walks lead to each node of the last level. */
    private static int[] starts(
            List<LayeredGraph.Level> levels,
            Termination termination,
            MemoryBudget.Account account) {
        int size = levels.get(0).size();
        int[] starts = new int[levels.get(levels.size() - 1).size()];
        if (size == 1) {
            Arrays.fill(starts, 1);
            return starts;
        }
        long bytesPerNode = 60 + size / 8L;
        account.allocate(size * bytesPerNode);
        BitSet[] reachedFrom = new BitSet[size];
        for (int start = 0; start < size; start++) {
            reachedFrom[start] = new BitSet(size);
            reachedFrom[start].set(start);
        }
        TerminationTicker ticker = new TerminationTicker(termination);
        for (LayeredGraph.Level level : levels.subList(1, levels.size())) {
            account.allocate(level.size() * bytesPerNode);
            BitSet[] next = new BitSet[level.size()];
            for (int node = 0; node < level.size(); node++) {
                termination.check();
                next[node] = new BitSet(size);
                for (int arc = level.offsets()[node]; arc < level.offsets()[node + 1]; arc++) {
                    ticker.tick();
                    next[node].or(reachedFrom[level.origins()[arc]]);
                }
            }
            reachedFrom = next;
        }
        for (int node = 0; node < starts.length; node++) {
            starts[node] = reachedFrom[node].cardinality();
        }
        return starts;
    }

    private static PathCounts byEnumeration(
            LayeredGraph layers, long maxPaths, Termination termination) {
        int size = layers.last().size();
        long[] counts = new long[size];
        int[] starts = new int[size];
        long[] left = {maxPaths};
        boolean complete = true;
        PathEnumerator enumerator = new PathEnumerator(layers, ArcOrder.AS_FOUND, termination);
        for (int end = 0; end < size && complete; end++) {
            int target = end;
            BitSet reachedFrom = new BitSet();
            complete =
                    enumerator.enumerate(
                            end,
                            (positions, paths) -> {
                                if (left[0]-- == 0) {
                                    return false;
                                }
                                if (paths > 0) {
                                    counts[target] = SaturatedMath.plus(counts[target], paths);
                                    reachedFrom.set(positions[0]);
                                }
                                return true;
                            });
            starts[end] = reachedFrom.cardinality();
        }
        return new PathCounts(counts, starts, !complete);
    }
}
