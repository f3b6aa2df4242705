package io.github.kgdb.cypher;

import java.util.List;

/**
 * The functions that a guarded query calls. They belong to the plugin, and no script can name them,
 * because the language has no function with a namespace.
 */
public final class GuardFunction {
    /** The prefix of each name: "kgdb.guard.value". */
    public static final String PREFIX = "kgdb.guard.";

    /** (site, value): counts a value that an expression has made, and returns it. */
    public static final String VALUE = "value";

    /** (site, value): counts one more item of a list under construction, and returns it. */
    public static final String ITEM = "item";

    /** (value): checks the time limit, and returns the value. */
    public static final String STEP = "step";

    /** (item): checks the time limit in a loop, and returns true. */
    public static final String TURN = "turn";

    /** (text): refuses a text that is too long for a number or a date. */
    public static final String PARSED = "parsed";

    /** (text, part): CONTAINS. */
    public static final String CONTAINS = "contains";

    /** (text, pattern): =~. */
    public static final String MATCHES = "matches";

    /** (site, text, part, other): replace(). */
    public static final String REPLACE = "replace";

    /** (site, text, separator): split(). */
    public static final String SPLIT = "split";

    static final List<String> NAMESPACE = List.of("kgdb", "guard");

    private GuardFunction() {}
}
