package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.neo4j.graphdb.QueryExecutionException;
import org.neo4j.graphdb.Transaction;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Calls that would run very long end early, and failing calls have the right status. */
class CallTerminationTest {
    /** Far less than any of the calls would take, and enough for a busy machine to plan one. */
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    /** The same start set many times, to make a short call long. */
    private static final String SETS = "[set IN range(1, 3000) | [i IN range(1, 60) | 'n' + i]]";

    /** On a complete graph of 60 nodes. */
    private static final List<String> ENDLESS =
            List.of(
                    "kgdb.neighbors(" + SETS + ", {kg: 'all', timeoutMs: $timeoutMs})",
                    "kgdb.relations.around("
                            + SETS
                            + ", {kg: 'all', mediators: true, timeoutMs: $timeoutMs})",
                    "kgdb.follow('n1', [i IN range(1, 9) | 'to'], {kg: 'all', maxPaths: 0,"
                            + " timeoutMs: $timeoutMs})",
                    "kgdb.paths.all(['n1', 'n2'], {kg: 'all', maxHops: 8, perPair: 0,"
                            + " limit: 1000000000, timeoutMs: $timeoutMs})",
                    "kgdb.paths.shortest(" + SETS + ", {kg: 'all', timeoutMs: $timeoutMs})",
                    "kgdb.beam('n1', [i IN range(1, 30) | {to: 1.0}], {kg: 'all', direction:"
                            + " 'both', width: 10000, timeoutMs: $timeoutMs})",
                    "kgdb.pagerank([i IN range(1, 60) | 'n' + i], null, {kg: 'all', direction:"
                            + " 'both', dampingFactor: 0.999999, tolerance: 0, maxIterations:"
                            + " 100000, timeoutMs: $timeoutMs})");

    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'all', label: 'All'})",
                    "CREATE CONSTRAINT FOR (n:All) REQUIRE n.id IS UNIQUE",
                    "UNWIND range(1, 60) AS i CREATE (:All {id: 'n' + i})",
                    "MATCH (a:All), (b:All) WHERE a <> b CREATE (a)-[:to]->(b)");

    private static Stream<DynamicTest> each(ThrowingConsumer<String> check) {
        return ENDLESS.stream()
                .map(
                        call ->
                                dynamicTest(
                                        call.substring(0, call.indexOf('(')),
                                        () -> check.accept("CALL " + call)));
    }

    @TestFactory
    Stream<DynamicTest> aTerminatedTransactionEndsTheCallAtOnce() {
        return each(
                call -> {
                    CountDownLatch begun = new CountDownLatch(1);
                    ExecutorService other = Executors.newSingleThreadExecutor();
                    try (Transaction transaction = database.service().beginTx()) {
                        Future<?> rows =
                                other.submit(
                                        () -> {
                                            begun.countDown();
                                            return TestDatabase.rows(
                                                    transaction, call, Map.of("timeoutMs", 0L));
                                        });
                        begun.await();
                        assertThrows(
                                TimeoutException.class, () -> rows.get(400, TimeUnit.MILLISECONDS));
                        Instant terminated = Instant.now();
                        transaction.terminate();
                        Throwable error =
                                assertThrows(
                                                ExecutionException.class,
                                                () -> rows.get(10, TimeUnit.SECONDS))
                                        .getCause();
                        assertTrue(error.getMessage().contains("terminated"), error::toString);
                        assertSoon(terminated);
                    } finally {
                        other.shutdownNow();
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> aCallOutOfTimeEndsAtOnceAndSaysSo() {
        return each(
                call -> {
                    Instant begin = Instant.now();
                    QueryExecutionException error = timeOut(call, 50);
                    assertSoon(begin);
                    assertEquals(
                            call.substring("CALL ".length(), call.indexOf('('))
                                    + ": stopped after 50 ms (timeoutMs); raise timeoutMs, or make"
                                    + " the call smaller: fewer nodes or lower limits",
                            error.getMessage());
                    assertEquals(
                            "Neo.ClientError.Procedure.ProcedureTimedOut", error.getStatusCode());
                });
    }

    @Test
    void aUsageErrorHasTheStatusOfAFailedCall() {
        assertEquals(
                "Neo.ClientError.Procedure.ProcedureCallFailed",
                database.failure("CALL kgdb.neighbors([], {limt: 1})").getStatusCode());
    }

    private static QueryExecutionException timeOut(String call, long milliseconds) {
        return assertThrows(
                QueryExecutionException.class,
                () -> database.rows(call, Map.of("timeoutMs", milliseconds)));
    }

    private static void assertSoon(Instant since) {
        Duration taken = Duration.between(since, Instant.now());
        assertTrue(taken.compareTo(AT_ONCE) < 0, () -> "took " + taken);
    }
}
