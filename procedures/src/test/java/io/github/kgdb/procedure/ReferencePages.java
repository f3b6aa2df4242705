package io.github.kgdb.procedure;

import io.github.kgdb.TestDatabase;

import org.neo4j.procedure.Description;
import org.neo4j.procedure.Name;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The generated parts of the reference: descriptions, signatures, keys and columns. */
final class ReferencePages {
    private static final String BEGIN = "<!-- generated from the code by make docs -->\n";
    private static final String END = "<!-- end of the generated part -->\n";
    private static final int LINE = 100;

    private final TestDatabase database;

    ReferencePages(TestDatabase database) {
        this.database = database;
    }

    /** The page with its generated part renewed; the rest stays. */
    static String with(String generated, String page) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new AssertionError("the page lacks the lines " + BEGIN + "and " + END);
        }
        return page.substring(0, begin) + BEGIN + generated + page.substring(end);
    }

    /** A new page, to which prose and examples are added by hand. */
    static String blank(String procedure) {
        return "# " + procedure + "\n\n" + BEGIN + END;
    }

    static String index() {
        return table(
                List.of("procedure", "does"),
                Catalog.procedures().stream()
                        .map(
                                procedure -> {
                                    String name = Catalog.name(procedure);
                                    return List.of(
                                            "[`" + name + "`](" + name + ".md)",
                                            firstSentence(description(procedure)));
                                }));
    }

    String reference(Method procedure) {
        String name = Catalog.name(procedure);
        Map<String, Object> shown =
                database.rows(
                                "SHOW PROCEDURES YIELD name, signature, argumentDescription,"
                                        + " returnDescription WHERE name = $name RETURN signature,"
                                        + " argumentDescription, returnDescription",
                                Map.of("name", name))
                        .get(0);
        List<String> parts = new ArrayList<>();
        parts.add(description(procedure) + "\n");
        parts.add("```\n" + wrapped((String) shown.get("signature")) + "\n```\n");
        if (procedure.getParameterCount() > 0) {
            parts.add(arguments(procedure, types(shown.get("argumentDescription"))));
        }
        if (!Catalog.keys(name).isEmpty()) {
            parts.add(keys(name));
        }
        parts.add(columns(procedure, types(shown.get("returnDescription"))));
        return String.join("\n", parts);
    }

    private static String arguments(Method procedure, Map<String, String> types) {
        return table(
                List.of("argument", "type", "default", "meaning"),
                Arrays.stream(procedure.getParameters())
                        .map(
                                parameter -> {
                                    Name name = parameter.getAnnotation(Name.class);
                                    return List.of(
                                            code(name.value()),
                                            code(types.get(name.value())),
                                            fallback(parameter),
                                            name.description());
                                }));
    }

    private static String fallback(Parameter parameter) {
        String value = parameter.getAnnotation(Name.class).defaultValue();
        if (value.equals(Name.DEFAULT_VALUE)) {
            return "–";
        }
        return code(parameter.getType() == String.class ? "'" + value + "'" : value);
    }

    private static String keys(String procedure) {
        return table(
                List.of("key of config", "type", "default", "meaning"),
                Catalog.keys(procedure).stream()
                        .map(
                                key ->
                                        List.of(
                                                code(key.name()),
                                                code(key.type()),
                                                code(key.fallback()),
                                                key.description())));
    }

    private static String columns(Method procedure, Map<String, String> types) {
        ParameterizedType rows = (ParameterizedType) procedure.getGenericReturnType();
        Class<?> row = (Class<?>) rows.getActualTypeArguments()[0];
        return table(
                List.of("column", "type", "meaning"),
                types.keySet().stream()
                        .map(
                                column ->
                                        List.of(
                                                code(column),
                                                code(types.get(column)),
                                                description(row, column))));
    }

    private static String description(Class<?> row, String column) {
        try {
            Description description = row.getField(column).getAnnotation(Description.class);
            if (description == null) {
                throw new AssertionError(
                        row.getSimpleName() + "." + column + " has no @Description");
            }
            return description.value();
        } catch (NoSuchFieldException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static String description(Method procedure) {
        return procedure.getAnnotation(Description.class).value();
    }

    /** Types by name, in the order of the server's signature. */
    private static Map<String, String> types(Object described) {
        return ((List<?>) described)
                .stream()
                        .map(each -> (Map<?, ?>) each)
                        .collect(
                                Collectors.toMap(
                                        each -> (String) each.get("name"),
                                        each -> (String) each.get("type"),
                                        (first, second) -> first,
                                        LinkedHashMap::new));
    }

    private static String firstSentence(String text) {
        int end = text.indexOf(". ");
        String sentence = end < 0 ? text : text.substring(0, end + 1);
        int colon = sentence.indexOf(": ");
        return colon < 0 ? sentence : sentence.substring(0, colon) + ".";
    }

    private static String wrapped(String signature) {
        StringBuilder wrapped = new StringBuilder();
        String line = "";
        for (String part : signature.replace(") :: (", ") ::\n(").split("(?<=, )|(?<=\n)")) {
            boolean fits = line.length() + part.stripTrailing().length() <= LINE;
            if (!fits || line.endsWith("\n")) {
                wrapped.append(line.stripTrailing()).append("\n");
                line = "    " + part;
            } else {
                line += part;
            }
        }
        return wrapped.append(line).toString();
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    private static String table(List<String> head, Stream<List<String>> rows) {
        Stream<List<String>> rule = Stream.of(head.stream().map(cell -> "---").toList());
        return Stream.concat(Stream.concat(Stream.of(head), rule), rows)
                .map(
                        row ->
                                row.stream()
                                        .map(cell -> cell.replace("|", "\\|"))
                                        .collect(Collectors.joining(" | ", "| ", " |\n")))
                .collect(Collectors.joining());
    }
}
