package io.github.kgdb.cypher;

import org.neo4j.cypher.internal.expressions.Expression;
import org.neo4j.cypher.internal.expressions.Literal;
import org.neo4j.cypher.internal.expressions.NumberLiteral;
import org.neo4j.cypher.internal.expressions.Property;
import org.neo4j.cypher.internal.expressions.Variable;

import java.util.Locale;
import java.util.Set;

/** Static properties of expressions, known from the syntax tree alone. */
final class Expressions {
    /** Comparisons of two values of any size; an index may serve them. */
    static final Set<String> COMPARISONS =
            Set.of(
                    "Equals",
                    "NotEquals",
                    "LessThan",
                    "LessThanOrEqual",
                    "GreaterThan",
                    "GreaterThanOrEqual",
                    "In",
                    "StartsWith",
                    "EndsWith");

    /** Functions whose result is about as large as their argument, in lower case. */
    static final Set<String> COPIES =
            words(
                    "tolower toupper lower upper trim ltrim rtrim btrim left right substring"
                            + " reverse properties keys");

    /** Functions that read a text as a number, a truth value or a date. */
    static final Set<String> PARSERS =
            words(
                    "tointeger tointegerornull tofloat tofloatornull toboolean tobooleanornull date"
                            + " datetime localdatetime time localtime duration");

    private static final Set<String> NUMBERS =
            Set.of("Subtract", "Multiply", "Divide", "Modulo", "Pow", "UnarySubtract", "UnaryAdd");
    private static final Set<String> CONTAINERS = Set.of("ListLiteral", "MapExpression");
    private static final Set<String> GRAPH_READERS =
            Set.of("PatternExpression", "ExistsExpression", "CountExpression");

    private Expressions() {}

    static boolean isCall(Expression expression, String name) {
        return AstNodes.kind(expression).equals("FunctionInvocation")
                && functionName(expression).equals(name);
    }

    static String functionName(Expression call) {
        Object name = AstNodes.field(call, "functionName");
        return ((String) AstNodes.field(name, "name")).toLowerCase(Locale.ROOT);
    }

    /** Whether it consists of literals: then it is no larger than the script. */
    static boolean isConstant(Object expression) {
        if (expression instanceof Literal) {
            return true;
        }
        return CONTAINERS.contains(AstNodes.kind(expression))
                && !AstNodes.anyBelow(
                        expression, field -> field instanceof Expression && !isConstant(field));
    }

    static boolean isNumber(Object expression) {
        return NUMBERS.contains(AstNodes.kind(expression)) || expression instanceof NumberLiteral;
    }

    static boolean isSmall(Object expression) {
        return isConstant(expression) || isNumber(expression);
    }

    static boolean isProperty(Object expression) {
        return expression instanceof Property property && property.map() instanceof Variable;
    }

    static boolean readsGraph(Object node) {
        return GRAPH_READERS.contains(AstNodes.kind(node))
                || AstNodes.anyBelow(node, Expressions::readsGraph);
    }

    private static Set<String> words(String words) {
        return Set.of(words.split(" "));
    }
}
