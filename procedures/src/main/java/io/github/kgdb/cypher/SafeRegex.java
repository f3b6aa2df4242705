package io.github.kgdb.cypher;

import java.util.regex.Pattern;

/**
 * The regular expressions that cannot take long on any text: no group repeats, and not more than
 * two parts of unknown length are there to try one against the other.
 */
final class SafeRegex {
    /** A character, a class of them, or an escaped one. */
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
    private static final int MOST_REPETITIONS = 2;
    private static final Pattern CHOICE = Pattern.compile("\\(");
    private static final int MOST_CHOICES = 4;
    private static final int LONGEST = 200;

    static final String EXPECTED =
            "plain text, '.', \\d, \\w, \\s, (one|another) without repetition, and at most two"
                    + " '.*', as in '(?i).*term.*'; or use CONTAINS, STARTS WITH or toLower()";

    private SafeRegex() {}

    static boolean allows(String regex) {
        return regex.length() <= LONGEST
                && ALLOWED.matcher(regex).matches()
                && count(REPETITION, regex) <= MOST_REPETITIONS
                && count(CHOICE, regex) <= MOST_CHOICES;
    }

    private static long count(Pattern pattern, String text) {
        return pattern.matcher(text).results().count();
    }
}
