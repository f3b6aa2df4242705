package io.github.kgdb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names close to one that was not found. */
public final class Suggestions {
    private static final int MOST = 3;

    private Suggestions() {}

    /** " (did you mean 'a' or 'b'?)", nearest first, or nothing where no candidate is near. */
    public static String didYouMean(String name, Stream<String> candidates) {
        int tolerance = Math.max(2, name.length() / 3);
        List<Candidate> near = new ArrayList<>();
        candidates.forEach(
                candidate -> {
                    int distance = distance(name, candidate, tolerance);
                    if (distance <= tolerance) {
                        near.add(new Candidate(candidate, distance));
                    }
                });
        if (near.isEmpty()) {
            return "";
        }
        return near.stream()
                .sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
                .limit(MOST)
                .map(candidate -> "'" + candidate.name() + "'")
                .collect(Collectors.joining(" or ", " (did you mean ", "?)"));
    }

    /**
     * Levenshtein distance without regard to case; more than {@code tolerance} where it is larger.
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
