package io.github.kgdb.procedure.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.kgdb.KgdbException;
import io.github.kgdb.kernel.api.Direction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.neo4j.kernel.api.exceptions.Status;

import java.util.Collections;
import java.util.List;
import java.util.Map;

class ConfigTest {
    private static final ConfigKey<Integer> LIMIT = Parameters.limit(5);
    private static final ConfigKey<Integer> HOPS = ConfigKey.count("hops", 1, 10, 3, "…");
    private static final ConfigKey<Long> PATHS = ConfigKey.limit("paths", 5, "…");
    private static final ConfigKey<Boolean> ALL = ConfigKey.flag("all", true, "…");
    private static final ConfigKey<Double> DAMPING = ConfigKey.number("damping", 0, 1, 0.85, "…");
    private static final ConfigKey<Double> TOLERANCE =
            ConfigKey.number("tolerance", 0, Double.POSITIVE_INFINITY, 1e-7, "…");
    private static final ConfigKey<Object> SOURCES = ConfigKey.any("sources", "nodes", "…");
    private static final List<ConfigKey<?>> KEYS =
            List.of(
                    LIMIT,
                    HOPS,
                    PATHS,
                    ALL,
                    DAMPING,
                    TOLERANCE,
                    SOURCES,
                    Parameters.KG,
                    Parameters.DIRECTION,
                    Parameters.RELATIONS);
    private static final String ALLOWED =
            "all, damping, direction, hops, kg, limit, paths, relations, sources, tolerance";

    private static Config config(String key, Object value) {
        return Config.of(Collections.singletonMap(key, value), KEYS);
    }

    private static <T> T read(ConfigKey<T> key, Object value) {
        return config(key.name(), value).get(key);
    }

    private static String error(Executable call) {
        return assertThrows(KgdbException.class, call).getMessage();
    }

    @Test
    void anUnknownKeyIsNamedWithItsNearest() {
        assertEquals(
                "unknown config key 'limt'; allowed: " + ALLOWED + " (did you mean 'limit'?)",
                error(() -> config("limt", 1L)));
    }

    @Test
    void anUnknownKeyFarFromAll() {
        assertEquals(
                "unknown config key 'temperature'; allowed: " + ALLOWED,
                error(() -> config("temperature", 1L)));
    }

    @Test
    void anErrorIsTheClients() {
        assertEquals(
                Status.Procedure.ProcedureCallFailed,
                assertThrows(KgdbException.class, () -> config("limt", 1L)).status());
    }

    @Test
    void noConfigAtAll() {
        assertEquals(5, Config.of(null, KEYS).get(LIMIT));
    }

    @Test
    void nullCountsAsAbsent() {
        assertEquals(5, read(LIMIT, null));
    }

    @Test
    void aCount() {
        assertEquals(7, read(LIMIT, 7L));
    }

    @Test
    void aCountBelowItsRange() {
        assertEquals("limit: expected INTEGER ≥ 1, got 0 (INTEGER)", error(() -> read(LIMIT, 0L)));
    }

    @Test
    void aCountAboveItsRange() {
        assertEquals(
                "limit: expected INTEGER ≥ 1, got 2147483648 (INTEGER)",
                error(() -> read(LIMIT, 1L << 31)));
    }

    @Test
    void aCountThatIsAFraction() {
        assertEquals("limit: expected INTEGER ≥ 1, got 2.5 (FLOAT)", error(() -> read(LIMIT, 2.5)));
    }

    @Test
    void aCountThatIsText() {
        assertEquals(
                "limit: expected INTEGER ≥ 1, got '7' (STRING)", error(() -> read(LIMIT, "7")));
    }

    @Test
    void aLimitOfZeroIsNoLimit() {
        assertEquals(Long.MAX_VALUE, read(PATHS, 0L));
    }

    @Test
    void aLimitBelowZero() {
        assertEquals(
                "paths: expected INTEGER ≥ 0, got -1 (INTEGER)", error(() -> read(PATHS, -1L)));
    }

    @Test
    void aDirection() {
        assertEquals(Direction.IN, read(Parameters.DIRECTION, "in"));
    }

    @Test
    void noDirection() {
        assertNull(read(Parameters.DIRECTION, null));
    }

    @Test
    void aWrongDirection() {
        assertEquals(
                "direction: expected 'out' or 'in' or 'both', got 'OUT' (STRING)",
                error(() -> read(Parameters.DIRECTION, "OUT")));
    }

    @Test
    void aDirectionThatIsNoText() {
        assertEquals(
                "direction: expected 'out' or 'in' or 'both', got true (BOOLEAN)",
                error(() -> read(Parameters.DIRECTION, true)));
    }

    @Test
    void textsThatAreOneText() {
        assertEquals(
                "relations: expected LIST<STRING>, got 'likes' (STRING)",
                error(() -> read(Parameters.RELATIONS, "likes")));
    }

    @Test
    void textsOfAnotherType() {
        assertEquals(
                "relations: expected LIST<STRING>, got [likes, 1] (LIST)",
                error(() -> read(Parameters.RELATIONS, List.of("likes", 1L))));
    }

    @Test
    void aTextOfAnotherType() {
        assertEquals(
                "kg: expected STRING, got {a=1} (MAP)",
                error(() -> read(Parameters.KG, Map.of("a", 1L))));
    }

    @Test
    void longValuesAreShortened() {
        assertEquals(
                "limit: expected INTEGER ≥ 1, got '" + "x".repeat(60) + "…' (STRING)",
                error(() -> read(LIMIT, "x".repeat(1000))));
    }

    @Test
    void aCountOutsideARangeWithTwoEnds() {
        assertEquals(
                "hops: expected INTEGER ≥ 1, ≤ 10, got 11 (INTEGER)", error(() -> read(HOPS, 11L)));
    }

    @Test
    void theEndsOfARangeAreInIt() {
        assertEquals(List.of(1, 10), List.of(read(HOPS, 1L), read(HOPS, 10L)));
    }

    @Test
    void anAbsentLimit() {
        assertEquals(5, read(PATHS, null));
    }

    @Test
    void aFlag() {
        assertEquals(false, read(ALL, false));
    }

    @Test
    void aFlagOfAnotherType() {
        assertEquals(
                "all: expected BOOLEAN, got 'false' (STRING)", error(() -> read(ALL, "false")));
    }

    @Test
    void aNumberMayBeWhole() {
        assertEquals(0.0, read(DAMPING, 0L));
    }

    @Test
    void aNumberAtItsBound() {
        assertEquals(
                "damping: expected FLOAT ≥ 0, < 1, got 1.0 (FLOAT)",
                error(() -> read(DAMPING, 1.0)));
    }

    @Test
    void aNumberOfAnotherType() {
        assertEquals(
                "tolerance: expected FLOAT ≥ 0, got NaN (FLOAT)",
                error(() -> read(TOLERANCE, Double.NaN)));
    }

    @Test
    void anInfiniteNumber() {
        assertEquals(
                "tolerance: expected FLOAT ≥ 0, got Infinity (FLOAT)",
                error(() -> read(TOLERANCE, Double.POSITIVE_INFINITY)));
    }

    @Test
    void uncheckedValuesArePassedOn() {
        assertEquals("x", read(SOURCES, "x"));
    }

    @Test
    void shorteningKeepsWholeCharacters() {
        assertEquals(
                "limit: expected INTEGER ≥ 1, got '" + "x".repeat(59) + "…' (STRING)",
                error(() -> read(LIMIT, "x".repeat(59) + "𝒜𝒜")));
    }
}
