package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** Searches by properties of relationships, and with them. */
class RelationshipPropertiesTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'staff', label: 'Staff'})",
                    "UNWIND ['works_at', 'seated_in'] AS id"
                            + " CREATE (:Relation {kg: 'staff', id: id})",
                    """
CREATE (mara:Entity:Staff {id: 'mara', name: 'Mara'}), (noor:Entity:Staff {id: 'noor', name: 'Noor'}),
       (acme:Entity:Staff {id: 'acme', name: 'Acme'}), (bolt:Entity:Staff {id: 'bolt', name: 'Bolt'}),
       (hull:Entity:Staff {id: 'hull', name: 'Hull'})
CREATE (mara)-[:works_at {since: date('1999-03-31'), role: 'clerk', share: 0.5}]->(acme),
       (mara)-[:works_at {since: date('2004-01-01'), role: 'head clerk', share: 1}]->(acme),
       (mara)-[:works_at {since: date('2010-06-30'), role: 'smith', skills: ['iron', 'tin']}]->(bolt),
       (noor)-[:works_at {since: date('2004-07-01'), role: 'smith', left: true}]->(bolt),
       (noor)-[:works_at]->(acme),
       (acme)-[:seated_in {since: 1960}]->(hull), (bolt)-[:seated_in]->(hull)
""");

    private static List<Object> employers(String where) {
        return database.column(
                "CALL kgdb.neighbors('mara', {kg: 'staff', where: ["
                        + where
                        + "]}) YIELD id, count RETURN id + ' ' + count");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{property: 'since', value: '1999'} | acme 1",
                "{property: 'since', value: date('1999-03-31')} | acme 1",
                "{property: 'since', value: '1999-04'} | -",
                "{property: 'since', operator: '>', value: '1999'} | acme 1,bolt 1",
                "{property: 'since', operator: '>', value: '2004'} | bolt 1",
                "{property: 'since', operator: '>=', value: '2004'} | acme 1,bolt 1",
                "{property: 'since', operator: '<=', value: '2004'} | acme 2",
                "{property: 'since', operator: '<', value: '2004-01'} | acme 1",
                "{property: 'since', operator: '<>', value: '2004'} | acme 1,bolt 1",
                "{property: 'since', value: 1999} | -",
                "{property: 'role', value: 'smith'} | bolt 1",
                "{property: 'role', operator: 'CONTAINS', value: 'clerk'} | acme 2",
                "{property: 'role', operator: 'STARTS WITH', value: 'clerk'} | acme 1",
                "{property: 'role', operator: '<>', value: 'clerk'} | acme 1,bolt 1",
                "{property: 'share', value: 1} | acme 1",
                "{property: 'share', value: 1.0} | acme 1",
                "{property: 'share', value: '0.5'} | acme 1",
                "{property: 'share', operator: '<', value: 1} | acme 1",
                "{property: 'share', operator: '>', value: 0.0/0} | -",
                "{property: 'skills', value: 'tin'} | bolt 1",
                "{property: 'left', value: true} | -",
                "{property: 'role', value: 'smith'}, {property: 'since', value: '2010'} | bolt 1",
                "{property: 'role', value: 'smith'}, {property: 'since', value: '1999'} | -",
                "{property: 'since', operator: '<', value: '1', relation: 'seated_in'}"
                        + " | acme 2,bolt 1",
            })
    void onlyRelationshipsThatFulfilTheConditionsAreFollowed(String where, String expected) {
        List<String> rows = "-".equals(expected) ? List.of() : List.of(expected.split(","));
        assertEquals(rows, employers(where));
    }

    @Test
    void truthValuesCompare() {
        assertEquals(
                List.of("bolt"),
                database.column(
                        "CALL kgdb.neighbors('noor', {kg: 'staff', where: [{property: 'left',"
                                + " operator: '<>', value: false}]}) YIELD id"));
    }

    @Test
    void everySearchTakesConditions() {
        String where = "where: [{property: 'since', value: '2004', relation: 'works_at'}]";
        assertEquals(
                List.of("hull"),
                database.column(
                        "CALL kgdb.follow('noor', ['works_at', 'seated_in'], {kg: 'staff', "
                                + where
                                + "}) YIELD id, count WHERE count = 1 RETURN id"));
        assertEquals(
                List.of(List.of("noor", "bolt", "hull")),
                database.column(
                        "CALL kgdb.beam('noor', [{works_at: 1.0}, {seated_in: 1.0}], {kg: 'staff', "
                                + where
                                + "}) YIELD ids"));
        assertEquals(
                List.of(List.of("mara", "acme", "hull", "bolt", "noor")),
                database.column(
                        "CALL kgdb.paths.all(['mara', 'noor'], {kg: 'staff', maxHops: 4, "
                                + where
                                + "}) YIELD ids"));
        assertEquals(
                List.of(4L),
                database.column(
                        "CALL kgdb.paths.shortest(['mara', 'noor'], {kg: 'staff', "
                                + where
                                + "}) YIELD hops"));
    }

    @Test
    void aCopyInMemoryHoldsNoProperties() {
        assertEquals(
                List.of("acme"),
                database.column(
                        "CALL kgdb.neighbors('mara', {kg: 'staff', inMemory: true, where:"
                                + " [{property: 'since', value: '1999'}]}) YIELD id"));
    }

    @Test
    void rowsShowTheProperties() {
        assertEquals(
                List.of(List.of("clerk", "head clerk"), List.of("smith")),
                database.column(
                        "CALL kgdb.neighbors('mara', {kg: 'staff', properties: true}) YIELD"
                                + " properties WITH properties[0] AS parallel RETURN"
                                + " COLLECT { UNWIND parallel AS one RETURN one.role ORDER BY"
                                + " one.role }"));
        assertEquals(
                List.of("head clerk 2004-01-01"),
                database.column(
                        "CALL kgdb.paths.shortest(['hull', 'mara'], {kg: 'staff', properties: true,"
                                + " where: [{property: 'role', value: 'head clerk', relation:"
                                + " 'works_at'}, {property: 'since', value: 1960, relation:"
                                + " 'seated_in'}]}) YIELD properties WITH properties[1][0] AS one"
                                + " RETURN one.role + ' ' + one.since"));
        assertEquals(
                List.of(List.of(2L, 1960L)),
                database.column(
                        "CALL kgdb.follow('mara', ['works_at', 'seated_in'], {kg: 'staff',"
                                + " properties: true}) YIELD properties WITH properties[0] AS path"
                                + " WHERE size(path[0]) = 2 RETURN [size(path[0]),"
                                + " path[1][0].since]"));
        assertEquals(
                List.of(List.of("iron", "tin")),
                database.column(
                        "CALL kgdb.beam('mara', [{works_at: 1.0}], {kg: 'staff', properties: true})"
                            + " YIELD properties WITH properties WHERE properties[0][0].skills IS"
                            + " NOT NULL RETURN properties[0][0].skills"));
    }

    @Test
    void withoutTheKeyThereAreNone() {
        assertEquals(
                List.of(),
                database.column(
                        "CALL kgdb.neighbors('mara', {kg: 'staff'}) YIELD properties WITH *"
                                + " WHERE properties IS NOT NULL RETURN properties"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "date('1999-01-01') | expected a MAP {property, value}",
                "{prperty: 'since', value: 1} | did you mean 'property'?",
                "{property: 'sinse', value: 1} | did you mean 'since'?",
                "{property: 3, value: 1} | property: expected a STRING",
                "{property: 'since'} | value: expected a number, a text",
                "{property: 'since', value: [1]} | value: expected a number, a text",
                "{property: 'since', value: 1, operator: '=='} | operator: expected one of =, <>",
                "{property: 'since', value: 1, relation: 'works_att'} | did you mean 'works_at'?",
                "{property: 'since', value: 1, relation: '^works_at'} | name without ^",
            })
    void aWrongConditionIsNamed(String where, String expected) {
        String message =
                database.error(
                        "CALL kgdb.neighbors('mara', {kg: 'staff', where: [" + where + "]})");
        assertTrue(message.contains(expected), message);
    }
}
