package io.github.kgdb.procedure;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.CypherValues;
import io.github.kgdb.kernel.Direction;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A key of a config map: what may be given, what holds where it is not, and how people read of it.
 *
 * @param type in Cypher's terms, with the range
 * @param fallback the value where the key is not given, as Cypher writes it
 * @param reader makes the value of what was given, or returns null where it does not fit
 * @param absent the value where the key is not given
 */
record ConfigKey<T>(
        String name,
        String type,
        String fallback,
        String description,
        Function<Object, T> reader,
        T absent) {
    private static final long NO_CAP = 0;

    T read(Object given) {
        if (given == null) {
            return absent;
        }
        T value = reader.apply(given);
        if (value == null) {
            throw KgdbException.usage(
                    name + ": expected " + type + ", got " + CypherValues.describe(given));
        }
        return value;
    }

    /** Null where not given. */
    static ConfigKey<String> text(String name, String description) {
        return new ConfigKey<>(name, "STRING", "null", description, ConfigKey::textOrNull, null);
    }

    static ConfigKey<Boolean> flag(String name, boolean fallback, String description) {
        return new ConfigKey<>(
                name,
                "BOOLEAN",
                Boolean.toString(fallback),
                description,
                given -> given instanceof Boolean flag ? flag : null,
                fallback);
    }

    static ConfigKey<Integer> count(
            String name, int least, int most, int fallback, String description) {
        return new ConfigKey<>(
                name,
                range("INTEGER", least, most == Integer.MAX_VALUE ? null : most),
                Integer.toString(fallback),
                description,
                given ->
                        whole(given)
                                .filter(number -> number >= least && number <= most)
                                .map(Long::intValue)
                                .orElse(null),
                fallback);
    }

    /** A whole number where 0 stands for no cap, and is read as the largest number. */
    static ConfigKey<Long> cap(String name, long fallback, String description) {
        Function<Long, Long> cap = number -> number == NO_CAP ? (Long) Long.MAX_VALUE : number;
        return new ConfigKey<>(
                name,
                range("INTEGER", NO_CAP, null),
                Long.toString(fallback),
                description + "; 0: no cap",
                given -> whole(given).filter(number -> number >= 0).map(cap).orElse(null),
                cap.apply(fallback));
    }

    /** From {@code least} on and less than {@code bound}. */
    static ConfigKey<Double> number(
            String name, double least, double bound, double fallback, String description) {
        return new ConfigKey<>(
                name,
                "FLOAT ≥ "
                        + CypherValues.number(least)
                        + (bound == Double.POSITIVE_INFINITY
                                ? ""
                                : ", < " + CypherValues.number(bound)),
                CypherValues.number(fallback),
                description,
                given ->
                        given instanceof Number number
                                        && number.doubleValue() >= least
                                        && number.doubleValue() < bound
                                ? (Double) number.doubleValue()
                                : null,
                fallback);
    }

    static ConfigKey<List<String>> texts(String name, String description) {
        return new ConfigKey<>(
                name, "LIST<STRING>", "[]", description, ConfigKey::textsOrNull, List.of());
    }

    /** Null where not given, which {@code fallback} then tells the meaning of. */
    static ConfigKey<Direction> direction(
            String name, List<Direction> allowed, Direction fallback, String description) {
        return new ConfigKey<>(
                name,
                allowed.stream()
                        .map(direction -> "'" + direction.text() + "'")
                        .collect(Collectors.joining(" or ")),
                "'" + fallback.text() + "'",
                description,
                given ->
                        Arrays.stream(Direction.values())
                                .filter(allowed::contains)
                                .filter(direction -> direction.text().equals(given))
                                .findFirst()
                                .orElse(null),
                null);
    }

    /** Anything; whoever uses it checks it. Null where not given. */
    static ConfigKey<Object> any(String name, String type, String description) {
        return new ConfigKey<>(name, type, "null", description, Function.identity(), null);
    }

    /** What comes over the wire is always a Long; callers in the same process may pass less. */
    private static Optional<Long> whole(Object given) {
        return given instanceof Long || given instanceof Integer || given instanceof Short
                ? Optional.of(((Number) given).longValue())
                : Optional.empty();
    }

    private static String range(String type, long least, Integer most) {
        return type + " ≥ " + least + (most == null ? "" : ", ≤ " + most);
    }

    private static String textOrNull(Object given) {
        return given instanceof String text ? text : null;
    }

    private static List<String> textsOrNull(Object given) {
        return given instanceof List<?> list && list.stream().allMatch(String.class::isInstance)
                ? list.stream().map(Objects::toString).toList()
                : null;
    }
}
