package io.github.kgdb.graph.store;

import static org.neo4j.token.api.TokenConstants.ANY_LABEL;

import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.internal.kernel.api.TokenSet;

import java.util.Arrays;

/**
 * The labels of one graph by number. A node is in the graph if it has one of them; the whole store
 * has every node.
 */
public final class GraphLabels {
    private final int[] labels;
    private final boolean wholeStore;

    private GraphLabels(int[] labels, boolean wholeStore) {
        this.labels = labels;
        this.wholeStore = wholeStore;
    }

    public static GraphLabels of(KnowledgeGraph graph, TokenRead tokens) {
        // A label that no node ever had has no number, and the store counts no node with it.
        return new GraphLabels(
                graph.labels().stream()
                        .mapToInt(tokens::nodeLabel)
                        .filter(label -> label >= 0)
                        .sorted()
                        .toArray(),
                graph.isWholeStore());
    }

    public boolean isWholeStore() {
        return wholeStore;
    }

    /** Whether the node at the cursor is in the graph. */
    public boolean contain(NodeCursor node) {
        if (wholeStore) {
            return true;
        }
        if (labels.length == 1) {
            return node.hasLabel(labels[0]);
        }
        TokenSet present = node.labels();
        for (int i = 0; i < present.numberOfTokens(); i++) {
            if (Arrays.binarySearch(labels, present.token(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether a relationship of the type begins or ends in the graph, by the store's counts. */
    public boolean use(int relation, Read read) {
        return Arrays.stream(labels)
                .anyMatch(
                        label ->
                                read.countsForRelationship(label, relation, ANY_LABEL) > 0
                                        || read.countsForRelationship(ANY_LABEL, relation, label)
                                                > 0);
    }

    /**
     * Whether all relationships of the type begin and end in the graph, by the store's counts. Only
     * if one label has all heads, and one all tails: a node may have several labels, so counts of
     * several labels cannot be added.
     */
    boolean enclose(int relation, Read read) {
        long all = read.countsForRelationship(ANY_LABEL, relation, ANY_LABEL);
        return Arrays.stream(labels)
                        .anyMatch(
                                label ->
                                        read.countsForRelationship(label, relation, ANY_LABEL)
                                                == all)
                && Arrays.stream(labels)
                        .anyMatch(
                                label ->
                                        read.countsForRelationship(ANY_LABEL, relation, label)
                                                == all);
    }
}
