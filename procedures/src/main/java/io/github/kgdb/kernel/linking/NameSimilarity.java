package io.github.kgdb.kernel.linking;

import io.github.kgdb.kernel.api.TerminationTicker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * The similarity of a name and a mention, from 0 to 1, and the reason.
 *
 * <p>Python computes the same numbers in the same order: change both together.
 */
record NameSimilarity(double score, Reason reason) {
    /** Why a name matches a mention, the best reason first. */
    enum Reason {
        ID(1.0),
        EXACT(1.0),
        CASE(0.99),
        FOLDED(0.98),
        PUNCTUATION(0.97),
        TYPO(0),
        WORDS(0),
        VECTOR(0);

        private final double score;
        private final String text;

        Reason(double score) {
            this.score = score;
            this.text = name().toLowerCase(Locale.ROOT);
        }

        /** Whether the mention is the whole name, possibly written differently. */
        boolean isWholeName() {
            return score > 0;
        }

        /** The value of the column {@code reason}. */
        String text() {
            return text;
        }
    }

    /**
     * Weight of differences in case and diacritics: of two equally similar names, the one written
     * like the mention wins.
     */
    private static final double WRITING = 0.004;

    /** Maximum score of a name that is more than written differently. */
    private static final double UNLIKE_WRITING = 0.95;

    /** Weight of common words in any order, below that of equal letters in sequence. */
    private static final double WORDS_ALONE = 0.95;

    /** The minimum length of a word that may be misspelled. */
    private static final int MIN_MISSPELT_LENGTH = 3;

    /** More edits than any two names need; does not overflow when incremented. */
    private static final int FAR = Integer.MAX_VALUE / 2;

    /** One typo is allowed per this many letters, and one more. */
    private static final int LETTERS_PER_TYPO = 8;

    /**
     * @param ticker ticked while long names are compared, which takes milliseconds
     */
    static NameSimilarity of(NameForms mention, NameForms name, TerminationTicker ticker) {
        Reason same = same(mention, name);
        if (same != null) {
            return new NameSimilarity(
                    same.score - WRITING * otherLetters(mention, name, ticker), same);
        }
        int mentionLength = length(mention.words());
        int nameLength = length(name.words());
        int longest = Math.max(1, Math.max(mentionLength, nameLength));
        int typos = typos(Math.min(mentionLength, nameLength));
        int edits = Math.abs(mentionLength - nameLength);
        double words = WORDS_ALONE * commonWords(mention.tokens(), name.tokens(), ticker);
        // The difference in length is a lower bound on the edits; most names that share words need
        // no exact number.
        if (edits <= typos || 1 - (double) edits / longest > words) {
            edits = edits(points(mention.words()), points(name.words()), ticker);
        }
        double letters = 1 - (double) edits / longest;
        if (edits <= typos) {
            return new NameSimilarity(UNLIKE_WRITING * letters, Reason.TYPO);
        }
        return new NameSimilarity(
                UNLIKE_WRITING * Math.max(letters, words),
                words > 0 ? Reason.WORDS : Reason.VECTOR);
    }

    private static Reason same(NameForms mention, NameForms name) {
        if (mention.exact().equals(name.exact())) {
            return Reason.EXACT;
        } else if (mention.cased().equals(name.cased())) {
            return Reason.CASE;
        } else if (mention.words().isEmpty()) {
            return null;
        } else if (mention.folded().equals(name.folded())) {
            return Reason.FOLDED;
        }
        return mention.words().equals(name.words()) ? Reason.PUNCTUATION : null;
    }

    /** The share of letters that are written differently. */
    private static double otherLetters(
            NameForms mention, NameForms name, TerminationTicker ticker) {
        if (mention.exact().equals(name.exact())) {
            return 0;
        }
        int[] mentionPoints = points(NameForms.first(mention.exact(), NameForms.MAX_LENGTH));
        int[] namePoints = points(NameForms.first(name.exact(), NameForms.MAX_LENGTH));
        return (double) edits(mentionPoints, namePoints, ticker)
                / Math.max(mentionPoints.length, namePoints.length);
    }

    /** The number of typos allowed in a name of that length. */
    private static int typos(int length) {
        return length < MIN_MISSPELT_LENGTH ? 0 : 1 + length / LETTERS_PER_TYPO;
    }

