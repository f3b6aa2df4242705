package io.github.kgdb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Suggests existing names for one that does not exist. */
public final class Suggestions {
    private static final int MAX = 3;
    private static final int MIN_WORD_LENGTH = 3;

    /** Longer names are no typos, and take long to compare. */
    private static final int MAX_LENGTH = 100;

    private static final String BETWEEN_WORDS = "[^\\p{L}\\p{N}]+|(?<=\\p{Ll})(?=\\p{Lu})";
    private static final Comparator<Candidate> NEAREST_FIRST =
            Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name);

    private Suggestions() {}

    /** " (did you mean 'a' or 'b'?)", nearest first, or "" if no candidate is near. */
    public static String didYouMean(String name, Stream<String> candidates) {
        List<String> near = close(name, candidates);
        return near.isEmpty()
                ? ""
                : near.stream()
                        .map(candidate -> "'" + candidate + "'")
                        .collect(Collectors.joining(" or ", " (did you mean ", "?)"));
    }

    /**
     * What a caller who does not know the names may have meant: names with a similar spelling,
     * nearest first, then those that share a word, as DIRECTED and directed_by do.
     */
    public static List<String> near(String name, Collection<String> candidates) {
        if (name.length() > MAX_LENGTH) {
            return List.of();
        }
        Set<String> near = new LinkedHashSet<>(close(name, candidates.stream()));
        Set<String> words = words(name);
        candidates.stream()
                .filter(candidate -> candidate.length() <= MAX_LENGTH)
                .map(candidate -> new Candidate(candidate, -shared(words, words(candidate))))
                .filter(candidate -> candidate.distance() < 0)
                .sorted(NEAREST_FIRST)
                .limit(MAX)
                .forEach(candidate -> near.add(candidate.name()));
        return near.stream().limit(MAX).toList();
    }

    private static List<String> close(String name, Stream<String> candidates) {
        if (name.length() > MAX_LENGTH) {
            return List.of();
        }
        int tolerance = Math.min(Math.max(2, name.length() / 3), Math.max(0, name.length() - 1));
        List<Candidate> near = new ArrayList<>();
        candidates.forEach(
                candidate -> {
                    int distance =
                            candidate.length() > MAX_LENGTH
                                    ? tolerance + 1
                                    : distance(name, candidate, tolerance);
                    if (distance <= tolerance) {
                        near.add(new Candidate(candidate, distance));
                    }
                });
        return near.stream().sorted(NEAREST_FIRST).limit(MAX).map(Candidate::name).toList();
    }

    /** The words in lower case, without the shortest, which say little: "of", "by". */
    private static Set<String> words(String name) {
        return Arrays.stream(name.split(BETWEEN_WORDS))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .filter(word -> word.length() >= MIN_WORD_LENGTH)
                .collect(Collectors.toSet());
    }

    private static int shared(Set<String> words, Set<String> others) {
        return (int)
                words.stream()
                        .filter(
                                word ->
                                        others.stream()
                                                .anyMatch(
                                                        other ->
                                                                other.startsWith(word)
                                                                        || word.startsWith(other)))
                        .count();
    }

    /**
     * The case-insensitive Levenshtein distance; some number above {@code tolerance} if it is
     * larger.
     */
    private static int distance(String left, String right, int tolerance) {
        if (Math.abs(left.length() - right.length()) > tolerance) {
            return tolerance + 1;
        }
        String a = left.toLowerCase(Locale.ROOT);
        String b = right.toLowerCase(Locale.ROOT);
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(change, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }

    private record Candidate(String name, int distance) {}
}
