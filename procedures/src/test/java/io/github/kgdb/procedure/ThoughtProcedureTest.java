package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.StoreState;
import io.github.kgdb.TestDatabase;
import io.github.kgdb.graph.sandbox.ThoughtTransaction;
import io.github.kgdb.thought.Limits;
import io.github.kgdb.thought.Thought;
import io.github.kgdb.thought.ThoughtParser;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.internal.GraphDatabaseAPI;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

class ThoughtProcedureTest {
    private static final String CHAIN =
            "MERGE (a:A {name: 'x', n: 1})-[:R {w: 0.5}]->(b)<-[:S]-(c:C:D)";

    @AutoClose private static TestDatabase database;

    @BeforeAll
    static void start() throws IOException {
        database = TestDatabase.with(names());
    }

    private static String names() throws IOException {
        return Files.readString(Path.of("..", "cypher", "load", "thought_names.cypher"));
    }

    private static Map<String, Object> run(String script) {
        return database.rows("CALL kgdb.got.run($script)", Map.of("script", script)).get(0);
    }

    @Test
    void everyColumnOfAThought() {
        Map<String, Object> row = run(CHAIN);
        assertEquals("ok", row.get("status"));
        assertNull(row.get("message"));
        assertNull(row.get("line"));
        assertNull(row.get("column"));
        assertEquals(true, row.get("executed"));
        assertEquals(List.of(List.of("x", "R", "b"), List.of("c", "S", "b")), row.get("triples"));
        assertEquals(
                List.of(
                        node("a", "x", List.of("A"), Map.of("name", "x", "n", 1L)),
                        node("b", "b", List.of(), Map.of()),
                        node("c", "c", List.of("C", "D"), Map.of())),
                row.get("nodes"));
        assertEquals(
                List.of(
                        relationship(0, "R", 1, Map.of("w", 0.5)),
                        relationship(2, "S", 1, Map.of())),
                row.get("relationships"));
    }

    @Test
    void everyColumnOfAnError() {
        Map<String, Object> row = run("CREATE (a)\nSET a.x = 1");
        assertEquals("FORBIDDEN_CLAUSE", row.get("status"));
        assertTrue(((String) row.get("message")).contains("found 'SET'"));
        assertEquals(2L, row.get("line"));
        assertEquals(1L, row.get("column"));
        assertEquals(false, row.get("executed"));
        for (String column : List.of("triples", "nodes", "relationships")) {
            assertEquals(List.of(), row.get(column));
        }
    }

    @Test
    void aNodeWithoutVariableHasNone() {
        assertEquals(
                Arrays.asList("a", null),
                database.column(
                        "CALL kgdb.got.run('CREATE (a), ({id: 1})') YIELD nodes UNWIND nodes AS n"
                                + " RETURN n.variable"));
    }

    @Test
    void manyScriptsInOneStatement() {
        StoreState before = StoreState.of(database.service());
        assertEquals(
                List.of("ok", "SYNTAX", "ok"),
                database.column(
                        "UNWIND ['CREATE (a)-[:R]->(b)', 'CREATE (', 'MERGE (a)'] AS script"
                                + " CALL kgdb.got.run(script) YIELD status RETURN status"));
        assertEquals(before, StoreState.of(database.service()));
    }

    @Test
    void whatTheCallerWritesStaysAndTheThoughtDoesNot() {
        try (Transaction transaction = database.service().beginTx()) {
            TestDatabase.rows(
                    transaction,
                    "CREATE (:KgdbThought) WITH 1 AS one CALL kgdb.got.run($script) YIELD status"
                            + " RETURN status",
                    Map.of("script", CHAIN));
            assertEquals(
                    1L,
                    TestDatabase.rows(transaction, "MATCH (n) RETURN count(n) AS c", Map.of())
                            .get(0)
                            .get("c"));
            transaction.rollback();
        }
    }

    @Test
    void withoutItsNamesTheDatabaseIsLeftAlone() {
        try (TestDatabase empty = TestDatabase.with()) {
            StoreState before = StoreState.of(empty.service());
            Map<String, Object> row =
                    empty.rows("CALL kgdb.got.run($script)", Map.of("script", CHAIN)).get(0);
            assertEquals("ok", row.get("status"));
            assertEquals(false, row.get("executed"));
            assertTrue(((String) row.get("message")).contains("load/thought_names.cypher"));
            assertEquals(run(CHAIN).get("triples"), row.get("triples"));
            assertEquals(run(CHAIN).get("nodes"), row.get("nodes"));
            assertEquals(before, StoreState.of(empty.service()));
        }
    }

