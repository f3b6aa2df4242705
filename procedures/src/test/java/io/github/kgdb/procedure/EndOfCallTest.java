package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.QueryExecutionException;
import org.neo4j.graphdb.Transaction;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls that would not end by themselves, and the statuses of those that fail. */
class EndOfCallTest {
    private static final int LEAVES = 5_000;

    /** Paths of ten steps between a hub and its leaves: more than anyone can look at. */
    private static final String ENDLESS =
            "CALL kgdb.follow('hub', [i IN range(1, 10) | CASE i % 2 WHEN 1 THEN 'has' ELSE '^has'"
                    + " END], {kg: 'star', maxPaths: 0, timeoutMs: $timeoutMs})";

    private static TestDatabase database;

    @BeforeAll
    static void start() {
        database =
                TestDatabase.with(
                        "CREATE (:KnowledgeGraph {name: 'star', label: 'Star'}), (:Entity:Star {id:"
                                + " 'hub'})",
                        "MATCH (hub:Star {id: 'hub'}) UNWIND range(1, "
                                + LEAVES
                                + ") AS i CREATE (hub)-[:has]->(leaf:Entity:Star {id: 'leaf ' + i})"
                                + " CREATE (hub)-[:has]->(leaf)");
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Test
    void aTerminatedTransactionEndsTheCallAtOnce() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (Transaction transaction = database.service().beginTx()) {
            Future<?> call =
                    other.submit(
                            () -> {
                                begun.countDown();
                                return TestDatabase.rows(
                                        transaction, ENDLESS, Map.of("timeoutMs", 0L));
                            });
            begun.await();
            assertThrows(TimeoutException.class, () -> call.get(2, TimeUnit.SECONDS));
            Instant terminated = Instant.now();
            transaction.terminate();
            Throwable error =
                    assertThrows(ExecutionException.class, () -> call.get(10, TimeUnit.SECONDS))
                            .getCause();
            assertTrue(error.getMessage().contains("terminated"), error::toString);
            assertTrue(Duration.between(terminated, Instant.now()).toMillis() < 1000);
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void aCallOutOfTimeSaysSo() {
        QueryExecutionException error =
                assertThrows(
                        QueryExecutionException.class,
                        () -> database.rows(ENDLESS, Map.of("timeoutMs", 200L)));
        assertEquals(
                "kgdb.follow: stopped after 200 ms (timeoutMs); raise timeoutMs, "
                        + "or make the call smaller: fewer nodes or lower caps",
                error.getMessage());
    }

    @Test
    void aCallOutOfTimeHasItsOwnStatus() {
        QueryExecutionException error =
                assertThrows(
                        QueryExecutionException.class,
                        () -> database.rows(ENDLESS, Map.of("timeoutMs", 1L)));
        assertEquals("Neo.ClientError.Procedure.ProcedureTimedOut", error.getStatusCode());
    }

    @Test
    void aUsageErrorHasTheStatusOfAFailedCall() {
        assertEquals(
                "Neo.ClientError.Procedure.ProcedureCallFailed",
                database.failure("CALL kgdb.neighbors([], {limt: 1})").getStatusCode());
    }
}
