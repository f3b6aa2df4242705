package io.github.kgdb.graph.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;
import io.github.kgdb.kernel.api.Termination;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.Result;
import org.neo4j.kernel.api.exceptions.Status;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

class InnerTransactionTest {
    private static final Termination WAITS = () -> {};
    private static final String ENDLESS =
            "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a, b WHERE a + b = 0"
                    + " RETURN a";
    private static final String HEAVY = "UNWIND range(1, 500000) AS x RETURN size(collect(x)) AS n";

    @AutoClose private static final TestDatabase database = TestDatabase.with();

    private static InnerTransaction begin(Termination caller, long milliseconds) {
        return InnerTransaction.begin(database.service(), caller, milliseconds);
    }

    private static void exhaust(InnerTransaction inner, String statement) {
        try (Result result = inner.transaction().execute(statement)) {
            result.forEachRemaining(row -> {});
        }
    }

    @Test
    void whatIsWrittenIsRolledBack() {
        try (InnerTransaction inner = begin(WAITS, 10_000)) {
            exhaust(inner, "CREATE (:Left)");
        }
        assertEquals(List.of(0L), database.column("MATCH (n:Left) RETURN count(n)"));
    }

    @Test
    void theTransactionEndsAtItsTimeLimit() {
        Instant begin = Instant.now();
        try (InnerTransaction inner = begin(WAITS, 300)) {
            assertThrows(RuntimeException.class, () -> exhaust(inner, ENDLESS));
            assertTrue(inner.isOutOfTime());
        }
        long took = Duration.between(begin, Instant.now()).toMillis();
        assertTrue(took >= 300 && took < 1500, () -> took + " ms");
    }

    @Test
    void theTransactionEndsWithItsCaller() {
        Instant begin = Instant.now();
        AtomicBoolean ended = new AtomicBoolean();
        Termination caller =
                () -> {
                    if (Duration.between(begin, Instant.now()).toMillis() > 200) {
                        ended.set(true);
                        throw new IllegalStateException("the caller has ended");
                    }
                };
        try (InnerTransaction inner = begin(caller, 60_000)) {
            assertThrows(RuntimeException.class, () -> exhaust(inner, ENDLESS));
            assertTrue(ended.get());
            assertFalse(inner.isOutOfTime());
        }
        assertTrue(Duration.between(begin, Instant.now()).toMillis() < 1500);
    }

    @Test
    void theMemoryLimitAppliesToThisTransactionOnly() {
        for (int i = 0; i < 10; i++) {
            try (InnerTransaction inner = begin(WAITS, 10_000)) {
                inner.limitMemory(1 << 20);
                RuntimeException error =
                        assertThrows(RuntimeException.class, () -> exhaust(inner, HEAVY));
                assertEquals(
                        Status.General.TransactionOutOfMemoryError,
                        ((Status.HasStatus) error).status());
            }
        }
        for (int i = 0; i < 20; i++) {
            assertEquals(List.of(500_000L), database.column(HEAVY));
        }
    }
}
