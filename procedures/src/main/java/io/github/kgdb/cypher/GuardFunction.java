package io.github.kgdb.cypher;

import java.util.List;

/**
 * The functions that a guarded query calls. They are the plugin's own; no script may name them, for
 * the language has no function with a namespace.
 */
public final class GuardFunction {
    /** Before each name: "kgdb.guard.value". */
    public static final String PREFIX = "kgdb.guard.";

    /** (place, value): counts a value that an expression has made, and gives it. */
    public static final String VALUE = "value";

    /** (place, value): counts one more item of a list that is being made, and gives it. */
    public static final String ITEM = "item";

    /** (value): looks at the clock, and gives the value. */
    public static final String STEP = "step";

    /** (item): looks at the clock at a turn of a loop, and gives true. */
    public static final String TURN = "turn";

    /** (text): refuses one too long to be a number or a date. */
    public static final String PARSED = "parsed";

    /** (text, part): CONTAINS. */
    public static final String CONTAINS = "contains";

    /** (text, pattern): =~. */
    public static final String MATCHES = "matches";

    /** (place, text, part, other): replace(). */
    public static final String REPLACE = "replace";

    /** (place, text, separator): split(). */
    public static final String SPLIT = "split";

    static final List<String> NAMESPACE = List.of("kgdb", "guard");

    private GuardFunction() {}
}
