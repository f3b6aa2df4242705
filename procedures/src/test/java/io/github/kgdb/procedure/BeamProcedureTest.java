package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

class BeamProcedureTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'g', label: 'G'})",
                    "CREATE (:Relation {kg: 'g', id: 'cast'})",
                    """
CREATE (ada:G {id: 'ada', name: 'Ada'}), (f:G:Film {id: 'f'}), (g:G:Film {id: 'g'}),
       (h:G:Film {id: 'h'}), (dir:G {id: 'dir', name: 'Director'}), (wri:G {id: 'wri'}),
       (x:Other {id: 'x'})
CREATE (f)-[:cast]->(ada), (g)-[:cast]->(ada), (ada)-[:made]->(h), (f)-[:by]->(dir),
       (f)-[:by]->(dir), (g)-[:written]->(wri), (g)-[:by]->(wri), (h)-[:by]->(dir),
       (x)-[:cast]->(ada), (dir)-[:knows]->(dir), (dir)-[:knows]->(wri), (dir)-[:knows]->(wri)
""",
                    """
CREATE (p:G {id: 'p'}), (q:G {id: 'q'}), (r:G {id: 'r'}), (m:G:Mediator {id: 'm'}),
       (n:G:Mediator {id: 'n'})
CREATE (p)-[:role]->(m), (m)-[:of]->(q), (m)-[:of]->(q), (m)-[:next]->(n), (n)-[:of]->(r)
""");

    private static List<Object> rows(String arguments) {
        return database.column(
                "CALL kgdb.beam("
                        + arguments
                        + ") YIELD score, ids, relations, count RETURN toString(score) + ': ' +"
                        + " reduce(path = ids[0], i IN range(0, size(relations) - 1) | path + ' ' +"
                        + " relations[i] + ' ' + ids[i + 1]) + CASE count WHEN 1 THEN '' ELSE ' x'"
                        + " + count END");
    }

    private static List<Object> cut(String arguments) {
        return database.column("CALL kgdb.beam(" + arguments + ") YIELD cut RETURN DISTINCT cut");
    }

    private static String error(String arguments) {
        return database.error("CALL kgdb.beam(" + arguments + ")");
    }

    @Test
    void theScoreIsTheSumOfTheSimilarities() {
        assertEquals(
                List.of("0.75: ada ^cast f by dir x2", "0.75: ada ^cast g by wri"),
                rows("'ada', [{`^cast`: 0.5}, {by: 0.25}], {kg: 'g'}"));
    }

    @Test
    void whatEachRelationAddsIsReturned() {
        assertEquals(
                List.of(List.of(0.5, 0.25)),
                database.column(
                        "CALL kgdb.beam('ada', [{`^cast`: 0.5}, {by: 0.25}], {kg: 'g', width: 1})"
                                + " YIELD similarities"));
    }

    @Test
    void theEndHasIdAndName() {
        assertEquals(
                List.of(List.of(0L, "dir", "Director", List.of("Ada", "f", "Director"))),
                database.column(
                        "CALL kgdb.beam('ada', [{`^cast`: 0.5}, {by: 0.25}], {kg: 'g', width: 1})"
                                + " YIELD batch, id, name, names RETURN [batch, id, name, names]"));
    }

    @Test
    void theBestComeFirst() {
        assertEquals(
                List.of(
                        "1.5: ada ^cast g written wri",
                        "1.25: ada made h by dir",
                        "0.75: ada ^cast f by dir x2",
                        "0.75: ada ^cast g by wri"),
                rows("'ada', [{`^cast`: 0.5, made: 1.0}, {by: 0.25, written: 1.0}], {kg: 'g'}"));
    }

    @Test
    void tiesAreOrderedByIdsAndThenRelations() {
        assertEquals(
                List.of("0.5: ada ^cast f", "0.5: ada ^cast g", "0.5: ada made h"),
                rows("'ada', [{`^cast`: 0.5, made: 0.5}], {kg: 'g'}"));
    }

    @Test
    void relationsBreakTiesOfIds() {
        assertEquals(
                List.of("0.5: g by wri", "0.5: g written wri"),
                rows("'g', [{written: 0.5, by: 0.5}], {kg: 'g'}"));
    }

    @Test
    void widthIsKeptAfterEachHop() {
        assertEquals(
                List.of("1.25: ada made h by dir"),
                rows(
                        "'ada', [{`^cast`: 0.5, made: 1.0}, {by: 0.25, written: 1.0}], {kg: 'g',"
                                + " width: 1}"));
    }

    @Test
    void widthIsOfTheWholeSet() {
        assertEquals(
                List.of("1.0: f by dir x2"),
                rows("['f', 'g', 'h'], [{by: 1}], {kg: 'g', width: 1}"));
    }

    @Test
    void widthIsNoTruncation() {
        assertEquals(List.of(List.of()), cut("['f', 'g'], [{by: 1}], {kg: 'g', width: 1}"));
    }

    @Test
    void anEmptyHopEndsEveryPath() {
        assertEquals(List.of(), rows("'ada', [{`^cast`: 1}, {}], {kg: 'g'}"));
    }

    @Test
    void noHopsEndAtTheStart() {
        assertEquals(List.of("0.0: ada", "0.0: f"), rows("['f', 'ada'], [], {kg: 'g'}"));
    }

    @Test
    void theWidthIsNoTruncationEvenWithoutHops() {
        assertEquals(List.of("0.0: ada"), rows("['f', 'ada'], [], {kg: 'g', width: 1}"));
        assertEquals(List.of(List.of()), cut("['f', 'ada'], [], {kg: 'g', width: 1}"));
    }

    @Test
    void aPathThatCannotGoOnIsNoRow() {
        assertEquals(
                List.of("2.0: ada ^cast g written wri"),
                rows("'ada', [{`^cast`: 1}, {written: 1}], {kg: 'g'}"));
    }

    @Test
    void similaritiesMayBeNegative() {
        assertEquals(
                List.of("-0.5: g by wri", "-1.0: g written wri"),
                rows("'g', [{written: -1, by: -0.5}], {kg: 'g'}"));
    }

    @Test
    void relationsPerNodeKeepsTheMostSimilarThatTheNodeHas() {
        assertEquals(
                List.of("1.0: g written wri", "0.5: f by dir x2"),
                rows("['f', 'g'], [{written: 1, by: 0.5}], {kg: 'g', relationsPerNode: 1}"));
    }

    @Test
    void relationsPerNodeTakesTheFirstByNameOfEqualOnes() {
        assertEquals(
                List.of("0.5: g by wri"),
                rows("'g', [{written: 0.5, by: 0.5}], {kg: 'g', relationsPerNode: 1}"));
    }

    @Test
    void relationsPerNodeTakesTheWayAlongFirst() {
        assertEquals(
                List.of("0.5: dir knows dir", "0.5: dir knows wri x2"),
                rows(
                        "'dir', [{knows: 0.5, `^knows`: 0.5, `^by`: 0.1}], {kg: 'g',"
                                + " relationsPerNode: 1}"));
    }

    @Test
    void directionBothFollowsEachWay() {
        assertEquals(
                List.of("0.5: ada ^cast f", "0.5: ada ^cast g", "0.25: ada made h"),
                rows("'ada', [{cast: 0.5, made: 0.25}], {kg: 'g', direction: 'both'}"));
    }

    @Test
    void directionBothAllowsNoSpecAgainst() {
        assertEquals(
                "kgdb.beam: hops already say a direction by '^', as in '^cast'; leave out either"
                        + " the '^' or config direction",
                error("'ada', [{`^cast`: 0.5}], {kg: 'g', direction: 'both'}"));
    }

    @Test
    void directionInIsRefused() {
        assertEquals(
                "kgdb.beam: direction: expected 'out' or 'both', got 'in' (STRING)",
                error("'ada', [{cast: 0.5}], {kg: 'g', direction: 'in'}"));
    }

    @Test
    void excludedRelationsAreNotFollowed() {
        assertEquals(
                List.of("1.0: g written wri"),
                rows("'g', [{written: 1, by: 2}], {kg: 'g', exclude: ['by']}"));
    }

    @Test
    void aRelationExcludedAgainstIsFollowedAlong() {
        assertEquals(
                List.of("1.0: g by wri"),
                rows("'g', [{by: 1, `^cast`: 1}], {kg: 'g', exclude: ['^by']}"));
    }

    @Test
    void labelsAreOfEveryNodeAfterTheStart() {
        assertEquals(
                List.of("1.0: ada made h"),
                rows("'ada', [{made: 1}], {kg: 'g', labels: ['Film']}"));
    }

    @Test
    void aNodeWithoutTheLabelIsNotVisited() {
        assertEquals(List.of(), rows("'f', [{by: 1}], {kg: 'g', labels: ['Film']}"));
    }

    @Test
    void noRelationshipIsUsedTwice() {
        assertEquals(
                List.of("2.0: g written wri ^by g"),
                rows("'g', [{written: 1}, {`^written`: 1, `^by`: 1}], {kg: 'g'}"));
    }

    @Test
    void aParallelRelationshipLeadsBack() {
        assertEquals(
                List.of("2.0: f by dir ^by f x2", "2.0: f by dir ^by h x2"),
                rows("'f', [{by: 1}, {`^by`: 1}], {kg: 'g'}"));
    }

    @Test
    void aSelfLoopIsUsedOnceOnly() {
        assertEquals(
                List.of("2.0: dir knows dir knows wri x2"),
                database.column(
                        "CALL kgdb.beam('dir', [{knows: 1}, {knows: 1, `^knows`: 1}], {kg: 'g'})"
                            + " YIELD score, ids, relations, count WITH * WHERE ids[1] = 'dir'"
                            + " RETURN score + ': ' + ids[0] + ' ' + relations[0] + ' ' + ids[1] +"
                            + " ' ' + relations[1] + ' ' + ids[2] + ' x' + count"));
    }

    @Test
    void aMediatorIsHalfWay() {
        assertEquals(
                List.of("0.75: p role m of q x2"),
                rows("'p', [{role: 1.0, of: 0.5}], {kg: 'g', mediators: true}"));
    }

    @Test
    void eachHalfCountsHalfItsSimilarity() {
        assertEquals(
                List.of(List.of(0.5, 0.25)),
                database.column(
                        "CALL kgdb.beam('p', [{role: 1.0, of: 0.5}], {kg: 'g', mediators: true})"
                                + " YIELD similarities"));
    }

    @Test
    void aMediatorThatLeadsNowhereDropsThePath() {
        assertEquals(List.of(), rows("'p', [{role: 1.0}, {of: 1.0}], {kg: 'g', mediators: true}"));
    }

    @Test
    void aHopGoesThroughOneMediatorOnly() {
        assertEquals(
                List.of("0.75: p role m of q x2"),
                rows("'p', [{role: 1.0, of: 0.5, next: 2}], {kg: 'g', mediators: true}"));
    }

    @Test
    void withoutMediatorsTheyAreNodesLikeOthers() {
        assertEquals(List.of("1.0: p role m"), rows("'p', [{role: 1.0}], {kg: 'g'}"));
    }

    @Test
    void relationsPerNodeHoldsAtAMediatorToo() {
        assertEquals(
                List.of(),
                rows(
                        "'p', [{role: 1.0, of: 0.5, next: 2}], {kg: 'g', mediators: true,"
                                + " relationsPerNode: 1}"));
    }

    @Test
    void aHubIsNotExpanded() {
        assertEquals(
                List.of("1.0: g by wri", "1.0: h by dir"),
                rows("['f', 'g', 'h'], [{by: 1}], {kg: 'g', maxDegree: 1}"));
    }

    @Test
    void aHubIsReported() {
        assertEquals(
                List.of(List.of("maxDegree: f")),
                cut("['f', 'g', 'h'], [{by: 1}], {kg: 'g', maxDegree: 1}"));
    }

    @Test
    void aMediatorThatIsAHubIsReported() {
        assertEquals(
                List.of(Arrays.asList(0L, null, List.of("maxDegree: m"))),
                database.column(
                        "CALL kgdb.beam('p', [{role: 1.0, of: 0.5}], {kg: 'g', mediators: true,"
                                + " maxDegree: 1}) YIELD batch, id, cut RETURN [batch, id, cut]"));
    }

    @Test
    void onlyRelationsThatAreFollowedMakeAHub() {
        assertEquals(
                List.of("1.0: g written wri"),
                rows(
                        "'g', [{written: 1, by: 0.5}], {kg: 'g', maxDegree: 1, relationsPerNode:"
                                + " 1}"));
    }

    @Test
    void aBatchWithTheSameHops() {
        assertEquals(
                List.of("0 dir", "1 wri"),
                database.column(
                        "CALL kgdb.beam([['f'], ['g']], [{by: 1}], {kg: 'g'}) YIELD batch, id"
                                + " RETURN batch + ' ' + id"));
    }

    @Test
    void aBatchWithHopsOfItsOwnForEachSet() {
        assertEquals(
                List.of("0 f", "0 g", "1 wri"),
                database.column(
                        "CALL kgdb.beam([['ada'], ['g']], [[{`^cast`: 1}], [{written: 1}]], {kg:"
                                + " 'g'}) YIELD batch, id RETURN batch + ' ' + id"));
    }

    @Test
    void hopsForMoreSetsThanThereAre() {
        assertEquals(
                "kgdb.beam: hops: 2 lists are given for 1 start sets; give one list, or one for"
                        + " each start set",
                error("[['f']], [[{by: 1}], [{by: 1}]], {kg: 'g'}"));
    }

    @Test
    void hopsForEachSetNeedSets() {
        assertEquals(
                "kgdb.beam: hops: 1 lists are given for nodes that are no LIST of LISTs; give one"
                        + " list, or one for each start set",
                error("['f'], [[{by: 1}]], {kg: 'g'}"));
    }

    @Test
    void aHopThatIsNoMap() {
        assertEquals(
                "kgdb.beam: hops: expected a MAP of relations to similarities, got 'by'"
                        + " (STRING)",
                error("'f', ['by'], {kg: 'g'}"));
    }

    @Test
    void noHopsAtAll() {
        assertEquals("kgdb.beam: hops: expected a LIST, got null", error("'f', null, {kg: 'g'}"));
    }

    @Test
    void aSimilarityThatIsNoNumber() {
        assertEquals(
                "kgdb.beam: hops: expected a finite number as the similarity of 'by', got 'high'"
                        + " (STRING)",
                error("'f', [{by: 'high'}], {kg: 'g'}"));
    }

    @Test
    void aSimilarityThatIsNotFinite() {
        assertEquals(
                "kgdb.beam: hops: expected a finite number as the similarity of 'by', got NaN"
                        + " (FLOAT)",
                error("'f', [{by: 0.0 / 0.0}], {kg: 'g'}"));
    }

    @Test
    void anUnknownRelation() {
        assertEquals(
                "kgdb.beam: no relation 'kast' in graph 'g' (did you mean 'cast'?)",
                error("'f', [{kast: 1}], {kg: 'g'}"));
    }
}
