package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class FollowProcedureTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'films', label: 'Films'})",
                    "CREATE (:Relation {kg: 'films', id: 'directed_by'})",
                    """
CREATE (ann:Entity:Films {id: 'ann', name: 'Ann'}), (bob:Entity:Films {id: 'bob', name: 'Bob'}),
       (f1:Entity:Films {id: 'f1', name: 'One'}), (f2:Entity:Films {id: 'f2', name: 'Two'}),
       (f3:Entity:Films {id: 'f3', name: 'Three'}), (de:Entity:Films {id: 'de', name: 'German'}),
       (x:Entity:Other {id: 'x', name: 'Elsewhere'})
CREATE (f1)-[:directed_by]->(ann), (f2)-[:directed_by]->(ann), (f3)-[:directed_by]->(bob),
       (f1)-[:in_language]->(de), (f2)-[:in_language]->(de), (f2)-[:in_language]->(de),
       (f3)-[:in_language]->(de), (f1)-[:in_language]->(x),
       (f1)-[:sequel]->(f1), (f1)-[:sequel]->(f2), (f1)-[:sequel]->(f2)
""",
                    """
                    MATCH (f2:Films {id: 'f2'})
                    CREATE (many:Entity:Films {id: 'many'})
                    FOREACH (i IN range(1, 4) | CREATE (many)-[:in_language]->(f2))
                    """,
                    """
CREATE (hub:Entity:Films {id: 'hub'})
FOREACH (i IN range(1, 100) | CREATE (hub)-[:has]->(:Entity:Films {id: 'h' + i}))
""",
                    wide());

    /** 200 parallel relationships of each of nine relations, from a node to itself. */
    private static String wide() {
        String relationships =
                IntStream.rangeClosed(1, 9)
                        .mapToObj(i -> "CREATE (wide)-[:wide" + i + "]->(wide)")
                        .collect(Collectors.joining(" "));
        return "CREATE (wide:Entity:Films {id: 'wide'}) FOREACH (i IN range(1, 200) | "
                + relationships
                + ")";
    }

    private static List<Object> ends(String arguments) {
        return database.column(
                "CALL kgdb.follow("
                        + arguments
                        + ") YIELD id, starts, count "
                        + "RETURN id + ' ' + starts + ' ' + count");
    }

    private static List<Object> paths(String arguments) {
        return database.column("CALL kgdb.follow(" + arguments + ") YIELD paths RETURN paths");
    }

    private static List<Object> cut(String arguments) {
        return database.column("CALL kgdb.follow(" + arguments + ") YIELD cut RETURN DISTINCT cut");
    }

    @Test
    void oneStepAlong() {
        assertEquals(List.of("ann 1 1"), ends("'f1', ['directed_by'], {kg: 'films'}"));
    }

    @Test
    void oneStepAgainst() {
        assertEquals(List.of("f1 1 1", "f2 1 1"), ends("'ann', ['^directed_by'], {kg: 'films'}"));
    }

    @Test
    void parallelRelationshipsAreDifferentPaths() {
        assertEquals(
                List.of("de 1 3"), ends("'ann', ['^directed_by', 'in_language'], {kg: 'films'}"));
    }

    @Test
    void pathsThroughParallelRelationshipsAreShownOnce() {
        assertEquals(
                List.of(List.of(List.of("ann", "f1", "de"), List.of("ann", "f2", "de"))),
                paths("'ann', ['^directed_by', 'in_language'], {kg: 'films'}"));
    }

    @Test
    void namesHaveTheShapeOfPaths() {
        assertEquals(
                List.of(List.of(List.of("Ann", "One", "German"), List.of("Ann", "Two", "German"))),
                database.column(
                        "CALL kgdb.follow('ann', ['^directed_by', 'in_language'], {kg: 'films'}) "
                                + "YIELD names RETURN names"));
    }

    @Test
    void noRelationshipIsUsedTwice() {
        assertEquals(
                List.of("f2 1 1"), ends("'f1', ['directed_by', '^directed_by'], {kg: 'films'}"));
    }

    @Test
    void aParallelRelationshipLeadsBack() {
        assertEquals(
                List.of("f1 1 2", "f3 1 2", "f2 1 2"),
                ends("'f2', ['in_language', '^in_language'], {kg: 'films'}"));
    }

    @Test
    void aSelfLoopIsOneStepAndOneRelationship() {
        assertEquals(List.of("f2 1 2"), ends("'f1', ['sequel', 'sequel'], {kg: 'films'}"));
    }

    @Test
    void startsAreCountedOnceEach() {
        assertEquals(
                List.of("ann 2 2", "bob 1 1"),
                ends("['f3', 'f2', 'f1'], ['directed_by'], {kg: 'films'}"));
    }

    @Test
    void moreStartsBeatMorePaths() {
        assertEquals(
                List.of("de 2 2", "f2 1 4"),
                ends("['f1', 'f3', 'many'], ['in_language'], {kg: 'films'}"));
    }

    @Test
    void anEmptyChainEndsWhereItStarts() {
        assertEquals(List.of("ann 1 1", "f1 1 1"), ends("['f1', 'ann', 'f1'], [], {kg: 'films'}"));
    }

    @Test
    void thePathOfAnEmptyChainIsTheNode() {
        assertEquals(List.of(List.of(List.of("f1"))), paths("'f1', [], {kg: 'films'}"));
    }

    @Test
    void aChainThatBreaksEndsNowhere() {
        assertEquals(List.of(), ends("'ann', ['directed_by', 'in_language'], {kg: 'films'}"));
    }

    @Test
    void withoutKgOtherGraphsAreReached() {
        assertEquals(
                List.of("de", "x"),
                database.column(
                        "MATCH (f:Films {id: 'f1'}) CALL kgdb.follow(f, ['in_language']) YIELD id,"
                                + " name RETURN id ORDER BY name DESC"));
    }

    @Test
    void pathsZeroShowsNone() {
        assertEquals(List.of(List.of()), paths("'f1', ['directed_by'], {kg: 'films', paths: 0}"));
    }

    @Test
    void pathsLimitsTheExamplesAndNothingElse() {
        assertEquals(
                List.of("3 1 0"),
                database.column(
                        "CALL kgdb.follow('ann', ['^directed_by', 'in_language'], {kg: 'films',"
                                + " paths: 1}) YIELD count, paths, cut RETURN count + ' ' +"
                                + " size(paths) + ' ' + size(cut)"));
    }

    @Test
    void limitAppliesAfterOrdering() {
        assertEquals(
                List.of("h1", "h10"),
                database.column(
                        "CALL kgdb.follow('hub', ['has'], {kg: 'films', limit: 2}) YIELD id RETURN"
                                + " id"));
    }

    @Test
    void limitIsReported() {
        assertEquals(List.of(List.of("limit")), cut("'hub', ['has'], {kg: 'films', limit: 99}"));
    }

    @Test
    void anExactLimitIsNotReported() {
        assertEquals(List.of(List.of()), cut("'hub', ['has'], {kg: 'films', limit: 100}"));
    }

    @Test
    void aHubIsNotExpandedAtAll() {
        assertEquals(
                List.of("ann 1 1"),
                ends("['hub', 'f1'], ['directed_by'], {kg: 'films', maxDegree: 1}"));
    }

    @Test
    void aHubIsReportedEvenWithoutAnyRow() {
        assertEquals(
                List.of(Arrays.asList(0L, null, List.of("maxDegree: hub"))),
                database.column(
                        "CALL kgdb.follow('hub', ['has'], {kg: 'films', maxDegree: 99}) YIELD"
                                + " batch, id, cut RETURN [batch, id, cut]"));
    }

    @Test
    void theDegreeIsThatOfTheStep() {
        assertEquals(List.of(List.of()), cut("'f1', ['directed_by'], {kg: 'films', maxDegree: 1}"));
    }

    @Test
    void maxPathsIsReported() {
        assertEquals(
                List.of(List.of("maxPaths")),
                cut("'h1', ['^has', 'has'], {kg: 'films', maxPaths: 50}"));
    }

    @Test
    void anExactMaxPathsIsNotReported() {
        assertEquals(
                List.of(List.of()), cut("'h1', ['^has', 'has'], {kg: 'films', maxPaths: 100}"));
    }

    @Test
    void aChainWithoutRepetitionNeedsNoMaxPaths() {
        assertEquals(List.of(List.of()), cut("'hub', ['has'], {kg: 'films', maxPaths: 1}"));
    }

    @Test
    void countsBeyondTheLargestNumberAreReportedAsTruncated() {
        String chain =
                IntStream.rangeClosed(1, 9)
                        .mapToObj(i -> "'wide" + i + "'")
                        .collect(Collectors.joining(", "));
        assertEquals(
                List.of(Map.of("count", Long.MAX_VALUE, "cut", List.of("maxPaths"))),
                database.rows(
                        "CALL kgdb.follow('wide', ["
                                + chain
                                + "], {kg: 'films'}) YIELD count, cut RETURN count, cut"));
    }

    @Test
    void anUnknownRelationIsNamedWithItsNearest() {
        assertEquals(
                "kgdb.follow: no relation 'directedby' in graph 'films' (did you mean"
                        + " 'directed_by'?)",
                database.error("CALL kgdb.follow('f1', ['directedby'], {kg: 'films'})"));
    }

    @Test
    void aNullInTheChainIsRefused() {
        assertEquals(
                "kgdb.follow: relations: expected a LIST of STRINGs, got null",
                database.error("CALL kgdb.follow('f1', ['directed_by', null], {kg: 'films'})"));
    }

    @Test
    void aChainBeyondReasonIsRefused() {
        assertEquals(
                "kgdb.follow: relations: expected at most 100 relations in a chain, got 101",
                database.error(
                        "CALL kgdb.follow('f1', [i IN range(0, 100) | 'has'], {kg: 'films'})"));
    }

    @Test
    void aBatchWithOneChain() {
        assertEquals(
                List.of("0 ann", "2 bob"),
                database.column(
                        "CALL kgdb.follow([['f1', 'f2'], [], ['f3']], ['directed_by'], {kg:"
                                + " 'films'}) YIELD batch, id RETURN batch + ' ' + id"));
    }

    @Test
    void aBatchWithAChainForEachSet() {
        assertEquals(
                List.of("0 ann", "1 de"),
                database.column(
                        "CALL kgdb.follow([['f1'], ['f3']], [['directed_by'], ['in_language']],"
                                + " {kg: 'films'}) YIELD batch, id RETURN batch + ' ' + id"));
    }

    @Test
    void chainsForMoreSetsThanThereAre() {
        assertEquals(
                "kgdb.follow: relations: 2 lists are given for 1 start sets; give one list, or one"
                        + " for each start set",
                database.error("CALL kgdb.follow([['f1']], [['has'], ['has']], {kg: 'films'})"));
    }

    @Test
    void labelsOfEveryNodeAfterTheStart() {
        assertEquals(
                List.of("x"),
                database.column(
                        "MATCH (f:Films {id: 'f1'}) CALL kgdb.follow(f, ['in_language'], {labels:"
                                + " ['Other']}) YIELD id RETURN id"));
    }
}
