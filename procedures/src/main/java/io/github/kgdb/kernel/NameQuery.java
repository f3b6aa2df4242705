package io.github.kgdb.kernel;

import java.text.Normalizer;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes what a mention is looked up with. A mention is data: it stands between quotation marks,
 * where only the backslash and the mark itself are syntax, or as words of letters and digits.
 */
final class NameQuery {
    /** Words of a mention that are looked up singly. */
    private static final int MOST_WORDS = 32;

    /** Clauses that Lucene allows in a query, less a reserve. */
    private static final int MOST_CLAUSES = 900;

    /** Words of the index that Lucene makes of one with a letter wrong. */
    private static final int EXPANSIONS = 50;

    private static final Pattern NOT_OF_WORD = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]+");

    /** What may stand outside quotation marks: letters and digits, none of which is syntax. */
    private static final Pattern MISSPELT = Pattern.compile("[\\p{L}\\p{M}\\p{N}]{3,}");

    /** Letters of a word in which two may be wrong. */
    private static final int LONG = 8;

    private NameQuery() {}

    /** Entities whose names have these words in a row. */
    static String phrase(String mention) {
        return quoted(Normalizer.normalize(mention, Normalizer.Form.NFC));
    }

    /**
     * Entities whose names have some of these words.
     *
     * @param wrong letters of a word that may be wrong, at most 2; the second in long words only
     * @param fields properties that the index searches, each of which costs its own clauses
     */
    static String words(NameForms mention, int wrong, int fields) {
        Set<String> words = new LinkedHashSet<>();
        mention.tokens().stream().limit(MOST_WORDS).forEach(words::add);
        // Also with their diacritics: an index need not fold what is folded here.
        Stream.of(NOT_OF_WORD.split(mention.unfolded()))
                .filter(word -> !word.isEmpty())
                .filter(word -> word.codePoints().noneMatch(NameForms::isIdeographic))
                .limit(MOST_WORDS)
                .forEach(words::add);
        StringJoiner query = new StringJoiner(" ");
        words.forEach(word -> query.add(quoted(word)));
        if (wrong > 0) {
            misspelt(words, fields)
                    .forEach(word -> query.add(word + "~" + (letters(word) < LONG ? 1 : wrong)));
        }
        return query.toString();
    }

    /** The longest words: the rarest, and those in which a letter goes wrong most easily. */
    private static List<String> misspelt(Set<String> words, int fields) {
        int most = Math.max(1, (MOST_CLAUSES / fields - words.size()) / EXPANSIONS);
        return words.stream()
                .filter(word -> MISSPELT.matcher(word).matches())
                .sorted(Comparator.comparingInt(NameQuery::letters).reversed())
                .limit(most)
                .toList();
    }

    private static int letters(String word) {
        return word.codePointCount(0, word.length());
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
