package io.github.kgdb.kernel.api;

/** Counts the heap memory of a call, so that a greedy call fails and the server does not. */
@FunctionalInterface
public interface MemoryBudget {
    Account open();

    /** The memory of one part of a call; closing the account releases all of it. */
    interface Account extends AutoCloseable {
        /** Throws if the call, its user or the server would exceed its memory limit. */
        void allocate(long bytes);

        /** Releases part of what was allocated. */
        void release(long bytes);

        @Override
        void close();
    }
}
