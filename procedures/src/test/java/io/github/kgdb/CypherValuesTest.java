package io.github.kgdb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

class CypherValuesTest {
    @Test
    void listsAndMapsAreShownAsJavaWritesThem() {
        List<Object> list = Arrays.asList(1L, null, List.of("x"), Map.of("k", 2.5));
        assertEquals(list + " (LIST)", CypherValues.describe(list));
        assertEquals("{k=[]} (MAP)", CypherValues.describe(Map.of("k", List.of())));
    }

    @Test
    void onlyTheBeginningOfAHugeListIsWritten() {
        Object list = Collections.nCopies(Integer.MAX_VALUE, "x".repeat(1000));
        String told = CypherValues.describe(Map.of("k", list));
        assertEquals("{k=[" + "x".repeat(56) + "… (MAP)", told);
    }

    @Test
    void onlyTheOutermostOfNestedListsAreWritten() {
        Object nested = List.of();
        for (int depth = 0; depth < 100_000; depth++) {
            nested = List.of(nested);
        }
        assertEquals("[".repeat(60) + "… (LIST)", CypherValues.describe(nested));
    }
}
