package io.github.kgdb.cypher;

import org.neo4j.cypher.internal.ast.AliasedReturnItem;
import org.neo4j.cypher.internal.ast.Statement;
import org.neo4j.cypher.internal.ast.UnaliasedReturnItem;
import org.neo4j.cypher.internal.ast.prettifier.ExpressionStringifier;
import org.neo4j.cypher.internal.ast.prettifier.ExpressionStringifier$;
import org.neo4j.cypher.internal.ast.prettifier.Prettifier;
import org.neo4j.cypher.internal.ast.prettifier.Prettifier$;
import org.neo4j.cypher.internal.expressions.And;
import org.neo4j.cypher.internal.expressions.Ands;
import org.neo4j.cypher.internal.expressions.CaseExpression;
import org.neo4j.cypher.internal.expressions.Variable;

import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Prints a syntax tree as a query, with the server's own printer. */
final class QueryText {
    private QueryText() {}

    /** Fails if parsing the text would give another tree: only what was checked may run. */
    static String of(Object query) {
        Object statement = printable(query);
        String text = printer().asString((Statement) statement);
        if (!ServerParser.parse(text).child("statements").value().equals(statement)) {
            throw new Refusal(
                    ReadStatus.TOO_COMPLEX,
                    "the query cannot be run under guard as it is written; write it more simply",
                    null);
        }
        return text;
    }

    /**
     * The same query in a form that survives printing and parsing. A column without an alias is
     * named after its text, which is about to change, so it gets an alias. CASE x WHEN y becomes
     * one with conditions, and x = y = z a conjunction.
     */
    private static Object printable(Object node) {
        Object inside = AstNodes.changed(node, QueryText::printable);
        if (inside instanceof UnaliasedReturnItem item
                && !(item.expression() instanceof Variable)) {
            Variable name = new Variable(item.inputText(), item.position(), false);
            return new AliasedReturnItem(item.expression(), name, item.position());
        } else if (inside instanceof CaseExpression) {
            return AstNodes.with(inside, "expression", Option.empty());
        } else if (inside instanceof Ands all) {
            return CollectionConverters.asJava(all.exprs().toSeq()).stream()
                    .reduce((one, other) -> new And(one, other, all.position()))
                    .orElseThrow();
        }
        return inside;
    }

    private static Prettifier printer() {
        ExpressionStringifier$ expressions = ExpressionStringifier$.MODULE$;
        ExpressionStringifier stringifier =
                expressions.apply(
                        expressions.apply$default$1(),
                        expressions.apply$default$2(),
                        expressions.apply$default$3(),
                        expressions.apply$default$4(),
                        expressions.apply$default$5());
        return Prettifier$.MODULE$.apply(
                stringifier,
                Prettifier$.MODULE$.apply$default$2(),
                Prettifier$.MODULE$.apply$default$3());
    }
}
