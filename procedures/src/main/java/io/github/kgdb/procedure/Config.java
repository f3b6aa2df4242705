package io.github.kgdb.procedure;

import io.github.kgdb.KgdbException;
import io.github.kgdb.Suggestions;
import io.github.kgdb.graph.CypherValues;
import io.github.kgdb.kernel.Direction;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The config map of a call. Each key is checked when it is read; null is the same as not given. */
final class Config {
    /** Every procedure that reads the graph takes these. */
    static final String KG = "kg";

    static final String TIMEOUT_MS = "timeoutMs";

    private static final int NO_CAP = 0;

    private final Map<String, Object> values;

    private Config(Map<String, Object> values) {
        this.values = values;
    }

    /** Refuses keys that are not among {@code keys}, {@link #KG} and {@link #TIMEOUT_MS}. */
    static Config of(Map<String, Object> values, Set<String> keys) {
        Map<String, Object> given = values == null ? Map.of() : values;
        Set<String> allowed = new TreeSet<>(keys);
        allowed.addAll(List.of(KG, TIMEOUT_MS));
        for (String key : given.keySet()) {
            if (!allowed.contains(key)) {
                throw KgdbException.usage(
                        "unknown config key "
                                + CypherValues.quote(key)
                                + "; allowed: "
                                + String.join(", ", allowed)
                                + Suggestions.didYouMean(key, allowed.stream()));
            }
        }
        return new Config(given);
    }

    /** Null where not given. */
    String text(String key) {
        Object value = values.get(key);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw wrong(key, "a STRING", value);
    }

    /** A whole number from {@code least} on. */
    int count(String key, int least, int fallback) {
        return (int) integer(key, least, Integer.MAX_VALUE, fallback);
    }

    /** A whole number from 0 on, where 0 stands for no cap and comes back as the largest number. */
    long cap(String key, long fallback) {
        long value = integer(key, NO_CAP, Long.MAX_VALUE, fallback);
        return value == NO_CAP ? Long.MAX_VALUE : value;
    }

    List<String> texts(String key) {
        Object value = values.get(key);
        return value == null ? List.of() : texts(key, value);
    }

    /** The same check for an argument that is no part of a config. */
    static List<String> texts(String name, Object value) {
        if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw wrong(name, "a LIST of STRINGs", value);
    }

    /** Null where not given. */
    Direction direction(String key) {
        Object value = values.get(key);
        if (value == null) {
            return null;
        }
        return Arrays.stream(Direction.values())
                .filter(direction -> direction.text().equals(value))
                .findFirst()
                .orElseThrow(
                        () ->
                                wrong(
                                        key,
                                        Arrays.stream(Direction.values())
                                                .map(direction -> "'" + direction.text() + "'")
                                                .collect(Collectors.joining(" or ")),
                                        value));
    }

    private long integer(String key, long least, long most, long fallback) {
        Object value = values.get(key);
        if (value == null) {
            return fallback;
        }
        if (value instanceof Long number && number >= least && number <= most) {
            return number;
        }
        throw wrong(key, "an INTEGER from " + least + " to " + most, value);
    }

    private static KgdbException wrong(String name, String expected, Object value) {
        return KgdbException.usage(
                name + ": expected " + expected + ", got " + CypherValues.describe(value));
    }
}
