package io.github.kgdb.graph.sandbox;

import io.github.kgdb.CypherValues;
import io.github.kgdb.Suggestions;
import io.github.kgdb.TextPosition;
import io.github.kgdb.cypher.ReadQuery;
import io.github.kgdb.cypher.ReadQuery.Kind;
import io.github.kgdb.cypher.ReadQuery.Name;
import io.github.kgdb.cypher.ReadStatus;
import io.github.kgdb.cypher.Refusal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Checks the names of a query, and suggests others for those that are unknown. */
final class Vocabulary {
    private static final int MAX_NAMES_LISTED = 5;
    private static final int FEW = 12;

    private final KnownNames known;

    Vocabulary(KnownNames known) {
        this.known = known;
    }

    /** Refuses a query that names something unknown: it would return nothing without saying why. */
    void requireKnown(ReadQuery query) {
        Map<String, Name> unknown = new LinkedHashMap<>();
        for (Name name : query.names()) {
            if (!known.contains(name.kind(), name.text())) {
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
        List<String> candidates = known.all(name.kind()).stream().sorted().toList();
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

    private static ReadStatus status(Kind kind) {
        return switch (kind) {
            case LABEL, LABEL_OR_TYPE -> ReadStatus.UNKNOWN_LABEL;
            case TYPE -> ReadStatus.UNKNOWN_TYPE;
            case KEY -> ReadStatus.UNKNOWN_KEY;
        };
    }
}
