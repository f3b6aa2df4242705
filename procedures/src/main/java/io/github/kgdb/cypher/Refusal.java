package io.github.kgdb.cypher;

import io.github.kgdb.Place;

/** Why a script is not run, or not to its end: what is wrong, where, and what to do instead. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ReadStatus status;
    private final transient Place place;

    public Refusal(ReadStatus status, String message, Place place) {
        super(message, null, false, false);
        this.status = status;
        this.place = place;
    }

    public ReadStatus status() {
        return status;
    }

    /** Null where the error has none. */
    public Place place() {
        return place;
    }
}
