package io.github.kgdb.graph.sandbox;

import io.github.kgdb.CypherValues;
import io.github.kgdb.Suggestions;
import io.github.kgdb.TextPosition;
import io.github.kgdb.cypher.ReadQuery;
import io.github.kgdb.cypher.ReadQuery.Kind;
import io.github.kgdb.cypher.ReadQuery.Name;
import io.github.kgdb.cypher.ReadStatus;
import io.github.kgdb.cypher.Refusal;

import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.token.api.NamedToken;
import org.neo4j.token.api.TokenConstants;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The labels, relationship types and property keys that the store knows. */
final class Vocabulary {
    private static final int MAX_NAMES_LISTED = 5;
    private static final int FEW = 12;

    private final TokenRead tokens;
    private final Set<String> hiddenLabels;

    Vocabulary(TokenRead tokens, Set<String> hiddenLabels) {
        this.tokens = tokens;
        this.hiddenLabels = hiddenLabels;
    }

    /**
     * Refuses a query that names something unknown to the store: it would return nothing without
     * saying why.
     */
    void requireKnown(ReadQuery query) {
        Map<String, Name> unknown = new LinkedHashMap<>();
        for (Name name : query.names()) {
            if (!isKnown(name)) {
                unknown.putIfAbsent(describe(name), name);
            }
        }
        if (unknown.isEmpty()) {
            return;
        }
        Name first = unknown.values().iterator().next();
        String message =
                unknown.entrySet().stream()
                        .limit(MAX_NAMES_LISTED)
                        .map(entry -> "no " + entry.getKey() + instead(entry.getValue()))
                        .collect(Collectors.joining("; "));
        throw new Refusal(
                status(first.kind()), message, TextPosition.at(query.text(), first.offset()));
    }

    private boolean isKnown(Name name) {
        String text = name.text();
        return switch (name.kind()) {
            case LABEL -> isLabel(text);
            case TYPE -> tokens.relationshipType(text) != TokenConstants.NO_TOKEN;
            case KEY -> tokens.propertyKey(text) != TokenConstants.NO_TOKEN;
            case LABEL_OR_TYPE ->
                    isLabel(text) || tokens.relationshipType(text) != TokenConstants.NO_TOKEN;
        };
    }

    private boolean isLabel(String text) {
        return tokens.nodeLabel(text) != TokenConstants.NO_TOKEN && !hiddenLabels.contains(text);
    }

    private static String describe(Name name) {
        String kind =
                switch (name.kind()) {
                    case LABEL -> "label ";
                    case TYPE -> "relationship type ";
                    case LABEL_OR_TYPE -> "label or relationship type ";
                    case KEY -> "property ";
                };
        return kind + CypherValues.quote(name.text());
    }

    private String instead(Name name) {
        List<String> candidates = all(name.kind());
        List<String> near = Suggestions.near(name.text(), candidates);
        if (!near.isEmpty()) {
            return ", near: " + quoted(near);
        }
        return candidates.isEmpty() || candidates.size() > FEW
                ? ""
                : ", there are: " + quoted(candidates);
    }

    private static String quoted(List<String> names) {
        return names.stream().map(CypherValues::quote).collect(Collectors.joining(", "));
    }

    private List<String> all(Kind kind) {
        List<String> names = new ArrayList<>();
        if (kind == Kind.LABEL || kind == Kind.LABEL_OR_TYPE) {
            add(tokens.labelsGetAllTokens(), names);
            names.removeAll(hiddenLabels);
        }
        if (kind == Kind.TYPE || kind == Kind.LABEL_OR_TYPE) {
            add(tokens.relationshipTypesGetAllTokens(), names);
        }
        if (kind == Kind.KEY) {
            add(tokens.propertyKeyGetAllTokens(), names);
        }
        names.sort(null);
        return names;
    }

    private static void add(Iterator<NamedToken> tokens, List<String> names) {
        tokens.forEachRemaining(token -> names.add(token.name()));
    }

    private static ReadStatus status(Kind kind) {
        return switch (kind) {
            case LABEL, LABEL_OR_TYPE -> ReadStatus.UNKNOWN_LABEL;
            case TYPE -> ReadStatus.UNKNOWN_TYPE;
            case KEY -> ReadStatus.UNKNOWN_KEY;
        };
    }
}
