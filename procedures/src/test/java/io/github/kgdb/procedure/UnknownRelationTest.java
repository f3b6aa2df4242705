package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.Transaction;

import java.util.List;
import java.util.Map;

/** Whether a relation is known depends on the given graph, not on other graphs in the store. */
class UnknownRelationTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'g', label: 'G'}),"
                            + " (:Relation {kg: 'g', id: 'emptied'}),"
                            + " (:Relation {kg: 'g', id: 'r'}),"
                            + " (a:G {id: 'a'})-[:r]->(:G {id: 'b'}), (a)-[:outwards]->(:H),"
                            + " (a)-[:rss]->(:H),"
                            + " (:H)-[:rs]->(:H), (x:H)-[e:emptied]->(x) DELETE e");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kgdb.follow: CALL kgdb.follow('a', ['rs'], {kg: 'g'})",
                "kgdb.follow: CALL kgdb.follow('a', ['^rs'], {kg: 'g'})",
                "kgdb.beam: CALL kgdb.beam('a', [{rs: 1.0}], {kg: 'g'})",
                "kgdb.neighbors: CALL kgdb.neighbors('a', {kg: 'g', relations: ['rs']})",
                "kgdb.neighbors: CALL kgdb.neighbors('a', {kg: 'g', exclude: ['rs']})",
                "kgdb.relations.around: CALL kgdb.relations.around('a', {kg: 'g', exclude:"
                        + " ['rs']})",
                "kgdb.paths.all: CALL kgdb.paths.all(['a', 'b'], {kg: 'g', relations: ['rs']})",
                "kgdb.paths.shortest: CALL kgdb.paths.shortest(['a'], {kg: 'g', exclude: ['rs']})",
                "kgdb.pagerank: CALL kgdb.pagerank(['a'], null, {kg: 'g', relations: ['rs']})"
            })
    void aRelationOfAnotherGraphIsUnknown(String call) {
        String[] nameAndText = call.split(": ", 2);
        assertEquals(
                nameAndText[0] + ": no relation 'rs' in graph 'g' (did you mean 'r'?)",
                database.error(nameAndText[1]));
    }

    @Test
    void aRelationThatIsListedOrLeadsOutIsKnown() {
        for (String relation : List.of("emptied", "outwards")) {
            assertEquals(
                    List.of(),
                    database.column(
                            "CALL kgdb.follow('a', ['" + relation + "'], {kg: 'g'}) YIELD id"));
        }
    }

    @Test
    void withoutAGraphTheWholeStoreCounts() {
        assertEquals(
                List.of(),
                database.column(
                        "MATCH (a:G {id: 'a'}) CALL kgdb.follow(a, ['rs']) YIELD id RETURN id"));
    }

    @Test
    void aRelationThatTheCallerHasJustCreatedIsKnown() {
        try (Transaction transaction = database.service().beginTx()) {
            TestDatabase.rows(
                    transaction,
                    "MATCH (a:G {id: 'a'}), (b:G {id: 'b'}) CREATE (a)-[:rs]->(b)",
                    Map.of());
            assertEquals(
                    List.of(Map.of("id", "b")),
                    TestDatabase.rows(
                            transaction,
                            "CALL kgdb.follow('a', ['rs'], {kg: 'g'}) YIELD id",
                            Map.of()));
        }
    }
}
