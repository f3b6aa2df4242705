package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.Transaction;

import java.util.List;
import java.util.Map;

/** The copy in memory never shows another state than the store. */
class InMemoryTest {
    private static final String NEIGHBORS =
            "CALL kgdb.neighbors('a', {kg: 'g', inMemory: true}) YIELD id";

    @AutoClose private static final TestDatabase database = TestDatabase.with();

    @BeforeEach
    void fill() {
        database.rows("MATCH (n) DETACH DELETE n");
        database.rows(
                "CREATE (:KnowledgeGraph {name: 'g', label: 'G'}),"
                        + " (:G {id: 'a'})-[:r]->(:G {id: 'b'})-[:r]->(:G {id: 'c'})");
    }

    @Test
    void theSameRowsComeFromTheCopy() {
        assertEquals(List.of("b"), database.column(NEIGHBORS));
        assertEquals(List.of("b"), database.column(NEIGHBORS));
    }

    @Test
    void whatOthersCommitIsSeen() {
        database.column(NEIGHBORS);
        database.rows("MATCH (a:G {id: 'a'}), (c:G {id: 'c'}) CREATE (a)-[:r]->(c)");
        assertEquals(List.of("b", "c"), database.column(NEIGHBORS));
        database.rows("MATCH (:G {id: 'a'})-[r]->(:G {id: 'b'}) DELETE r");
        assertEquals(List.of("c"), database.column(NEIGHBORS));
    }

    @Test
    void whatTheCallerHasNotCommittedIsSeenByTheCallerOnly() {
        database.column(NEIGHBORS);
        try (Transaction transaction = database.service().beginTx()) {
            TestDatabase.rows(
                    transaction,
                    "MATCH (a:G {id: 'a'}), (c:G {id: 'c'}) CREATE (a)-[:r]->(c)",
                    Map.of());
            assertEquals(
                    List.of(Map.of("id", "b"), Map.of("id", "c")),
                    TestDatabase.rows(transaction, NEIGHBORS, Map.of()));
            assertEquals(List.of("b"), database.column(NEIGHBORS));
        }
        assertEquals(List.of("b"), database.column(NEIGHBORS));
    }

    @Test
    void eachGraphHasACopyOfItsOwn() {
        database.rows(
                "CREATE (:KnowledgeGraph {name: 'h', label: 'H'}),"
                        + " (:H {id: 'a'})-[:r]->(:H {id: 'z'})");
        assertEquals(List.of("b"), database.column(NEIGHBORS));
        assertEquals(
                List.of("z"),
                database.column("CALL kgdb.neighbors('a', {kg: 'h', inMemory: true}) YIELD id"));
    }
}
