package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.kgdb.KgdbException;
import io.github.kgdb.TestDatabase;
import io.github.kgdb.Trials;
import io.github.kgdb.procedure.call.ConfigKey;
import io.github.kgdb.procedure.call.Parameters;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.neo4j.graphdb.QueryExecutionException;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Name;
import org.neo4j.values.storable.CoordinateReferenceSystem;
import org.neo4j.values.storable.DurationValue;
import org.neo4j.values.storable.Values;

import java.lang.reflect.Method;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Whatever its arguments, a call succeeds or fails with a message of the procedure or of Neo4j's
 * type check, and leaves neither a transaction nor a change in the store.
 */
class ArgumentFuzzTest {
    private static final int CALLS = Trials.of(500);

    /** Arguments of calls that succeed. */
    private static final Map<String, List<Object>> SENSIBLE =
            Map.of(
                    "nodes", List.of("a", List.of("a", "b"), List.of(List.of("a"), List.of("b"))),
                    "relations", List.of(List.of("r"), List.of("r", "^s"), List.of()),
                    "hops", List.of(List.of(Map.of("r", 0.5, "^s", 1.0)), List.of()),
                    "relationships", List.of(List.of(List.of("a", "b")), List.of()),
                    "thought",
                            List.of(
                                    Map.of(
                                            "relationships",
                                            List.of(
                                                    Map.of(
                                                            "source", "v",
                                                            "type", "t",
                                                            "target", "w")))),
                    "grounding",
                            List.of(
                                    Map.of(
                                            "nodes", Map.of("v", List.of("a")),
                                            "relations", Map.of("t", Map.of("r", 1.0)))),
                    "procedure", List.of("", "kgdb.follow"),
                    "kg", List.of("g"),
                    "script", List.of("MATCH (n) RETURN n.id", "CREATE (:A)-[:B]->(:C)"));

    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'g', label: 'G'})",
                    """
CREATE (a:G:Red {id: 'a', name: 'Ann'}), (b:G {id: 'b'}), (c:G:Mediator {id: 'c'}), (d:G)
CREATE (a)-[:r]->(b), (a)-[:r]->(b), (b)-[:s]->(c), (c)-[:s]->(a), (c)-[:s]->(c), (d)-[:r]->(a)
""");

    @TestFactory
    Stream<DynamicTest> calls() {
        return Catalog.procedures().stream()
                .map(procedure -> dynamicTest(Catalog.name(procedure), () -> callOften(procedure)));
    }

    private static void callOften(Method procedure) {
        List<Object> before = store();
        Random random = new Random(Catalog.name(procedure).hashCode());
        List<String> bad = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            call(procedure, random).ifPresent(bad::add);
        }
        assertEquals(List.of(), bad);
        assertEquals(before, store());
        assertEquals(
                List.of(1L), database.column("SHOW TRANSACTIONS YIELD username RETURN count(*)"));
    }

    /** What was wrong with the failure, if anything. */
    private static Optional<String> call(Method procedure, Random random) {
        String name = Catalog.name(procedure);
        List<String> arguments =
                Arrays.stream(procedure.getParameters())
                        .map(parameter -> parameter.getAnnotation(Name.class).value())
                        .toList();
        Map<String, Object> values = new HashMap<>();
        try (Transaction transaction = database.service().beginTx()) {
            AnyValue any = new AnyValue(transaction, random);
            for (String argument : arguments) {
                values.put(argument, argument(any, random, name, argument));
            }
            TestDatabase.rows(
                    transaction,
                    arguments.stream()
                            .map(argument -> "$" + argument)
                            .collect(Collectors.joining(", ", "CALL " + name + "(", ")")),
                    values);
            return Optional.empty();
        } catch (QueryExecutionException error) {
            boolean ours =
                    error.getMessage().startsWith(name + ": ") && isCausedByUs(error.getCause());
            boolean typeCheck = error.getStatusCode().startsWith("Neo.ClientError.Statement.");
            return ours || typeCheck
                    ? Optional.empty()
                    : Optional.of(values + " -> " + error.getStatusCode() + " " + error);
        } catch (RuntimeException error) {
            return Optional.of(values + " -> " + error);
        }
    }

    private static boolean isCausedByUs(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof KgdbException) {
                return true;
            }
        }
        return false;
    }

    private static Object argument(AnyValue any, Random random, String name, String argument) {
        if (argument.equals("config") && random.nextInt(10) > 0) {
            return config(any, random, name);
        }
        List<Object> sensible = SENSIBLE.getOrDefault(argument, List.of());
        return sensible.isEmpty() || random.nextInt(3) == 0
                ? any.value(3)
                : sensible.get(random.nextInt(sensible.size()));
    }

    private static Map<String, Object> config(AnyValue any, Random random, String name) {
        Map<String, Object> config = new HashMap<>();
        List<ConfigKey<?>> keys = Catalog.keys(name);
        for (int i = random.nextInt(3); i > 0 && !keys.isEmpty(); i--) {
            config.put(keys.get(random.nextInt(keys.size())).name(), any.value(2));
        }
        if (random.nextInt(20) == 0) {
            config.put(any.text(), any.value(1));
        }
        if (random.nextInt(10) > 0 && keys.contains(Parameters.KG)) {
            config.put("kg", "g");
        }
        return config;
    }

    /** Everything in the store, and every name that was ever used. */
    private static List<Object> store() {
        return List.of(
                database.column("MATCH (n) RETURN labels(n) + n.id ORDER BY elementId(n)"),
                database.column("MATCH ()-[r]->() RETURN type(r) ORDER BY elementId(r)"),
                database.column("CALL db.labels() YIELD label RETURN label ORDER BY label"),
                database.column("CALL db.relationshipTypes() YIELD relationshipType AS t RETURN t"),
                database.column("CALL db.propertyKeys() YIELD propertyKey AS k RETURN k"));
    }

    /** Values of every Cypher type, with unusual values more often than usual. */
    private record AnyValue(Transaction transaction, Random random) {
        private static final List<String> TEXTS =
                List.of(
                        "",
                        "a",
                        "b",
                        "c",
                        "r",
                        "^r",
                        "^s",
                        "^",
                        "^^r",
                        "g",
                        "Red",
                        "out",
                        "in",
                        "both",
                        "no such thing",
                        "天空",
                        "\uD835\uDC9C",
                        "\uD835",
                        "\u0000",
                        "`",
                        "'",
                        "$",
                        "{}",
                        "x".repeat(5000),
                        "NaN",
                        "0",
                        "true",
                        "CREATE (n) RETURN n");

        String text() {
            return TEXTS.get(random.nextInt(TEXTS.size()));
        }

        Object value(int depth) {
            return switch (random.nextInt(depth > 0 ? 20 : 15)) {
                case 0 -> null;
                case 1 -> number();
                case 2 -> (long) random.nextInt(5);
                case 3 ->
                        List.of(Double.NaN, Double.POSITIVE_INFINITY, -0.0, 1e300, 0.5, -1.5)
                                .get(random.nextInt(6));
                case 4, 5 -> text();
                case 6 -> random.nextBoolean();
                case 7 -> one("MATCH (n:G) RETURN n AS one");
                case 8 -> one("MATCH ()-[r]->() RETURN r AS one");
                case 9 -> one("MATCH p = (:G)-[:r]->(:G) RETURN p AS one");
                case 10 -> LocalDate.of(2020, 2, 29);
                case 11 -> ZonedDateTime.parse("2020-02-29T00:00:00Z");
                case 12 -> DurationValue.duration(1, 2, 3, 4);
                case 13 -> Values.pointValue(CoordinateReferenceSystem.WGS_84, 1, 2).asObjectCopy();
                case 14 -> new byte[] {1, -1};
                case 15, 16 -> map(depth);
                default -> list(depth);
            };
        }

        private long number() {
            return List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31, 1L << 53)
                    .get(random.nextInt(6));
        }

        private Object one(String query) {
            List<Object> found =
                    TestDatabase.rows(transaction, query, Map.of()).stream()
                            .map(row -> row.get("one"))
                            .toList();
            return found.get(random.nextInt(found.size()));
        }

        private List<Object> list(int depth) {
            if (random.nextBoolean()) {
                return Collections.nCopies(1 + random.nextInt(3), value(depth - 1));
            }
            return new ArrayList<>(
                    Arrays.asList(
                            IntStream.range(0, random.nextInt(4))
                                    .mapToObj(i -> value(depth - 1))
                                    .toArray()));
        }

        private Map<String, Object> map(int depth) {
            Map<String, Object> map = new HashMap<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                map.put(text(), value(depth - 1));
            }
            return map;
        }
    }
}
