package io.github.kgdb.kernel.api;

import java.util.Comparator;
import java.util.List;

/**
 * The order of Cypher's ORDER BY and of Python's sorted(). String.compareTo differs from both: it
 * puts what lies beyond the first 65,536 code points before U+E000.
 */
public final class CodePoints {
    public static final Comparator<String> ORDER = CodePoints::compare;

    /** Item by item; a prefix comes before the longer list. */
    public static final Comparator<List<String>> LISTS = CodePoints::compareLists;

    private CodePoints() {}

    private static int compareLists(List<String> left, List<String> right) {
        int shared = Math.min(left.size(), right.size());
        for (int i = 0; i < shared; i++) {
            int order = compare(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return left.size() - right.size();
    }

    private static int compare(String left, String right) {
        int shared = Math.min(left.length(), right.length());
        for (int i = 0; i < shared; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                if (Character.isSurrogate(a) != Character.isSurrogate(b)) {
                    return Character.isSurrogate(a) ? 1 : -1;
                }
                return a - b;
            }
        }
        return left.length() - right.length();
    }
}
