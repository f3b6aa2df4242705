package io.github.kgdb.kernel.api;

import java.util.Locale;

/** Which way a relationship is read, seen from the node it is read at. */
public enum Direction {
    OUT,
    IN,
    BOTH;

    /** As it is written in configs and rows: {@code out}, {@code in}, {@code both}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As it is seen from the other end. */
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
