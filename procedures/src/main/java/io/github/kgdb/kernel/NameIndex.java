package io.github.kgdb.kernel;

import java.util.List;

/** Finds the entities of a graph by their names. */
public interface NameIndex {
    /** Entities that have exactly this text as id or name. */
    long[] named(String text);

    /** Entities that a full-text query finds, best first. */
    long[] search(String query, int limit);

    /** Entities whose embeddings are nearest, best first. */
    long[] nearest(float[] vector, int limit);

    /** Properties that {@link #search} looks into. */
    int fields();

    /** Null for a node that no mention can mean. */
    Named read(long node);

    /** From 0 to 1, or null for an entity without an embedding. */
    Double similarity(long node, float[] vector);

    /**
     * @param names what it is called, the name first
     * @param prior its PageRank in the whole graph, or negative infinity where none is kept
     */
    record Named(Entity entity, List<String> names, double prior) {}
}
