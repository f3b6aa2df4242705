package io.github.kgdb;

/**
 * How many random trials a test makes. The share is a quarter by default, because what a change breaks shows in few of
 * them; {@code make test-java TRIALS=100} makes all, before a release and after a change to what they try.
 */
public final class Trials {
    private static final int PERCENT = Integer.getInteger("kgdb.trials", 25);

    private Trials() {}

    /** The share of a whole number of trials, at least one. */
    public static int of(int whole) {
        return Math.max(1, whole * PERCENT / 100);
    }
}
