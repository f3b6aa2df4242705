package io.github.kgdb.kernel.linking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.kernel.api.TerminationTicker;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.Random;

class NameSimilarityTest {
    private static final TerminationTicker TURNS = new TerminationTicker(() -> {});

    private static NameSimilarity likeness(String mention, String name) {
        return NameSimilarity.of(NameForms.of(mention), NameForms.of(name), TURNS);
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "a, '', 1",
        "abc, abc, 0",
        "abc, acb, 1",
        "abc, abd, 1",
        "abc, ab, 1",
        "ca, abc, 3",
        "kitten, sitting, 3",
        "🙂x, x🙂, 1",
        "abcdef, badcfe, 3",
    })
    void edits(String left, String right, int expected) {
        int[] one = left.codePoints().toArray();
        int[] other = right.codePoints().toArray();
        assertEquals(expected, NameSimilarity.edits(one, other, TURNS));
        assertEquals(expected, NameSimilarity.edits(other, one, TURNS));
    }

    /** Skipping parts of the edit distance table does not change the result. */
    @Test
    void editsAreThoseOfTheWholeTable() {
        Random random = new Random(7);
        for (int trial = 0; trial < 20_000; trial++) {
            int[] one = random.ints(random.nextInt(9), 0, 3).toArray();
            int[] other =
                    random.nextBoolean()
                            ? random.ints(random.nextInt(9), 0, 3).toArray()
                            : random.ints(one.length, 0, 3).toArray();
            assertEquals(
                    wholeTable(one, other),
                    NameSimilarity.edits(one, other, TURNS),
                    () -> Arrays.toString(one) + " " + Arrays.toString(other));
        }
    }

    private static int wholeTable(int[] left, int[] right) {
        int[][] table = new int[left.length + 1][right.length + 1];
        for (int i = 0; i <= left.length; i++) {
            for (int j = 0; j <= right.length; j++) {
                if (i == 0 || j == 0) {
                    table[i][j] = i + j;
                    continue;
                }
                int changed = left[i - 1] == right[j - 1] ? 0 : 1;
                int best = table[i - 1][j - 1] + changed;
                best = Math.min(best, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
                if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
                    best = Math.min(best, 1 + table[i - 2][j - 2]);
                }
                table[i][j] = best;
            }
        }
        return table[left.length][right.length];
    }

    /** The more similar name comes first. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Heat|Heat|heat",
                "heat|Heat|HEAT",
                "Amelie|AMELIE|Amélie",
                "marcel carne|marcel carné|Marcel Carné",
                "Casablenca|Casablanca|Casablanca Express",
                "Daisy Clover|Inside Daisy Clover|Danny Glover",
                "Keeper of Light|The Keeper of Light|Keepers of the Night",
            })
    void order(String mention, String better, String worse) {
        double one = likeness(mention, better).score();
        double other = likeness(mention, worse).score();
        assertTrue(one > other, one + " > " + other);
    }

    @ParameterizedTest
    @CsvSource({"Heat, Ran", "渡口, 雨巷", "*, ?"})
    void nothingInCommon(String mention, String name) {
        assertEquals(NameSimilarity.Reason.VECTOR, likeness(mention, name).reason());
    }
}
