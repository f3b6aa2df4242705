package io.github.kgdb.thought;

import java.util.List;

/** The words that Cypher's clauses and commands begin with. */
final class Clauses {
    /**
     * They only choose the words of a refusal: what is none of the clauses a script may have is
     * refused, be it in this list or not.
     */
    static final List<String> ALL =
            List.of(
                    "ALTER",
                    "CALL",
                    "CREATE",
                    "CYPHER",
                    "DEALLOCATE",
                    "DELETE",
                    "DENY",
                    "DETACH",
                    "DROP",
                    "DRYRUN",
                    "ENABLE",
                    "EXPLAIN",
                    "FILTER",
                    "FINISH",
                    "FOR",
                    "FOREACH",
                    "GRANT",
                    "INSERT",
                    "LET",
                    "LIMIT",
                    "LOAD",
                    "MATCH",
                    "MERGE",
                    "NEXT",
                    "NODETACH",
                    "OFFSET",
                    "ON",
                    "OPTIONAL",
                    "ORDER",
                    "PROFILE",
                    "REALLOCATE",
                    "REMOVE",
                    "RENAME",
                    "RETURN",
                    "REVOKE",
                    "SEARCH",
                    "SET",
                    "SHOW",
                    "SKIP",
                    "START",
                    "STOP",
                    "TERMINATE",
                    "UNION",
                    "UNWIND",
                    "USE",
                    "USING",
                    "WHEN",
                    "WHERE",
                    "WITH",
                    "YIELD");

    private Clauses() {}

    static boolean isOne(Token token) {
        return ALL.stream().anyMatch(token::is);
    }
}
