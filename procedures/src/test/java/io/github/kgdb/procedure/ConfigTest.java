package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.kgdb.KgdbException;
import io.github.kgdb.kernel.Direction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.neo4j.kernel.api.exceptions.Status;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

class ConfigTest {
    private static final Set<String> KEYS = Set.of("limit", "paths", "direction", "relations");

    private static Config config(String key, Object value) {
        return Config.of(Collections.singletonMap(key, value), KEYS);
    }

    private static String error(Executable call) {
        return assertThrows(KgdbException.class, call).getMessage();
    }

    @Test
    void anUnknownKeyIsNamedWithItsNearest() {
        assertEquals(
                "unknown config key 'limt'; allowed: direction, kg, limit, paths, relations,"
                        + " timeoutMs (did you mean 'limit'?)",
                error(() -> config("limt", 1L)));
    }

    @Test
    void anUnknownKeyFarFromAll() {
        assertEquals(
                "unknown config key 'width'; allowed: direction, kg, limit, paths, relations,"
                        + " timeoutMs",
                error(() -> config("width", 1L)));
    }

    @Test
    void anErrorIsTheClients() {
        assertEquals(
                Status.Procedure.ProcedureCallFailed,
                assertThrows(KgdbException.class, () -> config("limt", 1L)).status());
    }

    @Test
    void noConfigAtAll() {
        assertEquals(5, Config.of(null, KEYS).count("limit", 1, 5));
    }

    @Test
    void nullIsNotGiven() {
        assertEquals(5, config("limit", null).count("limit", 1, 5));
    }

    @Test
    void aCount() {
        assertEquals(7, config("limit", 7L).count("limit", 1, 5));
    }

    @Test
    void aCountBelowItsRange() {
        assertEquals(
                "limit: expected an INTEGER from 1 to 2147483647, got 0 (INTEGER)",
                error(() -> config("limit", 0L).count("limit", 1, 5)));
    }

    @Test
    void aCountAboveItsRange() {
        assertEquals(
                "limit: expected an INTEGER from 1 to 2147483647, got 2147483648 (INTEGER)",
                error(() -> config("limit", 1L << 31).count("limit", 1, 5)));
    }

    @Test
    void aCountThatIsAFraction() {
        assertEquals(
                "limit: expected an INTEGER from 1 to 2147483647, got 2.5 (FLOAT)",
                error(() -> config("limit", 2.5).count("limit", 1, 5)));
    }

    @Test
    void aCountThatIsText() {
        assertEquals(
                "limit: expected an INTEGER from 1 to 2147483647, got '7' (STRING)",
                error(() -> config("limit", "7").count("limit", 1, 5)));
    }

    @Test
    void aCapOfZeroIsNone() {
        assertEquals(Long.MAX_VALUE, config("paths", 0L).cap("paths", 5));
    }

    @Test
    void aCapBelowZero() {
        assertEquals(
                "paths: expected an INTEGER from 0 to 9223372036854775807, got -1 (INTEGER)",
                error(() -> config("paths", -1L).cap("paths", 5)));
    }

    @Test
    void aDirection() {
        assertEquals(Direction.IN, config("direction", "in").direction("direction"));
    }

    @Test
    void noDirection() {
        assertNull(config("limit", 1L).direction("direction"));
    }

    @Test
    void aWrongDirection() {
        assertEquals(
                "direction: expected 'out' or 'in' or 'both', got 'OUT' (STRING)",
                error(() -> config("direction", "OUT").direction("direction")));
    }

    @Test
    void aDirectionThatIsNoText() {
        assertEquals(
                "direction: expected 'out' or 'in' or 'both', got true (BOOLEAN)",
                error(() -> config("direction", true).direction("direction")));
    }

    @Test
    void textsThatAreOneText() {
        assertEquals(
                "relations: expected a LIST of STRINGs, got 'likes' (STRING)",
                error(() -> config("relations", "likes").texts("relations")));
    }

    @Test
    void textsThatAreNot() {
        assertEquals(
                "relations: expected a LIST of STRINGs, got [likes, 1] (LIST)",
                error(() -> config("relations", List.of("likes", 1L)).texts("relations")));
    }

    @Test
    void aTextThatIsNone() {
        assertEquals(
                "kg: expected a STRING, got {a=1} (MAP)",
                error(() -> config("kg", Map.of("a", 1L)).text("kg")));
    }

    @Test
    void longValuesAreShortened() {
        assertEquals(
                "limit: expected an INTEGER from 1 to 2147483647, got '"
                        + "x".repeat(60)
                        + "…' (STRING)",
                error(() -> config("limit", "x".repeat(1000)).count("limit", 1, 5)));
    }
}
