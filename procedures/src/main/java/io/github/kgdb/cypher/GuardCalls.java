package io.github.kgdb.cypher;

import org.neo4j.cypher.internal.ast.AliasedReturnItem;
import org.neo4j.cypher.internal.ast.UnaliasedReturnItem;
import org.neo4j.cypher.internal.expressions.Expression;
import org.neo4j.cypher.internal.expressions.LogicalVariable;
import org.neo4j.cypher.internal.expressions.Variable;

import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

import java.util.ArrayList;
import java.util.List;

/** Creates calls of the functions in {@link GuardFunction}. */
final class GuardCalls {
    private GuardCalls() {}

    static Expression guard(String function, int site, Expression value) {
        return call(function, value, AstNodes.integer(site, AstNodes.position(value)), value);
    }

    static Expression step(Expression value) {
        return call(GuardFunction.STEP, value, value);
    }

    static Expression turn(LogicalVariable item) {
        return call(GuardFunction.TURN, item, item);
    }

    static Expression call(String function, Expression at, Expression... arguments) {
        return AstNodes.call(GuardFunction.NAMESPACE, function, AstNodes.position(at), arguments);
    }

    /** The same call with its text limited to a readable length. */
    static Expression parsed(Expression call) {
        Seq<?> arguments = (Seq<?>) AstNodes.field(call, "args");
        if (arguments.isEmpty()
                || Expressions.isConstant(arguments.head())
                || AstNodes.kind(arguments.head()).equals("MapExpression")) {
            return call;
        }
        List<Object> after = new ArrayList<>(CollectionConverters.asJava(arguments));
        after.set(0, call(GuardFunction.PARSED, call, (Expression) after.get(0)));
        return (Expression)
                AstNodes.with(call, "args", CollectionConverters.asScala(after).toIndexedSeq());
    }

    /** RETURN x inside COLLECT refers to an outer x, which no other value may shadow. */
    static Object item(Object returnItem, int site, Expression value) {
        Expression guarded = guard(GuardFunction.ITEM, site, value);
        return returnItem instanceof UnaliasedReturnItem
                ? new AliasedReturnItem(
                        guarded,
                        new Variable("kgdb item " + site, value.position(), false),
                        value.position())
                : AstNodes.with(returnItem, "expression", guarded);
    }
}
