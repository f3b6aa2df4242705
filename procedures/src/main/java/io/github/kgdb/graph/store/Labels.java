package io.github.kgdb.graph.store;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.Suggestions;

import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.token.api.NamedToken;
import org.neo4j.token.api.TokenConstants;

import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.StreamSupport;

/** The store's labels by name. */
public final class Labels {
    public static final String MEDIATOR = "Mediator";
    public static final String LITERAL = "Literal";

    private static final int[] NONE = {};

    private final TokenRead tokens;

    public Labels(TokenRead tokens) {
        this.tokens = tokens;
    }

    /** The number of the label, or {@link TokenConstants#NO_TOKEN} if no node ever had it. */
    public int number(String label) {
        return tokens.nodeLabel(label);
    }

    /** The numbers of the labels; fails if the store does not know one. */
    public int[] required(List<String> labels) {
        return labels.isEmpty()
                ? NONE
                : labels.stream().distinct().mapToInt(this::required).toArray();
    }

    private int required(String label) {
        int number = label.isEmpty() ? TokenConstants.NO_TOKEN : number(label);
        if (number == TokenConstants.NO_TOKEN) {
            throw KgdbException.usage(
                    "no label "
                            + CypherValues.quote(label)
                            + " in the store"
                            + Suggestions.didYouMean(
                                    label,
                                    StreamSupport.stream(
                                                    Spliterators.spliteratorUnknownSize(
                                                            tokens.labelsGetAllTokens(),
                                                            Spliterator.NONNULL),
                                                    false)
                                            .map(NamedToken::name)));
        }
        return number;
    }
}
