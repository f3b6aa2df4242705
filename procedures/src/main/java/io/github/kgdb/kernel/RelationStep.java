package io.github.kgdb.kernel;

/** A relation (by the number of its type) and the direction it is followed in, never both. */
public record RelationStep(int relation, Direction direction) {
    RelationStep reversed() {
        return new RelationStep(relation, direction.reversed());
    }
}
