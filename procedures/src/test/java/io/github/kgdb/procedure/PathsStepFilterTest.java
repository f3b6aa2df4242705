package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.List;

/** The relationships and nodes that a path may use, and the cost of a hop. */
class PathsStepFilterTest {
    @AutoClose private static final PathsGraph graph = PathsGraph.create();

    @Test
    void aDirectionGivesBothOrdersOfAPair() {
        assertEquals(
                List.of("1: a likes c", "2: a knows b knows c x2"),
                graph.all("['c', 'a'], {kg: 'g', direction: 'out'}"));
    }

    @Test
    void directionInIsTheSameFromTheOtherEnd() {
        assertEquals(
                List.of("1: c ^likes a", "2: c ^knows b ^knows a x2"),
                graph.all("['a', 'c'], {kg: 'g', direction: 'in'}"));
    }

    @Test
    void exactRelations() {
        assertEquals(
                List.of("1: a likes c", "2: a at h ^at c", "2: c at h ^at a"),
                graph.all(
                        "['a', 'c'], {kg: 'g', relations: ['at', '^at', 'likes'], exclude:"
                                + " ['^likes']}"));
    }

    @Test
    void exactRelationsThatLeadBackAsWellGiveEachPairOnce() {
        assertEquals(
                List.of("2: a at h ^at c"),
                graph.all("['a', 'c'], {kg: 'g', relations: ['at', '^at']}"));
    }

    @Test
    void relationsThatAreNotNamedAreNotFollowed() {
        assertEquals(
                List.of("1: a likes c"), graph.all("['a', 'c'], {kg: 'g', relations: ['likes']}"));
    }

    @Test
    void anExcludedRelationIsFollowedNeitherWay() {
        assertEquals(
                List.of("2: a at h ^at c"),
                graph.all("['a', 'c'], {kg: 'g', exclude: ['knows', 'likes']}"));
    }

    @Test
    void aRelationExcludedOneWay() {
        assertEquals(
                List.of("1: c ^likes a", "2: c ^knows b ^knows a x2"),
                graph.all("['a', 'c'], {kg: 'g', exclude: ['knows', 'likes', '^at']}"));
    }

    @Test
    void nodesInsideNeedOneOfTheLabels() {
        assertEquals(
                List.of("1: a likes c", "2: a at h ^at c"),
                graph.all("['a', 'c'], {kg: 'g', labels: ['Red']}"));
    }

    @Test
    void endsNeedNoLabel() {
        assertEquals(
                List.of("1: a likes c"), graph.all("['a', 'c'], {kg: 'g', labels: ['Mediator']}"));
    }

    @Test
    void withoutKgOtherGraphsLieBetween() {
        assertEquals(
                List.of("a", "x", "c"),
                graph.database()
                        .column(
                                "MATCH (a:G {id: 'a'}), (c:G {id: 'c'}) CALL kgdb.paths.all([a, c],"
                                    + " {relations: ['likes']}) YIELD ids, hops WITH ids WHERE hops"
                                    + " = 2 UNWIND ids AS id RETURN id"));
    }

    @Test
    void anEdgeAtAMediatorIsHalfAHop() {
        assertEquals(
                List.of("1: p role m of q"),
                graph.all("['p', 'q'], {kg: 'g', maxHops: 1, mediators: true}"));
    }

    @Test
    void withoutMediatorsAnEdgeAtAMediatorIsAWholeHop() {
        assertEquals(List.of("2: p role m of q"), graph.all("['p', 'q'], {kg: 'g', maxHops: 2}"));
    }

    @Test
    void anEdgeBetweenMediatorsIsHalfAHop() {
        assertEquals(
                List.of("2: p role m next n of r"),
                graph.all("['p', 'r'], {kg: 'g', maxHops: 2, mediators: true}"));
    }

    @Test
    void halfHopsAreRoundedUp() {
        assertEquals(List.of(), graph.all("['p', 'r'], {kg: 'g', maxHops: 1, mediators: true}"));
    }

    @Test
    void halfAndWholeHopsAddUp() {
        assertEquals(
                List.of("2: p role m of q then s"),
                graph.all("['p', 's'], {kg: 'g', maxHops: 2, mediators: true}"));
    }

    @Test
    void aMediatorItselfIsHalfAHopAway() {
        assertEquals(
                List.of("1: p role m"),
                graph.all("['p', 'm'], {kg: 'g', maxHops: 1, mediators: true}"));
    }

    @Test
    void mediatorsNeedNoLabel() {
        assertEquals(
                List.of("1: p role m of q"),
                graph.all("['p', 'q'], {kg: 'g', mediators: true, labels: ['Red']}"));
    }
}
