package io.github.kgdb.thought;

import io.github.kgdb.thought.RelationshipPattern.Arrow;

import org.neo4j.cypher.internal.ast.Clause;
import org.neo4j.cypher.internal.ast.Create;
import org.neo4j.cypher.internal.ast.Merge;
import org.neo4j.cypher.internal.ast.Return;
import org.neo4j.cypher.internal.ast.ReturnItem;
import org.neo4j.cypher.internal.ast.SingleQuery;
import org.neo4j.cypher.internal.ast.Statement;
import org.neo4j.cypher.internal.expressions.BooleanLiteral;
import org.neo4j.cypher.internal.expressions.DecimalDoubleLiteral;
import org.neo4j.cypher.internal.expressions.Expression;
import org.neo4j.cypher.internal.expressions.ListLiteral;
import org.neo4j.cypher.internal.expressions.MapExpression;
import org.neo4j.cypher.internal.expressions.NamedPatternPart;
import org.neo4j.cypher.internal.expressions.NodePattern;
import org.neo4j.cypher.internal.expressions.Null;
import org.neo4j.cypher.internal.expressions.PathPatternPart;
import org.neo4j.cypher.internal.expressions.PropertyKeyName;
import org.neo4j.cypher.internal.expressions.RelationshipChain;
import org.neo4j.cypher.internal.expressions.RelationshipPattern;
import org.neo4j.cypher.internal.expressions.SemanticDirection;
import org.neo4j.cypher.internal.expressions.SignedDecimalIntegerLiteral;
import org.neo4j.cypher.internal.expressions.StringLiteral;
import org.neo4j.cypher.internal.expressions.SymbolicName;
import org.neo4j.cypher.internal.expressions.UnarySubtract;
import org.neo4j.cypher.internal.expressions.Variable;
import org.neo4j.cypher.internal.label_expressions.LabelExpression;
import org.neo4j.cypher.internal.parser.Cypher5AstParserFactory$;
import org.neo4j.cypher.internal.util.Neo4jCypherExceptionFactory;

import scala.Option;
import scala.Tuple2;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The graph of thought of a script as Neo4j's own parser parses it. {@link ThoughtBuilder} decides
 * here too which patterns are one node, because only the parsing is compared.
 */
