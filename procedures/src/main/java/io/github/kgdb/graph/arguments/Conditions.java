package io.github.kgdb.graph.arguments;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.Suggestions;
import io.github.kgdb.graph.store.PropertyCondition;
import io.github.kgdb.graph.store.PropertyCondition.Comparison;
import io.github.kgdb.graph.store.PropertyCondition.Operand;
import io.github.kgdb.graph.store.RelationshipFilter;

import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.token.api.NamedToken;
import org.neo4j.token.api.TokenConstants;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.StreamSupport;

/** Reads the conditions on properties of relationships that a call gives. */
public final class Conditions {
    private static final String RELATION = "relation";
    private static final String PROPERTY = "property";
    private static final String OPERATOR = "operator";
    private static final String VALUE = "value";
    private static final Set<String> KEYS = Set.of(RELATION, PROPERTY, OPERATOR, VALUE);
    private static final String EXPECTED =
            "a MAP {property, value} with, if you like, an operator and a relation";

    private final RelationTypes relations;
    private final TokenRead tokens;

    public Conditions(RelationTypes relations, TokenRead tokens) {
        this.relations = relations;
        this.tokens = tokens;
    }

    public RelationshipFilter filter(List<?> where) {
        List<PropertyCondition> conditions = new ArrayList<>();
        for (Object condition : where) {
            conditions.add(condition(condition));
        }
        return conditions.isEmpty()
                ? RelationshipFilter.NONE
                : new RelationshipFilter(conditions);
    }

    private PropertyCondition condition(Object given) {
        if (!(given instanceof Map<?, ?> map)) {
            throw wrong("expected " + EXPECTED + ", got " + CypherValues.describe(given));
        }
        for (Object key : map.keySet()) {
            if (!KEYS.contains(key)) {
                throw wrong(
                        "unknown key "
                                + CypherValues.quote(String.valueOf(key))
                                + "; expected "
                                + EXPECTED
                                + Suggestions.didYouMean(String.valueOf(key), KEYS.stream()));
            }
        }
        return new PropertyCondition(
                relation(map.get(RELATION)),
                property(map.get(PROPERTY)),
                comparison(map.get(OPERATOR)),
                Operand.of(value(map.get(VALUE))));
    }

    private int relation(Object given) {
        if (given == null) {
            return PropertyCondition.EVERY_RELATION;
        }
        if (!(given instanceof String name) || name.startsWith("^")) {
            throw wrong(
                    "relation: expected a relation's name without ^, got "
                            + CypherValues.describe(given));
        }
        return relations.step(name).relation();
    }

    private int property(Object given) {
        if (!(given instanceof String name)) {
            throw wrong("property: expected a STRING, got " + CypherValues.describe(given));
        }
        int number = tokens.propertyKey(name);
        if (number == TokenConstants.NO_TOKEN) {
            throw wrong(
                    "no relationship has a property "
                            + CypherValues.quote(name)
                            + Suggestions.didYouMean(
                                    name,
                                    StreamSupport.stream(
                                                    Spliterators.spliteratorUnknownSize(
                                                            tokens.propertyKeyGetAllTokens(),
                                                            Spliterator.NONNULL),
                                                    false)
                                            .map(NamedToken::name)));
        }
        return number;
    }

    private static Comparison comparison(Object given) {
        if (given == null) {
            return Comparison.EQUAL;
        }
        return Comparison.of(String.valueOf(given))
                .orElseThrow(
                        () ->
                                wrong(
                                        "operator: expected one of "
                                                + String.join(", ", Comparison.texts())
                                                + ", got "
                                                + CypherValues.describe(given)));
    }

    private static Value value(Object given) {
        if (given == null || given instanceof List<?> || given instanceof Map<?, ?>) {
            throw wrong(
                    "value: expected a number, a text, a truth value or a date, got "
                            + CypherValues.describe(given));
        }
        try {
            return Values.of(given);
        } catch (IllegalArgumentException other) {
            throw wrong(
                    "value: expected a number, a text, a truth value or a date, got "
                            + CypherValues.describe(given));
        }
    }

    private static KgdbException wrong(String message) {
        return KgdbException.usage("where: " + message);
    }
}
