package io.github.kgdb.graph.arguments;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.Suggestions;
import io.github.kgdb.graph.store.GraphLabels;
import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.ListedRelations;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;

import org.eclipse.collections.impl.set.mutable.primitive.IntHashSet;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.token.api.NamedToken;
import org.neo4j.token.api.TokenConstants;

import java.util.Collection;
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

    private final InternalTransaction transaction;
    private final KnowledgeGraph graph;
    private final TokenRead tokens;
    private final Read read;
    private final GraphLabels labels;
    private final IntHashSet found = new IntHashSet();

    /**
     * @param graph the graph whose relations these are; the store may hold other graphs
     */
    public RelationTypes(InternalTransaction transaction, KnowledgeGraph graph) {
        this.transaction = transaction;
        this.graph = graph;
        this.tokens = transaction.kernelTransaction().tokenRead();
        this.read = transaction.kernelTransaction().dataRead();
        this.labels = GraphLabels.of(graph, tokens);
    }

    /**
     * The filter for these specs: all relations if {@code specs} is empty; exactly these directions
     * if one spec has a {@code ^}; otherwise each relation in {@code direction}.
     *
     * @param direction null if the caller gave none
     * @param excluded denied: exactly these directions if one has a {@code ^}, otherwise both
     */
    public StepFilter steps(List<String> specs, Direction direction, List<String> excluded) {
        Direction read = direction == null ? Direction.BOTH : direction;
        StepFilter allowed =
                specs.isEmpty()
                        ? StepFilter.any(read)
                        : StepFilter.only(named(specs, direction, read));
        return excluded.isEmpty()
                ? allowed
                : allowed.without(named(excluded, null, Direction.BOTH));
    }

    /** Each spec as it is written or, if none has a {@code ^}, in direction {@code read}. */
    public Set<RelationStep> named(Collection<String> specs, Direction direction, Direction read) {
        Optional<String> against = specs.stream().filter(RelationTypes::isAgainst).findFirst();
        if (against.isPresent() && direction != null) {
            throw KgdbException.usage(
                    "relations already say a direction by '^', as in "
                            + CypherValues.quote(against.get())
                            + "; leave out either the '^' or config direction");
        }
        Set<RelationStep> steps = new LinkedHashSet<>();
        for (String spec : specs) {
            RelationStep step = step(spec);
            if (against.isPresent() || read != Direction.IN) {
                steps.add(step);
            }
            if (against.isEmpty() && read != Direction.OUT) {
                steps.add(new RelationStep(step.relation(), Direction.IN));
            }
        }
        return steps;
    }

    /**
     * Whether the list fixes the direction of each of its relations, because one has a {@code ^}.
     */
    public static boolean sayDirections(Collection<String> specs) {
        return specs.stream().anyMatch(RelationTypes::isAgainst);
    }

    /** The step of one spec, exactly as it is written. */
    public RelationStep step(String spec) {
        return new RelationStep(number(spec), isAgainst(spec) ? Direction.IN : Direction.OUT);
    }

    private static boolean isAgainst(String spec) {
        return spec.startsWith(AGAINST);
    }

    private int number(String spec) {
        String name = isAgainst(spec) ? spec.substring(AGAINST.length()) : spec;
        if (name.isEmpty()) {
            throw KgdbException.usage(
                    "relations: expected a relation's name, or ^ and its name, got "
                            + CypherValues.quote(spec));
        }
        int number = tokens.relationshipType(name);
        if (number == TokenConstants.NO_TOKEN || !isOfGraph(number, name)) {
            throw KgdbException.usage(
                    "no relation "
                            + CypherValues.quote(name)
                            + (graph.isWholeStore()
                                    ? " in the store"
                                    : " in graph '" + graph.name() + "'")
                            + Suggestions.didYouMean(name, names()));
        }
        return number;
    }

    private boolean isOfGraph(int number, String name) {
        if (graph.isWholeStore() || found.contains(number)) {
            return true;
        }
        // A listed relation may have lost its last relationship since.
        boolean isKnown = labels.use(number, read)
                        || ListedRelations.contain(transaction, graph, name);
        if (isKnown) {
            found.add(number);
        }
        return isKnown;
    }

    /** For suggestions: a type that only leads out of the graph may be another graph's secret. */
    private Stream<String> names() {
        if (graph.isWholeStore()) {
            return StreamSupport.stream(
                            Spliterators.spliteratorUnknownSize(
                                    tokens.relationshipTypesGetAllTokens(), Spliterator.NONNULL),
                            false)
                    .map(NamedToken::name);
        }
        return ListedRelations.of(transaction, graph).stream();
    }
}
