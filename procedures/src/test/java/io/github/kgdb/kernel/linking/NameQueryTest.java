package io.github.kgdb.kernel.linking;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

class NameQueryTest {
    private static String counted(String pattern, int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(i -> pattern.replace("@", String.format("%02d", i)))
                .collect(Collectors.joining());
    }

    /** One word of the index counts as one of the 32 words. */
    @ParameterizedTest
    @ValueSource(strings = {"ab@ ", "o'er@ ", "1,0@.5 ", "a.k.a@ ", "o'er@-", "a@,b@ ", "snake_@ "})
    void aPhraseHasTheFirstWords(String pattern) {
        int words = pattern.contains(",b@") ? 16 : 32;
        String first = counted(pattern, 1, words);
        assertEquals('"' + first + '"', NameQuery.phrase(first));
        assertEquals('"' + first + '"', NameQuery.phrase(first + counted(pattern, 50, 60)));
    }

    @ParameterizedTest
    @CsvSource({"'a ', 4", "渡, 4", "☀, 4", "a-, 4", "'Ab aB ', 2"})
    void aPhraseHasAWordFourTimes(String word, int times) {
        String kept = word.repeat(times);
        assertEquals('"' + kept + '"', NameQuery.phrase(kept));
        assertEquals('"' + kept + '"', NameQuery.phrase(kept + word.repeat(100)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?!",
                "The Lord of the Rings: The Return of the King",
                "New York, New York"
            })
    void aShortMentionIsOnePhrase(String mention) {
        assertEquals('"' + mention + '"', NameQuery.phrase(mention));
    }
}