    /**
     * The overlap of words in any order, where a word may have one typo: the mean of the covered
     * share of the mention's letters and the covered share of all letters. People leave out words
     * more often than they add some.
     */
    private static double commonWords(
            List<String> mention, List<String> name, TerminationTicker ticker) {
        List<String> left = new ArrayList<>(name);
        List<String> missing = new ArrayList<>();
        int ofMention = 0;
        int ofName = 0;
        for (String word : mention) {
            ticker.tick();
            if (left.remove(word)) {
                ofMention += length(word);
                ofName += length(word);
            } else {
                missing.add(word);
            }
        }
        for (String word : missing) {
            ticker.tick();
            for (Iterator<String> others = left.iterator(); others.hasNext(); ) {
                String other = others.next();
                if (isMisspelt(word, other, ticker)) {
                    ofMention += length(word) - 1;
                    ofName += length(other) - 1;
                    others.remove();
                    break;
                }
            }
        }
        int letters = letters(mention);
        int all = letters + letters(name);
        return letters == 0
                ? 0
                : ((double) ofMention / letters + (double) (ofMention + ofName) / all) / 2;
    }

    private static int letters(List<String> words) {
        int letters = 0;
        for (String word : words) {
            letters += length(word);
        }
        return letters;
    }

    private static boolean isMisspelt(String word, String other, TerminationTicker ticker) {
        return Math.min(length(word), length(other)) >= MIN_MISSPELT_LENGTH
                && Math.abs(length(word) - length(other)) <= 1
                && edits(points(word), points(other), ticker) == 1;
    }

    private static int[] points(String text) {
        int[] points = new int[length(text)];
        for (int i = 0, at = 0; i < points.length; i++) {
            points[i] = text.codePointAt(at);
            at += Character.charCount(points[i]);
        }
        return points;
    }

    private static int length(String word) {
        return word.codePointCount(0, word.length());
    }

    /**
     * The edit distance with transpositions (optimal string alignment). Skips the common prefix and
     * suffix, which do not change it and are most of two similar names.
     */
    static int edits(int[] left, int[] right, TerminationTicker ticker) {
        int shorter = Math.min(left.length, right.length);
        int begin = 0;
        while (begin < shorter && left[begin] == right[begin]) {
            begin++;
        }
        int end = 0;
        while (end < shorter - begin
                && left[left.length - 1 - end] == right[right.length - 1 - end]) {
            end++;
        }
        return aligned(
                Arrays.copyOfRange(left, begin, left.length - end),
                Arrays.copyOfRange(right, begin, right.length - end),
                ticker);
    }

    /** The edit distance of the whole texts. */
    private static int aligned(int[] left, int[] right, TerminationTicker ticker) {
        int surplus = right.length - left.length;
        int max = maxEdits(left, right);
        if (max <= 1) {
            return max;
        }
        // A shift by this many positions costs as many edits, and as many to shift back.
        int maxShift = (max - Math.abs(surplus)) / 2;
        int minOffset = Math.min(0, surplus) - maxShift;
        int maxOffset = Math.max(0, surplus) + maxShift;
        int[] twoBefore = far(right.length + 1);
        int[] before = far(right.length + 1);
        int[] current = far(right.length + 1);
        for (int j = 0; j <= Math.min(right.length, maxOffset); j++) {
            current[j] = j;
        }
        for (int i = 1; i <= left.length; i++) {
            ticker.tick();
            int[] free = twoBefore;
            twoBefore = before;
            before = current;
            current = free;
            int first = Math.max(1, i + minOffset);
            int last = Math.min(right.length, i + maxOffset);
            current[first - 1] = first == 1 ? i : FAR;
            for (int j = first; j <= last; j++) {
                int change = before[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
                current[j] = Math.min(change, 1 + Math.min(before[j], current[j - 1]));
                if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
                    current[j] = Math.min(current[j], twoBefore[j - 2] + 1);
                }
            }
        }
        return current[right.length];
    }

    /** An upper bound on the edits: substituting each letter that differs, or all of them. */
    private static int maxEdits(int[] left, int[] right) {
        if (left.length != right.length) {
            return Math.max(left.length, right.length);
        }
        int changed = 0;
        for (int i = 0; i < left.length; i++) {
            if (left[i] != right[i]) {
                changed++;
            }
        }
        return changed;
    }

    private static int[] far(int length) {
        int[] edits = new int[length];
        Arrays.fill(edits, FAR);
        return edits;
    }
}
