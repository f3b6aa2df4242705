package io.github.kgdb.kernel;

/** A relation (by the number of its type, or any) and the direction it is followed in. */
public record RelationStep(int relation, Direction direction) {
    public static final int ANY_RELATION = -1;

    boolean covers(int otherRelation, Direction otherDirection) {
        return (relation == ANY_RELATION || relation == otherRelation)
                && (direction == Direction.BOTH || direction == otherDirection);
    }
}
