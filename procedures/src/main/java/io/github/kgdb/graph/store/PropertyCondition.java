package io.github.kgdb.graph.store;

import org.neo4j.values.storable.ArrayValue;
import org.neo4j.values.storable.BooleanValue;
import org.neo4j.values.storable.DateTimeValue;
import org.neo4j.values.storable.DateValue;
import org.neo4j.values.storable.LocalDateTimeValue;
import org.neo4j.values.storable.NumberValue;
import org.neo4j.values.storable.TextValue;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

import java.time.LocalDate;
import java.time.temporal.ChronoField;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A condition on one property of a relationship. As in Cypher, a relationship without the property
 * does not fulfil it, nor does a value of another kind. Of a list, one element has to. A text with a
 * year, a month or a day covers all dates in it, so {@code = '1999'} is any day of that year and
 * {@code > '1999'} any day after it.
 *
 * @param relation the number of the relation that it is for, or {@link #EVERY_RELATION}
 * @param property the number of the property
 */
public record PropertyCondition(int relation, int property, Comparison comparison, Operand operand) {
    public static final int EVERY_RELATION = -1;

    /** A comparison as Cypher writes it. */
    public enum Comparison {
        EQUAL("="),
        NOT_EQUAL("<>"),
        LESS("<"),
        AT_MOST("<="),
        MORE(">"),
        AT_LEAST(">="),
        CONTAINS("CONTAINS"),
        STARTS_WITH("STARTS WITH");

        private final String text;

        Comparison(String text) {
            this.text = text;
        }

        public static Optional<Comparison> of(String text) {
            return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
        }

        public static List<String> texts() {
            return Arrays.stream(values()).map(each -> each.text).toList();
        }

        private boolean isTrueOf(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case AT_MOST -> order <= 0;
                case MORE -> order > 0;
                case AT_LEAST -> order >= 0;
                case CONTAINS, STARTS_WITH -> false;
            };
        }
    }

    /**
     * What a property is compared with, as each kind of property needs it.
     *
     * @param number the value as a number, or null
     * @param text the value as a text
     * @param date the value as year, month and day, as many as it has; null if it is no date
     */
    public record Operand(Value value, NumberValue number, TextValue text, int[] date) {
        private static final Pattern DATE =
                Pattern.compile("(-?[0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?");
        private static final Pattern NUMBER =
                Pattern.compile("[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
        private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,18}");

        public static Operand of(Value value) {
            return new Operand(
                    value,
                    value instanceof NumberValue number ? number : number(value),
                    value instanceof TextValue text
                            ? text
                            : Values.utf8Value(value.prettyPrint().toLowerCase(Locale.ROOT)),
                    date(value));
        }

        private static NumberValue number(Value value) {
            if (!(value instanceof TextValue given)) {
                return null;
            }
            String text = given.stringValue();
            if (!NUMBER.matcher(text).matches()) {
                return null;
            }
            if (WHOLE.matcher(text).matches()) {
                return Values.longValue(Long.parseLong(text));
            }
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? Values.doubleValue(number) : null;
        }

        private static int[] date(Value value) {
            int[] day = day(value);
            if (day != null || !(value instanceof TextValue text)) {
                return day;
            }
            Matcher parts = DATE.matcher(text.stringValue());
            return parts.matches()
                    ? IntStream.rangeClosed(1, 3)
                            .filter(part -> parts.group(part) != null)
                            .map(part -> Integer.parseInt(parts.group(part)))
                            .toArray()
                    : null;
        }
    }

    /** Whether the value of a relationship's property fulfils the condition. */
    public boolean isFulfilledBy(Value held) {
        if (held instanceof ArrayValue list) {
            for (int i = 0; i < list.intSize(); i++) {
                if (isFulfilledBy((Value) list.value(i))) {
                    return true;
                }
            }
            return false;
        }
        if (held instanceof NumberValue number) {
            return operand.number() != null && compares(number, operand.number());
        }
        if (held instanceof TextValue text) {
            return compares(text, operand.text());
        }
        if (held instanceof BooleanValue) {
            return switch (comparison) {
                case EQUAL -> held.equals(operand.value());
                case NOT_EQUAL ->
                        operand.value() instanceof BooleanValue && !held.equals(operand.value());
                default -> false;
            };
        }
        int[] day = day(held);
        if (day != null && operand.date() != null) {
            int parts = operand.date().length;
            return comparison.isTrueOf(
                    Arrays.compare(day, 0, parts, operand.date(), 0, parts));
        }
        return held.valueGroup() == operand.value().valueGroup()
                && comparison.isTrueOf(Values.COMPARATOR.compare(held, operand.value()));
    }

    private boolean compares(NumberValue held, NumberValue given) {
        boolean isNumber = !Double.isNaN(held.doubleValue()) && !Double.isNaN(given.doubleValue());
        return isNumber && comparison.isTrueOf(Values.COMPARATOR.compare(held, given));
    }

    private boolean compares(TextValue held, TextValue given) {
        return switch (comparison) {
            case CONTAINS -> held.contains(given);
            case STARTS_WITH -> held.startsWith(given);
            default -> comparison.isTrueOf(held.compareTo(given));
        };
    }

    /** Year, month and day of a date; null for other values. */
    private static int[] day(Value value) {
        LocalDate day = null;
        if (value instanceof DateValue date) {
            day = date.asObjectCopy();
        } else if (value instanceof LocalDateTimeValue time) {
            day = time.asObjectCopy().toLocalDate();
        } else if (value instanceof DateTimeValue time) {
            day = time.asObjectCopy().toLocalDate();
        }
        return day == null
                ? null
                : new int[] {
                    day.get(ChronoField.YEAR), day.getMonthValue(), day.getDayOfMonth()
                };
    }
}
