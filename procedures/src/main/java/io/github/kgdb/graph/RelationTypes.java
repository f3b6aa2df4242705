package io.github.kgdb.graph;

import io.github.kgdb.KgdbException;
import io.github.kgdb.Suggestions;
import io.github.kgdb.kernel.Direction;
import io.github.kgdb.kernel.RelationStep;

import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.token.api.NamedToken;
import org.neo4j.token.api.TokenConstants;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads relation specs: {@code directed_by} is followed along the relation's direction, {@code
 * ^directed_by} against it.
 */
public final class RelationTypes {
    private static final String AGAINST = "^";

    private final TokenRead tokens;

    RelationTypes(TokenRead tokens) {
        this.tokens = tokens;
    }

    /** One step for each spec. */
    public List<RelationStep> chain(List<String> specs) {
        return specs.stream().map(this::step).toList();
    }

    /**
     * What an allow-list asks for: all relations where it is empty; exactly these directions where
     * a spec carries {@code ^}; else each relation in {@code direction}.
     *
     * @param direction null where the caller gave none
     */
    public List<RelationStep> allowed(List<String> specs, Direction direction) {
        Direction read = direction == null ? Direction.BOTH : direction;
        if (specs.isEmpty()) {
            return List.of(new RelationStep(RelationStep.ANY_RELATION, read));
        }
        Optional<String> against = specs.stream().filter(RelationTypes::isAgainst).findFirst();
        if (against.isPresent()) {
            if (direction != null) {
                throw KgdbException.usage(
                        "relations already say a direction by '^', as in "
                                + CypherValues.quote(against.get())
                                + "; leave out either the '^' or config direction");
            }
            return List.copyOf(new LinkedHashSet<>(chain(specs)));
        }
        Set<RelationStep> steps = new LinkedHashSet<>();
        for (String spec : specs) {
            for (Direction one : split(read)) {
                steps.add(new RelationStep(number(spec), one));
            }
        }
        return List.copyOf(steps);
    }

    private RelationStep step(String spec) {
        return new RelationStep(number(spec), isAgainst(spec) ? Direction.IN : Direction.OUT);
    }

    private static boolean isAgainst(String spec) {
        return spec.startsWith(AGAINST);
    }

    /** Each direction of a named relation is a step of its own, and capped by itself. */
    private static List<Direction> split(Direction direction) {
        return direction == Direction.BOTH
                ? List.of(Direction.OUT, Direction.IN)
                : List.of(direction);
    }

    private int number(String spec) {
        String name = isAgainst(spec) ? spec.substring(AGAINST.length()) : spec;
        if (name.isEmpty()) {
            throw KgdbException.usage(
                    "relations: expected a relation's name, or ^ and its name, got "
                            + CypherValues.quote(spec));
        }
        int number = tokens.relationshipType(name);
        if (number == TokenConstants.NO_TOKEN) {
            throw KgdbException.usage(
                    "no relation "
                            + CypherValues.quote(name)
                            + " in the store"
                            + Suggestions.didYouMean(name, names()));
        }
        return number;
    }

    private Stream<String> names() {
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(
                                tokens.relationshipTypesGetAllTokens(), Spliterator.NONNULL),
                        false)
                .map(NamedToken::name);
    }
}
