package io.github.kgdb.kernel.api;

/** Asked at every step of a kernel that can be repeated often. */
@FunctionalInterface
public interface Termination {
    /** Throws where the caller no longer waits or the time is up. */
    void check();
}
