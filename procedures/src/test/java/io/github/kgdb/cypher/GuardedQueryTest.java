package io.github.kgdb.cypher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;
import io.github.kgdb.Trials;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.QueryExecutionException;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.TransactionTerminatedException;
import org.neo4j.memory.EmptyMemoryTracker;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A guarded query returns what the query returns as written. */
class GuardedQueryTest {
    private static final int QUERIES = Trials.of(100);
    private static final long TIMEOUT_MS = 2000;
    private static final int MAX_LENGTH = 300;
    private static final ReadQuery.Limits LIMITS = new ReadQuery.Limits(20_000, 4);

    private static TestDatabase database;

    @BeforeAll
    static void start() {
        database =
                TestDatabase.with(
                        "UNWIND range(1, 3) AS i CREATE (:N {i: i, name: 'node ' + i})",
                        "MATCH (hub:N {i: 1}), (leaf:N) WHERE leaf.i > 1 CREATE (hub)-[:R]->(leaf)",
                        "CREATE (:Big {i: 1, t: 'abab', p: 'aaaa', d: '1111', l: [1, 2, 3]})");
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Test
    void randomQueriesGiveTheSame() {
        int compared = 0;
        for (long seed = 0; seed < QUERIES; seed++) {
            String script = RandomQuery.of(seed, MAX_LENGTH);
            try {
                ReadQuery query = ReadQuery.of(script, LIMITS, null);
                if (query.isGuarded()) {
                    compared += compare(query);
                }
            } catch (Refusal refusal) {
                assertFalse(refusal.getMessage().contains("under guard"), script);
            }
        }
        assertTrue(compared > QUERIES / 5, "compared: " + compared);
    }

    /**
     * Runs the guarded query first, because it ends. Returns the number of rows compared, 0 if the
     * query was stopped.
     */
    private static int compare(ReadQuery query) {
        List<String> guarded;
        Instant end = Instant.now().plusMillis(TIMEOUT_MS);
        try (RunningQuery running =
                RunningQuery.begin(() -> requireBefore(end), EmptyMemoryTracker.INSTANCE)) {
            try {
                guarded = rows(query.guarded());
            } catch (QueryExecutionException wrong) {
                if (running.refusal() == null && Instant.now().isBefore(end)) {
                    assertThrows(
                            QueryExecutionException.class,
                            () -> rows(query.text()),
                            () -> wrong + ": " + query.text());
                }
                return 0;
            } catch (TransactionTerminatedException tooLong) {
                return 0;
            }
        }
        try {
            assertEquals(rows(query.text()), guarded, query::text);
            return 1;
        } catch (QueryExecutionException wrong) {
            // Guard functions take and return any type, so some errors appear later or never.
            assertTrue(ServerErrors.hasPosition(wrong.getMessage()), query::text);
            return 0;
        }
    }

    private static void requireBefore(Instant end) {
        if (Instant.now().isAfter(end)) {
            throw new IllegalStateException("too late");
        }
    }

    private static List<String> rows(String query) {
        try (Transaction transaction =
                database.service().beginTx(10 * TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
            return TestDatabase.rows(transaction, query, Map.of()).stream()
                    .map(GuardedQueryTest::shown)
                    .sorted()
                    .toList();
        }
    }

    private static String shown(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> entry.getKey() + "=" + shown(entry.getValue()))
                    .sorted()
                    .collect(Collectors.joining(", ", "{", "}"));
        } else if (value instanceof List<?> list) {
            return list.stream().map(GuardedQueryTest::shown).toList().toString();
        }
        return value instanceof long[] array ? Arrays.toString(array) : String.valueOf(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MATCH (n:N {name: 'x'}) RETURN n",
                "MATCH (n:N)-[r:R]->(m) WHERE n.name CONTAINS 'x' AND m.i > 3 RETURN n.name, m.i",
                "MATCH (n:N) WHERE n.i IN [1, 2] RETURN n.name ORDER BY n.i LIMIT 3",
                "MATCH (n:N)--(m) RETURN n.name, count(m) AS c, collect(m.name) ORDER BY c DESC",
                "MATCH p = shortestPath((a:N {i: 1})-[*..3]-(b:N {i: 2})) RETURN p, length(p)",
                "MATCH (n:N) WHERE n.name STARTS WITH 'a' OR NOT n.i = 1 RETURN DISTINCT n",
                "MATCH (n:N) WHERE (n)-[:R]->() RETURN n.i + 1, n.i * 2, size(n.name)"
            })
    void aShortQueryRunsAsItIsWritten(String script) {
        assertFalse(ReadQuery.of(script, LIMITS, null).isGuarded());
    }

    @Test
    void aColumnIsCalledAsItIsWritten() {
        String script = "MATCH (n:N {i: 1}) RETURN toLower( n.name )";
        assertEquals(
                Set.of("toLower( n.name )"),
                database.rows("CALL kgdb.cypher.read($script)", Map.of("script", script)).stream()
                        .flatMap(row -> ((List<?>) row.get("columns")).stream())
                        .collect(Collectors.toSet()));
    }

    @Test
    void nobodyElseCallsGuardFunctions() {
        assertTrue(
                database.error("RETURN kgdb.guard.value(0, 1)")
                        .contains("are for kgdb.cypher.read only"));
    }
}
