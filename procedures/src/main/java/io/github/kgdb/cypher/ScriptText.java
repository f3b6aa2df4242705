package io.github.kgdb.cypher;

import io.github.kgdb.TextPosition;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the statement in a model's text. Everything else becomes blanks, so that offsets stay the
 * same.
 */
final class ScriptText {
    /** "```", "```cypher" and the like, at the start of a line. */
    private static final Pattern FENCE =
            Pattern.compile(
                    "^[ \\t]*```[ \\t]*(?:(?i:cypher|neo4j|sql)\\b|[A-Za-z]*[ \\t]*(?=\\r?\\n))",
                    Pattern.MULTILINE);

    private static final String FENCE_END = "```";
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final int MAX_NESTED = 100;
    private static final Pattern CASE = Pattern.compile("(?i)\\bCASE\\b");

    private ScriptText() {}

    /** The first fenced block or, without one, the whole text. */
    static String statement(String script, int maxLength) {
        if (script.length() > maxLength) {
            throw new Refusal(
                    ReadStatus.TOO_LARGE,
                    "the script has "
                            + script.length()
                            + " characters, at most "
                            + maxLength
                            + " are allowed (maxLength)",
                    TextPosition.START);
        }
        String text = script.replace(BYTE_ORDER_MARK, " ");
        Matcher fence = FENCE.matcher(text);
        if (fence.find()) {
            int end = text.indexOf(FENCE_END, fence.end());
            text = only(text, fence.end(), end < 0 ? text.length() : end);
        }
        if (text.isBlank()) {
            throw new Refusal(
                    ReadStatus.EMPTY,
                    "the script is empty; write one query, such as MATCH (n) RETURN n LIMIT 10",
                    TextPosition.START);
        }
        requireShallow(text);
        return text;
    }

    private static String only(String text, int begin, int end) {
        return blank(text.substring(0, begin))
                + text.substring(begin, end)
                + blank(text.substring(end));
    }

    private static String blank(String text) {
        StringBuilder blank = new StringBuilder(text.length());
        text.chars().forEach(c -> blank.append(c == '\r' || c == '\n' ? (char) c : ' '));
        return blank.toString();
    }

    /**
     * Protects the server's parser, which recurses at each bracket and CASE, from a stack overflow.
     */
    private static void requireShallow(String text) {
        if (CASE.matcher(text).results().count() > MAX_NESTED) {
            throw new Refusal(
                    ReadStatus.TOO_DEEP,
                    "more than " + MAX_NESTED + " times CASE",
                    TextPosition.START);
        }
        int depth = 0;
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '\'' || c == '"' || c == '`') {
                i = endOfQuoted(text, i);
            } else if (text.startsWith("//", i)) {
                i = indexOr(text, "\n", i);
            } else if (text.startsWith("/*", i)) {
                i = indexOr(text, "*/", i + 2);
            } else if (c == '(' || c == '[' || c == '{') {
                depth++;
            } else if (c == ')' || c == ']' || c == '}') {
                depth--;
            }
            if (depth > MAX_NESTED) {
                throw new Refusal(
                        ReadStatus.TOO_DEEP,
                        "more than " + MAX_NESTED + " brackets inside one another",
                        TextPosition.at(text, i));
            }
            i++;
        }
    }

    private static int endOfQuoted(String text, int begin) {
        char quote = text.charAt(begin);
        for (int i = begin + 1; i < text.length(); i++) {
            if (text.charAt(i) == '\\' && quote != '`') {
                i++;
            } else if (text.charAt(i) == quote) {
                return i;
            }
        }
        return text.length();
    }

    private static int indexOr(String text, String end, int begin) {
        int found = text.indexOf(end, begin);
        return found < 0 ? text.length() : found;
    }
}
