package io.github.kgdb.cypher;

import java.util.List;

/**
 * A query that can do nothing but read, and not for ever: the only kind that is run.
 *
 * @param text as it is written; each offset in it is the same offset in the script
 * @param guarded what to run, inside a {@link RunningQuery}: the same query, confined to its graph,
 *     with guard functions where it needs them
 * @param names what has to be in the store for the query to make sense
 */
public record ReadQuery(String text, String guarded, List<Name> names) {
    /**
     * Throws a {@link Refusal} for every script that is not such a query.
     *
     * @param scope the graph that the query may see, or null: the whole store
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

    /** Whether what runs is written otherwise than the script. */
    public boolean isGuarded() {
        return !guarded.equals(text);
    }

    /**
     * @param maxLength of a script, in characters
     * @param maxPathLength the largest upper bound of a path of variable length
     */
    public record Limits(int maxLength, int maxPathLength) {}

    /** A label, relationship type or property key, and where it is, in UTF-16 units. */
    public record Name(Kind kind, String text, int offset) {}

    public enum Kind {
        LABEL,
        TYPE,
        /** In n:X outside a pattern, where n may be either. */
        LABEL_OR_TYPE,
        KEY
    }
}
