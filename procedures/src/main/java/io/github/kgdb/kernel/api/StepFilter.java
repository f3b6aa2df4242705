package io.github.kgdb.kernel.api;

import org.eclipse.collections.api.IntIterable;
import org.eclipse.collections.api.set.primitive.IntSet;
import org.eclipse.collections.impl.set.mutable.primitive.IntHashSet;

import java.util.Collection;
import java.util.Objects;

/**
 * The relations that may be followed, and in which direction: either all except some, or a
 * selection.
 *
 * @param outgoing the relations that may be followed along their direction; null: any
 * @param incoming the relations that may be followed against their direction; null: any
 * @param deniedOutgoing never followed along their direction; takes precedence
 * @param deniedIncoming never followed against their direction; takes precedence
 */
public record StepFilter(
        IntSet outgoing, IntSet incoming, IntSet deniedOutgoing, IntSet deniedIncoming) {
    private static final IntSet NONE = new IntHashSet();

    /** Every relation in {@code direction}. */
    public static StepFilter any(Direction direction) {
        return new StepFilter(
                direction.includes(Direction.OUT) ? null : NONE,
                direction.includes(Direction.IN) ? null : NONE,
                NONE,
                NONE);
    }

    public static StepFilter only(Collection<RelationStep> steps) {
        return new StepFilter(
                relations(steps, Direction.OUT), relations(steps, Direction.IN), NONE, NONE);
    }

    /** The steps with these {@link RelationStep#code codes}. */
    public static StepFilter ofCodes(IntIterable codes) {
        IntHashSet outgoing = new IntHashSet(codes.size());
        IntHashSet incoming = new IntHashSet(codes.size());
        codes.forEach(
                code ->
                        (RelationStep.isOutgoing(code) ? outgoing : incoming)
                                .add(RelationStep.relation(code)));
        return new StepFilter(outgoing, incoming, NONE, NONE);
    }

    public static StepFilter only(RelationStep step) {
        IntSet relation = IntHashSet.newSetWith(step.relation());
        boolean along = step.direction() == Direction.OUT;
        return new StepFilter(along ? relation : NONE, along ? NONE : relation, NONE, NONE);
    }

    /** The same filter without the steps in {@code denied}. */
    public StepFilter without(Collection<RelationStep> denied) {
        return new StepFilter(
                outgoing,
                incoming,
                relations(denied, Direction.OUT),
                relations(denied, Direction.IN));
    }

    /** The filter for the way back over the same relationships. */
    public StepFilter reversed() {
        return new StepFilter(incoming, outgoing, deniedIncoming, deniedOutgoing);
    }

    /** Whether every step that is allowed is allowed in reverse too. */
    public boolean isSymmetric() {
        return Objects.equals(outgoing, incoming) && deniedOutgoing.equals(deniedIncoming);
    }

    /**
     * Whether nothing is denied, so that {@link #outgoing} and {@link #incoming} are the whole
     * filter.
     */
    public boolean nothingIsDenied() {
        return deniedOutgoing.isEmpty() && deniedIncoming.isEmpty();
    }

    /** Whether the filter is a selection of relations, in both directions. */
    public boolean isSelection() {
        return outgoing != null && incoming != null;
    }

    /** Whether some relation may be followed in that direction. */
    public boolean allowsAny(Direction direction) {
        IntSet named = direction == Direction.OUT ? outgoing : incoming;
        return named == null || named.notEmpty();
    }

    /** Whether every relation may be followed in that direction. */
    public boolean allowsAll(Direction direction) {
        return direction == Direction.OUT
                ? outgoing == null && deniedOutgoing.isEmpty()
                : incoming == null && deniedIncoming.isEmpty();
    }

    public boolean allows(int relation, Direction direction) {
        return direction == Direction.OUT
                ? (outgoing == null || outgoing.contains(relation))
                        && !deniedOutgoing.contains(relation)
                : (incoming == null || incoming.contains(relation))
                        && !deniedIncoming.contains(relation);
    }

    private static IntSet relations(Collection<RelationStep> steps, Direction direction) {
        IntHashSet relations = new IntHashSet();
        for (RelationStep step : steps) {
            if (step.direction() == direction) {
                relations.add(step.relation());
            }
        }
        return relations;
    }
}
