package io.github.kgdb.cypher;

import io.github.kgdb.TextPosition;

import org.neo4j.cypher.internal.expressions.And;
import org.neo4j.cypher.internal.expressions.Expression;
import org.neo4j.cypher.internal.expressions.LogicalVariable;
import org.neo4j.cypher.internal.expressions.StringLiteral;

import scala.Option;
import scala.Some;
import scala.Tuple2;
import scala.collection.Iterable;
import scala.jdk.javaapi.CollectionConverters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rewrites a query so that every expression that can grow large or take long calls the functions of
 * {@link GuardFunction}, which apply the limits of {@link RunningQuery} while it runs.
 *
 * <p>The server checks limits between rows and reads, but not inside one expression, and counts no
 * memory there. So each site in the query that makes a text, a list or a map counts what it makes,
 * each loop checks the time limit at every iteration, and an operation that takes longer than the
 * length of its operands is checked before it begins. A comparison with a property, which an index
 * may serve, stays as it is written: it takes no longer than reading the property.
 */
final class GuardInserter {
    /** CONTAINS of a literal of up to this length takes about as long as reading the text. */
    private static final int SHORT_TEXT = 100;

    /**
     * The maximum properties and comparisons per query that stay unguarded. It bounds what one row
     * holds and compares without being counted.
     */
    private static final int MAX_UNGUARDED = 50;

    /** How long the value of an expression lives. */
    private enum Use {
        /** It is garbage, or counted by the server, before the next value exists. */
        PASSING,
        /** It stays while others are made, such as an item of a list. */
        KEPT
    }

    /** Expressions of the current clause that have been rewritten; ORDER BY may repeat them. */
    private Map<Object, Expression> repeated = Map.of();

    private final String script;
    private int sites;
    private int unguarded;

    private GuardInserter(String script) {
        this.script = script;
    }

    /**
     * Returns the same object if there is nothing to guard.
     *
     * @param script the text of the query
     */
    static Object guarded(Object query, String script) {
        return new GuardInserter(script).node(query);
    }

    private Object node(Object node) {
        if (node instanceof Expression expression) {
            return expression(expression, Use.PASSING);
        }
        return switch (AstNodes.kind(node)) {
            case "With", "Return" -> projection(node, null);
            case "NodePattern", "RelationshipPattern" -> pattern(node);
            default -> AstNodes.changed(node, this::node);
        };
    }

    // Clauses

    /**
     * @param item the site of the list whose items the rows become, or null
     */
    private Object projection(Object clause, Integer item) {
        Map<Object, Expression> outer = repeated;
        Map<Object, Expression> rewritten = new HashMap<>();
        boolean isReturn = AstNodes.kind(clause).equals("Return");
        Object items =
                AstNodes.changed(
                        AstNodes.field(clause, "returnItems"),
                        each -> returnItem(each, isReturn, item, rewritten));
        Object projected = AstNodes.with(clause, "returnItems", items);
        repeated = rewritten;
        Object whole = AstNodes.changed(projected, field -> field == items ? field : node(field));
        repeated = outer;
        return whole;
    }

    private Object returnItem(
            Object returnItem, boolean isReturn, Integer item, Map<Object, Expression> rewritten) {
        Expression expression = (Expression) AstNodes.field(returnItem, "expression");
        Expression guarded =
                isReturn && Expressions.isCall(expression, "collect")
                        ? (Expression) AstNodes.changed(expression, this::node)
                        : expression(expression, Use.PASSING);
        if (item != null) {
            return GuardCalls.item(returnItem, item, guarded);
        }
        if (guarded != expression) {
            rewritten.put(expression, guarded);
        }
        return AstNodes.with(returnItem, "expression", guarded);
    }

    /** {name: …} in a pattern must stay a map that the planner can read. */
    private Object pattern(Object pattern) {
        return AstNodes.changed(
                pattern,
                field ->
                        AstNodes.kind(field).equals("MapExpression")
                                ? AstNodes.changed(field, this::node)
                                : node(field));
    }

    // Expressions

