package io.github.kgdb.cypher;

import org.neo4j.cypher.internal.expressions.Expression;
import org.neo4j.cypher.internal.expressions.FunctionInvocation;
import org.neo4j.cypher.internal.expressions.FunctionInvocation$;
import org.neo4j.cypher.internal.expressions.FunctionName;
import org.neo4j.cypher.internal.expressions.Namespace;
import org.neo4j.cypher.internal.expressions.SignedDecimalIntegerLiteral;
import org.neo4j.cypher.internal.util.ASTNode;
import org.neo4j.cypher.internal.util.InputPosition;
import org.neo4j.cypher.internal.util.Rewritable;

import scala.Product;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Creates and changes nodes of the server's syntax tree, which consists of Scala case classes. */
final class AstNodes {
    private AstNodes() {}

    /** The name of its class without the package: "Match", "LabelExpression$Leaf". */
    static String kind(Object node) {
        String name = node.getClass().getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /**
     * The node with the function applied to each of its fields, also inside lists, options and
     * pairs; the same object if nothing changes. The tree is immutable.
     */
    static Object changed(Object node, UnaryOperator<Object> change) {
        List<Object> fields = fields(node);
        List<Object> after = new ArrayList<>(fields.size());
        boolean same = true;
        for (Object field : fields) {
            Object made = isNode(field) ? change.apply(field) : changed(field, change);
            same &= made == field;
            after.add(made);
        }
        return same ? node : rebuilt(node, after);
    }

    /**
     * Whether any direct child satisfies the predicate, with lists, options and pairs unwrapped.
     */
    static boolean anyBelow(Object node, Predicate<Object> such) {
        return fields(node).stream()
                .anyMatch(field -> isNode(field) ? such.test(field) : anyBelow(field, such));
    }

    /** The same kind of node with other fields. */
    static Object rebuilt(Object node, List<Object> fields) {
        return Rewritable.dupAny(node, seq(fields));
    }

    static Object field(Object node, String name) {
        Product product = (Product) node;
        return product.productElement(indexOf(product, name));
    }

    static Object with(Object node, String name, Object value) {
        List<Object> fields = fields(node);
        return fields.set(indexOf((Product) node, name), value) == value
                ? node
                : rebuilt(node, fields);
    }

    static InputPosition position(Object node) {
        return ((ASTNode) node).position();
    }

    static Expression call(
            List<String> namespace, String function, InputPosition at, Expression... arguments) {
        return new FunctionInvocation(
                new FunctionName(
                        new Namespace(CollectionConverters.asScala(namespace).toList(), at),
                        function,
                        at),
                false,
                CollectionConverters.asScala(Arrays.asList(arguments)).toIndexedSeq(),
                FunctionInvocation$.MODULE$.apply$default$4(),
                false,
                at);
    }

    static Expression integer(long number, InputPosition at) {
        return new SignedDecimalIntegerLiteral(Long.toString(number), at);
    }

    static <T> Seq<T> seq(List<T> items) {
        return CollectionConverters.asScala(items).toSeq();
    }

    private static boolean isNode(Object value) {
        return value instanceof ASTNode;
    }

    /**
     * The arguments of {@link #rebuilt}: the items of a collection, or the fields of a case class.
     */
    private static List<Object> fields(Object node) {
        Iterator<?> each;
        if (node instanceof scala.collection.Iterable<?> items) {
            each = items.iterator();
        } else if (node instanceof Product product) {
            each = product.productIterator();
        } else {
            return List.of();
        }
        List<Object> fields = new ArrayList<>();
        while (each.hasNext()) {
            fields.add(each.next());
        }
        return fields;
    }

    private static int indexOf(Product product, String name) {
        for (int i = 0; i < product.productArity(); i++) {
            if (product.productElementName(i).equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException(kind(product) + "." + name);
    }
}
