package io.github.kgdb.kernel.follow;

import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.SaturatedMath;
import io.github.kgdb.kernel.api.Termination;

import java.util.List;

/**
 * Enumerates the node sequences of all paths that end at a node of the last level, from the end
 * back to the starts. A path uses no relationship twice, but relationships need no identity here:
 * steps between the same two nodes by the same relation share their parallel relationships, so each
 * such step has one choice fewer than the one before.
 */
final class PathEnumerator {
    /** Receives the sequences one by one; the array is reused. */
    @FunctionalInterface
    interface Visitor {
        /**
         * @param positions positions in the levels, from the start to the end
         * @param paths the number of paths with these nodes; 0 if the walk is no path
         * @return whether to continue
         */
        boolean visit(int[] positions, long paths);
    }

    private final LayeredGraph layers;
    private final ArcOrder order;
    private final Termination termination;
    private final int[] positions;

    /**
     * @param order of the sequences, compared from the end backwards
     */
    PathEnumerator(LayeredGraph layers, ArcOrder order, Termination termination) {
        this.layers = layers;
        this.order = order;
        this.termination = termination;
        this.positions = new int[layers.levels().size()];
    }

    /** Returns false if the visitor stopped. */
    boolean enumerate(int end, Visitor visitor) {
        positions[positions.length - 1] = end;
        return back(positions.length - 1, 1, visitor);
    }

    private boolean back(int depth, long paths, Visitor visitor) {
        termination.check();
        if (depth == 0 || paths == 0) {
            return visitor.visit(positions, paths);
        }
        LayeredGraph.Level level = layers.levels().get(depth);
        int position = positions[depth];
        order.arrange(depth, position);
        for (int arc = level.offsets()[position]; arc < level.offsets()[position + 1]; arc++) {
            positions[depth - 1] = level.origins()[arc];
            int free = Math.max(0, level.parallels()[arc] - taken(depth));
            if (!back(depth - 1, SaturatedMath.times(paths, free), visitor)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The number of later steps that use a relationship of the same relation between the same
     * nodes.
     */
    private int taken(int depth) {
        List<RelationStep> chain = layers.chain();
        int taken = 0;
        for (int later = depth + 1; later < positions.length; later++) {
            if (chain.get(later - 1).relation() == chain.get(depth - 1).relation()
                    && tail(later) == tail(depth)
                    && head(later) == head(depth)) {
                taken++;
            }
        }
        return taken;
    }

    private long tail(int depth) {
        boolean along = layers.chain().get(depth - 1).direction() == Direction.OUT;
        return node(along ? depth - 1 : depth);
    }

    private long head(int depth) {
        boolean along = layers.chain().get(depth - 1).direction() == Direction.OUT;
        return node(along ? depth : depth - 1);
    }

    private long node(int depth) {
        return layers.levels().get(depth).nodes()[positions[depth]];
    }
}
