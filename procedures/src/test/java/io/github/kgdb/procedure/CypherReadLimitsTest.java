package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.StoreState;
import io.github.kgdb.TestDatabase;
import io.github.kgdb.cypher.Corpus;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.QueryExecutionException;
import org.neo4j.graphdb.Transaction;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Scripts that would run forever or take all memory, on a graph on which most of them can. */
class CypherReadLimitsTest {
    private static final int NODES = 20_000;
    private static final int TIMEOUT_MS = 150;

    /** The time that a call may take beyond its limit, on a busy machine. */
    private static final int MERCY_MS = 3000;

    private static final String ENDLESS =
            "MATCH (a:N), (b:N), (c:N) WHERE a.i + b.i + c.i = -1 RETURN a";

    private static final String ENDLESS_EXPRESSION =
            "MATCH (n:N) WITH collect(n.i) AS l RETURN size([a IN l WHERE all(b IN l WHERE all(c IN"
                    + " l WHERE a + b + c <> -1))])";

    private static TestDatabase database;
    private static StoreState before;

    @BeforeAll
    static void start() {
        database =
                TestDatabase.with(
                        "UNWIND range(1, " + NODES + ") AS i CREATE (:N {i: i, name: 'node ' + i})",
                        "MATCH (hub:N {i: 1}), (leaf:N) WHERE leaf.i > 1 CREATE (hub)-[:R]->(leaf),"
                                + " (leaf)-[:S]->(hub)",
                        "CREATE INDEX FOR (n:N) ON (n.i)",
                        // A megabyte each: a text, a periodic text, digits, and a list.
                        "UNWIND range(1, 20) AS each WITH each, reduce(t = 'lorem ab', i IN"
                            + " range(1, 17) | t + t) AS t, reduce(p = 'a', i IN range(1, 20) | p +"
                            + " p) AS p, reduce(d = '1', i IN range(1, 20) | d + d) AS d CREATE"
                            + " (:Big {t: t, p: p, d: d, l: range(1, 130000)})",
                        "CALL db.awaitIndexes()");
        before = StoreState.of(database.service());
    }

    @AfterAll
    static void stop() {
        assertEquals(before, StoreState.of(database.service()));
        database.close();
    }

    @TestFactory
    Stream<DynamicTest> bombs() {
        return Corpus.bombs().stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> assertEnds(one.script())));
    }

    private static void assertEnds(String script) {
        Instant begin = Instant.now();
        Map<String, Object> row =
                database.rows(
                                "CALL kgdb.cypher.read($script, {timeoutMs: $timeoutMs})",
                                Map.of("script", script, "timeoutMs", (long) TIMEOUT_MS))
                        .get(0);
        long took = Duration.between(begin, Instant.now()).toMillis();
        assertTrue(took < TIMEOUT_MS + MERCY_MS, () -> took + " ms, " + row.get("status"));
        assertTrue(
                List.of(
                                "ok",
                                "RUNTIME",
                                "TIME",
                                "MEMORY",
                                "TOO_COMPLEX",
                                "TOO_DEEP",
                                "FORBIDDEN_CONSTRUCT")
                        .contains(row.get("status")),
                () -> row.get("status") + ": " + row.get("message"));
    }

    @Test
    void aQueryThatTakesTooLongSaysSo() {
        assertEquals(
                List.of(
                        "TIME: stopped after 200 ms (timeoutMs); make the query smaller: begin at a"
                                + " node with a known property, use shorter paths, connect all"
                                + " patterns"),
                column(ENDLESS, "{timeoutMs: 200}"));
    }

    @Test
    void aQueryThatNeedsTooMuchSaysSo() {
        assertEquals(
                List.of(
                        "MEMORY: the query needs more than 32 MiB; sort, group, collect or build"
                                + " less"),
                column(
                        "MATCH (a:N), (b:N) RETURN a.i + b.i AS x ORDER BY x",
                        "{timeoutMs: 60000}"));
    }

    private static List<Object> column(String script, String config) {
        return database
                .rows(
                        "CALL kgdb.cypher.read($script, "
                                + config
                                + ") YIELD status, message RETURN status + ': ' + message AS said",
                        Map.of("script", script))
                .stream()
                .map(row -> row.get("said"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {ENDLESS, ENDLESS_EXPRESSION})
    void aQueryEndsWithItsCaller(String script) throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (Transaction transaction = database.service().beginTx()) {
            Future<?> call =
                    other.submit(
                            () ->
                                    TestDatabase.rows(
                                            transaction,
                                            "CALL kgdb.cypher.read($script, {timeoutMs: 60000})",
                                            Map.of("script", script)));
            Thread.sleep(1000);
            assertFalse(call.isDone());
            Instant terminated = Instant.now();
            transaction.terminate();
            Throwable error =
                    assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS))
                            .getCause();
            assertTrue(error.getMessage().contains("terminated"), error::toString);
            assertTrue(Duration.between(terminated, Instant.now()).toMillis() < MERCY_MS);
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void aLoopInOneExpressionEndsInTime() {
        assertTrue(
                column(ENDLESS_EXPRESSION, "{timeoutMs: 200}")
                        .get(0)
                        .toString()
                        .startsWith("TIME: stopped after 200 ms"));
    }

    @Test
    void aCallersLimitOnTimeHoldsForTheQuery() {
        Instant begin = Instant.now();
        try (Transaction transaction = database.service().beginTx(500, TimeUnit.MILLISECONDS)) {
            assertThrows(
                    QueryExecutionException.class,
                    () ->
                            TestDatabase.rows(
                                    transaction,
                                    "CALL kgdb.cypher.read($script, {timeoutMs: 60000})",
                                    Map.of("script", ENDLESS)));
        }
        assertTrue(Duration.between(begin, Instant.now()).toMillis() < 8000);
    }
}
