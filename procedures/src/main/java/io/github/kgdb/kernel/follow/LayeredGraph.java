package io.github.kgdb.kernel.follow;

import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.Truncation;

import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

import java.util.ArrayList;
import java.util.List;

/**
 * The nodes that a relation chain reaches, layer by layer. Layer i holds the nodes at step i, each
 * once, with its arcs back to layer i − 1. A walk through the layers may use a relationship twice;
 * the reader decides which walks are paths.
 *
 * @param levels one more than the chain has steps; the first holds the starts
 */
record LayeredGraph(List<RelationStep> chain, List<Level> levels) {
    private static final long NODE_BYTES = 60;
    private static final long ARC_BYTES = 40;

    static LayeredGraph from(
            long[] starts,
            List<RelationStep> chain,
            long maxDegree,
            GraphView view,
            MemoryBudget.Account account,
            Truncation truncation) {
        account.allocate(starts.length * NODE_BYTES);
        List<Level> levels = new ArrayList<>();
        levels.add(new Level(starts, new int[starts.length + 1], new int[0], new int[0]));
        for (RelationStep step : chain) {
            StepFilter steps = StepFilter.only(step);
            LevelBuilder next = new LevelBuilder(account);
            long[] nodes = levels.get(levels.size() - 1).nodes();
            for (int origin = 0; origin < nodes.length; origin++) {
                int from = origin;
                if (view.mayExpand(nodes[origin], steps, maxDegree, truncation)) {
                    view.graph()
                            .expand(
                                    nodes[origin],
                                    steps,
                                    (relation, direction, node) -> next.add(from, node));
                }
            }
            levels.add(next.build());
        }
        return new LayeredGraph(chain, levels);
    }

    Level last() {
        return levels.get(levels.size() - 1);
    }

    /**
     * The arcs into the node at position i are those from {@code offsets[i]} to {@code offsets[i +
     * 1]}.
     *
     * @param nodes the store's numbers
     * @param origins per arc, a position in the previous level
     * @param parallels per arc, the number of parallel relationships
     */
    record Level(long[] nodes, int[] offsets, int[] origins, int[] parallels) {
        int size() {
            return nodes.length;
        }
    }

    /** Receives arcs origin by origin and groups them by target. */
    private static final class LevelBuilder {
        private final MemoryBudget.Account account;
        private final LongIntHashMap positions = new LongIntHashMap();
        private final LongArrayList nodes = new LongArrayList();
        private final IntArrayList latestArc = new IntArrayList();
        private final IntArrayList origins = new IntArrayList();
        private final IntArrayList targets = new IntArrayList();
        private final IntArrayList parallels = new IntArrayList();

        LevelBuilder(MemoryBudget.Account account) {
            this.account = account;
        }

        void add(int origin, long node) {
            int target = positions.getIfAbsent(node, -1);
            if (target < 0) {
                account.allocate(NODE_BYTES);
                target = nodes.size();
                positions.put(node, target);
                nodes.add(node);
                latestArc.add(-1);
            }
            int arc = latestArc.get(target);
            if (arc >= 0 && origins.get(arc) == origin) {
                parallels.set(arc, parallels.get(arc) + 1);
                return;
            }
            account.allocate(ARC_BYTES);
            latestArc.set(target, origins.size());
            origins.add(origin);
            targets.add(target);
            parallels.add(1);
        }

        Level build() {
            int[] offsets = new int[nodes.size() + 1];
            targets.forEach(target -> offsets[target + 1]++);
            for (int i = 0; i < nodes.size(); i++) {
                offsets[i + 1] += offsets[i];
            }
            int[] next = offsets.clone();
            int[] sortedOrigins = new int[origins.size()];
            int[] sortedParallels = new int[origins.size()];
            for (int arc = 0; arc < origins.size(); arc++) {
                int index = next[targets.get(arc)]++;
                sortedOrigins[index] = origins.get(arc);
                sortedParallels[index] = parallels.get(arc);
            }
            return new Level(nodes.toArray(), offsets, sortedOrigins, sortedParallels);
        }
    }
}
