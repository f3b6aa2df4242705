package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.neo4j.graphdb.Transaction;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Arguments and stored values of any size: slow calls end at their time limit or with their caller.
 */
class ProcedureLimitsTest {
    /** Enough for a busy machine; each of the calls would take many times that. */
    private static final int SOON_SECONDS = 5;

    private static final int LEAVES = 20_000;

    /** Each of these characters expands to 8 or 18 letters for comparison. */
    private static final String LIGATURES = "\uFDFA\uFDFB";

    private record Call(String name, String arguments, Map<String, Object> parameters) {
        Call(String name, String arguments) {
            this(name, arguments, Map.of());
        }

        String text() {
            return "CALL " + name + "(" + arguments + ")";
        }

        Map<String, Object> within(long milliseconds) {
            Map<String, Object> all = new HashMap<>(parameters);
            all.put("ms", milliseconds);
            return all;
        }
    }

    /** Calls that once did not check the time limit, or not within one long iteration. */
    private static final List<Call> ENDLESS =
            List.of(
                    new Call(
                            "kgdb.entities.link",
                            "'big', [i IN range(1, 300000) | 'qzx' + i], null, {timeoutMs: $ms}"),
                    new Call(
                            "kgdb.entities.link",
                            "'big', [$mention], null, {timeoutMs: $ms}",
                            Map.of("mention", "zebra " + letters(1, "abcdefg", 990))),
                    new Call(
                            "kgdb.entities.link",
                            "'big', [$mention], null, {timeoutMs: $ms}",
                            Map.of("mention", "okapi " + letters(1, LIGATURES, 990))),
                    new Call(
                            "kgdb.got.match",
                            "{relationships: [{source: 'a', type: 'r', target: 'b'}, {source: 'c',"
                                + " type: 'r', target: 'd'}]}, {nodes: {a: $leaves, c: $leaves},"
                                + " relations: {r: {`^to`: 1}}}, {kg: 'big', width: 100000,"
                                + " timeoutMs: $ms}",
                            Map.of("leaves", leaves())),
                    new Call(
                            "kgdb.paths.all",
                            "$leaves, {kg: 'big', relations: ['none'], timeoutMs: $ms}",
                            Map.of("leaves", leaves())),
                    new Call(
                            "kgdb.paths.all",
                            "['p0', 'p6'], {kg: 'big', maxHops: 6, perPair: 0, limit: 2147483647,"
                                    + " timeoutMs: $ms}"),
                    new Call(
                            "kgdb.pagerank",
                            "$leaves, $edges, {kg: 'big', direction: 'both', maxIterations: 100000,"
                                    + " tolerance: 0, dampingFactor: 0.999999, timeoutMs: $ms}",
                            Map.of(
                                    "leaves",
                                    leaves(),
                                    "edges",
                                    Collections.nCopies(100_000, List.of("l1", "l2")))));

    @AutoClose private static TestDatabase database;

    @BeforeAll
    static void start() {
        database =
                TestDatabase.with(
                        "CREATE (:KnowledgeGraph {name: 'big', label: 'Big'}), (:Big {id: 'hub'})",
                        "CREATE CONSTRAINT FOR (n:Big) REQUIRE n.id IS UNIQUE",
                        "CREATE FULLTEXT INDEX kgdb_Big_names FOR (n:Big) ON EACH [n.name,"
                                + " n.aliases]",
                        "MATCH (hub:Big {id: 'hub'}) UNWIND range(1, "
                                + LEAVES
                                + ") AS i CREATE (hub)-[:to]->(:Big {id: 'l' + i})",
                        "CREATE (:Big {id: 'n1'})-[:none]->(:Big {id: 'n2'}), (:Other:Leaf)",
                        "UNWIND range(0, 6) AS i CREATE (:Big {id: 'p' + i})");
        for (int relation = 0; relation < 20; relation++) {
            database.rows(
                    "UNWIND range(0, 5) AS i MATCH (a:Big {id: 'p' + i}), (b:Big {id: 'p' + (i +"
                            + " 1)}) CREATE (a)-[:r"
                            + relation
                            + "]->(b)");
        }
        String create = "CREATE (:Big {id: $id, name: $id, aliases: $aliases})";
        database.rows(
                create, Map.of("id", "zebra", "aliases", aliases("zebra ", "abcdefg", 5_000)));
        database.rows(create, Map.of("id", "okapi", "aliases", aliases("okapi ", LIGATURES, 100)));
        database.rows("CALL db.awaitIndexes(300)");
    }

    private static List<String> leaves() {
        return IntStream.rangeClosed(1, LEAVES).mapToObj(i -> "l" + i).toList();
    }

    private static String[] aliases(String word, String alphabet, int count) {
        return IntStream.range(2, 2 + count)
                .mapToObj(seed -> word + letters(seed, alphabet, 990))
                .toArray(String[]::new);
    }

    private static String letters(int seed, String alphabet, int count) {
        StringBuilder letters = new StringBuilder();
        new Random(seed)
                .ints(count, 0, alphabet.length())
                .forEach(place -> letters.append(alphabet.charAt(place)));
        return letters.toString();
    }

    private static Stream<DynamicTest> each(Consumer<Call> check) {
        return IntStream.range(0, ENDLESS.size())
                .mapToObj(
                        place ->
                                dynamicTest(
                                        place + " " + ENDLESS.get(place).name(),
                                        () -> check.accept(ENDLESS.get(place))));
    }

    @TestFactory
    Stream<DynamicTest> theTimeIsUp() {
        return each(call -> assertError(call, 300, "stopped after 300 ms (timeoutMs)"));
    }

