package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Patterns with grounded ends: of the 30 friends of a hub, only the last likes the thing. */
class MatchSemiJoinsTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'g', label: 'G'})",
                    """
CREATE (hub:Entity:G:Person {id: 'hub'}), (thing:Entity:G:Thing {id: 'thing'}),
       (lonely:Entity:G:Thing {id: 'lonely'}), (m:Entity:G:Mediator {id: 'm'})
WITH hub, thing, m UNWIND range(10, 39) AS i
CREATE (hub)-[:friend]->(friend:Entity:G:Person {id: 'f' + i}),
       (friend)-[:likes]->(:Entity:G:Thing {id: 'other' + i})
WITH hub, thing, m, friend WHERE friend.id = 'f39'
CREATE (friend)-[:likes]->(thing), (friend)-[:likes]->(thing), (friend)-[:rates]->(m),
       (m)-[:rates]->(thing)
""");

    private static List<Object> match(String target, String config) {
        return database.column(
                "CALL kgdb.got.match({relationships: ["
                        + "{source: 'h', type: 'friend', target: 'f'},"
                        + " {source: 'f', type: 'likes', target: 't'}]},"
                        + " {nodes: {h: 'hub', t: "
                        + target
                        + "}, relations: {friend: {friend: 0.5}, likes: {likes: 1, rates: 1}}},"
                        + " {kg: 'g'"
                        + config
                        + "}) YIELD ids, count, cut"
                        + " RETURN coalesce(ids.f + ids.t + count, '') + cut");
    }

    @Test
    void theBeamHoldsNoDeadEnds() {
        assertEquals(List.of(List.of("f39thing2")), match("'thing'", ", width: 1"));
    }

    @Test
    void aHubIsReachedFromTheOtherSide() {
        assertEquals(List.of(List.of("f39thing2")), match("'thing'", ", maxDegree: 3"));
    }

    @Test
    void aHubThatIsTheOnlyWayIsReported() {
        assertEquals(List.of(List.of("", "maxDegree: hub")), match("'thing'", ", maxDegree: 1"));
    }

    @Test
    void whatNothingLeadsToIsNotFound() {
        assertEquals(List.of(), match("'lonely'", ""));
    }

    @Test
    void theBestEntitiesOfAnEndComeFirst() {
        assertEquals(
                List.of(List.of("f10other101", "limit")),
                match("{thing: 0.1, lonely: 5, other10: 0.2}", ", limit: 1"));
    }

    @Test
    void givenEntitiesNeedNoneOfTheLabels() {
        assertEquals(List.of(List.of("f39thing2")), match("'thing'", ", labels: ['Person']"));
        assertEquals(List.of(), match("'thing'", ", labels: ['Thing']"));
        assertEquals(
                List.of(List.of("f39thing1"), List.of("f39thing2")),
                match("'thing'", ", labels: ['Person'], mediators: true"));
    }

    @Test
    void aCircleThroughOneEntityIsClosed() {
        assertEquals(
                List.of("f39"),
                database.column(
                        "CALL kgdb.got.match({relationships: ["
                                + "{source: 'h', type: 'friend', target: 'f'},"
                                + " {source: 'f', type: 'likes', target: 't'},"
                                + " {source: 'f', type: 'likes', target: 't'}]},"
                                + " {nodes: {h: 'hub'},"
                                + " relations: {friend: {friend: 1}, likes: {likes: 1}}},"
                                + " {kg: 'g', answer: 'f'}) YIELD id RETURN id"));
    }
}
