package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;

/** The values that every procedure accepts as {@code nodes} and as {@code kg}. */
class NodesParameterTest {
    @AutoClose private static TestDatabase database;
    @AutoClose private static TestDatabase empty;

    @BeforeAll
    static void start() {
        database =
                TestDatabase.with(
                        """
CREATE (:KnowledgeGraph {name: 'demo', label: 'Demo'}),
       (:KnowledgeGraph {name: 'adopted', label: 'Person', idProperty: 'number', nameProperty: 'title'}),
       (:KnowledgeGraph {name: 'broken'}), (:KnowledgeGraph {name: 'unloaded', label: 'Nothing'})
""",
                        "CREATE CONSTRAINT FOR (n:Demo) REQUIRE n.id IS UNIQUE",
                        """
CREATE (:Entity:Demo {id: 'Amélie', name: 'Amélie Łuczak'})-[:knows]->(:Entity:Demo {id: '天空'}),
       (:Person {number: 7, title: 'Seven'})-[:knows]->(:Person {number: 8, title: ['Eight', '八']}),
       (:Person {number: '7a'}), (:Person {number: 9}), (:Person {number: 9})
""");
        empty = TestDatabase.with();
    }

    private static List<Object> follow(String nodes, String config) {
        return database.column(
                "CALL kgdb.follow("
                        + nodes
                        + ", [], "
                        + config
                        + ") YIELD id, name RETURN id + ' ' + name");
    }

    private static String error(String nodes, String config) {
        return database.error("CALL kgdb.follow(" + nodes + ", [], " + config + ")");
    }

    @Test
    void anId() {
        assertEquals(List.of("Amélie Amélie Łuczak"), follow("'Amélie'", "{kg: 'demo'}"));
    }

    @Test
    void ids() {
        assertEquals(
                List.of("Amélie Amélie Łuczak", "天空 天空"),
                follow("['天空', 'Amélie']", "{kg: 'demo'}"));
    }

    @Test
    void aNodeInItsGraph() {
        assertEquals(
                List.of("天空"),
                database.column(
                        "MATCH (n:Demo {id: '天空'}) CALL kgdb.follow(n, [], {kg: 'demo'}) YIELD id"
                                + " RETURN id"));
    }

    @Test
    void aNodeOfAnotherGraphIsRefused() {
        String message =
                database.error(
                        "MATCH (n:Demo {id: '天空'}) CALL kgdb.follow(n, [], {kg: 'adopted'}) YIELD"
                                + " id RETURN id");
        assertEquals(
                "kgdb.follow: nodes: (NODE …) is not in graph 'adopted', it lacks the label Person",
                message.replaceAll("NODE [0-9a-f:-]+", "NODE …"));
    }

    @Test
    void aDeletedNodeIsRefused() {
        String message =
                database.error(
                        "MATCH (n:Demo {id: '天空'}) DETACH DELETE n WITH n "
                                + "CALL kgdb.follow(n, [], {kg: 'demo'}) YIELD id RETURN id");
        assertEquals(
                "kgdb.follow: nodes: (NODE …) was deleted",
                message.replaceAll("NODE [0-9a-f:-]+", "NODE …"));
    }

    @Test
    void anAdoptedGraphHasItsOwnProperties() {
        assertEquals(List.of("7a 7a"), follow("'7a'", "{kg: 'adopted'}"));
    }

    @Test
    void idsThatAreNumbersAreGivenAsText() {
        assertEquals(List.of("7 Seven"), follow("'7'", "{kg: 'adopted'}"));
    }

    @Test
    void anUnusableIdIsRefused() {
        assertEquals(
                "kgdb.follow: nodes: more than one entity has the id '9' in graph 'adopted'; its"
                        + " property number is no id",
                error("'9'", "{kg: 'adopted'}"));
    }

    @Test
    void anUnknownId() {
        assertEquals(
                "kgdb.follow: no entity 'Amelie' in graph 'demo'; nodes takes ids (property id),"
                        + " not names: kgdb.entities.link"
                        + " finds the ids of a name",
                error("['Amélie', 'Amelie']", "{kg: 'demo'}"));
    }

    @Test
    void manyUnknownIds() {
        assertEquals(
                "kgdb.follow: no entities 'a', 'b', 'c' and 2 more in graph 'demo'; nodes takes ids"
                        + " (property id), not names: kgdb.entities.link"
                        + " finds the ids of a name",
                error("['a', 'b', 'c', 'd', 'e']", "{kg: 'demo'}"));
    }

    @Test
    void anIdInAGraphWithoutEntities() {
        assertEquals(
                "kgdb.follow: no entity 'a' in graph 'unloaded'; nodes takes ids (property id), not"
                        + " names: kgdb.entities.link"
                        + " finds the ids of a name",
                error("'a'", "{kg: 'unloaded'}"));
    }

    @Test
    void anIdWithoutKg() {
        assertEquals(
                "kgdb.follow: nodes: 'a' (STRING) is an entity id, which needs config kg, the graph"
                        + " it is in; loaded: adopted, broken, demo, unloaded",
                error("'a'", "{}"));
    }

    @Test
    void anUnknownKg() {
        assertEquals(
                "kgdb.follow: no graph 'dmeo'; loaded: adopted, broken, demo, unloaded (did you"
                        + " mean 'demo'?)",
                error("'a'", "{kg: 'dmeo'}"));
    }

    @Test
    void anyKgWhereNoneIsLoaded() {
        assertEquals(
                "kgdb.follow: no graph 'demo'; none is loaded",
                empty.error("CALL kgdb.follow('a', [], {kg: 'demo'})"));
    }

    @Test
    void aBookkeepingNodeWithoutLabel() {
        assertEquals(
                "kgdb.follow: graph 'broken' has no label in its :KnowledgeGraph node; load or"
                        + " adopt it again",
                error("'a'", "{kg: 'broken'}"));
    }

    @Test
    void nullIsRefused() {
        assertEquals(
                "kgdb.follow: nodes: expected a NODE, an entity id (STRING, with config kg), a LIST"
                        + " of one of these or a LIST of such LISTs, got null",
                error("null", "{kg: 'demo'}"));
    }

    @Test
    void aNullInTheListIsRefused() {
        assertEquals(
                "kgdb.follow: nodes: expected a NODE, an entity id (STRING, with config kg), a LIST"
                        + " of one of these or a LIST of such LISTs, got null",
                error("['Amélie', null]", "{kg: 'demo'}"));
    }

    @Test
    void aNumberIsRefused() {
        assertEquals(
                "kgdb.follow: nodes: expected a NODE, an entity id (STRING, with config kg), a LIST"
                        + " of one of these or a LIST of such LISTs, got 7 (INTEGER)",
                error("[7]", "{kg: 'adopted'}"));
    }

    @Test
    void aMixedListIsRefused() {
        String message =
                database.error(
                        "MATCH (n:Demo {id: '天空'}) CALL kgdb.follow([n, 'Amélie'], [], {kg:"
                                + " 'demo'}) YIELD id RETURN id");
        assertEquals(
                "kgdb.follow: nodes: item 2 is 'Amélie' (STRING) but the first is (NODE …); "
                        + "give either nodes or ids, not both",
                message.replaceAll("NODE [0-9a-f:-]+", "NODE …"));
    }

    @Test
    void aListIsNoName() {
        assertEquals(List.of("8 8"), follow("'8'", "{kg: 'adopted'}"));
    }
}