    /** The caller terminates the transaction after a moment. */
    @TestFactory
    Stream<DynamicTest> theCallerIsGone() {
        return each(call -> assertError(call, 0, "terminated"));
    }

    @Test
    void moreHopsThanAnyQuestionHas() {
        assertError(
                new Call(
                        "kgdb.beam",
                        "'hub', $hops, {kg: 'big', timeoutMs: $ms}",
                        Map.of("hops", Collections.nCopies(5_000, Map.of("to", 1.0)))),
                300,
                "hops: expected at most 100 hops in a chain, got 5000");
    }

    @Test
    void oneListOfHopsIsReadOnceForAllStartSets() {
        assertError(
                new Call(
                        "kgdb.beam",
                        "$sets, $hops, {kg: 'big', timeoutMs: $ms}",
                        Map.of(
                                "sets",
                                Collections.nCopies(200_000, List.of("l1")),
                                "hops",
                                Collections.nCopies(100, Map.of("^to", 1.0, "to", 0.5)))),
                300,
                "stopped after 300 ms (timeoutMs)");
    }

    @Test
    void aLargerThoughtThanCanBeWritten() {
        assertError(
                thought(3_000), 300, "thought.relationships: expected at most 500 MAPs, got 3000");
    }

    @Test
    void asLargeAThoughtAsCanBeWritten() {
        Call call = thought(500);
        String thoughts = "[i IN range(1, 30) | {relationships: $chain}]";
        String groundings = "[i IN range(1, 30) | {nodes: {v0: 'hub'}, relations: {r: {to: 1}}}]";
        assertEquals(
                List.of(),
                database.rows(
                        "CALL kgdb.got.match("
                                + thoughts
                                + ", "
                                + groundings
                                + ", {kg: 'big', timeoutMs: $ms})",
                        call.within(10_000)));
    }

    /** A thought with that many relationships in a row. */
    private static Call thought(int relationships) {
        List<Map<String, Object>> chain =
                IntStream.range(0, relationships)
                        .<Map<String, Object>>mapToObj(i -> edge("v" + i, "v" + (i + 1)))
                        .toList();
        return new Call(
                "kgdb.got.match",
                "{relationships: $chain}, {nodes: {v0: 'hub'}, relations: {r: {to: 1}}},"
                        + " {kg: 'big', timeoutMs: $ms}",
                Map.of("chain", chain));
    }

    @Test
    void namesAsLongAsABook() {
        String name = "x".repeat(200_000);
        assertError(
                new Call(
                        "kgdb.got.match",
                        "{relationships: [{source: 'a', type: $x, target: 'b'}]}, {nodes: {a:"
                                + " 'hub'}, relations: $relations}, {kg: 'big', timeoutMs: $ms}",
                        Map.of(
                                "x",
                                name,
                                "relations",
                                Map.of("y".repeat(200_000), Map.of("to", 1)))),
                300,
                "grounding.relations says nothing of the type '" + "x".repeat(60) + "…'");
        for (String argument :
                List.of("{kg: $x}", "{relations: [$x], kg: 'big'}", "{labels: [$x]}")) {
            String error = error("CALL kgdb.neighbors([], " + argument + ")", Map.of("x", name));
            assertTrue(error.contains("'" + "x".repeat(60) + "…'"), error);
            assertTrue(error.length() < 400, error);
        }
    }

    @Test
    void aLabelThatIsGivenManyTimesIsLookedForOnce() {
        assertEquals(
                List.of(),
                database.rows(
                        "CALL kgdb.neighbors('hub', {kg: 'big', labels: $labels, timeoutMs: 5000})",
                        Map.of("labels", Collections.nCopies(200_000, "Leaf"))));
    }

    @Test
    void aMessageNamesSomeOfManyVariables() {
        List<Map<String, Object>> nodes =
                IntStream.range(0, 500)
                        .<Map<String, Object>>mapToObj(i -> Map.of("variable", "v" + i))
                        .toList();
        String error =
                error(
                        "CALL kgdb.got.match({nodes: $nodes, relationships: [{source: 0, type: 'r',"
                            + " target: 1}]}, {nodes: {w: 'hub'}, relations: {r: {to: 1}}}, {kg:"
                            + " 'big'})",
                        Map.of("nodes", nodes));
        assertTrue(error.contains("v18, v19 and 480 more"), error);
    }

    private static Map<String, Object> edge(String source, String target) {
        return Map.of("source", source, "type", "r", "target", target);
    }

    private static String error(String cypher, Map<String, Object> parameters) {
        return assertThrows(RuntimeException.class, () -> database.rows(cypher, parameters))
                .getMessage();
    }

    /** Fails if the call continues; a call without a limit of its own is terminated. */
    private static void assertError(Call call, long milliseconds, String message) {
        ExecutorService other =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread thread = new Thread(task);
                            thread.setDaemon(true);
                            return thread;
                        });
        try (Transaction transaction = database.service().beginTx()) {
            Future<?> rows =
                    other.submit(
                            () ->
                                    TestDatabase.rows(
                                            transaction, call.text(), call.within(milliseconds)));
            if (milliseconds == 0) {
                assertThrows(TimeoutException.class, () -> rows.get(500, TimeUnit.MILLISECONDS));
                transaction.terminate();
            }
            Throwable error =
                    assertThrows(
                                    ExecutionException.class,
                                    () -> rows.get(SOON_SECONDS, TimeUnit.SECONDS))
                            .getCause();
            assertTrue(error.getMessage().contains(message), error::toString);
        }
    }
}
