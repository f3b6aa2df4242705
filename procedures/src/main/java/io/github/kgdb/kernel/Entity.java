package io.github.kgdb.kernel;

import java.util.Comparator;

/** A node as callers know it: the id that is unique in its graph, and the name for people. */
public record Entity(String id, String name) {
    static final Comparator<Entity> BY_ID = Comparator.comparing(Entity::id, CodePoints.ORDER);
    static final Comparator<Entity> BY_NAME =
            Comparator.comparing(Entity::name, CodePoints.ORDER).thenComparing(BY_ID);

    /** About what one costs on the heap, two short strings included. */
    static final long HEAP_BYTES = 200;
}
