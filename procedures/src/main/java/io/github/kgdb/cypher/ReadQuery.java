package io.github.kgdb.cypher;

import java.util.List;

/**
 * A query that can do nothing but read, and not for ever: the only kind that is run.
 *
 * @param text what to run; each offset in it is the same offset in the script
 * @param names what has to be in the store for the query to make sense
 */
public record ReadQuery(String text, List<Name> names) {
    /** Throws a {@link Refusal} for every script that is not such a query. */
    public static ReadQuery of(String script, Limits limits) {
        String text = ScriptText.statement(script, limits.maxLength());
        Tree tree = ServerParser.parse(text);
        ReadChecker checker = new ReadChecker(limits);
        try {
            checker.check(tree);
            Effort.check(tree);
        } catch (StackOverflowError deep) {
            throw ServerErrors.tooDeep();
        }
        return new ReadQuery(text, checker.names());
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
