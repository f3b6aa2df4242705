package io.github.kgdb.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LikenessTest {
    private static Likeness likeness(String mention, String name) {
        return Likeness.of(NameForms.of(mention), NameForms.of(name));
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
        assertEquals(expected, Likeness.edits(one, other));
        assertEquals(expected, Likeness.edits(other, one));
    }

    /** What is more like comes first. */
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
        assertEquals(Likeness.Reason.VECTOR, likeness(mention, name).reason());
    }
}