    private Expression expression(Expression expression, Use use) {
        Expression rewritten = repeated.get(expression);
        if (rewritten != null) {
            return rewritten;
        }
        String kind = AstNodes.kind(expression);
        if (Expressions.COMPARISONS.contains(kind)) {
            return comparison(expression);
        }
        return switch (kind) {
            case "Property", "ContainerIndex" -> stored(expression, use);
            case "ListLiteral", "MapExpression" -> literal(expression);
            case "MapProjection" -> projectedMap(expression);
            case "Add", "Concatenate" -> sum(expression);
            case "FunctionInvocation" -> function(expression);
            case "Contains" -> contains(expression);
            case "RegexMatch" ->
                    GuardCalls.call(
                            GuardFunction.MATCHES,
                            expression,
                            operand(expression, "lhs"),
                            operand(expression, "rhs"));
            case "CaseExpression" -> cases(expression, use);
            case "ListComprehension" -> listComprehension(expression);
            case "AllIterablePredicate",
                            "AnyIterablePredicate",
                            "NoneIterablePredicate",
                            "SingleIterablePredicate" ->
                    iteration(expression);
            case "PatternComprehension" -> patternComprehension(expression);
            case "CollectExpression" -> collected(expression);
            default -> inside(expression);
        };
    }

    private Expression inside(Expression expression) {
        return (Expression) AstNodes.changed(expression, this::node);
    }

    /** Counts what the expression makes, at a site of its own. */
    private Expression counted(Expression making) {
        return GuardCalls.guard(GuardFunction.VALUE, sites++, making);
    }

    private Expression operand(Object expression, String field) {
        return expression((Expression) AstNodes.field(expression, field), Use.PASSING);
    }

    private Expression kept(Object expression) {
        return expression((Expression) expression, Use.KEPT);
    }

    private Expression stored(Expression property, Use use) {
        Expression inside = inside(property);
        return use == Use.PASSING && ++unguarded <= MAX_UNGUARDED ? inside : counted(inside);
    }

    private Expression literal(Expression literal) {
        if (Expressions.isConstant(literal)) {
            return literal;
        }
        return counted(
                (Expression)
                        AstNodes.changed(
                                literal,
                                field -> field instanceof Expression ? kept(field) : field));
    }

    private Expression projectedMap(Expression map) {
        Object made =
                AstNodes.changed(
                        map,
                        item -> {
                            unguarded++;
                            return AstNodes.kind(item).equals("LiteralEntry")
                                    ? AstNodes.changed(
                                            item,
                                            field ->
                                                    field instanceof Expression
                                                            ? kept(field)
                                                            : field)
                                    : item;
                        });
        if (unguarded > MAX_UNGUARDED) {
            throw new Refusal(
                    ReadStatus.TOO_COMPLEX,
                    "the query reads more than "
                            + MAX_UNGUARDED
                            + " properties; return fewer, or the node itself",
                    TextPosition.at(script, map.position().offset()));
        }
        return counted((Expression) made);
    }

    private Expression sum(Expression sum) {
        Expression inside = inside(sum);
        return Expressions.isNumber(AstNodes.field(sum, "lhs"))
                        || Expressions.isNumber(AstNodes.field(sum, "rhs"))
                ? inside
                : counted(inside);
    }

    private Expression function(Expression call) {
        String name = Expressions.functionName(call);
        if (name.equals("replace") || name.equals("split")) {
            return searching(name, call);
        }
        Expression inside = inside(call);
        if (Expressions.COPIES.contains(name) || name.equals("collect")) {
            return counted(inside);
        }
        if (name.equals("nullif")) {
            return GuardCalls.step(inside);
        }
        return Expressions.PARSERS.contains(name) ? GuardCalls.parsed(inside) : inside;
    }

    private Expression searching(String name, Expression call) {
        Object inside = inside(call);
        List<Expression> arguments = new ArrayList<>();
        arguments.add(AstNodes.integer(sites++, AstNodes.position(call)));
        iterable(AstNodes.field(inside, "args"))
                .forEach(argument -> arguments.add((Expression) argument));
        return GuardCalls.call(name, call, arguments.toArray(Expression[]::new));
    }

    private Expression contains(Expression contains) {
        if (AstNodes.field(contains, "rhs") instanceof StringLiteral part
                && part.value().length() <= SHORT_TEXT) {
            return inside(contains);
        }
        return GuardCalls.call(
                GuardFunction.CONTAINS,
                contains,
                operand(contains, "lhs"),
                operand(contains, "rhs"));
    }

