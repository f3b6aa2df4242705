package io.github.kgdb.cypher;

import java.util.List;

/**
 * A checked query: it can only read, and is bounded. No other query is run.
 *
 * @param text as it is written; its offsets are those of the script
 * @param guarded the query to run inside a {@link RunningQuery}: confined to its graph, and with
 *     guard functions where it needs them
 * @param names the names that the store must have for the query to make sense
 */
public record ReadQuery(String text, String guarded, List<Name> names) {
    /**
     * Checks a script; throws a {@link Refusal} if it is no such query.
     *
     * @param scope the graph that the query may read, or null: the whole store
     */
    public static ReadQuery of(String script, Limits limits, Confinement.Scope scope) {
        String text = ScriptText.statement(script, limits.maxLength());
        AstNode tree = ServerParser.parse(text);
        ReadChecker checker = new ReadChecker(limits);
        try {
            checker.check(tree);
            Object query = tree.child("statements").value();
            Object confined = scope == null ? query : Confinement.confined(query, scope, text);
            Object guarded = GuardInserter.guarded(confined, text);
            return new ReadQuery(
                    text, guarded == query ? text : QueryText.of(guarded), checker.names());
        } catch (StackOverflowError deep) {
            throw ServerErrors.tooDeep();
        }
    }

    /** Whether the query that runs differs from the script. */
    public boolean isGuarded() {
        return !guarded.equals(text);
    }

    /**
     * @param maxLength of a script, in characters
     * @param maxPathLength maximum upper bound of a variable-length path
     */
    public record Limits(int maxLength, int maxPathLength) {}

    /** A label, relationship type or property key, and its offset in UTF-16 units. */
    public record Name(Kind kind, String text, int offset) {}

    public enum Kind {
        LABEL,
        TYPE,
        /** In n:X outside a pattern, where n may be either. */
        LABEL_OR_TYPE,
        KEY
    }
}
