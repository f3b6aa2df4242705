package io.github.kgdb.procedure.call;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.kernel.api.Direction;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A key of a config map: its type, its default and its description.
 *
 * @param type in Cypher's terms, with the range
 * @param fallback the default as a Cypher literal
 * @param reader converts a value, or returns null if it does not fit
 * @param absent the value if the key is absent
 */
public record ConfigKey<T>(
        String name,
        String type,
        String fallback,
        String description,
        Function<Object, T> reader,
        T absent) {
    private static final long UNLIMITED = 0;

    public T read(Object value) {
        if (value == null) {
            return absent;
        }
        T parsed = reader.apply(value);
        if (parsed == null) {
            throw KgdbException.usage(
                    name + ": expected " + type + ", got " + CypherValues.describe(value));
        }
        return parsed;
    }

    /** A text; null if absent. */
    public static ConfigKey<String> text(String name, String description) {
        return new ConfigKey<>(name, "STRING", "null", description, ConfigKey::textOrNull, null);
    }

    public static ConfigKey<Boolean> flag(String name, boolean fallback, String description) {
        return new ConfigKey<>(
                name,
                "BOOLEAN",
                Boolean.toString(fallback),
                description,
                value -> value instanceof Boolean flag ? flag : null,
                fallback);
    }

    public static ConfigKey<Integer> count(
            String name, int min, int max, int fallback, String description) {
        return new ConfigKey<>(
                name,
                range("INTEGER", min, max == Integer.MAX_VALUE ? null : max),
                Integer.toString(fallback),
                description,
                value ->
                        whole(value)
                                .filter(number -> number >= min && number <= max)
                                .map(Long::intValue)
                                .orElse(null),
                fallback);
    }

    /** A limit: a whole number, where 0 means no limit and is read as the largest number. */
    public static ConfigKey<Long> limit(String name, long fallback, String description) {
        Function<Long, Long> limit = number -> number == UNLIMITED ? (Long) Long.MAX_VALUE : number;
        return new ConfigKey<>(
                name,
                range("INTEGER", UNLIMITED, null),
                Long.toString(fallback),
                description + "; 0: no limit",
                value -> whole(value).filter(number -> number >= 0).map(limit).orElse(null),
                limit.apply(fallback));
    }

    /** A number of at least {@code min} and less than {@code bound}. */
    public static ConfigKey<Double> number(
            String name, double min, double bound, double fallback, String description) {
        return new ConfigKey<>(
                name,
                "FLOAT ≥ "
                        + CypherValues.number(min)
                        + (bound == Double.POSITIVE_INFINITY
                                ? ""
                                : ", < " + CypherValues.number(bound)),
                CypherValues.number(fallback),
                description,
                value ->
                        value instanceof Number number
                                        && number.doubleValue() >= min
                                        && number.doubleValue() < bound
                                ? (Double) number.doubleValue()
                                : null,
                fallback);
    }

    public static ConfigKey<List<String>> texts(String name, String description) {
        return new ConfigKey<>(
                name, "LIST<STRING>", "[]", description, ConfigKey::textsOrNull, List.of());
    }

    /** A direction; null if absent, and {@code fallback} describes what that means. */
    static ConfigKey<Direction> direction(
            String name, List<Direction> allowed, Direction fallback, String description) {
        return new ConfigKey<>(
                name,
                allowed.stream()
                        .map(direction -> "'" + direction.text() + "'")
                        .collect(Collectors.joining(" or ")),
                "'" + fallback.text() + "'",
                description,
                value ->
                        Arrays.stream(Direction.values())
                                .filter(allowed::contains)
                                .filter(direction -> direction.text().equals(value))
                                .findFirst()
                                .orElse(null),
                null);
    }

    /** Any value, which the procedure checks itself; null if absent. */
    public static ConfigKey<Object> any(String name, String type, String description) {
        return new ConfigKey<>(name, type, "null", description, Function.identity(), null);
    }

    /**
     * A value from the wire is always a Long; callers in the same process may pass smaller types.
     */
    private static Optional<Long> whole(Object value) {
        return value instanceof Long || value instanceof Integer || value instanceof Short
                ? Optional.of(((Number) value).longValue())
                : Optional.empty();
    }

    private static String range(String type, long min, Integer max) {
        return type + " ≥ " + min + (max == null ? "" : ", ≤ " + max);
    }

    private static String textOrNull(Object value) {
        return value instanceof String text ? text : null;
    }

    private static List<String> textsOrNull(Object value) {
        return value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)
                ? list.stream().map(Objects::toString).toList()
                : null;
    }
}
