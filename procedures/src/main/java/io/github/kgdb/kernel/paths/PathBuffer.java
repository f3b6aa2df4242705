package io.github.kgdb.kernel.paths;

import io.github.kgdb.kernel.api.SaturatedMath;

import java.util.Arrays;

/** A path that a search extends and shortens: its nodes, and all arcs between each two of them. */
final class PathBuffer {
    /** Receives each path; the arrays are reused. */
    @FunctionalInterface
    interface Visitor {
        /**
         * @param nodes from source to target
         * @param relations between them
         * @param length the number of relations
         * @param count the number of paths with these nodes and relations, which differ in parallel
         *     relationships
         * @return whether to continue
         */
        boolean visit(long[] nodes, String[] relations, int length, long count);
    }

    private final long[] nodes;
    private final PathArcs.Bundle[] bundles;
    private final String[] relations;

    PathBuffer(long start, int maxLength) {
        this.nodes = new long[maxLength + 1];
        this.bundles = new PathArcs.Bundle[maxLength];
        this.relations = new String[maxLength];
        nodes[0] = start;
    }

    long node(int index) {
        return nodes[index];
    }

    /** Makes the bundle the hop behind the first {@code length} hops. */
    void extend(int length, PathArcs.Bundle bundle) {
        bundles[length] = bundle;
        nodes[length + 1] = bundle.to();
    }

    /** Whether the first {@code length} hops visit the node. */
    boolean contains(long node, int length) {
        for (int i = 0; i <= length; i++) {
            if (nodes[i] == node) {
                return true;
            }
        }
        return false;
    }

    /** The nodes of the first {@code length} hops. */
    long[] prefix(int length) {
        return Arrays.copyOf(nodes, length + 1);
    }

    /** Visits every combination of relations along the first {@code length} hops. */
    boolean visit(int length, Visitor visitor) {
        return visit(0, length, 1, visitor);
    }

    private boolean visit(int index, int length, long count, Visitor visitor) {
        if (index == length) {
            return visitor.visit(nodes, relations, length, count);
        }
        for (PathArcs.Parallel parallel : bundles[index].parallels()) {
            relations[index] = parallel.spec();
            if (!visit(index + 1, length, SaturatedMath.times(count, parallel.count()), visitor)) {
                return false;
            }
        }
        return true;
    }
}
