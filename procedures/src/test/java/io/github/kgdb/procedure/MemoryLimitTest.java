package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;

/** A call that keeps more than its transaction may ends by itself, and leaves nothing counted. */
class MemoryLimitTest {
    private static final int BATCHES = 30;
    private static final String LIMIT_EXCEEDED =
            "Neo.TransientError.General.MemoryPoolOutOfMemoryError";

    private static TestDatabase database;

    @BeforeAll
    static void start() {
        database =
                TestDatabase.withMemory(
                        4L << 20,
                        "CREATE (:KnowledgeGraph {name: 'star', label: 'Star'}), (:Entity:Star {id:"
                                + " 'hub'})");
        Collections.nCopies(
                        BATCHES,
                        "MATCH (hub:Star {id: 'hub'}) UNWIND range(1, 500) AS i "
                                + "CREATE (hub)-[:has]->(:Entity:Star {id: 'leaf'})")
                .forEach(database::rows);
        database.rows(
                "CREATE (few:Entity:Star {id: 'few'}) FOREACH (i IN range(1, 1000) | CREATE"
                        + " (few)-[:has]->(:Entity:Star {id: 'end'}))");
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Test
    void neighbors() {
        assertEquals(
                LIMIT_EXCEEDED,
                database.failure("CALL kgdb.neighbors('hub', {kg: 'star', limit: 100000})").getStatusCode());
    }

    @Test
    void follow() {
        assertEquals(
                LIMIT_EXCEEDED,
                database.failure("CALL kgdb.follow('hub', ['has'], {kg: 'star'})").getStatusCode());
    }

    @Test
    void relationsAroundKeepsNothing() {
        assertEquals(
                List.of(500L * BATCHES),
                database.column(
                        "CALL kgdb.relations.around('hub', {kg: 'star'}) YIELD count RETURN"
                                + " count"));
    }

    @Test
    void whatACallCountedIsGivenBackAtItsEnd() {
        assertEquals(
                List.of(100L * 1000),
                database.column(
                        "UNWIND range(1, 100) AS i CALL kgdb.neighbors('few', {kg: 'star'}) YIELD"
                                + " id RETURN count(*)"));
    }
}
