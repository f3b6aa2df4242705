package io.github.kgdb.kernel.api;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** A node as callers know it: an id that is unique in its graph, and a name for people. */
public record Entity(String id, String name) {
    public static final Comparator<Entity> BY_ID =
            Comparator.comparing(Entity::id, CodePoints.ORDER);
    public static final Comparator<Entity> BY_NAME =
            Comparator.comparing(Entity::name, CodePoints.ORDER).thenComparing(BY_ID);

    /** The approximate heap size of an entity with a short id and a short name. */
    public static final long HEAP_BYTES = 200;

    /** The number of characters of id and name that {@link #HEAP_BYTES} includes. */
    private static final int SHORT = 50;

    /** The heap size beyond {@link #HEAP_BYTES} of a long id or name. */
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

    /** A loop, because setting up a stream takes longer than visiting the few entities of a row. */
    private static List<String> each(List<Entity> entities, Function<Entity, String> part) {
        String[] parts = new String[entities.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = part.apply(entities.get(i));
        }
        return List.of(parts);
    }
}