    @Test
    void thePageShowsWhatMakesTheNames() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "reference", "procedures", "kgdb.got.run.md"));
        String statement = names().replaceAll("(?m)^//.*\n", "");
        assertTrue(page.contains("```\n" + statement + "```"), statement);
    }

    @Test
    void aReadOnlyDatabaseIsLeftAlone() throws IOException {
        try (TestDatabase readOnly = TestDatabase.with(names())) {
            ((GraphDatabaseAPI) readOnly.service())
                    .getDependencyResolver()
                    .resolveDependency(org.neo4j.configuration.Config.class)
                    .setDynamic(
                            GraphDatabaseSettings.read_only_databases,
                            Set.of(readOnly.service().databaseName()),
                            "test");
            Map<String, Object> row =
                    readOnly.rows("CALL kgdb.got.run($script)", Map.of("script", CHAIN)).get(0);
            assertEquals("ok", row.get("status"));
            assertEquals("the database is read-only", row.get("message"));
            assertEquals(false, row.get("executed"));
        }
    }

    @Test
    void theCallersEndIsTheEndOfTheThought() {
        Thought thought = (Thought) ThoughtParser.parse(CHAIN, Limits.HIGHEST);
        StoreState before = StoreState.of(database.service());
        int[] steps = {0};
        assertThrows(
                IllegalStateException.class,
                () ->
                        ThoughtTransaction.run(
                                database.service(),
                                thought,
                                1000,
                                () -> {
                                    if (++steps[0] == 3) {
                                        throw new IllegalStateException("ended");
                                    }
                                }));
        assertEquals(3, steps[0]);
        assertEquals(before, StoreState.of(database.service()));
    }

    @Test
    void aScriptOutOfTimeIsARowToo() {
        Map<String, Object> row =
                database.rows(
                                "CALL kgdb.got.run($script, {timeoutMs: 1})",
                                Map.of("script", "CREATE (a)" + ",(a)-[:R]->()".repeat(499)))
                        .get(0);
        assertEquals("TIME", row.get("status"));
        assertEquals("stopped after 1 ms (timeoutMs)", row.get("message"));
        assertEquals(List.of(), row.get("triples"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
null, {}|script: expected a STRING, got null
'CREATE (a)', {maxNodes: 501}|maxNodes: expected INTEGER ≥ 1, ≤ 500, got 501 (INTEGER)
'CREATE (a)', {maxLength: 0}|maxLength: expected INTEGER ≥ 1, ≤ 20000, got 0 (INTEGER)
'CREATE (a)', {timeoutMs: 60001}|timeoutMs: expected INTEGER ≥ 1, ≤ 60000, got 60001 (INTEGER)
'CREATE (a)', {timeoutMs: '5'}|timeoutMs: expected INTEGER ≥ 1, ≤ 60000, got '5' (STRING)
'CREATE (a)', {maxNode: 1}|unknown config key 'maxNode'; allowed: maxLength, maxListLength, maxNodes, maxRelationships, timeoutMs (did you mean 'maxNodes'?)
""")
    void argumentsThatDoNotFitAreErrors(String arguments, String message) {
        assertEquals(
                "kgdb.got.run: " + message, database.error("CALL kgdb.got.run(" + arguments + ")"));
    }

    @Test
    void limitsCanBeLowered() {
        assertEquals(
                List.of("TOO_MANY"),
                database.column(
                        "CALL kgdb.got.run('CREATE (a), (b)', {maxNodes: 1}) YIELD status"));
    }

    private static Map<String, Object> node(
            String variable, String name, List<String> labels, Map<String, Object> properties) {
        return Map.of(
                "variable", variable, "name", name, "labels", labels, "properties", properties);
    }

    private static Map<String, Object> relationship(
            long source, String type, long target, Map<String, Object> properties) {
        return Map.of("source", source, "type", type, "target", target, "properties", properties);
    }
}
