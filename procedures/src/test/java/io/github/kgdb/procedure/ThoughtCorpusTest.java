package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.StoreState;
import io.github.kgdb.TestDatabase;
import io.github.kgdb.thought.Corpus;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Every script of the corpus gets its verdict, and leaves nothing behind. */
class ThoughtCorpusTest {
    private static final Duration MAX_TIME = Duration.ofSeconds(5);

    @AutoClose private static TestDatabase database;
    private static StoreState before;

    @BeforeAll
    static void start() throws IOException {
        database =
                TestDatabase.with(
                        Files.readString(Path.of("..", "cypher", "load", "thought_names.cypher")),
                        "CREATE (:Person {name: 'Ada'})-[:KNOWS]->(:Person {name: 'Bob'})",
                        "CREATE INDEX idx FOR (p:Person) ON (p.name)",
                        "CREATE CONSTRAINT c FOR (p:Person) REQUIRE p.id IS UNIQUE");
        before = StoreState.of(database.service());
    }

    @Test
    void theCorpusIsLargeEnough() {
        long refused = Corpus.refused().stream().map(Corpus.Refused::script).distinct().count();
        long allowed = Corpus.allowed().stream().map(Corpus.Allowed::script).distinct().count();
        assertAll(
                () -> assertTrue(refused >= 500, refused + " to refuse"),
                () -> assertTrue(allowed >= 150, allowed + " to run"));
    }

    @TestFactory
    Stream<DynamicTest> refused() {
        return Corpus.refused().stream()
                .map(
                        each ->
                                DynamicTest.dynamicTest(
                                        each.position(),
                                        () -> {
                                            Map<String, Object> row = run(each.script());
                                            assertEquals(each.code(), row.get("status"));
                                            assertEquals(List.of(), row.get("nodes"));
                                            assertEquals(List.of(), row.get("triples"));
                                            assertEquals(false, row.get("executed"));
                                        }));
    }

    @TestFactory
    Stream<DynamicTest> allowed() {
        return Corpus.allowed().stream()
                .map(
                        each ->
                                DynamicTest.dynamicTest(
                                        each.position(),
                                        () -> {
                                            Map<String, Object> row = run(each.script());
                                            assertEquals("ok", row.get("status"), row::toString);
                                            assertEquals(each.triples(), row.get("triples"));
                                            assertEquals(
                                                    each.nodes(),
                                                    ((List<?>) row.get("nodes")).size());
                                            assertEquals(true, row.get("executed"));
                                        }));
    }

    private static Map<String, Object> run(String script) {
        Instant begin = Instant.now();
        List<Map<String, Object>> rows =
                database.rows("CALL kgdb.got.run($script)", Map.of("script", script));
        assertTrue(Duration.between(begin, Instant.now()).compareTo(MAX_TIME) < 0);
        assertEquals(1, rows.size());
        assertEquals(before, StoreState.of(database.service()));
        return rows.get(0);
    }
}
