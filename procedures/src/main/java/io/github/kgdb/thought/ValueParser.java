package io.github.kgdb.thought;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses the properties of a node or relationship: literals only. */
final class ValueParser {
    /** Characters that make a preceding literal an expression. */
    private static final String OPERATORS = "+-*/%^=<>.[|:";

    private static final List<String> OPERATOR_WORDS =
            List.of("AND", "OR", "XOR", "IN", "IS", "STARTS", "ENDS", "CONTAINS");

    private final Tokens tokens;
    private final Limits limits;

    ValueParser(Tokens tokens, Limits limits) {
        this.tokens = tokens;
        this.limits = limits;
    }

    /** In the order written, without null values: no node can have them. */
    Map<String, Object> properties() {
        if (tokens.current().is('$')) {
            throw computed("a property map in braces");
        }
        if (!tokens.accept('{')) {
            return Map.of();
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        Set<String> keys = new LinkedHashSet<>();
        if (!tokens.current().is('}')) {
            do {
                Token key = tokens.current();
                String name = key();
                tokens.expect(':', "between the property and its value");
                Object value = value();
                if (!keys.add(name)) {
                    throw new ScriptException(
                            ErrorCode.BAD_VALUE,
                            key.start(),
                            "the property '" + Token.shorten(name) + "' is given twice");
                }
                if (value != null) {
                    properties.put(name, value);
                }
                requireEndOfValue('}');
            } while (tokens.accept(','));
        }
        tokens.expect('}', "to close the properties");
        return Collections.unmodifiableMap(properties);
    }

    private String key() {
        if (tokens.current().kind() == Token.Kind.STRING) {
            throw tokens.unexpected(
                    ErrorCode.SYNTAX, "the name of a property", "; write it without quotes");
        }
        return tokens.expectName("the name of a property");
    }

    private Object value() {
        Token first = tokens.current();
        if (first.is('[')) {
            return list();
        } else if (first.is('{')) {
            throw new ScriptException(
                    ErrorCode.BAD_VALUE, first.start(), "a property cannot hold a map");
        }
        return scalar();
    }

    private List<Object> list() {
        tokens.take();
        List<Object> items = new ArrayList<>();
        if (!tokens.current().is(']')) {
            do {
                items.add(item(items));
                requireEndOfValue(']');
            } while (tokens.accept(','));
        }
        tokens.expect(']', "to close the list");
        return List.copyOf(items);
    }

    private Object item(List<Object> before) {
        Token token = tokens.current();
        if (token.is('[') || token.is('{')) {
            throw badItem(token, "a list cannot hold a list or a map");
        }
        if (before.size() == limits.maxListLength()) {
            throw new ScriptException(
                    ErrorCode.TOO_MANY,
                    token.start(),
                    "the list has more than " + limits.maxListLength() + " items");
        }
        Object item = scalar();
        if (item == null) {
            throw badItem(token, "a list cannot hold null");
        }
        if (!before.isEmpty() && item.getClass() != before.get(0).getClass()) {
            throw badItem(token, "the items of a list must be of one type");
        }
        return item;
    }

    private static ScriptException badItem(Token token, String message) {
        return new ScriptException(ErrorCode.BAD_VALUE, token.start(), message);
    }

    /** A text, number or boolean; Java's null for Cypher's. */
    private Object scalar() {
        Token token = tokens.current();
        if (token.is('-')) {
            tokens.take();
            return number("-");
        } else if (token.kind() == Token.Kind.INTEGER || token.kind() == Token.Kind.FLOAT) {
            return number("");
        } else if (token.kind() == Token.Kind.STRING) {
            return tokens.take().text();
        } else if (tokens.accept("TRUE")) {
            return true;
        } else if (tokens.accept("FALSE")) {
            return false;
        } else if (tokens.accept("NULL")) {
            return null;
        }
        throw computed("a text in quotes, a number, true, false, null or a list of these");
    }

    private Object number(String sign) {
        Token token = tokens.current();
        return switch (token.kind()) {
            case INTEGER -> integer(sign + tokens.take().text(), token);
            case FLOAT -> real(sign + tokens.take().text(), token);
            default -> throw computed("a number after '-'");
        };
    }

    private static Long integer(String text, Token token) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException tooLarge) {
            throw outOfRange(text, token);
        }
    }

    private static Double real(String text, Token token) {
        double value = Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            throw outOfRange(text, token);
        }
        return value;
    }

    private static ScriptException outOfRange(String text, Token token) {
        return new ScriptException(
                ErrorCode.BAD_VALUE,
                token.start(),
                "the number "
                        + Token.shorten(text)
                        + " is out of range; put it in quotes to keep it as a text");
    }

    private void requireEndOfValue(char closing) {
        Token token = tokens.current();
        if (token.is(',') || token.is(closing)) {
            return;
        }
        String expected = "',' or '" + closing + "' after the value";
        boolean isOperator =
                token.kind() == Token.Kind.SYMBOL && OPERATORS.contains(token.text())
                        || OPERATOR_WORDS.stream().anyMatch(token::is);
        if (isOperator) {
            throw tokens.unexpected(
                    ErrorCode.FORBIDDEN_EXPRESSION, expected, "; nothing is computed here");
        } else if (token.kind() == Token.Kind.WORD) {
            throw tokens.unexpected(
                    ErrorCode.SYNTAX, expected, "; a quote inside a text is written \\' or \\\"");
        }
        throw tokens.unexpected(expected);
    }

    private ScriptException computed(String expected) {
        Token token = tokens.current();
        boolean couldBeComputed =
                token.isName()
                        || token.kind() == Token.Kind.SYMBOL && "$(+-".contains(token.text());
        return couldBeComputed
                ? tokens.unexpected(
                        ErrorCode.FORBIDDEN_EXPRESSION,
                        expected,
                        "; write the value itself: no functions, parameters or variables")
                : tokens.unexpected(expected);
    }
}
