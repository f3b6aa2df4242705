package io.github.kgdb.kernel.api;

/** Counts what a call keeps on the heap, so that a greedy call fails and not the server. */
@FunctionalInterface
public interface MemoryBudget {
    Account open();

    /** What one part of a call keeps; closing it gives all of that back. */
    interface Account extends AutoCloseable {
        /** Throws where the call, its user or the server would exceed its limit. */
        void allocate(long bytes);

        /** Gives back what was allocated before. */
        void release(long bytes);

        @Override
        void close();
    }
}
