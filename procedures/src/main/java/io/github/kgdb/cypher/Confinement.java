package io.github.kgdb.cypher;

import io.github.kgdb.TextPosition;

import org.neo4j.cypher.internal.ast.Where;
import org.neo4j.cypher.internal.expressions.AllIterablePredicate;
import org.neo4j.cypher.internal.expressions.And;
import org.neo4j.cypher.internal.expressions.Expression;
import org.neo4j.cypher.internal.expressions.FilterScope;
import org.neo4j.cypher.internal.expressions.LabelName;
import org.neo4j.cypher.internal.expressions.LabelOrRelTypeName;
import org.neo4j.cypher.internal.expressions.LogicalVariable;
import org.neo4j.cypher.internal.expressions.Variable;
import org.neo4j.cypher.internal.label_expressions.LabelExpression;
import org.neo4j.cypher.internal.label_expressions.LabelExpressionPredicate;
import org.neo4j.cypher.internal.util.InputPosition;

import scala.Option;
import scala.Some;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Rewrites a query so that it can read one graph only: every node of every pattern, and every node
 * on a variable-length path, must have one of the graph's labels.
 */
public final class Confinement {
    private final Scope scope;
    private final String script;
    private final List<Expression> conditions = new ArrayList<>();
    private int relationships;

    /**
     * @param labels a node of the graph has one of these
     * @param open whether relationships lead out of the graph, so that a path could leave it and
     *     return
     */
    public record Scope(List<String> labels, boolean open) {}

    private Confinement(Scope scope, String script) {
        this.scope = scope;
        this.script = script;
    }

    /**
     * @param script the text of the query
     */
    static Object confined(Object query, Scope scope, String script) {
        return new Confinement(scope, script).node(query);
    }

    private Object node(Object node) {
        return switch (AstNodes.kind(node)) {
            case "NodePattern" -> labelled(AstNodes.changed(node, this::node));
            case "RelationshipPattern" -> named(AstNodes.changed(node, this::node));
            case "Match" -> match(node);
            case "PatternComprehension" -> comprehension(node);
            case "PatternExpression", "ShortestPathExpression" -> condition(node);
            default -> AstNodes.changed(node, this::node);
        };
    }

    private Object labelled(Object pattern) {
        InputPosition at = AstNodes.position(pattern);
        Option<?> written = (Option<?>) AstNodes.field(pattern, "labelExpression");
        boolean containsIs = written.isDefined() && ((LabelExpression) written.get()).containsIs();
        LabelExpression label =
                anyOf(
                        name -> new LabelExpression.Leaf(new LabelName(name, at), containsIs),
                        containsIs,
                        at);
        if (written.isEmpty()) {
            return AstNodes.with(pattern, "labelExpression", new Some<>(label));
        }
        List<LabelExpression> all = new ArrayList<>();
        split((LabelExpression) written.get(), all);
        all.add(label);
        return AstNodes.with(
                pattern,
                "labelExpression",
                new Some<>(new LabelExpression.Conjunctions(AstNodes.seq(all), containsIs, at)));
    }

    /** n:A:B cannot be combined with '&'. */
    private static void split(LabelExpression expression, List<LabelExpression> into) {
        if (expression instanceof LabelExpression.ColonConjunction both) {
            split(both.lhs(), into);
            split(both.rhs(), into);
        } else {
            into.add(expression);
        }
    }

    /** Gives a variable-length path that could leave the graph a name and a condition. */
    private Object named(Object relationship) {
        if (!scope.open() || !(AstNodes.field(relationship, "length") instanceof Some<?>)) {
            return relationship;
        }
        InputPosition at = AstNodes.position(relationship);
        Option<?> written = (Option<?>) AstNodes.field(relationship, "variable");
        LogicalVariable path =
                written.isDefined()
                        ? (LogicalVariable) written.get()
                        : new Variable("kgdb path " + relationships++, at, false);
        Variable each = new Variable("kgdb hop", at, false);
        conditions.add(
                new AllIterablePredicate(
                        new FilterScope(
                                each,
                                new Some<>(
                                        new And(
                                                inGraph("startNode", each, at),
                                                inGraph("endNode", each, at),
                                                at)),
                                at),
                        path,
                        at));
        return AstNodes.with(relationship, "variable", new Some<>(path));
    }

    /** The graph's label, or the disjunction of its labels. */
    private LabelExpression anyOf(
            Function<String, LabelExpression> leaf, boolean containsIs, InputPosition at) {
        List<LabelExpression> leaves = scope.labels().stream().map(leaf).toList();
        return leaves.size() == 1
                ? leaves.get(0)
                : new LabelExpression.Disjunctions(AstNodes.seq(leaves), containsIs, at);
    }

    private Expression inGraph(String end, Variable relationship, InputPosition at) {
        return new LabelExpressionPredicate(
                AstNodes.call(List.of(), end, at, relationship),
                anyOf(
                        name -> new LabelExpression.Leaf(new LabelOrRelTypeName(name, at), false),
                        false,
                        at),
                at,
                false);
    }

    private Object match(Object match) {
        List<Expression> outer = begin();
        Object made = AstNodes.changed(match, this::node);
        Option<?> written = (Option<?>) AstNodes.field(made, "where");
        Option<Expression> all = end(written.map(where -> ((Where) where).expression()), outer);
        return all.isEmpty()
                ? made
                : AstNodes.with(
                        made, "where", new Some<>(new Where(all.get(), all.get().position())));
    }

    @SuppressWarnings("unchecked")
    private Object comprehension(Object comprehension) {
        List<Expression> outer = begin();
        Object made = AstNodes.changed(comprehension, this::node);
        Option<Expression> written = (Option<Expression>) AstNodes.field(made, "predicate");
        Option<Expression> all = end(written, outer);
        return all.isEmpty() ? made : AstNodes.with(made, "predicate", all);
    }

    /** Returns the conditions of the enclosing patterns, for {@link #end}. */
    private List<Expression> begin() {
        List<Expression> outer = List.copyOf(conditions);
        conditions.clear();
        return outer;
    }

    /** The written condition and those added since {@link #begin}; none if there are none. */
    private Option<Expression> end(Option<Expression> written, List<Expression> outer) {
        List<Expression> own = List.copyOf(conditions);
        conditions.clear();
        conditions.addAll(outer);
        if (own.isEmpty()) {
            return Option.empty();
        }
        Stream<Expression> first = written.isEmpty() ? Stream.empty() : Stream.of(written.get());
        return Option.apply(
                Stream.concat(first, own.stream())
                        .reduce((one, other) -> new And(one, other, other.position()))
                        .orElseThrow());
    }

    /** A pattern in a condition cannot name anything. */
    private Object condition(Object pattern) {
        int before = conditions.size();
        Object made = AstNodes.changed(pattern, this::node);
        if (conditions.size() > before) {
            throw new Refusal(
                    ReadStatus.FORBIDDEN_CONSTRUCT,
                    "in this graph a path of variable length is not allowed here; write"
                            + " EXISTS { MATCH … }",
                    TextPosition.at(script, conditions.get(before).position().offset()));
        }
        return made;
    }
}
