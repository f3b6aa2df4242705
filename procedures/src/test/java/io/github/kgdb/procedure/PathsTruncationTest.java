package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

/** What limits leave out of the paths, and how the rows list them. */
class PathsTruncationTest {
    @AutoClose private static final PathsGraph graph = PathsGraph.create();

    @Test
    void noPathGoesThroughAHub() {
        assertEquals(
                List.of("1: a likes c", "2: a knows b knows c x2"),
                graph.all("['a', 'c'], {kg: 'g', maxDegree: 6}"));
    }

    @Test
    void aHubBetweenIsReported() {
        assertEquals(
                List.of(List.of("maxDegree: h")), graph.cut("['a', 'c'], {kg: 'g', maxDegree: 6}"));
    }

    @Test
    void aHubAtAnEndStopsNothing() {
        assertEquals(
                List.of("1: a at h"), graph.all("['a', 'h'], {kg: 'g', maxHops: 1, maxDegree: 6}"));
    }

    @Test
    void aHubTooFarAwayIsNotReported() {
        assertEquals(
                List.of(List.of()), graph.cut("['a', 'c'], {kg: 'g', maxHops: 1, maxDegree: 6}"));
    }

    @Test
    void aTruncationWithoutAnyPathHasARowOfItsOwn() {
        assertEquals(
                List.of(Arrays.asList(0L, null, null, List.of("maxDegree: h"))),
                graph.database()
                        .column(
                                "CALL kgdb.paths.all(['a', 'c'], {kg: 'g', relations: ['at'],"
                                        + " maxDegree: 6}) YIELD batch, source, hops, cut RETURN"
                                        + " [batch, source, hops, cut]"));
    }

    @Test
    void perPairKeepsTheFirst() {
        assertEquals(
                List.of("1: a likes c", "2: a knows b knows c x2"),
                graph.all("['a', 'c'], {kg: 'g', perPair: 2}"));
    }

    @Test
    void perPairIsReported() {
        assertEquals(List.of(List.of("perPair")), graph.cut("['a', 'c'], {kg: 'g', perPair: 2}"));
    }

    @Test
    void anExactPerPairIsNotReported() {
        assertEquals(List.of(List.of()), graph.cut("['a', 'c'], {kg: 'g', perPair: 3}"));
    }

    @Test
    void limitIsOfTheWholeSet() {
        assertEquals(
                List.of("1: a knows b x2"),
                graph.all("['a', 'b', 'c'], {kg: 'g', maxHops: 1, limit: 1}"));
    }

    @Test
    void everyLimitThatTruncatedIsReported() {
        assertEquals(
                List.of(List.of("maxDegree: h", "perPair", "limit")),
                graph.cut("['a', 'b', 'c'], {kg: 'g', maxDegree: 6, perPair: 1, limit: 1}"));
    }

    @Test
    void truncationsAreReportedForEachSetOfABatch() {
        assertEquals(
                List.of(
                        Arrays.asList(0L, List.of("a", "c"), List.of("maxDegree: h", "perPair")),
                        Arrays.asList(2L, null, List.of("maxDegree: h")),
                        Arrays.asList(3L, List.of("p", "m", "q"), List.of())),
                graph.database()
                        .column(
                                "CALL kgdb.paths.all([['a', 'c'], [], ['leaf 1', 'leaf 2'], ['p',"
                                    + " 'q', 'p']], {kg: 'g', maxHops: 2, perPair: 1, maxDegree:"
                                    + " 6}) YIELD batch, ids, cut RETURN [batch, ids, cut]"));
    }
}
