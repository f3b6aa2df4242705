package io.github.kgdb.kernel.linking;

import io.github.kgdb.kernel.api.TerminationTicker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * How much a name is like a mention, from 0 to 1, and why.
 *
 * <p>The Python side computes the same numbers in the same order.
 */
record NameSimilarity(double score, Reason reason) {
    /** What makes a name like a mention, the best reason first. */
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

        /** Whether the mention is the whole name, and only written in another way. */
        boolean isWholeName() {
            return score > 0;
        }

        /** As rows tell it. */
        String text() {
            return text;
        }
    }

    /** Of two names that are as like, the one whose letters are written as in the mention. */
    private static final double WRITING = 0.004;

    /** Below any name that is only written in another way. */
    private static final double UNLIKE_WRITING = 0.95;

    /** Words in another order, or some of them, are less than the same letters in a row. */
    private static final double WORDS_ALONE = 0.95;

    /** The shortest word of which a letter may be wrong. */
    private static final int MIN_MISSPELT_LENGTH = 3;

    /** More edits than any two names need. */
    private static final int FAR = Integer.MAX_VALUE / 2;

    /** Letters for each one that may be wrong. */
    private static final int LETTERS_PER_TYPO = 8;

    /**
     * @param ticker taken while long names are compared, which takes milliseconds
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
        // There are no fewer edits than that: most names that share words need no exact number.
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

    /** The share of the letters that are not the same as they are written. */
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

    /** How many letters may be wrong in a name of that length. */
    private static int typos(int length) {
        return length < MIN_MISSPELT_LENGTH ? 0 : 1 + length / LETTERS_PER_TYPO;
    }

    /**
     * How many of the letters are in words of both, in any order and with a letter wrong: the mean
     * of the share of the mention's letters, and the share of all. People leave words out more than
     * they add some.
     */
    private static double commonWords(
            List<String> mention, List<String> name, TerminationTicker ticker) {
        List<String> left = new ArrayList<>(name);
        List<String> missing = new ArrayList<>();
        int ofMention = 0;
        int ofName = 0;
        for (String word : mention) {
            ticker.next();
            if (left.remove(word)) {
                ofMention += length(word);
                ofName += length(word);
            } else {
                missing.add(word);
            }
        }
        for (String word : missing) {
            ticker.next();
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
     * Letters to add, drop, change or swap with the next (optimal string alignment). What both
     * begin and end with is left out: it makes no difference, and of names that are alike it is
     * most.
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

    /** The same, where nothing is left out. */
    private static int aligned(int[] left, int[] right, TerminationTicker ticker) {
        int surplus = right.length - left.length;
        int max = maxEdits(left, right);
        if (max <= 1) {
            return max;
        }
        // To stand so many places aside costs as many letters, and as many to come back.
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
            ticker.next();
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

    /** So many do: changing each letter that differs, or all of them. */
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
