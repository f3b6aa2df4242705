package io.github.kgdb.graph.store;

import org.neo4j.internal.kernel.api.Read;

import java.util.Arrays;

/**
 * The relations whose relationships all begin and end in one graph, so that their neighbors need no
 * label check. The store counts relationships by type and by the label of either end, so this is
 * known without reading them. Valid until the next commit.
 */
public final class EnclosedRelations {
    /** For callers that must not share what they read. */
    public static final EnclosedRelations NONE = new EnclosedRelations(Byte.MAX_VALUE);

    private static final byte LEADS_OUT = -1;
    private static final byte ENCLOSED = -2;

    /** Reading the counts takes about as long as checking this many nodes. */
    private static final int LOOKED_AT = 32;

    private final int lookedAt;

    /**
     * The number of requests for a relation, or what is known of it; concurrent calls may miss each
     * other's updates.
     */
    private volatile byte[] relations = new byte[0];

    /**
     * @param lookedAt the number of requests for a relation before its counts are read; 127: never
     */
    public EnclosedRelations(int lookedAt) {
        this.lookedAt = lookedAt;
    }

    public static EnclosedRelations empty() {
        return new EnclosedRelations(LOOKED_AT);
    }

    /**
     * @param labels the labels of the graph
     */
    boolean contains(int relation, Read read, GraphLabels labels) {
        byte[] states = relations;
        byte state = relation < states.length ? states[relation] : 0;
        if (state < 0) {
            return state == ENCLOSED;
        }
        if (lookedAt == Byte.MAX_VALUE) {
            return false;
        }
        if (relation >= states.length) {
            states = grown(relation);
        }
        if (state < lookedAt) {
            states[relation] = (byte) (state + 1);
            return false;
        }
        boolean encloses = labels.enclose(relation, read);
        states[relation] = encloses ? ENCLOSED : LEADS_OUT;
        return encloses;
    }

    private synchronized byte[] grown(int relation) {
        if (relation >= relations.length) {
            relations = Arrays.copyOf(relations, Math.max(2 * relations.length, relation + 16));
        }
        return relations;
    }
}
