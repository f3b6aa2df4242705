package io.github.kgdb.thought;

import java.util.List;

/** The keywords with which Cypher's clauses and commands begin. */
final class Clauses {
    /**
     * They only improve the message: a clause that a script must not have is refused even if it is
     * not in this list.
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
