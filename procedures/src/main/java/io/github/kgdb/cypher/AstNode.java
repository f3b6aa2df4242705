package io.github.kgdb.cypher;

import io.github.kgdb.TextPosition;

import org.neo4j.cypher.internal.util.ASTNode;

import scala.Option;
import scala.Product;
import scala.collection.Iterable;
import scala.collection.Iterator;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A node of the server's syntax tree, or a text or truth value in one. The tree consists of Scala
 * case classes.
 *
 * @param script the text of the tree
 */
record AstNode(Object value, String script) {
    private static final String SCALA = "scala.";

    /** The name of its class without the package: "Match", "LabelExpression$Leaf". */
    String kind() {
        String name = value.getClass().getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    boolean is(String... kinds) {
        return List.of(kinds).contains(kind());
    }

    boolean isText() {
        return value instanceof String || value instanceof Boolean;
    }

    boolean hasPosition() {
        return value instanceof ASTNode;
    }

    /** The offset in UTF-16 units; 0 if the node has none. */
    int offset() {
        return value instanceof ASTNode node ? node.position().offset() : 0;
    }

    /** Takes time proportional to the offset. */
    TextPosition position() {
        return TextPosition.at(script, offset());
    }

    /** The direct children, with lists, options and pairs unwrapped. */
    List<AstNode> children() {
        List<AstNode> children = new ArrayList<>();
        if (value instanceof Product node) {
            Iterator<Object> fields = node.productIterator();
            while (fields.hasNext()) {
                collect(fields.next(), children);
            }
        }
        return children;
    }

    /** The nodes and texts in one field. */
    List<AstNode> children(String field) {
        List<AstNode> children = new ArrayList<>();
        collect(field(field), children);
        return children;
    }

    /** The single node in a field, or null if the field is empty. */
    AstNode child(String field) {
        List<AstNode> children = children(field);
        return children.isEmpty() ? null : children.get(0);
    }

    String text(String field) {
        return String.valueOf(field(field));
    }

    /** The first field, which for a name or a literal is its text. */
    String text() {
        return String.valueOf(((Product) value).productElement(0));
    }

    Object field(String name) {
        Product node = (Product) value;
        for (int i = 0; i < node.productArity(); i++) {
            if (node.productElementName(i).equals(name)) {
                return node.productElement(i);
            }
        }
        throw new NoSuchElementException(kind() + "." + name);
    }

    private void collect(Object field, List<AstNode> into) {
        if (field instanceof Iterable<?> items) {
            Iterator<?> each = items.iterator();
            while (each.hasNext()) {
                collect(each.next(), into);
            }
        } else if (field instanceof Option<?> option) {
            if (option.isDefined()) {
                collect(option.get(), into);
            }
        } else if (field instanceof Product pair && pair.getClass().getName().startsWith(SCALA)) {
            Iterator<Object> items = pair.productIterator();
            while (items.hasNext()) {
                collect(items.next(), into);
            }
        } else if (field != null) {
            into.add(new AstNode(field, script));
        }
    }
}
