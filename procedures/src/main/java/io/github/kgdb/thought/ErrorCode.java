package io.github.kgdb.thought;

/** Why a script is refused. Callers compare these names: never rename or reuse one. */
public enum ErrorCode {
    /** There is no clause in it. */
    EMPTY,
    /** It is longer than {@link Limits#maxLength()}. */
    TOO_LARGE,
    /** More nodes, relationships or items of a list than {@link Limits} allows. */
    TOO_MANY,
    /** It cannot be read. */
    SYNTAX,
    /** A ';' before the end of the script or of its fence. */
    SEVERAL_STATEMENTS,
    /** A clause or command other than CREATE, MERGE and a RETURN that ends a statement. */
    FORBIDDEN_CLAUSE,
    /**
     * A pattern that stands for no particular node or relationship: it could only be searched for.
     */
    FORBIDDEN_PATTERN,
    /** A value that would have to be computed or passed in. */
    FORBIDDEN_EXPRESSION,
    /** A literal that no property can hold, or two values for one property. */
    BAD_VALUE,
    /** A variable is declared again, and differently. */
    DUPLICATE_VARIABLE,
    /** RETURN names a variable that was never declared. */
    UNKNOWN_VARIABLE,
    /** Running it took longer than the caller allowed. */
    TIME
}
