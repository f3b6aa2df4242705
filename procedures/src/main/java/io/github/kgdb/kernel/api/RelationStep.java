package io.github.kgdb.kernel.api;

/**
 * A relation (the number of its type) and the direction in which it is followed, {@code OUT} or
 * {@code IN}.
 */
public record RelationStep(int relation, Direction direction) {
    /** The inverse of {@link #code}. */
    public static RelationStep decoded(int code) {
        return new RelationStep(relation(code), isOutgoing(code) ? Direction.OUT : Direction.IN);
    }

    /** The step packed into one number, for arrays with millions of arcs. */
    public int code() {
        return code(relation, direction);
    }

    public static int code(int relation, Direction direction) {
        return relation << 1 | (direction == Direction.OUT ? 0 : 1);
    }

    static boolean isOutgoing(int code) {
        return (code & 1) == 0;
    }

    public static int relation(int code) {
        return code >> 1;
    }

    /** The code of the reversed step. */
    public static int reversed(int code) {
        return code ^ 1;
    }

    public RelationStep reversed() {
        return new RelationStep(relation, direction.reversed());
    }
}
