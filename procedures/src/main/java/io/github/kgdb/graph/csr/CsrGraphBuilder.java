package io.github.kgdb.graph.csr;

import static org.neo4j.token.api.TokenConstants.NO_TOKEN;

import io.github.kgdb.graph.store.GraphLabels;
import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.kernel.api.TerminationTicker;

import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.neo4j.graphdb.Direction;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.RelationshipTraversalCursor;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.storageengine.api.RelationshipSelection;

import java.util.Arrays;
import java.util.BitSet;

/** Reads a graph once and builds its copy. */
public final class CsrGraphBuilder {
    private final KernelTransaction transaction;
    private final GraphLabels graphLabels;
    private final int mediatorLabel;
    private final Termination termination;
    private final TerminationTicker ticker;
    private final LongArrayList nodes = new LongArrayList();
    private final BitSet mediators = new BitSet();
    private int[] indices = new int[0];

    /**
     * @param graphLabels the labels of the nodes to keep
     */
    private CsrGraphBuilder(
            KernelTransaction transaction,
            GraphLabels graphLabels,
            int mediatorLabel,
            Termination termination) {
        this.transaction = transaction;
        this.graphLabels = graphLabels;
        this.mediatorLabel = mediatorLabel;
        this.termination = termination;
        this.ticker = new TerminationTicker(termination);
    }

    public static CsrGraph build(
            KernelTransaction transaction,
            GraphLabels graphLabels,
            int mediatorLabel,
            Termination termination) {
        CsrGraphBuilder builder =
                new CsrGraphBuilder(transaction, graphLabels, mediatorLabel, termination);
        builder.findNodes();
        return new CsrGraph(
                builder.indices,
                builder.mediators,
                builder.half(Direction.OUTGOING),
                builder.half(Direction.INCOMING));
    }

    private void findNodes() {
        try (NodeCursor node = nodeCursor()) {
            transaction.dataRead().allNodesScan(node);
            while (node.next()) {
                ticker.tick();
                if (graphLabels.contain(node)) {
                    if (mediatorLabel != NO_TOKEN && node.hasLabel(mediatorLabel)) {
                        mediators.set(nodes.size());
                    }
                    nodes.add(node.nodeReference());
                }
            }
        }
        if (!nodes.isEmpty()) {
            // In a store that was emptied before, few of the numbers may still be nodes.
            CsrGraphCache.requireRoom(Integer.BYTES * (nodes.max() + 1));
        }
        indices = new int[nodes.isEmpty() ? 0 : Math.toIntExact(nodes.max() + 1)];
        Arrays.fill(indices, CsrGraph.OUTSIDE);
        for (int index = 0; index < nodes.size(); index++) {
            indices[(int) nodes.get(index)] = index;
        }
    }

    private CsrGraph.DirectedArcs half(Direction direction) {
        RelationshipSelection selection = RelationshipSelection.selection(direction);
        int[] offsets = new int[nodes.size() + 1];
        IntArrayList relations = new IntArrayList();
        IntArrayList neighbors = new IntArrayList();
        LongArrayList arcs = new LongArrayList();
        Read read = transaction.dataRead();
        try (NodeCursor node = nodeCursor();
                RelationshipTraversalCursor relationship =
                        transaction
                                .cursors()
                                .allocateRelationshipTraversalCursor(
                                        transaction.cursorContext(), transaction.memoryTracker())) {
            for (int index = 0; index < nodes.size(); index++) {
                termination.check();
                arcs.clear();
                read.singleNode(nodes.get(index), node);
                if (node.next()) {
                    node.relationships(relationship, selection);
                    while (relationship.next()) {
                        ticker.tick();
                        // Sorting these numbers sorts by relation: the lower half is the neighbor.
                        int neighbor = inGraph(relationship.otherNodeReference());
                        arcs.add((long) relationship.type() << 32 | neighbor & 0xFFFFFFFFL);
                    }
                }
                arcs.sortThis();
                arcs.forEach(
                        arc -> {
                            relations.add((int) (arc >> 32));
                            neighbors.add((int) arc);
                        });
                offsets[index + 1] = relations.size();
            }
        }
        return new CsrGraph.DirectedArcs(offsets, relations.toArray(), neighbors.toArray());
    }

    /** The number of a node of the graph; it is less than 2³¹ because the node has an index. */
    private int inGraph(long node) {
        return node < indices.length && indices[(int) node] != CsrGraph.OUTSIDE
                ? (int) node
                : CsrGraph.OUTSIDE;
    }

    private NodeCursor nodeCursor() {
        return transaction
                .cursors()
                .allocateNodeCursor(transaction.cursorContext(), transaction.memoryTracker());
    }
}
