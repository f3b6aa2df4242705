package io.github.kgdb.kernel.api;

/** A relation (by the number of its type) and the direction it is followed in, never both. */
public record RelationStep(int relation, Direction direction) {
    /** The step that {@link #code} gave this for. */
    public static RelationStep decoded(int code) {
        return new RelationStep(relation(code), isOutgoing(code) ? Direction.OUT : Direction.IN);
    }

    /** The same step as one number, which millions of arcs can carry. */
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

    /** The code of the step back. */
    public static int reversed(int code) {
        return code ^ 1;
    }

    public RelationStep reversed() {
        return new RelationStep(relation, direction.reversed());
    }
}
