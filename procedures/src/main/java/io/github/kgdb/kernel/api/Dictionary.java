package io.github.kgdb.kernel.api;

/** Maps the store's numbers to ids, names and relation names. */
public interface Dictionary {
    Entity entity(long node);

    /** The entity if an earlier call has read it, otherwise null. Reads nothing. */
    default Entity cached(long node) {
        return null;
    }

    /** The id alone, which is faster to read than the whole entity. */
    String id(long node);

    String relation(int relation);
}
