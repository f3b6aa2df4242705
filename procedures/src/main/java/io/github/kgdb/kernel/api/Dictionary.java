package io.github.kgdb.kernel.api;

/** What people read for the store's numbers. */
public interface Dictionary {
    Entity entity(long node);

    /** What needs no reading because calls before this one have read it, or null. */
    default Entity cached(long node) {
        return null;
    }

    /** The id alone, which is read faster. */
    String id(long node);

    String relation(int relation);
}
