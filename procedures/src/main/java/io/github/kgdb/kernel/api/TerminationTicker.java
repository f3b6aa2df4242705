package io.github.kgdb.kernel.api;

/** Counts the turns of loops that are too quick to ask at each whether the call must end. */
public final class TerminationTicker {
    /** At a few microseconds a turn, what is late by so many is late by a millisecond. */
    private static final int CHECK_EVERY = 256;

    private final Termination termination;
    private int ticker;

    public TerminationTicker(Termination termination) {
        this.termination = termination;
    }

    /** Throws, at some turns, where the call must end. */
    public void next() {
        if (++ticker % CHECK_EVERY == 0) {
            termination.check();
        }
    }
}
