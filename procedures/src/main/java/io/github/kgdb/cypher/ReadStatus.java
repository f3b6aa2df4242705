package io.github.kgdb.cypher;

/**
 * How a script ended. All except {@link #OK} are errors that can be shown to the author of the
 * script.
 */
public enum ReadStatus {
    OK("ok"),
    /** No statement in the text. */
    EMPTY("EMPTY"),
    /** The text is longer than maxLength. */
    TOO_LARGE("TOO_LARGE"),
    /** Brackets or expressions are nested too deep. */
    TOO_DEEP("TOO_DEEP"),
    /** Planning the query, or evaluating one of its expressions, could take too long. */
    TOO_COMPLEX("TOO_COMPLEX"),
    /** Invalid Cypher, or Cypher that makes no sense, such as an undefined variable. */
    SYNTAX("SYNTAX"),
    /** More than one statement. */
    SEVERAL_STATEMENTS("SEVERAL_STATEMENTS"),
    /** A clause or command outside the language. */
    FORBIDDEN_CLAUSE("FORBIDDEN_CLAUSE"),
    /** A function outside the language. */
    FORBIDDEN_FUNCTION("FORBIDDEN_FUNCTION"),
    /** An expression or pattern outside the language. */
    FORBIDDEN_CONSTRUCT("FORBIDDEN_CONSTRUCT"),
    /** A variable-length path without an upper bound, or with one over maxPathLength. */
    PATH_LENGTH("PATH_LENGTH"),
    /** No node of the store ever had this label. */
    UNKNOWN_LABEL("UNKNOWN_LABEL"),
    /** No relationship of the store ever had this type. */
    UNKNOWN_TYPE("UNKNOWN_TYPE"),
    /** Nothing in the store ever had this property. */
    UNKNOWN_KEY("UNKNOWN_KEY"),
    /** The query failed on the values it found, as in a division by zero. */
    RUNTIME("RUNTIME"),
    /** The query did not end within timeoutMs. */
    TIME("TIME"),
    /** The query needs more memory than a query may use. */
    MEMORY("MEMORY");

    private final String text;

    ReadStatus(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