final class ServerParser {
    /** Neo4j's parser takes the script for more than a graph of thought. */
    static final class OtherLanguage extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OtherLanguage(Object part) {
            super(part.getClass().getSimpleName() + " " + part);
        }
    }

    private final ThoughtBuilder thought;

    private ServerParser(Limits limits) {
        this.thought = new ThoughtBuilder(limits);
    }

    /**
     * Throws the exceptions of Neo4j's parser, {@link OtherLanguage} or ThoughtBuilder's refusal.
     */
    static Thought parse(String script, Limits limits) {
        ServerParser parser = new ServerParser(limits);
        for (Statement statement : statements(script)) {
            parser.statement(statement);
            parser.thought.endStatement();
        }
        return parser.thought.build();
    }

    private static List<Statement> statements(String script) {
        Neo4jCypherExceptionFactory errors =
                new Neo4jCypherExceptionFactory(script, Option.empty());
        return list(
                Cypher5AstParserFactory$.MODULE$
                        .apply(script, errors, Option.empty())
                        .statements()
                        .statements());
    }

    private void statement(Statement statement) {
        if (!(statement instanceof SingleQuery query)) {
            throw new OtherLanguage(statement);
        }
        for (Clause clause : list(query.clauses())) {
            if (clause instanceof Create create) {
                list(create.pattern().patternParts()).forEach(part -> path(part, false));
            } else if (clause instanceof Merge merge && merge.actions().isEmpty()) {
                path(merge.pattern(), true);
            } else if (clause instanceof Return returned) {
                returned(returned);
            } else {
                throw new OtherLanguage(clause);
            }
        }
    }

    private void returned(Return returned) {
        boolean isPlain =
                !returned.distinct()
                        && returned.orderBy().isEmpty()
                        && returned.skip().isEmpty()
                        && returned.limit().isEmpty();
        if (!isPlain) {
            throw new OtherLanguage(returned);
        }
        for (ReturnItem item : list(returned.returnItems().items())) {
            Object expression = item.expression();
            if (!(expression instanceof Variable variable)) {
                throw new OtherLanguage(item);
            }
            thought.requireVariable(word(variable.name()));
        }
    }

    private void path(Object part, boolean isMerge) {
        if (part instanceof NamedPatternPart named) {
            thought.path(word(named.variable().name()));
            path(named.patternPart(), isMerge);
        } else if (part instanceof PathPatternPart path) {
            List<NodePattern> nodes = new ArrayList<>();
            List<RelationshipPattern> relationships = new ArrayList<>();
            flatten(path.element(), nodes, relationships);
            path(nodes, relationships, isMerge);
        } else {
            throw new OtherLanguage(part);
        }
    }

    private void path(
            List<NodePattern> nodes, List<RelationshipPattern> relationships, boolean isMerge) {
        int end = thought.node(node(nodes.get(0)), isMerge, relationships.isEmpty());
        for (int i = 0; i < relationships.size(); i++) {
            int next = thought.node(node(nodes.get(i + 1)), isMerge, false);
            thought.relationship(relationship(relationships.get(i)), end, next, isMerge);
            end = next;
        }
    }

    private static void flatten(
            Object element, List<NodePattern> nodes, List<RelationshipPattern> relationships) {
        Object rest = element;
        while (rest instanceof RelationshipChain chain) {
            nodes.add(0, chain.rightNode());
            relationships.add(0, chain.relationship());
            rest = chain.element();
        }
        if (!(rest instanceof NodePattern first)) {
            throw new OtherLanguage(rest);
        }
        nodes.add(0, first);
    }

    private static io.github.kgdb.thought.NodePattern node(NodePattern node) {
        if (node.predicate().isDefined()) {
            throw new OtherLanguage(node);
        }
        Set<String> labels = new LinkedHashSet<>();
        if (node.labelExpression().isDefined()) {
            labels(node.labelExpression().get(), labels);
        }
        return new io.github.kgdb.thought.NodePattern(
                variable(node.variable()), labels, properties(node.properties()), 0);
    }

    private static io.github.kgdb.thought.RelationshipPattern relationship(
            RelationshipPattern relationship) {
        if (relationship.predicate().isDefined()
                || relationship.length().isDefined()
                || relationship.labelExpression().isEmpty()) {
            throw new OtherLanguage(relationship);
        }
        Set<String> types = new LinkedHashSet<>();
        labels(relationship.labelExpression().get(), types);
        return new io.github.kgdb.thought.RelationshipPattern(
                variable(relationship.variable()),
                types.iterator().next(),
                properties(relationship.properties()),
                arrow(relationship.direction()),
                0);
    }

    private static Arrow arrow(SemanticDirection direction) {
        return switch (direction.toString()) {
            case "OUTGOING" -> Arrow.RIGHT;
            case "INCOMING" -> Arrow.LEFT;
            default -> Arrow.NONE;
        };
    }

    private static void labels(LabelExpression expression, Set<String> labels) {
        if (expression.containsIs()) {
            throw new OtherLanguage(expression);
        }
        if (expression instanceof LabelExpression.Leaf leaf
                && (Object) leaf.name() instanceof SymbolicName name) {
            labels.add(name.name());
        } else if (expression instanceof LabelExpression.Conjunctions conjunctions) {
            list(conjunctions.children()).forEach(child -> labels(child, labels));
        } else if (expression instanceof LabelExpression.ColonConjunction conjunction) {
            labels(conjunction.lhs(), labels);
            labels(conjunction.rhs(), labels);
        } else {
            throw new OtherLanguage(expression);
        }
    }

    private static Map<String, Object> properties(Option<Expression> properties) {
        Map<String, Object> values = new LinkedHashMap<>();
        if (properties.isDefined()) {
            if (!(properties.get() instanceof MapExpression map)) {
                throw new OtherLanguage(properties.get());
            }
            for (Tuple2<PropertyKeyName, Expression> item : list(map.items())) {
                Object value = value(item._2());
                if (value != null) {
                    values.put(item._1().name(), value);
                }
            }
        }
        return values;
    }

    private static Object value(Object expression) {
        if (expression instanceof StringLiteral text) {
            return text.value();
        } else if (expression instanceof SignedDecimalIntegerLiteral integer) {
            return integer.value();
        } else if (expression instanceof DecimalDoubleLiteral number) {
            return number.value();
        } else if (expression instanceof UnarySubtract minus) {
            Object value = value(minus.rhs());
            return value instanceof Long number ? (Object) (-number) : (Object) (-(Double) value);
        } else if (expression instanceof BooleanLiteral literal) {
            return literal.value();
        } else if (expression instanceof Null) {
            return null;
        } else if (expression instanceof ListLiteral items) {
            return list(items.expressions()).stream().map(ServerParser::value).toList();
        }
        throw new OtherLanguage(expression);
    }

    private static <T> String variable(Option<T> variable) {
        return variable.isEmpty() ? null : ((Variable) (Object) variable.get()).name();
    }

    private static Token word(String text) {
        return new Token(Token.Kind.WORD, text, 0);
    }

    private static <T> List<T> list(scala.collection.Iterable<T> items) {
        List<T> list = new ArrayList<>();
        scala.collection.Iterator<T> iterator = items.iterator();
        while (iterator.hasNext()) {
            list.add(iterator.next());
        }
        return list;
    }
}
