package io.github.kgdb.cypher;

import io.github.kgdb.TextPosition;

/** Why a script does not run, or does not finish: what is wrong, where, and what to do instead. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ReadStatus status;
    private final transient TextPosition position;

    public Refusal(ReadStatus status, String message, TextPosition position) {
        super(message, null, false, false);
        this.status = status;
        this.position = position;
    }

    public ReadStatus status() {
        return status;
    }

    /** Null if the error has none. */
    public TextPosition position() {
        return position;
    }
}
