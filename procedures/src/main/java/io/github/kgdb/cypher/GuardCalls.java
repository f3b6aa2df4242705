package io.github.kgdb.cypher;

import org.neo4j.cypher.internal.expressions.Expression;
import org.neo4j.cypher.internal.expressions.LogicalVariable;

/** Makes calls of the functions of {@link GuardFunction}. */
final class GuardCalls {
    private GuardCalls() {}

    static Expression guard(String function, int place, Expression value) {
        return call(
                function, value, SyntaxNodes.integer(place, SyntaxNodes.position(value)), value);
    }

    static Expression step(Expression value) {
        return call(GuardFunction.STEP, value, value);
    }

    static Expression turn(LogicalVariable item) {
        return call(GuardFunction.TURN, item, item);
    }

    static Expression call(String function, Expression at, Expression... arguments) {
        return SyntaxNodes.call(
                GuardFunction.NAMESPACE, function, SyntaxNodes.position(at), arguments);
    }
}
