package io.github.kgdb.cypher;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random queries of the read language over the graph of {@link ExpressionFuzzer}, with expressions
 * that nest, grow and loop. Most are valid; the others test the error handling.
 */
final class RandomQuery {
    /** The type of a variable's value, if it is known. */
    private enum Kind {
        TEXT,
        NUMBER,
        LIST,
        MAP,
        NODE
    }

    private record Variable(String name, Kind kind) {}

    private final Random random;
    private final List<Variable> variables = new ArrayList<>();
    private int names;

    private RandomQuery(Random random) {
        this.random = random;
    }

    /**
     * @param longest maximum length in characters
     */
    static String of(long seed, int longest) {
        Random random = new Random(seed);
        String query;
        do {
            query = new RandomQuery(random).query();
        } while (query.length() > longest);
        return query;
    }

    private String query() {
        StringBuilder query = new StringBuilder(match());
        for (int clauses = random.nextInt(5); clauses > 0; clauses--) {
            query.append(' ').append(random.nextInt(5) == 0 ? unwind() : with());
        }
        int columns = 1 + random.nextInt(3);
        List<String> items = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            items.add(repeated(any(3)) + " AS c" + i);
        }
        return query + " RETURN " + String.join(", ", items) + (flip() ? "" : " LIMIT 50");
    }

    private String match() {
        String node = declare(Kind.NODE);
        return switch (random.nextInt(5)) {
            case 0 -> "MATCH (" + node + ":Big)";
            case 1 -> "MATCH (" + node + ":N) WHERE " + node + ".i < " + size();
            case 2 -> "MATCH (" + node + ":N {i: 1})--(" + declare(Kind.NODE) + ")";
            case 3 -> "MATCH (" + node + ":Big) MATCH (" + declare(Kind.NODE) + ":N)";
            default -> "MATCH (" + node + ":N) WHERE " + condition(2);
        };
    }

    private String with() {
        List<Variable> before = List.copyOf(variables);
        List<String> items = new ArrayList<>();
        List<Variable> after = new ArrayList<>();
        for (Variable kept : before) {
            if (random.nextInt(3) > 0) {
                items.add(kept.name());
                after.add(kept);
            }
        }
        for (int made = 1 + random.nextInt(2); made > 0; made--) {
            Kind kind = Kind.values()[random.nextInt(4)];
            String name = "v" + names++;
            String value =
                    kind == Kind.LIST && flip()
                            ? "collect(" + (flip() ? "DISTINCT " : "") + any(2) + ")"
                            : of(kind, 3);
            items.add(value + " AS " + name);
            after.add(new Variable(name, kind));
        }
        variables.clear();
        variables.addAll(after);
        String order = random.nextInt(6) == 0 ? " ORDER BY " + any(1) : "";
        String where = random.nextInt(4) == 0 ? " WHERE " + condition(2) : "";
        return "WITH " + String.join(", ", items) + order + where;
    }

    private String unwind() {
        String list = list(2);
        return "UNWIND " + list + " AS " + declare(flip() ? Kind.TEXT : Kind.NUMBER);
    }

    /** Repeats some expressions within one. */
    private String repeated(String expression) {
        int max = Math.min(400, 8000 / (expression.length() + 1));
        if (random.nextInt(6) > 0 || max < 2) {
            return expression;
        }
        String joint = List.of(", ", " + ", " = ").get(random.nextInt(3));
        String all = String.join(joint, java.util.Collections.nCopies(max, expression));
        return joint.equals(", ") ? "[" + all + "]" : "(" + all + ")";
    }

    private String any(int depth) {
        return random.nextInt(5) == 0
                ? "(" + condition(depth) + ")"
                : of(Kind.values()[random.nextInt(4)], depth);
    }

    private String of(Kind kind, int depth) {
        return switch (kind) {
            case TEXT -> text(depth);
            case NUMBER -> number(depth);
            case LIST -> list(depth);
            case MAP -> map(depth);
            case NODE -> variable(Kind.NODE);
        };
    }

    private String text(int depth) {
        if (depth <= 0) {
            return switch (random.nextInt(6)) {
                case 0 -> "'" + "a".repeat(random.nextInt(4)) + "'";
                case 1 -> "'" + "ab".repeat(1 + random.nextInt(200)) + "'";
                case 2 -> variable(Kind.TEXT);
                default -> node() + "." + pick("t", "p", "d", "name");
            };
        }
        String text = text(depth - 1);
        return switch (random.nextInt(13)) {
            case 0 -> text + " + " + text(depth - 1);
            case 1 -> text + " || " + text(depth - 1);
            case 2, 3 -> "replace(" + text + ", " + text(0) + ", " + text(depth - 1) + ")";
            case 4 -> pick("toLower", "toUpper", "trim", "reverse", "ltrim") + "(" + text + ")";
            case 5 -> "substring(" + text + ", " + number(0) + ", " + size() + ")";
            case 6 -> pick("left", "right") + "(" + text + ", " + size() + ")";
            case 7 -> "head(split(" + text + ", " + text(0) + "))";
            case 8 -> "toString(" + number(depth - 1) + ")";
            case 9 -> "CASE " + text(0) + " WHEN " + text + " THEN " + text(0) + " ELSE 'x' END";
            case 10 -> "coalesce(" + text + ", " + text(depth - 1) + ")";
            case 11 -> list(depth - 1) + "[" + number(0) + "]";
            default -> map(depth - 1) + ".a";
        };
    }

    private String number(int depth) {
        if (depth <= 0) {
            return random.nextInt(3) == 0 ? node() + ".i" : size();
        }
        return switch (random.nextInt(9)) {
            case 0 -> "size(" + (flip() ? text(depth - 1) : list(depth - 1)) + ")";
            case 1 -> pick("toInteger", "toFloat") + "(" + text(depth - 1) + ")";
            case 2 -> number(depth - 1) + pick(" + ", " - ", " * ", " / ") + number(depth - 1);
            case 3 -> "round(" + number(depth - 1) + ", " + size() + ")";
            case 4 -> "COUNT { (" + node() + ")--() }";
            case 5 -> variable(Kind.NUMBER);
            default -> number(0);
        };
    }

    private String list(int depth) {
        if (depth <= 0) {
            return switch (random.nextInt(5)) {
                case 0 -> "[1, 2, 3]";
                case 1 -> "keys({" + "k".repeat(1 + random.nextInt(60)) + ": 1, b: 2})";
                case 2 -> variable(Kind.LIST);
                default -> node() + ".l";
            };
        }
        return switch (random.nextInt(14)) {
            case 0 -> "[" + any(depth - 1) + ", " + any(depth - 1) + "]";
            case 1 -> list(depth - 1) + " + " + list(depth - 1);
            case 2, 3, 4, 5 -> comprehension(depth);
            case 6 -> "split(" + text(depth - 1) + ", " + text(0) + ")";
            case 7 -> pick("tail", "reverse") + "(" + list(depth - 1) + ")";
            case 8 -> list(depth - 1) + "[.." + size() + "]";
            case 9 -> "[(" + node() + ")--(m" + names + ") | " + inner("m" + names++, depth) + "]";
            case 10 ->
                    "COLLECT { MATCH (m"
                            + names
                            + ":N) RETURN "
                            + inner("m" + names++, depth)
                            + " }";
            case 11 -> pick("keys", "labels") + "(" + node() + ")";
            default -> list(0);
        };
    }

    private String inner(String node, int depth) {
        variables.add(new Variable(node, Kind.NODE));
        String value = any(depth - 1);
        variables.remove(variables.size() - 1);
        return value;
    }

    private String comprehension(int depth) {
        String list = list(depth - 1);
        String item = "x" + names++;
        variables.add(new Variable(item, flip() ? Kind.TEXT : Kind.NUMBER));
        String where = flip() ? " WHERE " + condition(depth - 1) : "";
        String extract = flip() ? " | " + any(depth - 1) : "";
        variables.remove(variables.size() - 1);
        return "[" + item + " IN " + list + where + extract + "]";
    }

    private String map(int depth) {
        return switch (random.nextInt(depth <= 0 ? 3 : 5)) {
            case 0 -> "{a: " + (depth <= 0 ? text(0) : any(depth - 1)) + ", b: " + number(0) + "}";
            case 1 -> "properties(" + node() + ")";
            case 2 -> variable(Kind.MAP);
            case 3 -> node() + " {.*, a: " + any(depth - 1) + "}";
            default -> "{a: " + any(depth - 1) + ", b: " + any(depth - 1) + "}";
        };
    }

    private String condition(int depth) {
        if (depth <= 0) {
            return node() + ".i " + pick("<", ">", "=", "<>") + " " + size();
        }
        return switch (random.nextInt(12)) {
            case 0 -> any(depth - 1) + pick(" = ", " <> ", " < ", " >= ") + any(depth - 1);
            case 1, 2 -> any(depth - 1) + " IN " + list(depth - 1);
            case 3 -> text(depth - 1) + pick(" CONTAINS ", " STARTS WITH ") + text(depth - 1);
            case 4 -> text(depth - 1) + " =~ '" + pick(".*a.*b", "(?i).*ab.*c", "a|b") + "'";
            case 5, 6, 7 -> {
                String list = list(depth - 1);
                String item = "x" + names++;
                variables.add(new Variable(item, flip() ? Kind.TEXT : Kind.NUMBER));
                String condition = condition(depth - 1);
                variables.remove(variables.size() - 1);
                yield pick("all", "any", "none", "single")
                        + ("(" + item + " IN " + list + " WHERE " + condition + ")");
            }
            case 8 ->
                    "(" + condition(depth - 1) + pick(" AND ", " OR ") + condition(depth - 1) + ")";
            case 9 -> "NOT (" + condition(depth - 1) + ")";
            case 10 -> "EXISTS { (" + node() + ")--(:N) }";
            default -> any(depth - 1) + " IS NOT NULL";
        };
    }

    private String node() {
        return variable(Kind.NODE);
    }

    /** A variable of the kind, or a literal if none is in scope. */
    private String variable(Kind kind) {
        List<Variable> known = variables.stream().filter(each -> each.kind() == kind).toList();
        if (!known.isEmpty()) {
            return known.get(random.nextInt(known.size())).name();
        }
        return switch (kind) {
            case TEXT -> "'aXb'";
            case NUMBER -> "7";
            case LIST -> "[1, 'a', [2]]";
            case MAP -> "{a: 'aa', b: 1}";
            case NODE -> "{i: 1, t: 'ab', p: 'aaa', d: '11', name: 'n', l: [1, 2]}";
        };
    }

    private String declare(Kind kind) {
        String name = "v" + names++;
        variables.add(new Variable(name, kind));
        return name;
    }

    private String size() {
        return Integer.toString(random.nextInt((int) Math.pow(10, 1 + random.nextInt(6))));
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private boolean flip() {
        return random.nextBoolean();
    }
}
