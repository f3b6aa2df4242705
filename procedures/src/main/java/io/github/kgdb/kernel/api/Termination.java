package io.github.kgdb.kernel.api;

/** Ends a call early. A kernel checks it in every loop that can run long. */
@FunctionalInterface
public interface Termination {
    /** Throws if the caller no longer waits or the time limit has passed. */
    void check();
}
