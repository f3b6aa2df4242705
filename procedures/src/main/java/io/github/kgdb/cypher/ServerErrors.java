package io.github.kgdb.cypher;

import io.github.kgdb.TextPosition;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cleans up error messages of the server: removes repetitions and separates the position. */
public final class ServerErrors {
    private static final Pattern POSITION =
            Pattern.compile("\\(line \\d+, column \\d+ \\(offset: (\\d+)\\)\\)");

    /** The server's prefix of an error in a guard function. */
    private static final Pattern GUARD =
            Pattern.compile(
                    "^Failed to invoke function `"
                            + Pattern.quote(GuardFunction.PREFIX)
                            + "\\w+`: Caused by: (?:[\\w.]+: )?");

    private static final int MAX_LENGTH = 500;
    private static final Pattern EXPECTED = Pattern.compile(": expected (.*)$");
    private static final String AT_THE_END = "Invalid input ''";
    private static final int MAX_EXPECTED = 8;

    private ServerErrors() {}

    /**
     * An error with a position is in the text; any other concerns the values found.
     *
     * @param script that the server was given
     * @param before the number of characters that were put before it
     */
    public static Refusal refusal(String message, String script, int before) {
        String line =
                GUARD.matcher(truncate(message.lines().findFirst().orElse(""))).replaceFirst("");
        Matcher position = POSITION.matcher(line);
        if (!position.find()) {
            return new Refusal(ReadStatus.RUNTIME, line.strip(), null);
        }
        return new Refusal(
                ReadStatus.SYNTAX,
                shorten(line.substring(0, position.start()).strip()),
                TextPosition.at(script, Integer.parseInt(position.group(1)) - before));
    }

    /** The memory limit of a query, in bytes: what it sorts, groups, collects and makes. */
    public static final long QUERY_BYTES = 32L << 20;

    public static Refusal outOfMemory() {
        return new Refusal(
                ReadStatus.MEMORY,
                "the query needs more than "
                        + (QUERY_BYTES >> 20)
                        + " MiB; sort, group, collect or build less",
                null);
    }

    public static boolean hasPosition(String message) {
        return POSITION.matcher(message.lines().findFirst().orElse("")).find();
    }

    /** The server quotes a function's arguments in its messages, whatever their length. */
    private static String truncate(String line) {
        return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
    }

    static Refusal tooDeep() {
        return new Refusal(
                ReadStatus.TOO_DEEP, "expressions are nested too deep", TextPosition.START);
    }

    /** The server lists all 36 keywords that may begin a clause, which helps nobody. */
    private static String shorten(String message) {
        if (message.startsWith(AT_THE_END)) {
            return "the query ends too early" + message.substring(AT_THE_END.length());
        }
        Matcher expected = EXPECTED.matcher(message);
        if (message.startsWith("Invalid input")
                && expected.find()
                && expected.group(1).split(", ").length > MAX_EXPECTED) {
            return message.substring(0, expected.start())
                    + "; the query may have "
                    + ReadLanguage.CLAUSES;
        }
        return message;
    }
}
