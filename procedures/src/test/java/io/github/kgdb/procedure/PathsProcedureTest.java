package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

class PathsProcedureTest {
    private static TestDatabase database;

    @BeforeAll
    static void start() {
        database =
                TestDatabase.with(
                        "CREATE (:KnowledgeGraph {name: 'g', label: 'G'})",
                        """
CREATE (a:G:Red {id: 'a', name: 'Ann'}), (b:G:Blue {id: 'b', name: 'Bob'}), (c:G {id: 'c'}),
       (h:G:Red {id: 'h'}), (x:Other {id: 'x'}), (lonely:G {id: 'lonely'})
CREATE (a)-[:knows]->(b), (a)-[:knows]->(b), (b)-[:knows]->(c), (a)-[:likes]->(c),
       (c)-[:knows]->(c), (a)-[:at]->(h), (c)-[:at]->(h), (a)-[:likes]->(x), (x)-[:likes]->(c)
FOREACH (i IN range(1, 5) | CREATE (:G {id: 'leaf ' + i})-[:at]->(h))
""",
                        """
CREATE (p:G {id: 'p'}), (q:G {id: 'q'}), (r:G {id: 'r'}), (s:G {id: 's'}),
       (m:G:Mediator {id: 'm'}), (n:G:Mediator {id: 'n'})
CREATE (p)-[:role]->(m), (m)-[:of]->(q), (m)-[:next]->(n), (n)-[:of]->(r), (q)-[:then]->(s)
""",
                        """
CREATE (t:G {id: 't'}), (u:G {id: 'u'}), (k:G:Mediator {id: 'k'})
CREATE (t)-[:then]->(u), (t)-[:role]->(k), (u)-[:then]->(:G {id: 'v'})
FOREACH (i IN range(1, 4) | CREATE (k)-[:of]->(:G {id: 'part ' + i}))
""");
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    private static List<Object> rows(String procedure, String arguments) {
        return database.column(
                "CALL kgdb.paths."
                        + procedure
                        + "("
                        + arguments
                        + ") YIELD ids, relations, hops, count RETURN hops + ': ' + reduce(path ="
                        + " ids[0], i IN range(0, size(relations) - 1) | path + ' ' + relations[i]"
                        + " + ' ' + ids[i + 1]) + CASE count WHEN 1 THEN '' ELSE ' x' + count END");
    }

    private static List<Object> all(String arguments) {
        return rows("all", arguments);
    }

    private static List<Object> shortest(String arguments) {
        return rows("shortest", arguments);
    }

    private static List<Object> cut(String arguments) {
        return database.column(
                "CALL kgdb.paths.all(" + arguments + ") YIELD cut RETURN DISTINCT cut");
    }

    private static String error(String arguments) {
        return database.error("CALL kgdb.paths.all(" + arguments + ")");
    }

    @Test
    void pathsComeByLengthIdsAndRelations() {
        assertEquals(
                List.of("1: a likes c", "2: a knows b knows c x2", "2: a at h ^at c"),
                all("['a', 'c'], {kg: 'g'}"));
    }

    @Test
    void sourceTargetAndNames() {
        assertEquals(
                List.of(List.of(0L, "b", "a", List.of("Bob", "Ann"))),
                database.column(
                        "CALL kgdb.paths.all(['b', 'a'], {kg: 'g', maxHops: 1}) YIELD batch,"
                                + " source, target, names RETURN [batch, source, target, names]"));
    }

    @Test
    void theNodeGivenFirstIsTheSource() {
        assertEquals(
                List.of("1: c ^likes a", "2: c ^knows b ^knows a x2", "2: c at h ^at a"),
                all("['c', 'a'], {kg: 'g'}"));
    }

    @Test
    void otherNodesOfTheSetMayLieInside() {
        assertEquals(
                List.of(
                        "1: a knows b x2",
                        "2: a likes c ^knows b",
                        "1: a likes c",
                        "2: a knows b knows c x2",
                        "1: b knows c",
                        "2: b ^knows a likes c x2"),
                all("['a', 'b', 'c'], {kg: 'g', exclude: ['at'], maxHops: 2}"));
    }

    @Test
    void aDirectionGivesBothOrdersOfAPair() {
        assertEquals(
                List.of("1: a likes c", "2: a knows b knows c x2"),
                all("['c', 'a'], {kg: 'g', direction: 'out'}"));
    }

    @Test
    void directionInIsTheSameFromTheOtherEnd() {
        assertEquals(
                List.of("1: c ^likes a", "2: c ^knows b ^knows a x2"),
                all("['a', 'c'], {kg: 'g', direction: 'in'}"));
    }

    @Test
    void exactRelations() {
        assertEquals(
                List.of("1: a likes c", "2: a at h ^at c", "2: c at h ^at a"),
                all(
                        "['a', 'c'], {kg: 'g', relations: ['at', '^at', 'likes'], exclude:"
                            + " ['^likes']}"));
    }

    @Test
    void exactRelationsThatLeadBackAsWellGiveEachPairOnce() {
        assertEquals(
                List.of("2: a at h ^at c"), all("['a', 'c'], {kg: 'g', relations: ['at', '^at']}"));
    }

    @Test
    void relationsThatAreNotNamedAreNotFollowed() {
        assertEquals(List.of("1: a likes c"), all("['a', 'c'], {kg: 'g', relations: ['likes']}"));
    }

    @Test
    void anExcludedRelationIsFollowedNeitherWay() {
        assertEquals(
                List.of("2: a at h ^at c"),
                all("['a', 'c'], {kg: 'g', exclude: ['knows', 'likes']}"));
    }

    @Test
    void aRelationExcludedOneWay() {
        assertEquals(
                List.of("1: c ^likes a", "2: c ^knows b ^knows a x2"),
                all("['a', 'c'], {kg: 'g', exclude: ['knows', 'likes', '^at']}"));
    }

    @Test
    void nodesInsideNeedOneOfTheLabels() {
        assertEquals(
                List.of("1: a likes c", "2: a at h ^at c"),
                all("['a', 'c'], {kg: 'g', labels: ['Red']}"));
    }

    @Test
    void endsNeedNoLabel() {
        assertEquals(List.of("1: a likes c"), all("['a', 'c'], {kg: 'g', labels: ['Mediator']}"));
    }

    @Test
    void withoutKgOtherGraphsLieBetween() {
        assertEquals(
                List.of("a", "x", "c"),
                database.column(
                        "MATCH (a:G {id: 'a'}), (c:G {id: 'c'}) CALL kgdb.paths.all([a, c],"
                                + " {relations: ['likes']}) YIELD ids, hops WITH ids WHERE hops = 2"
                                + " UNWIND ids AS id RETURN id"));
    }

    @Test
    void anEdgeAtAMediatorIsHalfAHop() {
        assertEquals(
                List.of("1: p role m of q"),
                all("['p', 'q'], {kg: 'g', maxHops: 1, mediators: true}"));
    }

    @Test
    void withoutMediatorsItIsAWholeOne() {
        assertEquals(List.of("2: p role m of q"), all("['p', 'q'], {kg: 'g', maxHops: 2}"));
    }

    @Test
    void anEdgeBetweenMediatorsIsHalfAHop() {
        assertEquals(
                List.of("2: p role m next n of r"),
                all("['p', 'r'], {kg: 'g', maxHops: 2, mediators: true}"));
    }

    @Test
    void halfHopsAreRoundedUp() {
        assertEquals(List.of(), all("['p', 'r'], {kg: 'g', maxHops: 1, mediators: true}"));
    }

    @Test
    void halfAndWholeHopsAddUp() {
        assertEquals(
                List.of("2: p role m of q then s"),
                all("['p', 's'], {kg: 'g', maxHops: 2, mediators: true}"));
    }

    @Test
    void aMediatorItselfIsHalfAHopAway() {
        assertEquals(
                List.of("1: p role m"), all("['p', 'm'], {kg: 'g', maxHops: 1, mediators: true}"));
    }

    @Test
    void mediatorsNeedNoLabel() {
        assertEquals(
                List.of("1: p role m of q"),
                all("['p', 'q'], {kg: 'g', mediators: true, labels: ['Red']}"));
    }

    @Test
    void noPathGoesThroughAHub() {
        assertEquals(
                List.of("1: a likes c", "2: a knows b knows c x2"),
                all("['a', 'c'], {kg: 'g', maxDegree: 6}"));
    }

    @Test
    void aHubBetweenIsTold() {
        assertEquals(List.of(List.of("maxDegree: h")), cut("['a', 'c'], {kg: 'g', maxDegree: 6}"));
    }

    @Test
    void aHubAtAnEndStopsNothing() {
        assertEquals(List.of("1: a at h"), all("['a', 'h'], {kg: 'g', maxHops: 1, maxDegree: 6}"));
    }

    @Test
    void aHubTooFarAwayIsNotTold() {
        assertEquals(List.of(List.of()), cut("['a', 'c'], {kg: 'g', maxHops: 1, maxDegree: 6}"));
    }

    @Test
    void aCutWithoutAnyPathIsToldInARowOfItsOwn() {
        assertEquals(
                List.of(Arrays.asList(0L, null, null, List.of("maxDegree: h"))),
                database.column(
                        "CALL kgdb.paths.all(['a', 'c'], {kg: 'g', relations: ['at'], maxDegree:"
                                + " 6}) YIELD batch, source, hops, cut RETURN [batch, source, hops,"
                                + " cut]"));
    }

    @Test
    void perPairKeepsTheFirst() {
        assertEquals(
                List.of("1: a likes c", "2: a knows b knows c x2"),
                all("['a', 'c'], {kg: 'g', perPair: 2}"));
    }

    @Test
    void perPairIsTold() {
        assertEquals(List.of(List.of("perPair")), cut("['a', 'c'], {kg: 'g', perPair: 2}"));
    }

    @Test
    void perPairThatIsJustEnoughIsNotTold() {
        assertEquals(List.of(List.of()), cut("['a', 'c'], {kg: 'g', perPair: 3}"));
    }

    @Test
    void limitIsOfTheWholeSet() {
        assertEquals(
                List.of("1: a knows b x2"),
                all("['a', 'b', 'c'], {kg: 'g', maxHops: 1, limit: 1}"));
    }

    @Test
    void everyCapThatCutIsTold() {
        assertEquals(
                List.of(List.of("maxDegree: h", "perPair", "limit")),
                cut("['a', 'b', 'c'], {kg: 'g', maxDegree: 6, perPair: 1, limit: 1}"));
    }

    @Test
    void aNodeGivenTwiceIsNoPair() {
        assertEquals(List.of(), all("['a', 'a'], {kg: 'g'}"));
    }

    @Test
    void oneNodeHasNoPaths() {
        assertEquals(List.of(), all("'a', {kg: 'g', maxDegree: 1}"));
    }

    @Test
    void aNodeThatNothingJoins() {
        assertEquals(List.of(), all("['a', 'lonely'], {kg: 'g'}"));
    }

    @Test
    void aBatchTellsTheCutsOfEachSetApart() {
        assertEquals(
                List.of(
                        Arrays.asList(0L, List.of("a", "c"), List.of("maxDegree: h", "perPair")),
                        Arrays.asList(2L, null, List.of("maxDegree: h")),
                        Arrays.asList(3L, List.of("p", "m", "q"), List.of())),
                database.column(
                        "CALL kgdb.paths.all([['a', 'c'], [], ['leaf 1', 'leaf 2'], ['p', 'q',"
                                + " 'p']], {kg: 'g', maxHops: 2, perPair: 1, maxDegree: 6}) YIELD"
                                + " batch, ids, cut RETURN [batch, ids, cut]"));
    }

    @Test
    void aBatchGivesTheRowsOfItsSetsOneByOne() {
        assertEquals(
                List.of("2: p role m of q", "1: a likes c", "2: a knows b knows c x2"),
                all("[['p', 'q'], ['a', 'c']], {kg: 'g', perPair: 2, limit: 2}"));
    }

    @Test
    void anUnknownId() {
        assertEquals(
                "kgdb.paths.all: no entity 'z' in graph 'g'; nodes takes ids (property id), not"
                        + " names",
                error("['a', 'z'], {kg: 'g'}"));
    }

    @Test
    void maxHopsBelowItsRange() {
        assertEquals(
                "kgdb.paths.all: maxHops: expected INTEGER ≥ 1, ≤ 10, got 0 (INTEGER)",
                error("['a', 'c'], {kg: 'g', maxHops: 0}"));
    }

    @Test
    void maxHopsAboveItsRange() {
        assertEquals(
                "kgdb.paths.shortest: maxHops: expected INTEGER ≥ 1, ≤ 20, got 21 (INTEGER)",
                database.error("CALL kgdb.paths.shortest(['a', 'c'], {kg: 'g', maxHops: 21})"));
    }

    @Test
    void anUnknownLabel() {
        assertEquals(
                "kgdb.paths.all: no label 'Reed' in the store (did you mean 'Red'?)",
                error("['a', 'c'], {kg: 'g', labels: ['Reed']}"));
    }

    @Test
    void anUnknownRelationInExclude() {
        assertEquals(
                "kgdb.paths.all: no relation 'know' in the store (did you mean 'knows'?)",
                error("['a', 'c'], {kg: 'g', exclude: ['know']}"));
    }

    @Test
    void onlyTheShortest() {
        assertEquals(List.of("1: a likes c"), shortest("['a', 'c'], {kg: 'g'}"));
    }

    @Test
    void everyShortest() {
        assertEquals(
                List.of("2: a knows b knows c x2", "2: a at h ^at c"),
                shortest("['a', 'c'], {kg: 'g', exclude: ['likes']}"));
    }

    @Test
    void theFirstShortest() {
        assertEquals(
                List.of("2: a knows b knows c x2"),
                shortest("['a', 'c'], {kg: 'g', exclude: ['likes'], all: false}"));
    }

    @Test
    void theFirstAloneIsNoCut() {
        assertEquals(
                List.of(List.of()),
                database.column(
                        "CALL kgdb.paths.shortest(['a', 'c'], {kg: 'g', exclude: ['likes'], all:"
                                + " false, perPair: 1}) YIELD cut"));
    }

    @Test
    void theShortestOfOneDirection() {
        assertEquals(
                List.of("2: a knows b knows c x2"),
                shortest("['a', 'c'], {kg: 'g', exclude: ['likes'], direction: 'out'}"));
    }

    @Test
    void theShortestOverThreeHops() {
        assertEquals(
                List.of("3: leaf 1 at h ^at a knows b x2", "3: leaf 1 at h ^at c ^knows b"),
                shortest("['leaf 1', 'b'], {kg: 'g', exclude: ['likes'], maxHops: 3}"));
    }

    @Test
    void halfHopsDecideWhatIsShortest() {
        assertEquals(
                List.of("2: p role m next n of r"),
                shortest("['p', 'r'], {kg: 'g', mediators: true}"));
    }

    @Test
    void aWholeHopOverTheMiddleBetweenHalfOnes() {
        // Half a hop around each end is read, and the edge that joins them is a whole one.
        assertEquals(
                List.of("1: t then u"),
                shortest("['t', 'u'], {kg: 'g', mediators: true, maxHops: 1}"));
    }

    @Test
    void furtherThanMaxHops() {
        assertEquals(List.of(), shortest("['leaf 1', 'c'], {kg: 'g', maxHops: 1}"));
    }

    @Test
    void joinsHubsInTheMiddleAsCypherDoes() {
        database.rows(
                """
CREATE (s:G {id: 'from'}), (t:G {id: 'to'})
FOREACH (i IN [1, 2] |
  CREATE (s)-[:has]->(left:G:Left {id: 'left ' + i}), (t)<-[:of]-(right:G:Right {id: 'right ' + i})
  FOREACH (leaf IN range(1, 70) |
    CREATE (left)-[:leaf]->(:G {id: 'left leaf ' + i + ' ' + leaf}),
           (:G {id: 'right leaf ' + i + ' ' + leaf})-[:leaf]->(right)))
CREATE (s)-[:near]->(one:G {id: 'one'})-[:near]->(other:G {id: 'other'})-[:near]->(t)
WITH one, other
MATCH (left:Left {id: 'left 1'}), (right:Right {id: 'right 1'}), (last:Right {id: 'right 2'})
CREATE (left)-[:joins]->(right), (left)-[:joins]->(right), (left)<-[:crosses]-(last),
       (one)-[:joins]->(right), (left)-[:joins]->(other)
""");

        assertEquals(
                database.column(
                        """
MATCH (s:G {id: 'from'})-[one]-(a:G)-[two]-(b:G)-[three]-(t:G {id: 'to'})
WITH a.id AS a, b.id AS b, [r IN [one, two, three] | type(r)] AS types, count(*) AS count
RETURN reduce(path = a + ' ' + b, type IN types | path + ' ' + type) + ' x' + count AS path
ORDER BY path
"""),
                database.column(
                        """
CALL kgdb.paths.all(['from', 'to'], {kg: 'g', maxHops: 3}) YIELD ids, relations, count
WITH ids, count, [r IN relations | replace(r, '^', '')] AS types
RETURN reduce(path = ids[1] + ' ' + ids[2], type IN types | path + ' ' + type) + ' x' + count AS path
ORDER BY path
"""));
        assertEquals(
                5,
                all("['from', 'to'], {kg: 'g', maxHops: 3}").size(),
                "all of them, through hubs or not");
    }
}
