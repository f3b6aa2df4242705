package io.github.kgdb.kernel;

/** What people read for the store's numbers. */
public interface Dictionary {
    Entity entity(long node);

    /** The id alone, which is read faster. */
    String id(long node);

    String relation(int relation);
}
