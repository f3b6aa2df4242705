package io.github.kgdb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.stream.Stream;

class SuggestionsTest {
    private static String didYouMean(String name, String... candidates) {
        return Suggestions.didYouMean(name, Stream.of(candidates));
    }

    @Test
    void theNearestComesFirst() {
        assertEquals(
                " (did you mean 'directed_by' or 'corrected_by'?)",
                didYouMean("directed_bye", "corrected_by", "written", "directed_by"));
    }

    @Test
    void atMostThree() {
        assertEquals(
                " (did you mean 'aaab' or 'aaac' or 'aaad'?)",
                didYouMean("aaaa", "aaae", "aaad", "aaac", "aaab"));
    }

    @Test
    void caseMakesNoDifference() {
        assertEquals(" (did you mean 'DIRECTED_BY'?)", didYouMean("directed_by", "DIRECTED_BY"));
    }

    @Test
    void nothingNear() {
        assertEquals("", didYouMean("language", "directed_by", "has_genre"));
    }
}
