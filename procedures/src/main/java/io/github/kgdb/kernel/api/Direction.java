package io.github.kgdb.kernel.api;

import java.util.Locale;

/** The direction of a relationship, seen from the node at which it is read. */
public enum Direction {
    OUT,
    IN,
    BOTH;

    /** The form in config maps and rows: {@code out}, {@code in} or {@code both}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The direction seen from the other end. */
    public Direction reversed() {
        return switch (this) {
            case OUT -> IN;
            case IN -> OUT;
            case BOTH -> BOTH;
        };
    }

    public boolean includes(Direction one) {
        return this == BOTH || this == one;
    }
}
