package io.github.kgdb;

import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Formats values for error messages: in Cypher's terms, and at most a line long. */
public final class CypherValues {
    private static final int MAX_LENGTH = 60;

    private CypherValues() {}

    /** "'x' (STRING)". */
    public static String describe(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Node node) {
            return "(NODE " + node.getElementId() + ")";
        }
        String shown = value instanceof String text ? quote(text) : shorten(begin(value));
        return shown + " (" + type(value) + ")";
    }

    /** "'x'". */
    public static String quote(String text) {
        return "'" + shorten(text) + "'";
    }

    /** The number as Cypher writes it, a whole number without ".0". */
    public static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /** The beginning of the value's text, because a caller's value may have any size. */
    private static String begin(Object value) {
        StringBuilder begin = new StringBuilder();
        append(begin, value);
        return begin.toString();
    }

    private static void append(StringBuilder begin, Object value) {
        if (value instanceof List<?> list) {
            begin.append('[');
            appendAll(begin, list, item -> append(begin, item));
            begin.append(']');
        } else if (value instanceof Map<?, ?> map) {
            begin.append('{');
            appendAll(
                    begin,
                    map.entrySet(),
                    entry -> {
                        append(begin, entry.getKey());
                        begin.append('=');
                        append(begin, entry.getValue());
                    });
            begin.append('}');
        } else {
            String text = String.valueOf(value);
            begin.append(text, 0, Math.min(text.length(), MAX_LENGTH + 1));
        }
    }

    private static <T> void appendAll(
            StringBuilder begin, Collection<T> items, Consumer<T> append) {
        String separator = "";
        for (T item : items) {
            if (begin.length() > MAX_LENGTH) {
                return;
            }
            begin.append(separator);
            append.accept(item);
            separator = ", ";
        }
    }

    /** The text, shortened if it would take a line of its own. */
    public static String shorten(String text) {
        if (text.length() <= MAX_LENGTH) {
            return text;
        }
        // Half of a surrogate pair cannot be sent to a client.
        boolean splits = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1));
        return text.substring(0, splits ? MAX_LENGTH - 1 : MAX_LENGTH) + "…";
    }

    private static String type(Object value) {
        if (value instanceof String) {
            return "STRING";
        } else if (value instanceof Long) {
            return "INTEGER";
        } else if (value instanceof Double) {
            return "FLOAT";
        } else if (value instanceof Boolean) {
            return "BOOLEAN";
        } else if (value instanceof List<?>) {
            return "LIST";
        } else if (value instanceof Map<?, ?>) {
            return "MAP";
        } else if (value instanceof Relationship) {
            return "RELATIONSHIP";
        } else if (value instanceof Path) {
            return "PATH";
        }
        return value.getClass().getSimpleName();
    }
}
