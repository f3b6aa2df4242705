package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.neo4j.graphdb.QueryExecutionException;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Names of a million letters, and very many rows: both count in a transaction's memory. */
class LargeArgumentsTest {
    private static final int BATCHES = 80;
    private static final String BOOKS = "[i IN range(1, 20) | 'v' + i]";
    private static final String LIMIT_EXCEEDED =
            "Neo.TransientError.General.MemoryPoolOutOfMemoryError";

    @AutoClose private static TestDatabase database;

    @BeforeAll
    static void start() {
        database =
                TestDatabase.withMemory(
                        8L << 20,
                        "CREATE (:KnowledgeGraph {name: 'long', label: 'Long'}), (:Long {id:"
                                + " 'hub'}), (:Long {id: 'star'})",
                        "CREATE CONSTRAINT FOR (n:Long) REQUIRE n.id IS UNIQUE",
                        "CREATE FULLTEXT INDEX kgdb_Long_names FOR (n:Long) ON EACH [n.name]");
        for (int i = 1; i <= 20; i++) {
            database.rows(
                    "MATCH (hub:Long {id: 'hub'}) CREATE (hub)-[:has]->(:Long:Book {id: 'v' + $i,"
                            + " name: $name})",
                    Map.of("i", i, "name", "vicuna " + "x".repeat(1_000_000)));
        }
        Collections.nCopies(
                        BATCHES,
                        "MATCH (star:Long {id: 'star'}) UNWIND range(1, 1000) AS i CREATE"
                                + " (star)-[:near]->(:Long)")
                .forEach(database::rows);
        database.rows("CALL db.awaitIndexes(300)");
    }

    @TestFactory
    Stream<DynamicTest> longNamesAreCounted() {
        return Stream.of(
                        "kgdb.neighbors('hub', {kg: 'long'})",
                        "kgdb.follow('hub', ['has'], {kg: 'long'})",
                        "kgdb.follow('hub', ['has'], {kg: 'long', paths: 0})",
                        "kgdb.paths.all(" + BOOKS + ", {kg: 'long'})",
                        "kgdb.paths.shortest(" + BOOKS + ", {kg: 'long'})",
                        "kgdb.beam('hub', [{has: 1}], {kg: 'long', width: 100})",
                        "kgdb.pagerank(" + BOOKS + ", null, {kg: 'long'})",
                        "kgdb.entities.link('long', ['vicuna'], null, {limit: 100})",
                        "kgdb.got.match({relationships: [{source: 'a', type: 'r', target: 'b'}]},"
                            + " {nodes: {a: 'hub'}, relations: {r: {has: 1}}}, {kg: 'long', limit:"
                            + " 100})")
                .map(
                        call ->
                                dynamicTest(
                                        call.substring(0, call.indexOf('(')),
                                        () -> refused(call, Map.of())));
    }

    @Test
    void memoryOfNamesThatAreNotReturnedIsReleased() {
        assertEquals(
                List.of("v1", "v10"),
                database.column("CALL kgdb.neighbors('hub', {kg: 'long', limit: 2}) YIELD id"));
    }

    @Test
    void rowsOfManyStartSetsAreCounted() {
        refused(
                "kgdb.relations.around($sets, {kg: 'long'})",
                Map.of("sets", Collections.nCopies(300_000, List.of("hub"))));
    }

    @Test
    void relationshipsThatAreReadForMediatorsAreCounted() {
        refused("kgdb.relations.around('star', {kg: 'long', mediators: true})", Map.of());
    }

    @Test
    void startNodesOfPathsAreCounted() {
        refused(
                "MATCH (n:Long) WITH collect(n)[..15000] AS ns ",
                "kgdb.paths.all(ns, {kg: 'long', relations: ['has'], timeoutMs: 20000})",
                Map.of());
    }

    private static void refused(String call, Map<String, Object> parameters) {
        refused("", call, parameters);
    }

    private static void refused(String before, String call, Map<String, Object> parameters) {
        String cypher = before + "CALL " + call + " YIELD batch RETURN count(*)";
        assertEquals(
                LIMIT_EXCEEDED,
                assertThrows(QueryExecutionException.class, () -> database.rows(cypher, parameters))
                        .getStatusCode());
    }
}
