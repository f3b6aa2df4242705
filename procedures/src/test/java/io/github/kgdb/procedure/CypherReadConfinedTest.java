package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

/** A query reads the given graph and nothing else of the store. */
class CypherReadConfinedTest {
    private static TestDatabase database;

    @BeforeAll
    static void start() {
        database =
                TestDatabase.with(
                        "CREATE (:KnowledgeGraph {name: 'films', label: 'Films'})",
                        "CREATE (:KnowledgeGraph {name: 'shop', label: 'Shop', adopted: true,"
                                + " idProperty: 'id', nameProperty: 'name'})",
                        "CREATE (:Relation {kg: 'films', id: 'likes'}),"
                                + " (:Relation {kg: 'shop', id: 'likes'})",
                        "CREATE (a:Entity:Films {id: 'a', name: 'Ada'}),"
                                + " (b:Entity:Films:Person {id: 'b', name: 'Ben'}),"
                                + " (c:Entity:Films {id: 'c', name: 'Cid'}),"
                                + " (a)-[:likes]->(b), (b)-[:likes]->(c)",
                        // Customers, and a log that is not part of the shop's graph.
                        "CREATE (x:Shop {id: 'x', name: 'Xia'}), (y:Shop {id: 'y', name: 'Yan'}),"
                                + " (l:Log {id: 'l', name: 'secret'}), (x)-[:likes]->(l),"
                                + " (l)-[:likes]->(y), (x)-[:knows]->(y)",
                        // Two tenants of one store, and what joins them.
                        "CREATE (:KnowledgeGraph {name: 'acme', labels: ['Acme'], adopted: true})",
                        "CREATE (:KnowledgeGraph {name: 'globex', labels: ['Globex'],"
                                + " adopted: true})",
                        "CREATE (:Relation {kg: 'acme', id: 'MANAGES'})",
                        "CREATE (ann:Person:Acme {name: 'Ann', salary: 1}),"
                                + " (bob:Person:Acme {name: 'Bob'}),"
                                + " (zed:Person:Globex {name: 'Zed', salaries: 2}),"
                                + " (mole:Spy:Globex {name: 'Mole'}),"
                                + " (ann)-[:MANAGES {since: 1999}]->(bob),"
                                + " (zed)-[:MANAGED {sinceWhen: 2000}]->(mole),"
                                + " (ann)-[:SUPPLIES {sinceEver: 2001}]->(zed),"
                                + " (zed)-[:SUPPLIES]->(bob)",
                        "CREATE (:KnowledgeGraph {name: 'large', label: 'Large'})",
                        "UNWIND range(0, 20000) AS i CREATE (:Large {id: toString(i)})");
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    private static Map<String, Object> row(String script, String config) {
        return database.rows(
                        "CALL kgdb.cypher.read($script, " + config + ")", Map.of("script", script))
                .get(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "MATCH (n) RETURN n.name ORDER BY n.name => [[Ada], [Ben], [Cid]]",
                "MATCH (n:Person) RETURN n.name => [[Ben]]",
                "MATCH (n:Entity:Person) RETURN n.name => [[Ben]]",
                "MATCH (n:!Person) RETURN count(n) => [[2]]",
                "MATCH (n:Person|Films {id: 'a'}) RETURN n.name => [[Ada]]",
                "MATCH (n) WHERE n:Person RETURN n.name => [[Ben]]",
                "MATCH ()-[r]->() RETURN count(r) => [[2]]",
                "MATCH ()-[r]->() RETURN count(DISTINCT type(r)) => [[1]]",
                "MATCH (a)-[*2..3]->(b) RETURN b.name => [[Cid]]",
                "MATCH (n {name: 'Ada'}) RETURN [(n)-->(m) | m.name] => [[[Ben]]]",
                "MATCH (n) WHERE EXISTS { (n)-->(m) } RETURN count(n) => [[2]]",
                "MATCH (n) WHERE (n)-->() RETURN count(n) => [[2]]",
                "MATCH (n) RETURN sum(COUNT { (n)--() }) => [[4]]",
                "RETURN COLLECT { MATCH (n) RETURN n.name ORDER BY n.name } => [[[Ada, Ben, Cid]]]",
                "MATCH (n {name: 'secret'}) RETURN n => []",
                "OPTIONAL MATCH (n {name: 'Xia'}) RETURN n => [[null]]",
                "MATCH (n) RETURN n.name UNION MATCH (n) RETURN n.name => 3"
            })
    void nothingElseIsThere(String script, String rows) {
        Map<String, Object> row = row(script, "{kg: 'films'}");
        assertEquals("ok", row.get("status"), () -> String.valueOf(row.get("message")));
        List<?> found = (List<?>) row.get("rows");
        assertEquals(rows, rows.length() == 1 ? String.valueOf(found.size()) : found.toString());
    }

    @Test
    void withoutAGraphItSeesTheStore() {
        assertEquals(
                List.of(List.of(18L)), row("MATCH (n:!Large) RETURN count(n)", "{}").get("rows"));
        assertEquals(
                List.of(List.of(18L)),
                row("MATCH (n:!Large) RETURN count(n)", "{kg: 'films', wholeStore: true}")
                        .get("rows"));
    }

    @ParameterizedTest
    @CsvSource({"Shop", "KnowledgeGraph", "Relation"})
    void labelsOfOthersAreUnknown(String label) {
        Map<String, Object> row = row("MATCH (n:" + label + ") RETURN n", "{kg: 'films'}");
        assertEquals("UNKNOWN_LABEL", row.get("status"));
        assertEquals(
                "no label '" + label + "', there are: 'Entity', 'Films', 'Person'",
                row.get("message"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "MATCH (n:Spy) RETURN n => no label 'Spy', there are: 'Acme', 'Person'",
                "MATCH (n:Globex) RETURN n => no label 'Globex', there are: 'Acme', 'Person'",
                "MATCH ()-[r:MANAGED]->() RETURN r"
                        + " => no relationship type 'MANAGED', near: 'MANAGES'",
                "MATCH ()-[r:SUPPLIES]->() RETURN r"
                        + " => no relationship type 'SUPPLIES', there are: 'MANAGES'",
                "MATCH (n) RETURN n.salaries"
                        + " => no property 'salaries', there are: 'name', 'salary', 'since'",
                "MATCH ()-[r]->() RETURN r.sinceWhen => no property 'sinceWhen', near: 'since'",
                "MATCH ()-[r]->() RETURN r.sinceEver => no property 'sinceEver', near: 'since'",
                "MATCH (n) WHERE n:Spy RETURN n => no label or relationship type 'Spy',"
                        + " there are: 'Acme', 'MANAGES', 'Person'"
            })
    void namesThatOnlyOthersHaveAreUnknown(String script, String message) {
        assertEquals(message, row(script, "{kg: 'acme'}").get("message"));
        assertEquals("ok", row(script, "{kg: 'acme', wholeStore: true}").get("status"));
    }

    @ParameterizedTest
    @CsvSource({"salary, ok", "nowhere, UNKNOWN_KEY", "Spy, ok", "Acme, UNKNOWN_LABEL"})
    void aGraphTooLargeToBeReadMayHaveANameOfTheStore(String name, String status) {
        String script =
                switch (name) {
                    case "Spy", "Acme" -> "MATCH (n:" + name + ") RETURN n LIMIT 1";
                    default -> "MATCH (n) RETURN n." + name + " LIMIT 1";
                };
        assertEquals(status, row(script, "{kg: 'large'}").get("status"));
    }

    @Test
    void namesOfTheGraphAreKnown() {
        Map<String, Object> row =
                row(
                        "MATCH (a:Person)-[r:MANAGES]->(b) RETURN a.salary, r.since, b.name",
                        "{kg: 'acme'}");
        assertEquals(List.of(List.of(1L, 1999L, "Bob")), row.get("rows"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "MATCH (a {id: 'x'})-[*1..3]->(b) RETURN b.name => [[Yan]]",
                "MATCH (a {id: 'x'})-[r*1..3]->(b) WHERE size(r) < 9 RETURN b.name => [[Yan]]",
                "MATCH p = shortestPath((a {id: 'x'})-[:likes*..4]->(b {id: 'y'})) RETURN p => []",
                "MATCH (a {id: 'x'}) RETURN [(a)-[:likes*..2]->(b) | b.name] => [[[]]]",
                "MATCH (a) WHERE EXISTS { MATCH (a)-[:likes*..2]->(b) } RETURN a => []"
            })
    void aPathDoesNotLeaveAnAdoptedGraph(String script, String rows) {
        Map<String, Object> row = row(script, "{kg: 'shop'}");
        assertEquals("ok", row.get("status"), () -> String.valueOf(row.get("message")));
        assertEquals(rows, row.get("rows").toString());
    }

    @Test
    void aPathInAConditionIsRefusedWhereItCouldLeaveTheGraph() {
        Map<String, Object> row =
                row("MATCH (a) WHERE (a)-[:likes*..2]->() RETURN a", "{kg: 'shop'}");
        assertEquals("FORBIDDEN_CONSTRUCT", row.get("status"));
        assertTrue(row.get("message").toString().contains("EXISTS { MATCH … }"));
    }

    @Test
    void anErrorHasItsPositionInTheScript() {
        Map<String, Object> row =
                row("MATCH (n)\nRETURN toLower(n.name) + m.name", "{kg: 'films'}");
        assertEquals(
                List.of("SYNTAX", 2L, 26L),
                List.of(row.get("status"), row.get("line"), row.get("column")));
    }
}
