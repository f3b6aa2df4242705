package io.github.kgdb.kernel.api;

/**
 * Checks a {@link Termination} at every 256th iteration, for loops whose iterations are shorter
 * than a check.
 */
public final class TerminationTicker {
    /** At a few microseconds per iteration, the check is at most a millisecond late. */
    private static final int CHECK_EVERY = 256;

    private final Termination termination;
    private int iterations;

    public TerminationTicker(Termination termination) {
        this.termination = termination;
    }

    /** Call it once per iteration. Throws, at some iterations, if the call must end. */
    public void tick() {
        if (++iterations % CHECK_EVERY == 0) {
            termination.check();
        }
    }
}
