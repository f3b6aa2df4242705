package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

class NeighborsProcedureTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'films', label: 'Films'})",
                    "CREATE (:Relation {kg: 'films', id: 'likes'})",
                    """
CREATE (a:Entity:Films {id: 'a', name: 'Zed'}), (b:Entity:Films {id: 'b', name: 'Ann'}),
       (c:Entity:Films {id: 'c', name: 'Ann'}), (d:Entity:Films {id: 'd'}),
       (x:Entity:Other {id: 'x', name: 'Elsewhere'}), (y:Bare)
CREATE (a)-[:likes]->(b), (a)-[:likes]->(b), (a)-[:likes]->(c), (a)-[:likes]->(d),
       (b)-[:likes]->(a), (a)-[:knows]->(a), (c)-[:knows]->(a), (a)-[:likes]->(x),
       (y)-[:`名 前.with ``ticks```]->(x), (d)-[:knows]->(b)
""",
                    """
CREATE (hub:Entity:Films {id: 'hub', name: 'hub'})
FOREACH (i IN range(1, 200) | CREATE (hub)-[:has]->(:Entity:Films {id: 'h' + i, name: 'h' + i}))
CREATE (hub)-[:rare]->(:Entity:Films {id: 'r', name: 'rare one'})
""");

    private static List<Object> call(String arguments) {
        return database.column(
                "CALL kgdb.neighbors("
                        + arguments
                        + ") YIELD source, relation, direction, id, count RETURN source + ' ' +"
                        + " relation + ' ' + direction + ' ' + id + ' ' + count");
    }

    private static List<Object> ids(String arguments) {
        return database.column("CALL kgdb.neighbors(" + arguments + ") YIELD id");
    }

    /** The column {@code cut}, which must be equal in all rows. */
    private static List<Object> cut(String arguments) {
        return database.column(
                "CALL kgdb.neighbors(" + arguments + ") YIELD cut RETURN DISTINCT cut");
    }

    @Test
    void rowsComeByRelationDirectionNameAndId() {
        assertEquals(
                List.of(
                        "a knows in c 1",
                        "a knows in a 1",
                        "a knows out a 1",
                        "a likes in b 1",
                        "a likes out b 2",
                        "a likes out c 1",
                        "a likes out d 1"),
                call("'a', {kg: 'films'}"));
    }

    @Test
    void aNodeWithoutNameGoesByItsId() {
        assertEquals(
                List.of("d"),
                database.column(
                        "CALL kgdb.neighbors('a', {kg: 'films'}) YIELD id, name WITH * WHERE id ="
                                + " 'd' RETURN name"));
    }

    @Test
    void sourcesKeepTheOrderGivenAndCountOnce() {
        assertEquals(
                List.of("d knows out b 1", "d likes in a 1", "c knows out a 1", "c likes in a 1"),
                call("['d', 'c', 'd'], {kg: 'films'}"));
    }

    @Test
    void withoutKgNeighborsInOtherGraphsAreFollowed() {
        assertEquals(
                List.of("b", "c", "x", "d"),
                database.column(
                        "MATCH (a:Films {id: 'a'}) CALL kgdb.neighbors(a, {relations: ['likes'],"
                                + " direction: 'out'}) YIELD id RETURN id"));
    }

    @Test
    void nodesWithoutIdGoByTheirElementId() {
        assertEquals(
                List.of(true),
                database.column(
                        "MATCH (y:Bare) CALL kgdb.neighbors(y) YIELD source, id "
                                + "RETURN source = elementId(y) AND id = 'x'"));
    }

    @Test
    void namesOfRelationsAreTakenVerbatim() {
        assertEquals(
                List.of("名 前.with `ticks`"),
                database.column(
                        "MATCH (y:Bare) CALL kgdb.neighbors(y, {relations: ['名 前.with `ticks`']}) "
                                + "YIELD relation RETURN relation"));
    }

    @Test
    void directionIn() {
        assertEquals(
                List.of("b knows in d 1", "b likes in a 2"),
                call("'b', {kg: 'films', direction: 'in'}"));
    }

    @Test
    void plainRelationsAreReadBothWays() {
        assertEquals(
                List.of("a knows in c 1", "a knows in a 1", "a knows out a 1"),
                call("'a', {kg: 'films', relations: ['knows']}"));
    }

    @Test
    void againstItsDirection() {
        assertEquals(List.of("a likes in b 1"), call("'a', {kg: 'films', relations: ['^likes']}"));
    }

    @Test
    void oneSpecAgainstMakesTheOthersAlong() {
        assertEquals(
                List.of("a knows out a 1", "a likes in b 1"),
                call("'a', {kg: 'films', relations: ['^likes', 'knows', '^likes']}"));
    }

    @Test
    void directionWithASpecAgainstIsRefused() {
        assertEquals(
                "kgdb.neighbors: relations already say a direction by '^', as in '^likes'; "
                        + "leave out either the '^' or config direction",
                database.error(
                        "CALL kgdb.neighbors('a', {kg: 'films', relations: ['^likes'], direction:"
                                + " 'out'})"));
    }

    @Test
    void anUnknownRelationIsNamedWithItsNearest() {
        assertEquals(
                "kgdb.neighbors: no relation 'linkes' in graph 'films' (did you mean 'likes'?)",
                database.error("CALL kgdb.neighbors('a', {kg: 'films', relations: ['linkes']})"));
    }

    @Test
    void anEmptyRelationIsRefused() {
        assertEquals(
                "kgdb.neighbors: relations: expected a relation's name, or ^ and its name, got '^'",
                database.error("CALL kgdb.neighbors('a', {kg: 'films', relations: ['^']})"));
    }

    @Test
    void limitAppliesAfterOrdering() {
        assertEquals(
                List.of("h1", "h10", "h100"),
                ids("'hub', {kg: 'films', relations: ['has'], limit: 3}"));
    }

    @Test
    void aLimitThatTruncatesIsReported() {
        assertEquals(List.of(List.of("limit")), cut("'b', {kg: 'films', limit: 2}"));
    }

    @Test
    void aLimitThatTruncatesNothingIsNotReported() {
        assertEquals(List.of(List.of()), cut("'b', {kg: 'films', limit: 3}"));
    }

    @Test
    void aLimitThatTruncatesALaterSourceIsReportedOnEveryRow() {
        assertEquals(List.of(List.of("limit")), cut("['b', 'c'], {kg: 'films', limit: 3}"));
    }

    @Test
    void aLaterSourceWithoutRowsIsNotTruncated() {
        assertEquals(
                List.of(List.of()),
                cut("['c', 'r'], {kg: 'films', relations: ['knows', 'likes'], limit: 2}"));
    }

    @Test
    void perRelationLimitsEachRelationAndDirection() {
        assertEquals(
                List.of("a knows in c 1", "a knows out a 1", "a likes in b 1", "a likes out b 2"),
                call("'a', {kg: 'films', perRelation: 1}"));
    }

    @Test
    void perRelationIsReported() {
        assertEquals(
                List.of(List.of("perRelation")), cut("['c', 'a'], {kg: 'films', perRelation: 1}"));
    }

    @Test
    void perRelationIsReportedAlsoForRowsBeyondTheLimit() {
        assertEquals(
                List.of(List.of("perRelation", "limit")),
                cut("['c', 'a'], {kg: 'films', perRelation: 1, limit: 1}"));
    }

    @Test
    void perRelationZeroIsNoLimit() {
        assertEquals(call("'a', {kg: 'films'}"), call("'a', {kg: 'films', perRelation: 0}"));
    }

    @Test
    void aHubIsNotExpandedAtAll() {
        assertEquals(Arrays.asList((Object) null), ids("'hub', {kg: 'films', maxDegree: 200}"));
    }

    @Test
    void aHubIsReported() {
        assertEquals(
                List.of(List.of("maxDegree: hub")), cut("'hub', {kg: 'films', maxDegree: 200}"));
    }

    @Test
    void aHubAmongSeveralSourcesIsReportedOnTheRowsOfTheOthers() {
        assertEquals(
                List.of("d maxDegree: hub", "d maxDegree: hub"),
                database.column(
                        "CALL kgdb.neighbors(['hub', 'd'], {kg: 'films', maxDegree: 7}) YIELD"
                                + " source, cut RETURN source + ' ' + cut[0]"));
    }

    @Test
    void aDegreeOfJustMaxDegreeIsNoHub() {
        assertEquals(List.of(List.of()), cut("'hub', {kg: 'films', maxDegree: 201}"));
    }

    @Test
    void onlyRelationshipsThatWouldBeFollowedMakeAHub() {
        assertEquals(List.of("r"), ids("'hub', {kg: 'films', relations: ['rare'], maxDegree: 1}"));
    }

    @Test
    void relationshipsThatLeaveTheGraphMakeAHubToo() {
        assertEquals(
                List.of(List.of("maxDegree: a")),
                cut("'a', {kg: 'films', relations: ['likes'], direction: 'out', maxDegree: 4}"));
    }

    @Test
    void atMostTenHubsAreListedById() {
        assertEquals(
                List.of(
                        List.of(
                                "maxDegree: h1",
                                "maxDegree: h10",
                                "maxDegree: h11",
                                "maxDegree: h12",
                                "maxDegree: h2",
                                "maxDegree: h3",
                                "maxDegree: h4",
                                "maxDegree: h5",
                                "maxDegree: h6",
                                "maxDegree: h7",
                                "maxDegree: and 2 more")),
                database.column(
                        "MATCH (h:Films) WHERE h.id IN ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7',"
                                + " 'h8', 'h9', 'h10', 'h11', 'h12'] CREATE (h)-[:spare]->(h) WITH"
                                + " collect(h) AS hs CALL kgdb.neighbors(hs, {relations: ['spare'],"
                                + " maxDegree: 1}) YIELD cut UNWIND hs AS h MATCH (h)-[r:spare]->()"
                                + " DELETE r RETURN DISTINCT cut"));
    }

    @Test
    void maxDegreeZeroReadsAll() {
        assertEquals(
                List.of(201L),
                database.column(
                        "CALL kgdb.neighbors('hub', {kg: 'films', maxDegree: 0}) "
                                + "YIELD id RETURN count(*)"));
    }

    @Test
    void anEmptyListHasNoNeighbors() {
        assertEquals(List.of(), ids("[]"));
    }

    @Test
    void aBatchGivesTheRowsOfItsSetsOneByOne() {
        assertEquals(
                List.of("1 c knows []", "2 d knows [limit]", "3 null [maxDegree: hub]"),
                database.column(
                        "CALL kgdb.neighbors([[], ['c'], ['d', 'd', 'c'], ['hub']], {kg: 'films',"
                            + " relations: ['knows', 'has'], direction: 'out', limit: 1, maxDegree:"
                            + " 7}) YIELD batch, source, relation, cut RETURN batch + ' ' +"
                            + " coalesce(source + ' ' + relation, 'null') + ' [' + coalesce(cut[0],"
                            + " '') + ']'"));
    }

    @Test
    void aBatchOfNodes() {
        assertEquals(
                List.of(0L, 1L),
                database.column(
                        "MATCH (c:Films {id: 'c'}), (d:Films {id: 'd'}) CALL kgdb.neighbors([[c],"
                            + " [d]], {relations: ['knows'], direction: 'out'}) YIELD batch RETURN"
                            + " batch"));
    }

    @Test
    void setsAndNodesDoNotMix() {
        assertEquals(
                "kgdb.neighbors: nodes: item 2 is 'c' (STRING) but the first is a LIST; give either"
                        + " start sets or nodes",
                database.error("CALL kgdb.neighbors([['a'], 'c'], {kg: 'films'})"));
    }

    @Test
    void anExcludedRelationIsFollowedNeitherWay() {
        assertEquals(
                List.of("a knows in c 1", "a knows in a 1", "a knows out a 1"),
                call("'a', {kg: 'films', exclude: ['likes']}"));
    }

    @Test
    void aRelationExcludedAgainstIsFollowedAlong() {
        assertEquals(
                List.of("b likes out a 1"),
                call("'b', {kg: 'films', exclude: ['^likes', '^knows']}"));
    }

    @Test
    void labelsOfNeighbors() {
        assertEquals(
                List.of("x"),
                database.column(
                        "MATCH (a:Films {id: 'a'}) CALL kgdb.neighbors(a, {labels: ['Other',"
                                + " 'Bare']}) YIELD id RETURN id"));
    }

    @Test
    void aMediatorIsPassedThrough() {
        assertEquals(
                List.of("a cast out 2 m role b", "a cast out 1 m ^told d"),
                database.column(
                        "MATCH (a:Films {id: 'a'}), (b:Films {id: 'b'}), (d:Films {id: 'd'}) CREATE"
                            + " (a)-[:cast]->(m:Mediator:Films {id: 'm'})-[:role]->(b),"
                            + " (m)-[:role]->(b), (d)-[:told]->(m), (a)-[:cast]->(n:Mediator:Films)"
                            + " WITH * CALL kgdb.neighbors('a', {kg: 'films', mediators: true,"
                            + " exclude: ['likes', 'knows']}) YIELD source, relation, direction,"
                            + " count, via, viaRelation, id DETACH DELETE m, n RETURN source + ' '"
                            + " + relation + ' ' + direction + ' ' + count + ' ' + via + ' ' +"
                            + " viaRelation + ' ' + id ORDER BY viaRelation DESC"));
    }
}
