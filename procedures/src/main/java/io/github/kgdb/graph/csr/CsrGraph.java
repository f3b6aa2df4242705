package io.github.kgdb.graph.csr;

import java.util.BitSet;

/**
 * A copy of a graph's relationships in memory, in compressed sparse row form: the arcs of a node
 * are contiguous and sorted by relation. It takes 8 bytes for each end of a relationship and 12 for
 * each node.
 *
 * @param indices by the store's number of a node its index here, or {@link #OUTSIDE}
 * @param mediators the indexes of mediators
 */
public record CsrGraph(
        int[] indices, BitSet mediators, DirectedArcs outgoing, DirectedArcs incoming) {
    static final int OUTSIDE = -1;

    /** The index of the node, or {@link #OUTSIDE} if it is not in the graph. */
    int index(long node) {
        return node < indices.length ? indices[(int) node] : OUTSIDE;
    }

    /**
     * The arcs of one direction.
     *
     * @param offsets by index, where a node's arcs begin; one more entry than there are nodes
     * @param relations per arc, ascending for each node
     * @param neighbors per arc, the store's number of the node it leads to, or {@link #OUTSIDE}
     */
    record DirectedArcs(int[] offsets, int[] relations, int[] neighbors) {
        int begin(int index) {
            return offsets[index];
        }

        int end(int index) {
            return offsets[index + 1];
        }

        int count(int index) {
            return end(index) - begin(index);
        }

        /**
         * The position, from {@code from} on, at which the arcs of {@code relation} begin or would
         * begin.
         */
        int first(int index, int from, int relation) {
            int low = from;
            int high = end(index);
            while (low < high) {
                int middle = low + high >>> 1;
                if (relations[middle] < relation) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }
}
