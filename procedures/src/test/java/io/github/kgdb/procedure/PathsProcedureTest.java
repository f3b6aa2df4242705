package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.List;

class PathsProcedureTest {
    @AutoClose private static final PathsGraph graph = PathsGraph.create();

    @Test
    void pathsComeByLengthIdsAndRelations() {
        assertEquals(
                List.of("1: a likes c", "2: a knows b knows c x2", "2: a at h ^at c"),
                graph.all("['a', 'c'], {kg: 'g'}"));
    }

    @Test
    void sourceTargetAndNames() {
        assertEquals(
                List.of(List.of(0L, "b", "a", List.of("Bob", "Ann"))),
                graph.database()
                        .column(
                                "CALL kgdb.paths.all(['b', 'a'], {kg: 'g', maxHops: 1}) YIELD"
                                    + " batch, source, target, names RETURN [batch, source, target,"
                                    + " names]"));
    }

    @Test
    void theNodeGivenFirstIsTheSource() {
        assertEquals(
                List.of("1: c ^likes a", "2: c ^knows b ^knows a x2", "2: c at h ^at a"),
                graph.all("['c', 'a'], {kg: 'g'}"));
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
                graph.all("['a', 'b', 'c'], {kg: 'g', exclude: ['at'], maxHops: 2}"));
    }

    @Test
    void aNodeGivenTwiceIsNoPair() {
        assertEquals(List.of(), graph.all("['a', 'a'], {kg: 'g'}"));
    }

    @Test
    void oneNodeHasNoPaths() {
        assertEquals(List.of(), graph.all("'a', {kg: 'g', maxDegree: 1}"));
    }

    @Test
    void aNodeThatNothingJoins() {
        assertEquals(List.of(), graph.all("['a', 'lonely'], {kg: 'g'}"));
    }

    @Test
    void aBatchGivesTheRowsOfItsSetsOneByOne() {
        assertEquals(
                List.of("2: p role m of q", "1: a likes c", "2: a knows b knows c x2"),
                graph.all("[['p', 'q'], ['a', 'c']], {kg: 'g', perPair: 2, limit: 2}"));
    }

    @Test
    void anUnknownId() {
        assertEquals(
                "kgdb.paths.all: no entity 'z' in graph 'g'; nodes takes ids (property id), not"
                        + " names: kgdb.entities.link"
                        + " finds the ids of a name",
                graph.error("['a', 'z'], {kg: 'g'}"));
    }

    @Test
    void maxHopsBelowItsRange() {
        assertEquals(
                "kgdb.paths.all: maxHops: expected INTEGER ≥ 1, ≤ 10, got 0 (INTEGER)",
                graph.error("['a', 'c'], {kg: 'g', maxHops: 0}"));
    }

    @Test
    void maxHopsAboveItsRange() {
        assertEquals(
                "kgdb.paths.shortest: maxHops: expected INTEGER ≥ 1, ≤ 20, got 21 (INTEGER)",
                graph.database()
                        .error("CALL kgdb.paths.shortest(['a', 'c'], {kg: 'g', maxHops: 21})"));
    }

    @Test
    void anUnknownLabel() {
        assertEquals(
                "kgdb.paths.all: no label 'Reed' in the store (did you mean 'Red'?)",
                graph.error("['a', 'c'], {kg: 'g', labels: ['Reed']}"));
    }

    @Test
    void anUnknownRelationInExclude() {
        assertEquals(
                "kgdb.paths.all: no relation 'know' in graph 'g' (did you mean 'knows'?)",
                graph.error("['a', 'c'], {kg: 'g', exclude: ['know']}"));
    }

    @Test
    void joinsHubsInTheMiddleAsCypherDoes() {
        graph.database()
                .rows(
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
                graph.database()
                        .column(
                                """
MATCH (s:G {id: 'from'})-[one]-(a:G)-[two]-(b:G)-[three]-(t:G {id: 'to'})
WITH a.id AS a, b.id AS b, [r IN [one, two, three] | type(r)] AS types, count(*) AS count
RETURN reduce(path = a + ' ' + b, type IN types | path + ' ' + type) + ' x' + count AS path
ORDER BY path
"""),
                graph.database()
                        .column(
                                """
CALL kgdb.paths.all(['from', 'to'], {kg: 'g', maxHops: 3}) YIELD ids, relations, count
WITH ids, count, [r IN relations | replace(r, '^', '')] AS types
RETURN reduce(path = ids[1] + ' ' + ids[2], type IN types | path + ' ' + type) + ' x' + count AS path
ORDER BY path
"""));
        assertEquals(
                5,
                graph.all("['from', 'to'], {kg: 'g', maxHops: 3}").size(),
                "all of them, through hubs or not");
    }
}
