package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.List;

class RelationsProcedureTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'films', label: 'Films'})",
                    """
CREATE (a:Entity:Films {id: 'a'}), (b:Entity:Films {id: 'b'}), (x:Entity:Other {id: 'x'})
CREATE (a)-[:likes]->(b), (a)-[:likes]->(b), (b)-[:likes]->(a), (a)-[:knows]->(a),
       (a)-[:leaves]->(x)
""",
                    """
CREATE (hub:Entity:Films {id: 'hub'})
FOREACH (i IN range(1, 100) | CREATE (hub)-[:has]->(:Entity:Films {id: 'h' + i}))
CREATE (hub)-[:is]->(hub)
""");

    private static List<Object> call(String arguments) {
        return database.column(
                "CALL kgdb.relations.around("
                        + arguments
                        + ") YIELD relation, direction, nodes, count, cut RETURN relation + ' ' +"
                        + " direction + ' ' + nodes + ' ' + count + CASE WHEN cut = [] THEN ''"
                        + " ELSE ' cut ' + cut[0] END");
    }

    @Test
    void rowsComeByCountRelationAndDirection() {
        assertEquals(
                List.of(
                        "likes out 1 2",
                        "knows in 1 1",
                        "knows out 1 1",
                        "likes in 1 1"),
                call("'a', {kg: 'films'}"));
    }

    @Test
    void aRelationThatOnlyLeavesTheGraphIsNone() {
        assertEquals(List.of(), call("'a', {kg: 'films', relations: ['leaves']}"));
        assertEquals(
                List.of(), call("'a', {kg: 'films', relations: ['leaves'], inMemory: true}"));
        assertEquals(
                List.of("leaves"),
                database.column(
                        "MATCH (a:Films {id: 'a'})"
                                + " CALL kgdb.relations.around(a, {relations: ['leaves']})"
                                + " YIELD relation RETURN relation"));
    }

    @Test
    void nodesOfASetAddUp() {
        assertEquals(
                List.of("likes in 2 3", "likes out 2 3"),
                call("['a', 'b'], {kg: 'films', relations: ['likes']}"));
    }

    @Test
    void aNodeGivenTwiceCountsOnce() {
        assertEquals(List.of("likes in 1 2", "likes out 1 1"), call("['b', 'b'], {kg: 'films'}"));
    }

    @Test
    void direction() {
        assertEquals(
                List.of("knows in 1 1", "likes in 1 1"),
                call("'a', {kg: 'films', direction: 'in'}"));
    }

    @Test
    void relationsAgainstAndAlong() {
        assertEquals(
                List.of("knows out 1 1", "likes in 1 1"),
                call("'a', {kg: 'films', relations: ['^likes', 'knows']}"));
    }

    @Test
    void aHub() {
        assertEquals(
                List.of("has out 1 100", "is in 1 1", "is out 1 1"), call("'hub', {kg: 'films'}"));
    }

    @Test
    void limitAppliesAfterOrderingAndIsReported() {
        assertEquals(List.of("has out 1 100 cut limit"), call("'hub', {kg: 'films', limit: 1}"));
    }

    @Test
    void nodesOfTheQueryItself() {
        assertEquals(
                List.of("likes in 1 2", "likes out 1 1"),
                database.column(
                        "MATCH (b {id: 'b'}) CALL kgdb.relations.around([b]) YIELD relation,"
                            + " direction, nodes, count RETURN relation + ' ' + direction + ' ' +"
                            + " nodes + ' ' + count"));
    }

    @Test
    void writesOfTheSameTransactionAreSeen() {
        assertEquals(
                List.of("fresh in 1 1", "fresh out 1 1"),
                database.column(
                        "CREATE (n:Draft)-[:fresh]->(n) WITH n CALL kgdb.relations.around(n) YIELD"
                            + " relation, direction, nodes, count DETACH DELETE n RETURN relation +"
                            + " ' ' + direction + ' ' + nodes + ' ' + count"));
    }

    @Test
    void noNodesNoRelations() {
        assertEquals(List.of(), call("[], {kg: 'films'}"));
    }

    @Test
    void aBatchGivesTheRowsOfItsSetsOneByOne() {
        assertEquals(
                List.of("0 likes in 2 [limit]", "2 has out 100 [limit]"),
                database.column(
                        "CALL kgdb.relations.around([['b'], [], ['hub']], {kg: 'films', limit: 1})"
                            + " YIELD batch, relation, direction, count, cut RETURN batch + ' ' +"
                            + " relation + ' ' + direction + ' ' + count + ' [' + cut[0] + ']'"));
    }

    @Test
    void anExcludedRelationIsNotReturned() {
        assertEquals(
                List.of("knows in 1 1", "knows out 1 1"),
                call("'a', {kg: 'films', exclude: ['likes']}"));
    }

    @Test
    void whatLeadsOnFromMediators() {
        assertEquals(
                List.of("cast out null 1", "cast out ^told 1", "cast out role 2"),
                database.column(
                        "MATCH (b:Films {id: 'b'}) CREATE (a:Films)-[:cast]->(m:Mediator:Films)"
                            + " CREATE (m)-[:role]->(b) CREATE (m)-[:role]->(b) CREATE"
                            + " (b)-[:told]->(m) CREATE (a)-[:cast]->(b) WITH * CALL"
                            + " kgdb.relations.around(a, {kg: 'films', mediators: true}) YIELD"
                            + " relation, direction, viaRelation, count DETACH DELETE a, m RETURN"
                            + " relation + ' ' + direction + ' ' + coalesce(viaRelation, 'null') +"
                            + " ' ' + count ORDER BY count, viaRelation IS NULL DESC"));
    }

    @Test
    void aHubIsReportedWhereRelationshipsAreRead() {
        assertEquals(
                List.of(List.of("maxDegree: hub")),
                database.column(
                        "CALL kgdb.relations.around('hub', {kg: 'films', mediators: true,"
                                + " maxDegree: 7}) YIELD cut"));
    }
}
