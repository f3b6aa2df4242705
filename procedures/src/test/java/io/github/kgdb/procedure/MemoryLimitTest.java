package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;

/** A call that exceeds its transaction's memory limit fails, and releases everything it counted. */
class MemoryLimitTest {
    private static final int BATCHES = 30;
    private static final String LIMIT_EXCEEDED =
            "Neo.TransientError.General.MemoryPoolOutOfMemoryError";

    @AutoClose private static TestDatabase database;

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
        database.rows("UNWIND range(1, 40) AS i CREATE (:Entity:Star:Dense {id: 'n' + i})");
        database.rows("MATCH (a:Dense), (b:Dense) WHERE a <> b CREATE (a)-[:to]->(b)");
    }

    @Test
    void neighbors() {
        assertEquals(
                LIMIT_EXCEEDED,
                database.failure("CALL kgdb.neighbors('hub', {kg: 'star', limit: 100000})")
                        .getStatusCode());
    }

    @Test
    void follow() {
        assertEquals(
                LIMIT_EXCEEDED,
                database.failure("CALL kgdb.follow('hub', ['has'], {kg: 'star'})").getStatusCode());
    }

    @Test
    void allPaths() {
        assertEquals(
                LIMIT_EXCEEDED,
                database.failure(
                                "CALL kgdb.paths.all(['n1', 'n2'], {kg: 'star', maxHops: 5,"
                                        + " perPair: 0, limit: 1000000})")
                        .getStatusCode());
    }

    @Test
    void beam() {
        assertEquals(
                LIMIT_EXCEEDED,
                database.failure(
                                "CALL kgdb.beam('n1', [{to: 1}, {to: 1}, {to: 1}], {kg: 'star',"
                                        + " width: 100000})")
                        .getStatusCode());
    }

    @Test
    void pagerank() {
        assertEquals(
                LIMIT_EXCEEDED,
                database.failure(
                                "MATCH (n:Star) WITH collect(n) AS ns CALL kgdb.pagerank(ns) YIELD"
                                        + " id RETURN count(*)")
                        .getStatusCode());
    }

    @Test
    void aSmallCallOnTheSameGraphSucceeds() {
        assertEquals(
                List.of("n2"),
                database.column(
                        "CALL kgdb.paths.shortest(['n1', 'n2'], {kg: 'star', all: false}) YIELD"
                                + " target"));
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
    void memoryIsReleasedAtTheEndOfACall() {
        assertEquals(
                List.of(100L * 1000),
                database.column(
                        "UNWIND range(1, 100) AS i CALL kgdb.neighbors('few', {kg: 'star'}) YIELD"
                                + " id RETURN count(*)"));
    }
}
