package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Computed by hand for a few nodes; a benchmark compares larger graphs with GDS. */
class PageRankProcedureTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'g', label: 'G'})",
                    """
CREATE (a:G {id: 'a', name: 'Ann'}), (b:G {id: 'b'}), (c:G {id: 'c'}), (x:Other {id: 'x'}),
       (d:G {id: 'd'}), (e:G {id: 'e'})
CREATE (a)-[:to]->(b), (a)-[:to]->(c), (b)-[:to]->(c), (a)-[:to]->(x), (x)-[:to]->(c),
       (d)-[:to]->(e), (d)-[:to]->(e), (d)-[:by]->(a), (e)-[:to]->(e)
""");

    private static List<Object> rows(String arguments) {
        return database.column(
                "CALL kgdb.pagerank("
                        + arguments
                        + ") YIELD id, score RETURN id + ' ' + round(score, 6)");
    }

    private static List<Object> column(String column, String arguments) {
        return database.column(
                "CALL kgdb.pagerank("
                        + arguments
                        + ") YIELD "
                        + column
                        + " RETURN DISTINCT "
                        + column);
    }

    private static String error(String arguments) {
        return database.error("CALL kgdb.pagerank(" + arguments + ")");
    }

    @Test
    void allRelationshipsAmongTheNodes() {
        // a = 0.5; b = 0.5 + 0.5 a/2; c = 0.5 + 0.5 a/2 + 0.5 b
        assertEquals(
                List.of("c 0.9375", "b 0.625", "a 0.5"),
                rows("['a', 'b', 'c'], null, {kg: 'g', dampingFactor: 0.5}"));
    }

    @Test
    void againstTheirDirection() {
        // c = 0.5; b = 0.5 + 0.5 c/2; a = 0.5 + 0.5 b + 0.5 c/2
        assertEquals(
                List.of("a 0.9375", "b 0.625", "c 0.5"),
                rows("['a', 'b', 'c'], null, {kg: 'g', dampingFactor: 0.5, direction: 'in'}"));
    }

    @Test
    void bothWaysATriangleIsEven() {
        assertEquals(
                List.of("a 1.0", "b 1.0", "c 1.0"),
                rows(
                        "['c', 'b', 'a'], null, {kg: 'g', dampingFactor: 0.5, direction: 'both',"
                                + " maxIterations: 100, tolerance: 0}"));
    }

    @Test
    void whatADanglingNodeGainsIsLost() {
        // b passes nothing on: neither back to a nor to itself.
        assertEquals(
                List.of("b 0.75", "a 0.5"),
                rows("['a', 'b'], null, {kg: 'g', dampingFactor: 0.5, maxIterations: 1000}"));
    }

    @Test
    void parallelRelationshipsCountEach() {
        // d passes two thirds of its score on to e, one third to a; e all of its own to itself.
        assertEquals(
                List.of("e 0.916667", "a 0.583333", "d 0.5"),
                rows("['d', 'e', 'a'], null, {kg: 'g', dampingFactor: 0.5, maxIterations: 2}"));
    }

    @Test
    void aSurferWhoAlwaysStartsAtOneNode() {
        assertEquals(
                List.of("b 0.5", "c 0.25", "a 0.0"),
                rows(
                        "['a', 'b', 'c'], null, {kg: 'g', dampingFactor: 0.5, sourceNodes:"
                                + " 'b'}"));
    }

    @Test
    void givenPairs() {
        assertEquals(
                List.of("c 0.75", "b 0.5"),
                rows("['b', 'c'], [['b', 'c']], {kg: 'g', dampingFactor: 0.5}"));
    }

    @Test
    void aPairGivenTwiceCountsTwice() {
        // b passes two thirds on to c, one third to a.
        assertEquals(
                List.of("c 0.666667", "a 0.583333", "b 0.5"),
                rows(
                        "['b'], [['b', 'c'], ['b', 'a'], ['b', 'c']], {kg: 'g', dampingFactor:"
                                + " 0.5}"));
    }

    @Test
    void endsOfPairsAreAddedToTheNodes() {
        assertEquals(
                List.of("c 0.75", "b 0.5", "d 0.5"),
                rows("'d', [['b', 'c']], {kg: 'g', dampingFactor: 0.5}"));
    }

    @Test
    void givenPairsAgainstTheirDirection() {
        assertEquals(
                List.of("b 0.75", "c 0.5"),
                rows("'b', [['b', 'c']], {kg: 'g', dampingFactor: 0.5, direction: 'in'}"));
    }

    @Test
    void givenRelationships() {
        assertEquals(
                List.of("c 0.75", "b 0.5"),
                database.column(
                        "MATCH (b:G {id: 'b'})-[r:to]->() WITH b, collect(r) AS rs CALL"
                            + " kgdb.pagerank(b, rs, {dampingFactor: 0.5}) YIELD id, score RETURN"
                            + " id + ' ' + score"));
    }

    @Test
    void onlyTheRelationsAskedFor() {
        assertEquals(
                List.of("a 0.75", "d 0.5", "e 0.5"),
                rows("['d', 'e', 'a'], null, {kg: 'g', dampingFactor: 0.5, relations: ['by']}"));
    }

    @Test
    void aRelationAgainst() {
        assertEquals(
                List.of("d 0.75", "a 0.5"),
                rows("['d', 'a'], null, {kg: 'g', dampingFactor: 0.5, relations: ['^by']}"));
    }

    @Test
    void withoutTheRelationsExcluded() {
        assertEquals(
                List.of("a 0.75", "d 0.5"),
                rows("['d', 'a'], null, {kg: 'g', dampingFactor: 0.5, exclude: ['to']}"));
    }

    @Test
    void equalScoresComeById() {
        assertEquals(List.of("a 0.15", "b 0.15", "c 0.15"), rows("['c', 'a', 'b'], [], {kg: 'g'}"));
    }

    @Test
    void namesAreThere() {
        assertEquals(List.of("Ann"), column("name", "'a', null, {kg: 'g'}"));
    }

    @Test
    void limitKeepsTheFirst() {
        assertEquals(
                List.of("c 0.9375"),
                rows("['a', 'b', 'c'], null, {kg: 'g', dampingFactor: 0.5, limit: 1}"));
    }

    @Test
    void limitIsReported() {
        assertEquals(
                List.of(List.of("limit")), column("cut", "['a', 'b'], null, {kg: 'g', limit: 1}"));
    }

    @Test
    void anExactLimitIsNotReported() {
        assertEquals(List.of(List.of()), column("cut", "['a', 'b'], null, {kg: 'g', limit: 2}"));
    }

    @Test
    void iterationsEndAtTheirMaximum() {
        assertEquals(
                List.of(3L, false),
                database.column(
                        "CALL kgdb.pagerank('e', null, {kg: 'g', maxIterations: 3}) YIELD"
                            + " iterations, converged UNWIND [iterations, converged] AS told RETURN"
                            + " told"));
    }

    @Test
    void iterationsEndWhenNothingIsLeft() {
        assertEquals(List.of(true), column("converged", "['a', 'b', 'c'], null, {kg: 'g'}"));
    }

    @Test
    void aBatchOfNodes() {
        assertEquals(
                List.of("0 b 0.75", "0 a 0.5", "1 c 0.75", "1 b 0.5"),
                database.column(
                        "CALL kgdb.pagerank([['a', 'b'], ['b', 'c']], null, {kg: 'g',"
                            + " dampingFactor: 0.5}) YIELD batch, id, score RETURN batch + ' ' + id"
                            + " + ' ' + score"));
    }

    @Test
    void aBatchOfPairs() {
        assertEquals(
                List.of("0 b 0.75", "0 a 0.5", "1 b 0.75", "1 c 0.5"),
                database.column(
                        "CALL kgdb.pagerank([['a'], ['c']], [[['a', 'b']], [['c', 'b']]], {kg: 'g',"
                            + " dampingFactor: 0.5}) YIELD batch, id, score RETURN batch + ' ' + id"
                            + " + ' ' + score"));
    }

    @Test
    void aBatchWithTooFewLists() {
        assertEquals(
                "kgdb.pagerank: relationships: expected a LIST for each of the 2 start sets, got 1",
                error("[['a'], ['c']], [[['a', 'b']]], {kg: 'g'}"));
    }

    @Test
    void noNodesNoRows() {
        assertEquals(List.of(), rows("[], null, {kg: 'g'}"));
    }

    @Test
    void aPairOfAnotherShape() {
        assertEquals(
                "kgdb.pagerank: relationships: expected a LIST of RELATIONSHIPs or of [source id,"
                        + " target id] LISTs, got 'a' (STRING)",
                error("'a', ['a', 'b'], {kg: 'g'}"));
    }

    @Test
    void anUnknownEnd() {
        assertEquals(
                "kgdb.pagerank: no entity 'z' in graph 'g'; relationships takes ids (property id),"
                        + " not names: kgdb.entities.link"
                        + " finds the ids of a name",
                error("'a', [['a', 'z']], {kg: 'g'}"));
    }

    @Test
    void relationsTogetherWithPairs() {
        assertEquals(
                "kgdb.pagerank: relations chooses among the graph's relationships; leave it out"
                        + " where relationships are given",
                error("'a', [['a', 'b']], {kg: 'g', relations: ['to']}"));
    }

    @Test
    void aDampingFactorOfOne() {
        assertEquals(
                "kgdb.pagerank: dampingFactor: expected FLOAT ≥ 0, < 1, got 1 (INTEGER)",
                error("'a', null, {kg: 'g', dampingFactor: 1}"));
    }

    @Test
    void noSourceNodes() {
        assertEquals(
                "kgdb.pagerank: sourceNodes: expected one or more nodes or ids, got [] (LIST)",
                error("'a', null, {kg: 'g', sourceNodes: []}"));
    }

    @Test
    void anUnknownSourceNode() {
        assertEquals(
                "kgdb.pagerank: no entity 'z' in graph 'g'; sourceNodes takes ids (property id),"
                        + " not names: kgdb.entities.link"
                        + " finds the ids of a name",
                error("'a', null, {kg: 'g', sourceNodes: ['z']}"));
    }
}