    /** Comparing two large lists, and searching a list, can take long. */
    private Expression comparison(Expression comparison) {
        Object left = AstNodes.field(comparison, "lhs");
        Object right = AstNodes.field(comparison, "rhs");
        if (Expressions.isConstant(left) && Expressions.isConstant(right)) {
            return comparison;
        }
        Object withLeft = AstNodes.with(comparison, "lhs", operand(comparison, "lhs"));
        Expression whole =
                AstNodes.kind(right).equals("ListLiteral")
                        ? (Expression) AstNodes.with(withLeft, "rhs", inside((Expression) right))
                        : (Expression) AstNodes.with(withLeft, "rhs", operand(comparison, "rhs"));
        if (Expressions.isSmall(left) || Expressions.isSmall(right)) {
            return whole;
        }
        boolean indexed = Expressions.isProperty(left) || Expressions.isProperty(right);
        return indexed && ++unguarded <= MAX_UNGUARDED ? whole : GuardCalls.step(whole);
    }

    /** CASE x WHEN y is in the tree as CASE x WHEN x = y. */
    private Expression cases(Expression cases, Use use) {
        List<Object> alternatives = new ArrayList<>();
        for (Object each : iterable(AstNodes.field(cases, "alternatives"))) {
            Tuple2<?, ?> alternative = (Tuple2<?, ?>) each;
            alternatives.add(
                    new Tuple2<>(
                            expression((Expression) alternative._1(), Use.PASSING),
                            expression((Expression) alternative._2(), use)));
        }
        Object made =
                AstNodes.with(
                        cases,
                        "alternatives",
                        CollectionConverters.asScala(alternatives).toIndexedSeq());
        Option<?> otherwise = (Option<?>) AstNodes.field(cases, "default");
        if (otherwise.isDefined()) {
            Expression value = expression((Expression) otherwise.get(), use);
            made = AstNodes.with(made, "default", new Some<>(value));
        }
        return cases.equals(made) ? cases : (Expression) made;
    }

    // Loops

    private Expression listComprehension(Expression comprehension) {
        int site = sites++;
        Object scope = loop(AstNodes.field(comprehension, "scope"));
        Option<?> extract = (Option<?>) AstNodes.field(scope, "extractExpression");
        if (extract.isDefined()) {
            Expression item = expression((Expression) extract.get(), Use.PASSING);
            scope =
                    AstNodes.with(
                            scope,
                            "extractExpression",
                            new Some<>(GuardCalls.guard(GuardFunction.ITEM, site, item)));
        }
        Object looped = AstNodes.with(comprehension, "scope", scope);
        return GuardCalls.guard(
                GuardFunction.VALUE,
                site,
                (Expression)
                        AstNodes.with(looped, "expression", operand(comprehension, "expression")));
    }

    private Expression iteration(Expression iteration) {
        Object looped = AstNodes.with(iteration, "scope", loop(AstNodes.field(iteration, "scope")));
        return (Expression) AstNodes.with(looped, "expression", operand(iteration, "expression"));
    }

    /** A condition that reads the graph must stay visible to the planner. */
    private Object loop(Object scope) {
        Option<?> inner = (Option<?>) AstNodes.field(scope, "innerPredicate");
        if (inner.isEmpty()) {
            return scope;
        }
        Expression condition = expression((Expression) inner.get(), Use.PASSING);
        Expression guarded =
                Expressions.readsGraph(condition)
                        ? new And(
                                GuardCalls.turn(
                                        (LogicalVariable) AstNodes.field(scope, "variable")),
                                condition,
                                condition.position())
                        : GuardCalls.step(condition);
        return AstNodes.with(scope, "innerPredicate", new Some<>(guarded));
    }

    private Expression patternComprehension(Expression comprehension) {
        int site = sites++;
        Object projection = AstNodes.field(comprehension, "projection");
        Object made =
                AstNodes.changed(comprehension, field -> field == projection ? field : node(field));
        return GuardCalls.guard(
                GuardFunction.VALUE,
                site,
                (Expression)
                        AstNodes.with(
                                made,
                                "projection",
                                GuardCalls.guard(
                                        GuardFunction.ITEM,
                                        site,
                                        expression((Expression) projection, Use.PASSING))));
    }

    private Expression collected(Expression collect) {
        int site = sites++;
        return GuardCalls.guard(
                GuardFunction.VALUE,
                site,
                (Expression)
                        AstNodes.with(
                                collect,
                                "query",
                                withItems(AstNodes.field(collect, "query"), site)));
    }

    private Object withItems(Object query, int site) {
        return AstNodes.changed(
                query,
                part ->
                        switch (AstNodes.kind(part)) {
                            case "SingleQuery", "UnionAll", "UnionDistinct" ->
                                    withItems(part, site);
                            case "Return" -> projection(part, site);
                            default -> node(part);
                        });
    }

    private static List<Object> iterable(Object items) {
        return new ArrayList<>(CollectionConverters.asJavaCollection((Iterable<?>) items));
    }
}
