package io.github.kgdb.kernel.api;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** A node as callers know it: the id that is unique in its graph, and the name for people. */
public record Entity(String id, String name) {
    public static final Comparator<Entity> BY_ID =
            Comparator.comparing(Entity::id, CodePoints.ORDER);
    public static final Comparator<Entity> BY_NAME =
            Comparator.comparing(Entity::name, CodePoints.ORDER).thenComparing(BY_ID);

    /** About what one costs on the heap, two short strings included. */
    public static final long HEAP_BYTES = 200;

    /** Characters of the id and the name that {@link #HEAP_BYTES} has room for. */
    private static final int SHORT = 50;

    /** What it costs beyond {@link #HEAP_BYTES}, where its id or its name is not short. */
    public long longTextBytes() {
        return longTextBytes(id.length() + name.length());
    }

    public static long longTextBytes(int characters) {
        return (long) Character.BYTES * Math.max(0, characters - SHORT);
    }

    public static List<String> ids(List<Entity> entities) {
        return each(entities, Entity::id);
    }

    public static List<String> names(List<Entity> entities) {
        return each(entities, Entity::name);
    }

    /** Not by a stream, which takes longer to set up than the few entities of a row to go over. */
    private static List<String> each(List<Entity> entities, Function<Entity, String> part) {
        String[] parts = new String[entities.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = part.apply(entities.get(i));
        }
        return List.of(parts);
    }
}
