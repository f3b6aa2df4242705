package io.github.kgdb.cypher;

import java.util.regex.Pattern;

/**
 * Regular expressions that cannot take long on any text: no group repeats, and at most two parts of
 * unknown length can be traded against each other.
 */
final class SafeRegex {
    /** A character, a character class, or an escaped character. */
    private static final String ONE =
            "(?:[^\\\\()\\[\\]{}|*+?.^$]|\\\\[^A-Za-z0-9]|\\\\[dDwWsSb]|\\.)";

    private static final String ALTERNATIVES = "\\((?:\\?:)?" + ONE + "*(?:\\|" + ONE + "*)*\\)";
    private static final Pattern ALLOWED =
            Pattern.compile(
                    "(?:\\(\\?[iu]{1,2}\\))?\\^?(?:\\.[*+]\\??|"
                            + ALTERNATIVES
                            + "|"
                            + ONE
                            + ")*+\\$?",
                    Pattern.DOTALL);
    private static final Pattern REPETITION = Pattern.compile("\\.[*+]");
    private static final int MAX_REPETITIONS = 2;
    private static final Pattern CHOICE = Pattern.compile("\\(");
    private static final int MAX_CHOICES = 4;
    private static final int MAX_LENGTH = 200;

    static final String EXPECTED =
            "plain text, '.', \\d, \\w, \\s, (one|another) without repetition, and at most two"
                    + " '.*', as in '(?i).*term.*'; or use CONTAINS, STARTS WITH or toLower()";

    private SafeRegex() {}

    static boolean allows(String regex) {
        return regex.length() <= MAX_LENGTH
                && ALLOWED.matcher(regex).matches()
                && count(REPETITION, regex) <= MAX_REPETITIONS
                && count(CHOICE, regex) <= MAX_CHOICES;
    }

    private static long count(Pattern pattern, String text) {
        return pattern.matcher(text).results().count();
    }
}
