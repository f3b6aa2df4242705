package io.github.kgdb.thought;

import io.github.kgdb.thought.RelationshipPattern.Arrow;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Parses the nodes and relationships of a path. */
final class PatternParser {
    /** Characters of patterns that search instead of create. */
    private static final String SEARCHING = "|!%$*+(";

    private static final String NEEDS_TYPE = "; every relationship needs a type, as in -[:KNOWS]->";

    private final Tokens tokens;
    private final ValueParser values;

    PatternParser(Tokens tokens, ValueParser values) {
        this.tokens = tokens;
        this.values = values;
    }

    NodePattern node() {
        Token start = tokens.current();
        if (!tokens.accept('(')) {
            throw noNode();
        }
        Token variable = tokens.current();
        String name = variable.isName() ? tokens.take().text() : null;
        Set<String> labels = labels();
        Map<String, Object> properties = values.properties();
        if (!tokens.accept(')')) {
            throw notClosed("')' to close the node");
        }
        int offset = name == null ? start.start() : variable.start();
        return new NodePattern(name, labels, properties, offset);
    }

    /** {@code :A:B} or {@code :A&B}, or nothing. */
    private Set<String> labels() {
        Set<String> labels = new LinkedHashSet<>();
        if (tokens.accept(':')) {
            labels.add(name("a label"));
            char separator = tokens.current().is('&') ? '&' : ':';
            while (tokens.accept(separator)) {
                labels.add(name("a label"));
            }
        }
        return labels;
    }

    /** Whether the path continues after a node. */
    boolean atRelationship() {
        return tokens.current().is('-') || tokens.current().is('<');
    }

    RelationshipPattern relationship() {
        int start = tokens.current().start();
        boolean left = tokens.accept('<');
        tokens.expect('-', "to begin the relationship");
        if (!tokens.current().is('[')) {
            throw tokens.unexpected(
                    ErrorCode.SYNTAX, "'[' and the type of the relationship", NEEDS_TYPE);
        }
        tokens.take();
        String variable = tokens.current().isName() ? tokens.take().text() : null;
        if (!tokens.current().is(':')) {
            throw isSearching()
                    ? notClosed("':' and the type of the relationship")
                    : tokens.unexpected(
                            ErrorCode.SYNTAX, "':' and the type of the relationship", NEEDS_TYPE);
        }
        tokens.take();
        String type = name("the type of the relationship");
        Map<String, Object> properties = values.properties();
        if (!tokens.accept(']')) {
            throw notClosed("']' to close the relationship");
        }
        tokens.expect('-', "after the relationship");
        boolean right = tokens.accept('>');
        if (left && right) {
            throw new ScriptException(
                    ErrorCode.FORBIDDEN_PATTERN,
                    start,
                    "the relationship points both ways; write one arrow, or two relationships");
        }
        Arrow arrow = left ? Arrow.LEFT : right ? Arrow.RIGHT : Arrow.NONE;
        return new RelationshipPattern(variable, type, properties, arrow, start);
    }

    void requireEndOfPath() {
        Token token = tokens.current();
        if (isQuantifier()) {
            throw searching("the end of the path", "; no quantifiers");
        } else if (token.is('(')) {
            throw tokens.unexpected("',' between two paths");
        }
    }

    private ScriptException noNode() {
        String expected = "'(' to begin a node";
        if (isQuantifier()) {
            return searching(expected, "; no quantifiers");
        }
        return tokens.current().isName()
                ? tokens.unexpected(ErrorCode.SYNTAX, expected, "; every node goes in parentheses")
                : tokens.unexpected(expected);
    }

    private boolean isQuantifier() {
        Token token = tokens.current();
        return token.is('+') || token.is('*') || token.is('{');
    }

    private String name(String expected) {
        if (tokens.current().isName()) {
            return tokens.take().text();
        }
        throw isSearching() ? notClosed(expected) : tokens.unexpected(expected);
    }

    private ScriptException notClosed(String expected) {
        Token token = tokens.current();
        if (isSearching()) {
            return searching(expected, "; only one certain thing can be created");
        }
        return token.kind() == Token.Kind.WORD
                ? tokens.unexpected(
                        ErrorCode.SYNTAX, expected, "; names with spaces go in backticks")
                : tokens.unexpected(expected);
    }

    private boolean isSearching() {
        Token token = tokens.current();
        return token.kind() == Token.Kind.SYMBOL && SEARCHING.contains(token.text())
                || token.is("WHERE")
                || token.is("IS");
    }

    private ScriptException searching(String expected, String advice) {
        return tokens.unexpected(ErrorCode.FORBIDDEN_PATTERN, expected, advice);
    }
}
