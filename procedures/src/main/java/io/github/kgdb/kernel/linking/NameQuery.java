package io.github.kgdb.kernel.linking;

import java.text.Normalizer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Builds Lucene queries from mentions. A mention is data: it stands in quotation marks, where only
 * the backslash and the quotation mark are escaped, or as words of letters and digits.
 */
final class NameQuery {
    /** The maximum words of a mention in a query. */
    private static final int MAX_WORDS = 32;

    /** The maximum clauses that Lucene allows in a query, less a reserve. */
    private static final int MAX_CLAUSES = 900;

    /** The number of index terms into which Lucene expands one fuzzy word. */
    private static final int EXPANSIONS = 50;

    private static final Pattern NOT_OF_WORD = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]+");

    /** Words that need no quotation marks: letters and digits, none of which is query syntax. */
    private static final Pattern MISSPELT = Pattern.compile("[\\p{L}\\p{M}\\p{N}]{3,}");

    /**
     * The maximum repetitions of one word: a phrase query matches each of them at each position.
     */
    private static final int MAX_REPEATS = 4;

    private static final String JOINING_LETTERS = "'.:\u00B7\u2018\u2019\u2024\uFF07\uFF0E\uFF1A";
    private static final String JOINING_DIGITS = "'.,;\u2018\u2019\u2024\uFF07\uFF0E";

    /** The minimum length of a word with edit distance 2. */
    private static final int LONG = 8;

    private NameQuery() {}

    /**
     * A query for names that contain these words as a phrase. Of a long mention, only its first
     * words: names with all of its words contain them too. A phrase query takes longer the more
     * words it has, and nothing can interrupt it.
     */
    static String phrase(String mention) {
        return quoted(firstWords(Normalizer.normalize(mention, Normalizer.Form.NFC)));
    }

    private static String firstWords(String text) {
        Map<String, Integer> seen = new HashMap<>();
        int words = 0;
        int start = 0;
        int end = 0;
        int before = ' ';
        for (int at = 0; at < text.length(); ) {
            int letter = text.codePointAt(at);
            int next = at + Character.charCount(letter);
            boolean alone = NameForms.isIdeographic(letter) || isSymbol(letter);
            if (alone || isOfWord(letter) && !isOfWord(before)) {
                String word = text.substring(start, end).toLowerCase(Locale.ROOT);
                if (seen.merge(word, 1, Integer::sum) > MAX_REPEATS) {
                    return text.substring(0, start);
                }
                if (++words > MAX_WORDS) {
                    return text.substring(0, at);
                }
                start = at;
            }
            if (alone || isOfWord(letter)) {
                end = next;
            }
            if (!joins(before, letter, next < text.length() ? text.codePointAt(next) : ' ')) {
                before = letter;
            }
            at = next;
        }
        return text;
    }

    /** Whether the index keeps the text on both sides of a sign in one word: "1,000", "o'er". */
    private static boolean joins(int before, int sign, int after) {
        return JOINING_LETTERS.indexOf(sign) >= 0
                        && Character.isLetter(before)
                        && Character.isLetter(after)
                || JOINING_DIGITS.indexOf(sign) >= 0
                        && Character.isDigit(before)
                        && Character.isDigit(after);
    }

    private static boolean isOfWord(int letter) {
        return switch (Character.getType(letter)) {
            case Character.NON_SPACING_MARK,
                            Character.COMBINING_SPACING_MARK,
                            Character.ENCLOSING_MARK,
                            Character.FORMAT,
                            Character.LETTER_NUMBER,
                            Character.OTHER_NUMBER,
                            Character.CONNECTOR_PUNCTUATION ->
                    true;
            default -> Character.isLetterOrDigit(letter);
        };
    }

    private static boolean isSymbol(int letter) {
        return Character.getType(letter) == Character.OTHER_SYMBOL;
    }

    /**
     * A query for names that contain some of these words.
     *
     * @param wrong maximum edit distance of a word, at most 2; 2 applies to long words only
     * @param fields the number of properties that the index searches; each takes its own clauses
     */
    static String words(NameForms mention, int wrong, int fields) {
        Set<String> words = new LinkedHashSet<>();
        mention.tokens().stream().limit(MAX_WORDS).forEach(words::add);
        // Also with their diacritics, because an index need not fold them.
        Stream.of(NOT_OF_WORD.split(mention.unfolded()))
                .filter(word -> !word.isEmpty())
                .filter(word -> word.codePoints().noneMatch(NameForms::isIdeographic))
                .limit(MAX_WORDS)
                .forEach(words::add);
        StringJoiner query = new StringJoiner(" ");
        words.forEach(word -> query.add(quoted(word)));
        if (wrong > 0) {
            misspelt(words, fields)
                    .forEach(word -> query.add(word + "~" + (letters(word) < LONG ? 1 : wrong)));
        }
        return query.toString();
    }

    /** The longest words: they are the rarest, and the most often misspelled. */
    private static List<String> misspelt(Set<String> words, int fields) {
        int max = Math.max(1, (MAX_CLAUSES / fields - words.size()) / EXPANSIONS);
        return words.stream()
                .filter(word -> MISSPELT.matcher(word).matches())
                .sorted(Comparator.comparingInt(NameQuery::letters).reversed())
                .limit(max)
                .toList();
    }

    private static int letters(String word) {
        return word.codePointCount(0, word.length());
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
