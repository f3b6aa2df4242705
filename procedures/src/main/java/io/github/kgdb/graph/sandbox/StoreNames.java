package io.github.kgdb.graph.sandbox;

import io.github.kgdb.cypher.ReadQuery.Kind;

import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.token.api.NamedToken;
import org.neo4j.token.api.TokenConstants;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Every name that the store has ever had. */
final class StoreNames implements KnownNames {
    private final TokenRead tokens;

    StoreNames(TokenRead tokens) {
        this.tokens = tokens;
    }

    @Override
    public boolean contains(Kind kind, String name) {
        return switch (kind) {
            case LABEL -> tokens.nodeLabel(name) != TokenConstants.NO_TOKEN;
            case TYPE -> tokens.relationshipType(name) != TokenConstants.NO_TOKEN;
            case LABEL_OR_TYPE -> contains(Kind.LABEL, name) || contains(Kind.TYPE, name);
            case KEY -> tokens.propertyKey(name) != TokenConstants.NO_TOKEN;
        };
    }

    @Override
    public List<String> all(Kind kind) {
        List<String> names = new ArrayList<>();
        switch (kind) {
            case LABEL -> add(tokens.labelsGetAllTokens(), names);
            case TYPE -> add(tokens.relationshipTypesGetAllTokens(), names);
            case LABEL_OR_TYPE -> {
                names.addAll(all(Kind.LABEL));
                names.addAll(all(Kind.TYPE));
            }
            case KEY -> add(tokens.propertyKeyGetAllTokens(), names);
        }
        return names;
    }

    private static void add(Iterator<NamedToken> tokens, List<String> names) {
        tokens.forEachRemaining(token -> names.add(token.name()));
    }
}
